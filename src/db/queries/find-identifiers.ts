import type { Orm } from '../orm.ts';
import { runPrepared, type Statement } from './prepared.ts';

/** The field that a search matched. */
export const MATCHED_FIELDS = [
  'orderNumber',
  'marketplaceOrderId',
  'marketplaceOrderNumber',
  'trackingNumber',
  'reference',
  'email',
  'phone',
  'zip',
  'sku',
  'name',
  'company',
] as const;
export type MatchedField = (typeof MATCHED_FIELDS)[number];

/** An order, or one of its shipments, that a search found. */
export interface Found {
  orderId: number;
  /** Null: the order itself. */
  shipmentId: number | null;
  matched: MatchedField;
  /** The stored text that matched. */
  value: string;
  isExact: boolean;
}

interface Source {
  matched: MatchedField;
  /** Table and alias. */
  from: string;
  text: string;
  /** The indexed form of the text. */
  compared: string;
  /** The order of a row, or a join to it. */
  order: string;
  join?: string;
  shipment?: string;
}

const lower = (text: string): string => `lower(${text})`;
const NINE_DIGITS = (text: string): string => `"right"(regexp_replace(${text}, '\\D', '', 'g'), 9)`;
const ORDER = { from: 'orders t', order: 't.id' };
const SHIPMENT = { from: 'shipments t', order: 't.order_id', shipment: 't.id' };
const CUSTOMER = { from: 'customers t', order: 'o.id', join: 'join orders o on o.customer_id = f.id' };
const ADDRESS = { from: 'customer_addresses t', order: 'o.id', join: 'join orders o on o.customer_address_id = f.id' };
const ITEM = { from: 'order_items t', order: 't.order_id' };

const source = (matched: MatchedField, where: Omit<Source, 'matched' | 'text' | 'compared'>, text: string): Source => ({
  matched,
  ...where,
  text,
  compared: lower(text),
});

/** Nearly unique within a company. */
const NUMBERS: readonly Source[] = [
  source('orderNumber', ORDER, 't.order_number'),
  source('marketplaceOrderId', ORDER, 't.external_order_id'),
  source('marketplaceOrderNumber', ORDER, 't.external_order_number'),
  source('trackingNumber', SHIPMENT, 't.tracking_number'),
  source('reference', SHIPMENT, 't.reference'),
];
const EMAIL = source('email', CUSTOMER, 't.email');
const SKU = source('sku', ITEM, 't.sku');
/** Shared by many orders: the newest ones are the answer. */
const SHARED: readonly (Source & { value: string })[] = [
  { ...EMAIL, value: '$2' },
  { ...SKU, value: '$2' },
  { matched: 'zip', ...ADDRESS, text: 't.zip', compared: 't.zip', value: '$2' },
  { matched: 'phone', ...CUSTOMER, text: 't.phone', compared: NINE_DIGITS('t.phone'), value: '$4' },
  { matched: 'phone', ...ADDRESS, text: 't.phone', compared: NINE_DIGITS('t.phone'), value: '$4' },
];
const FILLED: Readonly<Partial<Record<MatchedField, string>>> = {
  email: `t.email <> ''`,
  sku: `t.sku <> ''`,
  phone: `t.phone <> ''`,
  marketplaceOrderId: 't.external_order_id is not null',
  marketplaceOrderNumber: 't.external_order_number is not null',
  trackingNumber: 't.tracking_number is not null',
  reference: 't.reference is not null',
};

/** Ranges instead of LIKE, because a prepared LIKE cannot use its index. */
function byPrefix(one: Source): string {
  const { compared } = one;
  return branch(one, `${compared} ~>=~ $2 and ${compared} ~<~ $3`, `${compared} using ~<~`);
}

function branch(one: Source, condition: string, orderBy: string): string {
  const { matched, from, text, compared, order, join, shipment = 'null::int' } = one;
  const filled = FILLED[matched] ? `and ${FILLED[matched]}` : '';
  const row = join ? 't.id' : `${order} as order_id`;
  return `(select ${join ? 'o.id' : 'f.order_id'} as "orderId", f.shipment_id as "shipmentId", '${matched}' as matched, f.value, f.is_exact as "isExact"
     from (select ${row}, ${shipment} as shipment_id, ${text} as value, ${compared} = ${matched === 'phone' ? '$4' : '$2'} as is_exact
             from ${from} where t.company_id = $1 and ${condition} ${filled} order by ${orderBy} limit $5::int) f ${join ?? ''} limit $5::int)`;
}

const newest = ({ from }: Source): string => (from === ITEM.from ? 't.order_id desc' : 't.id desc');

const FIND: Statement = {
  name: 'find-identifiers',
  text: [
    ...NUMBERS.map(byPrefix),
    ...SHARED.map((one) => branch(one, `${one.compared} = ${one.value}`, newest(one))),
    ...[EMAIL, SKU].map(byPrefix),
  ].join('\nunion all\n'),
};

/** Sorts after every text with the same prefix. */
const LAST = '\u{10ffff}';
const MIN_PHONE_DIGITS = 6;
const COMPARED_DIGITS = 9;

/** Finds orders and shipments by their numbers and codes: equal to the text, or beginning with it. */
export async function findIdentifiers(
  orm: Orm,
  { companyId, text, limit }: { companyId: number; text: string; limit: number },
): Promise<Found[]> {
  const asked = text.toLowerCase();
  const digits = text.replaceAll(/\D/g, '');
  const isPhone = digits.length >= MIN_PHONE_DIGITS && /^[\d\s+()./-]+$/.test(text);
  return runPrepared<Found>(orm, FIND, [
    companyId,
    asked,
    asked + LAST,
    isPhone ? digits.slice(-COMPARED_DIGITS) : null,
    limit,
  ]);
}
