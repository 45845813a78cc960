import { wallClock } from '../../lib/clock.ts';
import { Big, centsToNumber } from '../../lib/decimal.ts';
import type { DraftLine, DraftParcel, LabelFormat, ShipmentDraft } from '../adapter.ts';
import { commodityCode, linesCents } from '../customs.ts';
import { composedText as plain, shorten } from '../text.ts';
import { MAX } from './limits.ts';
import { contactOf, postalAddress } from './parties.ts';
import { type Route, routeOf } from './route.ts';
import { dhlTime, nextHandover } from './schedule.ts';
import type { Account } from './schema.ts';
import { INSURANCE, isProduct, isValueAdded } from './services.ts';

/** Label templates of the description; `ECOM26_84_001` is its default. */
const TEMPLATES: Readonly<Record<Exclude<LabelFormat, 'pdf-a5'>, string>> = {
  'pdf-a6': 'ECOM26_A6_002',
  'pdf-a4': 'ECOM26_84_A4_001',
  zpl: 'ECOM26_84_001',
};

const PRODUCT_OF: Readonly<Record<Route, 'productDomestic' | 'productEu' | 'productWorldwide'>> = {
  domestic: 'productDomestic',
  eu: 'productEu',
  worldwide: 'productWorldwide',
};

/** Returns the option of one character, else the account's product for the kind of route. */
export function productOf(account: Account, draft: ShipmentDraft): string {
  return draft.options.find(isProduct) ?? account[PRODUCT_OF[routeOf(draft.sender, draft.recipient).route]];
}

export function weighed({ weightGrams, lengthMm, widthMm, heightMm }: DraftParcel) {
  const centimetres = (millimetres: number): number => new Big(millimetres).div(10).toNumber();
  return {
    weight: kilograms(weightGrams),
    dimensions: { length: centimetres(lengthMm), width: centimetres(widthMm), height: centimetres(heightMm) },
  };
}

function kilograms(grams: number): number {
  return new Big(grams).div(1000).round(3, Big.roundHalfUp).toNumber();
}

/** Returns true when DHL makes the invoice, which is a PDF whatever the labels are. */
export function asksForInvoice(account: Account, draft: ShipmentDraft): boolean {
  const { isDeclarable } = routeOf(draft.sender, draft.recipient);
  return isDeclarable && account.customsInvoice !== 'own';
}

export function createBody(account: Account, draft: ShipmentDraft, now: Date) {
  const { isDeclarable } = routeOf(draft.sender, draft.recipient);
  const services = servicesOf(draft);
  return {
    plannedShippingDateAndTime: dhlTime(nextHandover(now, account), account.timeZone),
    pickup: { isRequested: false },
    productCode: productOf(account, draft),
    accounts: accountsOf(account),
    ...(services.length > 0 ? { valueAddedServices: services } : {}),
    outputImageProperties: imagesOf(account, draft),
    customerReferences: [
      { value: draft.reference, typeCode: 'CU' },
      ...(isShort(draft.orderNumber) ? [{ value: plain(draft.orderNumber), typeCode: 'CO' }] : []),
    ],
    customerDetails: {
      shipperDetails: {
        postalAddress: postalAddress(draft.sender, { withProvinceName: true }),
        contactInformation: contactOf(draft.sender),
        ...registrationsOf(account, draft.sender.countryCode),
      },
      receiverDetails: {
        postalAddress: postalAddress(draft.recipient, { withProvinceName: true }),
        contactInformation: contactOf(draft.recipient),
      },
    },
    content: {
      packages: draft.parcels.map(weighed),
      isCustomsDeclarable: isDeclarable,
      ...(isDeclarable ? customsOf(account, draft, now) : {}),
      description: contentsOf(draft),
      incoterm: account.incoterm,
      unitOfMeasurement: 'metric',
    },
  };
}

/** A number that was cut would be another one: where it is too long, our reference must do. */
function isShort(orderNumber: string): boolean {
  const { length } = plain(orderNumber);
  return length > 0 && length <= MAX.reference;
}

/** Cuts the contents, which the warnings say. */
export function contentsOf({ contents }: ShipmentDraft): string {
  return shorten(plain(contents), MAX.contents);
}

export function accountsOf({ accountNumber, dutiesAccountNumber }: Account) {
  return [
    { typeCode: 'shipper', number: accountNumber },
    ...(dutiesAccountNumber === undefined ? [] : [{ typeCode: 'duties-taxes', number: dutiesAccountNumber }]),
  ];
}

export function servicesOf({ options, insuredCents, currency }: ShipmentDraft) {
  return [
    ...[...new Set(options)].filter(isValueAdded).map((serviceCode) => ({ serviceCode })),
    ...(insuredCents === null ? [] : [{ serviceCode: INSURANCE, value: centsToNumber(insuredCents), currency }]),
  ];
}

/** One file per label, so that the first is that of the first parcel. */
function imagesOf(account: Account, draft: ShipmentDraft) {
  const { labelFormat } = draft;
  if (labelFormat === 'pdf-a5') throw new Error('check refuses A5');
  const invoice = {
    typeCode: 'invoice',
    templateName: 'COMMERCIAL_INVOICE_P_10',
    isRequested: true,
    invoiceType: account.customsInvoice,
    languageCode: 'eng',
  };
  return {
    ...(account.printerDpi === undefined ? {} : { printerDPI: account.printerDpi }),
    encodingFormat: labelFormat === 'zpl' ? 'zpl' : 'pdf',
    imageOptions: [
      { typeCode: 'label', templateName: TEMPLATES[labelFormat] },
      ...(asksForInvoice(account, draft) ? [invoice] : []),
    ],
    splitTransportAndWaybillDocLabels: true,
    splitDocumentsByPages: true,
  };
}

function registrationsOf({ vatNumber, eoriNumber }: Account, country: string) {
  const issuerCountryCode = country.toUpperCase();
  const registrationNumbers = [
    ...(vatNumber === undefined ? [] : [{ typeCode: 'VAT', number: vatNumber, issuerCountryCode }]),
    ...(eoriNumber === undefined ? [] : [{ typeCode: 'EOR', number: eoriNumber, issuerCountryCode }]),
  ];
  return registrationNumbers.length > 0 ? { registrationNumbers } : {};
}

function customsOf(account: Account, draft: ShipmentDraft, now: Date) {
  const { date } = wallClock(now, account.timeZone);
  const number = isShort(draft.orderNumber) ? plain(draft.orderNumber) : draft.reference;
  return {
    declaredValue: centsToNumber(linesCents(draft.lines)),
    declaredValueCurrency: draft.currency,
    exportDeclaration: {
      lineItems: draft.lines.map(lineItem),
      ...(asksForInvoice(account, draft) ? { invoice: { number, date } } : {}),
      exportReasonType: 'commercial_purpose_or_sale',
      shipmentType: 'commercial',
    },
  };
}

/** The price is that of one piece, the weight that of the whole line: DHL multiplies the one and not the other. */
function lineItem(line: DraftLine, index: number) {
  const weight = kilograms(line.weightGrams * line.quantity);
  return {
    number: index + 1,
    description: plain(line.description),
    price: centsToNumber(line.unitValueCents),
    quantity: { value: line.quantity, unitOfMeasurement: 'PCS' },
    commodityCodes: [{ typeCode: 'outbound', value: commodityCode(line) }],
    manufacturerCountry: line.originCountry.toUpperCase(),
    weight: { netValue: weight, grossValue: weight },
  };
}
