import { provinceOfPlace } from '../addresses/gazetteer.ts';
import { isCashOnDelivery } from '../cod.ts';
import { foldText } from '../pricing/sheets/sheet.ts';
import type { SheetField } from './columns.ts';

/** The value of a cell, and where it stands. */
interface PlacedValue {
  value: string | number | boolean | string[];
  row: number;
  column: string;
}

export type OrderValues = Map<SheetField, PlacedValue>;

interface OrderRowsRead {
  shared: OrderValues;
  /** One per row. */
  lines: readonly OrderValues[];
  /** True: the sheet has a column of the field. */
  has(field: SheetField): boolean;
}

interface FieldFault {
  field: SheetField;
  message: string;
}

/** Digits of postal codes that may begin with zeros, which a spreadsheet drops. */
const ZIP_DIGITS: Readonly<Record<string, number>> = { IT: 5, SM: 5, VA: 5, DE: 5, ES: 5, FR: 5, FI: 5, EE: 5, MC: 5 };
const MAX_PARCELS = 99;
const MAX_CITY = 80;
const CASH_WORDS = new Set(['contrassegno', 'cod', 'cash on delivery', 'pagamento alla consegna', 'alla consegna']);

/** Builds the body of `POST /orders`, and lists what contradicts itself between the columns. */
export function orderBodyOf({ shared, lines, has }: OrderRowsRead): {
  body: Record<string, unknown>;
  faults: FieldFault[];
} {
  const faults: FieldFault[] = [];
  const value = (field: SheetField): unknown => shared.get(field)?.value;
  const joined = (...fields: SheetField[]): string | undefined =>
    fields
      .map(value)
      .filter((value) => value !== undefined)
      .join(' ') || undefined;
  const name = joined('name', 'surname') ?? joined('company');
  const country = joined('country') ?? 'IT';
  const zip = paddedZip(value('zip'), country);
  const payment = paymentOf({ shared, has }, faults);
  const body = {
    order_number: value('order_number'),
    customer: { full_name: name, email: value('email'), phone: value('phone') },
    billing: billingOf(value),
    shipping: {
      full_name: name,
      company: value('company'),
      phone: value('phone'),
      address: joined('street', 'house_number'),
      address2: value('address2'),
      zip,
      city: value('city'),
      province: value('province') ?? provinceIn({ country, city: value('city'), zip }),
      country_code: country,
    },
    items: lines.map((line) => ({
      product_id: line.get('product_id')?.value,
      sku: line.get('sku')?.value,
      name: line.get('title')?.value,
      quantity: line.get('quantity')?.value ?? (has('quantity') ? undefined : 1),
      price: line.get('price')?.value ?? (has('price') ? undefined : 0),
    })),
    parcels: parcelsOf(shared, faults),
    ...payment,
    shipping_cost: value('shipping_cost'),
    insurance: value('insurance'),
    note: value('note'),
    warehouse_id: value('warehouse'),
    carrier_company_id: value('contract'),
    carrier_options: value('services'),
    pickup_point_id: value('pickup_point'),
  };
  return { body, faults };
}

function billingOf(value: (field: SheetField) => unknown): Record<string, unknown> | undefined {
  const country = value('billing_country');
  const billing = {
    company: value('billing_company'),
    address: value('billing_street'),
    zip: paddedZip(value('billing_zip'), country ?? 'IT'),
    city: value('billing_city'),
    province: value('billing_province'),
    country_code: country,
    vat_number: value('vat_number'),
    tax_code: value('tax_code'),
  };
  return Object.values(billing).some((value) => value !== undefined) ? billing : undefined;
}

/** A spreadsheet keeps 00184 as the number 184. */
function paddedZip(zip: unknown, country: unknown): unknown {
  const digits = ZIP_DIGITS[String(country)];
  return digits !== undefined && typeof zip === 'string' && /^\d+$/.test(zip) ? zip.padStart(digits, '0') : zip;
}

/** Most sheets of other programs have no province, and `POST /orders` wants one in Italy. */
function provinceIn({ country, city, zip }: { country: string; city: unknown; zip: unknown }): string | undefined {
  if (country !== 'IT' || typeof city !== 'string' || typeof zip !== 'string') return undefined;
  // The gazetteer remembers what it was asked, so only what may be a name is asked.
  if (city.length > MAX_CITY || zip.length > MAX_CITY) return undefined;
  return provinceOfPlace({ city, zip })?.code;
}

/** The weight is that of the whole order, as on a waybill, and is divided to the gram. */
function parcelsOf(shared: OrderValues, faults: FieldFault[]): Record<string, unknown>[] | undefined {
  const [count = 1, weight, ...sides] = (['parcels', 'weight', 'length', 'width', 'height'] as const).map(
    (field) => shared.get(field)?.value as number | undefined,
  );
  if (!Number.isInteger(count) || count < 1 || count > MAX_PARCELS) {
    faults.push({ field: 'parcels', message: `must be a whole number from 1 to ${MAX_PARCELS}` });
    return undefined;
  }
  if (weight === undefined) {
    const isMeasured = count > 1 || sides.some((side) => side !== undefined);
    if (isMeasured)
      faults.push({ field: 'weight', message: 'is missing: parcels that are counted or measured need it' });
    return undefined;
  }
  const grams = Math.round(weight * 1000);
  const [length_cm, width_cm, height_cm] = sides;
  return Array.from({ length: count }, (_each, index) => ({
    weight_kg: (Math.floor(grams / count) + (index < grams % count ? 1 : 0)) / 1000,
    length_cm,
    width_cm,
    height_cm,
  }));
}

/** An amount or a yes under "COD" means cash on delivery, also without a column for the payment. */
function paymentOf(
  { shared, has }: Pick<OrderRowsRead, 'shared' | 'has'>,
  faults: FieldFault[],
): { payment_method?: unknown; cod_amount?: unknown } {
  const given = shared.get('payment')?.value as string | undefined;
  const method = given !== undefined && CASH_WORDS.has(foldText(given)) ? 'COD' : given;
  const cod = shared.get('cod')?.value as number | boolean | undefined;
  const isCash = method !== undefined && isCashOnDelivery(method);
  const isWanted = cod === true || (typeof cod === 'number' && cod !== 0);
  if (isWanted && method !== undefined && !isCash) {
    faults.push({ field: 'cod', message: 'contradicts the payment, which is not cash on delivery' });
  }
  if (cod !== undefined && !isWanted && isCash) {
    faults.push({ field: 'cod', message: 'contradicts the payment, which is cash on delivery' });
  }
  const isPlanned = isCash || isWanted;
  if (isPlanned && typeof cod !== 'number' && !has('price')) {
    faults.push({ field: 'cod', message: 'has no amount, and the sheet has no prices to add up' });
  }
  return {
    payment_method: isWanted ? (method ?? 'COD') : method,
    cod_amount: isWanted && typeof cod === 'number' ? cod : undefined,
  };
}
