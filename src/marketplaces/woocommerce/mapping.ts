import { Big } from '../../lib/decimal.ts';
import type { ImportedAddress, ImportedLine, ImportedOrder } from '../adapter.ts';
import { addressProblems } from '../address-problems.ts';
import { gross, money, unitPrice } from '../amounts.ts';
import { readLines } from '../read-lines.ts';
import type { Account } from './account.ts';
import type { Refunds } from './refunds.ts';
import { type Address, Line, type Order, RefundTotal } from './schema.ts';

const STATES: Readonly<Record<string, ImportedOrder['state']>> = {
  processing: 'open',
  pending: 'held',
  'on-hold': 'held',
  cancelled: 'cancelled',
  refunded: 'cancelled',
  failed: 'cancelled',
  trash: 'cancelled',
  completed: 'shipped',
};

/** Statuses of a cart that is no order yet; recorded from WooCommerce 11.0.1, 2026-11-22. */
const DRAFTS = new Set(['auto-draft', 'checkout-draft', 'draft']);

export interface Reading {
  account: Account;
  /** Absent: none. */
  refunds?: Refunds | undefined;
  /** Stands in for a date that the shop did not give. */
  unknownDate: Date;
}

export function importOrder(order: Order, { account, refunds, unknownDate }: Reading): ImportedOrder {
  const problems: string[] = [];
  const isDraft = DRAFTS.has(order.status);
  const state = isDraft ? 'held' : STATES[order.status];
  if (!state) problems.push(`The shop's order status "${order.status}" is not known: the order waits`);
  if (!order.currency) problems.push('The order has no currency');
  if (!order.total) problems.push('The order has no total');
  if (refunds?.isWhole === false) {
    problems.push('The refunds of the order could not be read: check what is still to be shipped');
  }
  const mayCreate = !isDraft && (account.statuses?.includes(order.status) ?? true);
  const needsShipping = !isDigital(order);
  if (!needsShipping) problems.push('The order holds digital goods only: there is nothing to ship');

  const lines = importLines(order, { refunds, problems });
  const total = totalOf(order);
  const createdAt = utc(order.date_created_gmt) ?? unknownDate;
  const billing = importAddress(order.billing);
  const shipping = chooseShipping(order, needsShipping ? problems : []);
  return {
    externalId: String(order.id),
    externalNumber: order.number || String(order.id),
    state: state ?? 'held',
    currency: order.currency,
    createdAt,
    modifiedAt: utc(order.date_modified_gmt) ?? createdAt,
    customer: {
      fullName: billing.fullName || shipping.fullName,
      email: order.billing.email,
      phone: order.billing.phone,
    },
    // WooCommerce itself has no field for them; each plugin invents its own.
    billing: { ...billing, vatNumber: '', taxCode: '' },
    shipping,
    lines,
    shippingGross: gross(order.shipping_total, order.shipping_tax),
    totalGross: total ? money(total.gross) : '',
    totalNet: total ? money(total.net) : '',
    paymentMethod: order.payment_method || order.payment_method_title,
    cashOnDelivery: order.payment_method === 'cod',
    note: order.customer_note,
    ...(mayCreate ? {} : { mayCreate }),
    ...(needsShipping ? {} : { needsShipping }),
    problems,
  };
}

/** No line says whether its product is virtual: the shop says it of all together, and then takes no shipping. */
function isDigital({ line_items, shipping_lines, shipping_total, needs_processing }: Order): boolean {
  const hasLines = (line_items?.length ?? 0) > 0;
  return hasLines && !needs_processing && shipping_lines?.length === 0 && Number(shipping_total) === 0;
}

/** Without what was refunded: that is neither paid nor to be collected. Null when the shop gave no total. */
function totalOf(order: Order): { gross: Big; net: Big } | null {
  if (!order.total) return null;
  let gross = new Big(order.total);
  let tax = new Big(order.total_tax || 0);
  // An order that is refunded as a whole is shown as it was.
  for (const raw of order.status === 'refunded' ? [] : (order.refunds ?? [])) {
    const refund = RefundTotal.safeParse(raw).data;
    gross = gross.minus(new Big(refund?.total || 0).abs());
    tax = tax.minus(new Big(refund?.total_tax || 0).abs());
  }
  return { gross, net: gross.minus(tax) };
}

/** Without the pieces that were refunded. */
function importLines(
  order: Order,
  { refunds, problems }: { refunds: Refunds | undefined; problems: string[] },
): ImportedLine[] {
  const read = readLines(Line, order.line_items, problems);
  const left = order.status === 'refunded' ? read : read.flatMap((line) => withoutRefunded(line, refunds) ?? []);
  if (read.length > 0 && left.length === 0) {
    problems.push('Every piece of the order was refunded: there is nothing to ship');
  }
  return left.map((line) => importLine(line, problems));
}

/** Null when nothing of the line is left. */
function withoutRefunded(line: Line, refunds: Refunds | undefined): Line | null {
  const refunded = refunds?.lines.get(String(line.id));
  if (!refunded) return line;
  const quantity = line.quantity - refunded.pieces;
  if (quantity <= 0) return null;
  const left = (amount: string, taken: Big) => amount && new Big(amount).minus(taken).toFixed();
  return { ...line, quantity, total: left(line.total, refunded.net), total_tax: left(line.total_tax, refunded.tax) };
}

function importLine(line: Line, problems: string[]): ImportedLine {
  const title = line.name || line.sku || `line ${line.id}`;
  if (!Number.isInteger(line.quantity) || line.quantity < 1) {
    problems.push(`The quantity of "${title}" is ${line.quantity}: there is nothing to ship of it`);
  }
  if (!line.total) problems.push(`"${title}" has no price`);
  const totalGross = line.total && gross(line.total, line.total_tax);
  return {
    externalLineId: String(line.id),
    sku: line.sku,
    title: line.name,
    quantity: line.quantity,
    unitPriceGross: totalGross && unitPrice(totalGross, line.quantity),
    totalGross,
    totalNet: line.total && money(line.total),
  };
}

/** The shipping address, or the billing one when the customer gave only that. */
function chooseShipping(order: Order, problems: string[]): ImportedAddress {
  const hasOwn = Boolean(order.shipping.address_1 || order.shipping.city || order.shipping.postcode);
  if (!hasOwn && !order.shipping_lines?.length) {
    problems.push('The order has neither a shipping method nor a shipping address: it may hold digital goods only');
  }
  const own = importAddress(hasOwn ? order.shipping : order.billing);
  const address = { ...own, phone: own.phone || order.billing.phone };
  problems.push(...addressProblems(address));
  return address;
}

function importAddress(address: Address): ImportedAddress {
  const countryCode = address.country.toUpperCase();
  return {
    fullName: `${address.first_name} ${address.last_name}`.trim(),
    company: address.company,
    phone: address.phone,
    address: address.address_1,
    address2: address.address_2,
    city: address.city,
    // Plugins write `IT-RM` where WooCommerce writes `RM`.
    province: address.state.replace(new RegExp(`^${countryCode || '[A-Z]{2}'}-`, 'i'), ''),
    zip: address.postcode,
    countryCode,
  };
}

/** Dates ending in `_gmt` are UTC without saying so. */
function utc(date: string): Date | null {
  const at = new Date(/(Z|[+-]\d\d:?\d\d)$/.test(date) ? date : `${date}Z`);
  return Number.isNaN(at.getTime()) ? null : at;
}
