import { Refusal, Unreadable } from './messages.ts';

/** The content of a field: text up to a length, a number with limits of digits, a flag, or one of a list. */
export type Rule =
  | { kind: 'text'; max: number; min?: number }
  | { kind: 'number'; digits: number; decimals: number }
  | { kind: 'flag' }
  | { kind: 'one'; of: readonly string[] };

export interface Field {
  rule: Rule;
  required?: boolean;
}

const text = (max: number): Field => ({ rule: { kind: 'text', max } });
const number = (digits: number, decimals = 0): Field => ({ rule: { kind: 'number', digits, decimals } });
const flag: Field = { rule: { kind: 'flag' } };
const one = (...of: string[]): Field => ({ rule: { kind: 'one', of } });
const required = (field: Field): Field => ({ ...field, required: true });

const DAYS = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'];

export const CREATE_DATA: Readonly<Record<string, Field>> = {
  network: text(1),
  departureDepot: required(number(3)),
  senderCustomerCode: required(number(7)),
  deliveryFreightTypeCode: required(one('DAP', 'EXW')),
  consigneeCompanyName: required(text(70)),
  consigneeAddress: required({ rule: { kind: 'text', max: 105, min: 6 } }),
  consigneeZIPCode: required(text(9)),
  consigneeCity: required(text(35)),
  consigneeProvinceAbbreviation: text(2),
  consigneeCountryAbbreviationISOAlpha2: required(text(2)),
  consigneeClosingShift1_DayOfTheWeek: one(...DAYS),
  consigneeClosingShift1_PeriodOfTheDay: one('AM', 'PM'),
  consigneeClosingShift2_DayOfTheWeek: one(...DAYS),
  consigneeClosingShift2_PeriodOfTheDay: one('AM', 'PM'),
  consigneeContactName: text(35),
  consigneeTelephone: text(16),
  consigneeEMail: text(70),
  consigneeMobilePhoneNumber: text(16),
  isAlertRequired: flag,
  consigneeVATNumber: text(16),
  consigneeVATNumberCountryISOAlpha2: text(2),
  consigneeItalianFiscalCode: text(16),
  pricingConditionCode: number(3),
  serviceType: one('E', 'H', 'C'),
  insuranceAmount: number(7, 2),
  insuranceAmountCurrency: text(3),
  senderParcelType: text(15),
  numberOfParcels: required(number(2)),
  weightKG: required(number(5, 1)),
  volumeM3: number(5, 3),
  quantityToBeInvoiced: number(7, 3),
  cashOnDelivery: number(7, 2),
  isCODMandatory: flag,
  codPaymentType: one('BM', 'CM', 'BB', 'OM', 'OC'),
  codCurrency: text(3),
  numericSenderReference: required(number(15)),
  alphanumericSenderReference: text(15),
  notes: text(70),
  parcelsHandlingCode: text(2),
  deliveryDateRequired: text(10),
  deliveryType: one('P', 'D'),
  declaredParcelValue: number(7, 2),
  declaredParcelValueCurrency: text(3),
  particularitiesDeliveryManagementCode: text(2),
  particularitiesHoldOnStockManagementCode: text(2),
  variousParticularitiesManagementCode: text(2),
  particularDelivery1: one('A', 'F', 'P', 'S', 'X'),
  particularDelivery2: one('A', 'F', 'P', 'S', 'X'),
  cmrCode: text(35),
  pudoId: text(20),
  brtServiceCode: one('B11', 'B13', 'B14', 'B15', 'B20'),
  holdForPickup: flag,
  genericReference: text(35),
};

const ROUTING_ONLY = ['numericSenderReference', 'alphanumericSenderReference', 'cashOnDelivery', 'notes'];

export const ROUTING_DATA: Readonly<Record<string, Field>> = Object.fromEntries(
  Object.entries(CREATE_DATA).filter(([name]) => !ROUTING_ONLY.includes(name)),
);

export const REFERENCE_DATA: Readonly<Record<string, Field>> = {
  senderCustomerCode: required(number(7)),
  numericSenderReference: required(number(15)),
  alphanumericSenderReference: text(15),
  cmrCode: text(35),
};

export const LABEL_PARAMETERS: Readonly<Record<string, Field>> = {
  outputType: one('PDF', 'ZPL'),
  offsetX: text(5),
  offsetY: text(5),
  isBorderRequired: flag,
  isLogoRequired: flag,
  isBarcodeControlRowRequired: flag,
  labelFormat: one('DP5', 'DPH'),
};

export type Values = Readonly<Record<string, string>>;

/** Reads the fields as text, each as the layout wants it. An unknown name makes the whole body unreadable. */
export function readFields(data: unknown, layout: Readonly<Record<string, Field>>): Values {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw new Unreadable('Not an object');
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(data)) {
    const field = layout[name];
    if (!field || typeof value === 'object') throw new Unreadable(`Unrecognized field "${name}"`);
    values[name] = String(value);
  }
  for (const [name, { rule, required: isRequired }] of Object.entries(layout)) {
    const value = values[name] ?? '';
    if (value === '') {
      if (isRequired) throw new Refusal(-5, `${name} MANDATORY`);
      continue;
    }
    if (!fits(value, rule)) throw new Refusal(-5, `${name} INVALID VALUE`);
  }
  return values;
}

function fits(value: string, rule: Rule): boolean {
  switch (rule.kind) {
    case 'text':
      return value.length <= rule.max && value.length >= (rule.min ?? 0);
    case 'number': {
      const whole = rule.digits - rule.decimals;
      return new RegExp(`^\\d{1,${whole}}(\\.\\d{1,${rule.decimals || 1}})?$`).test(value);
    }
    case 'flag':
      return value === '0' || value === '1';
    case 'one':
      return rule.of.includes(value);
  }
}
