import { Big } from '../../lib/decimal.ts';
import { gross, money } from '../amounts.ts';
import type { ImportedAddress, ImportedLine, ImportedOrder } from '../contract.ts';
import { type Address, Line, type Order } from './schema.ts';

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

/** Enough for a price that does not divide by its quantity, such as 10.00 for 3 pieces. */
const UNIT_PRICE_DECIMALS = 4;

/** `unknownDate` stands in for a date that the shop did not give. */
export function importOrder(order: Order, unknownDate: Date): ImportedOrder {
  const problems: string[] = [];
  const state = STATES[order.status];
  if (!state) problems.push(`The shop's order status "${order.status}" is not known: the order waits`);
  if (!order.currency) problems.push('The order has no currency');
  if (!order.total) problems.push('The order has no total');
  if (order.refunds?.length) problems.push('Part of the order was refunded: check what is still to be shipped');

  const lines = importLines(order, problems);
  const createdAt = utc(order.date_created_gmt) ?? unknownDate;
  const billing = importAddress(order.billing);
  const shipping = chooseShipping(order, problems);
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
    totalGross: order.total && money(order.total),
    totalNet: order.total && money(new Big(order.total).minus(order.total_tax || 0)),
    paymentMethod: order.payment_method || order.payment_method_title,
    cashOnDelivery: order.payment_method === 'cod',
    note: order.customer_note,
    problems,
  };
}

function importLines(order: Order, problems: string[]): ImportedLine[] {
  const lines: ImportedLine[] = [];
  for (const [index, raw] of (order.line_items ?? []).entries()) {
    const parsed = Line.safeParse(raw);
    if (parsed.success) lines.push(importLine(parsed.data, problems));
    else problems.push(`Line ${index + 1} of the order could not be read`);
  }
  if (order.line_items === null) problems.push('The lines of the order could not be read');
  else if (order.line_items.length === 0) problems.push('The order has no lines');
  return lines;
}

function importLine(line: Line, problems: string[]): ImportedLine {
  const title = line.name || line.sku || `line ${line.id}`;
  if (!Number.isInteger(line.quantity) || line.quantity < 1) {
    problems.push(`The quantity of "${title}" is ${line.quantity}: there is nothing to ship of it`);
  }
  if (!line.total) problems.push(`"${title}" has no price`);
  const totalGross = line.total && gross(line.total, line.total_tax);
  const unit =
    line.quantity > 0 && totalGross ? new Big(line.total).plus(line.total_tax || 0).div(line.quantity) : null;
  return {
    externalLineId: String(line.id),
    sku: line.sku,
    title: line.name,
    quantity: line.quantity,
    unitPriceGross: unit ? money(unit.round(UNIT_PRICE_DECIMALS)) : totalGross && '0.00',
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
  if (!address.fullName && !address.company) problems.push('The shipping address has no name');
  if (!address.address) problems.push('The shipping address has no street');
  if (!address.city) problems.push('The shipping address has no city');
  if (!address.zip) problems.push('The shipping address has no postal code');
  if (!address.countryCode) problems.push('The shipping address has no country');
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
