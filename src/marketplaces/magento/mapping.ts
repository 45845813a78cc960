import { Big } from '../../lib/decimal.ts';
import type { ImportedAddress, ImportedLine, ImportedOrder } from '../adapter.ts';
import { addressProblems } from '../address-problems.ts';
import { money, unitPrice } from '../amounts.ts';
import type { Account } from './account.ts';
import { amountsOf } from './amounts.ts';
import { openPieces, readLines } from './pieces.ts';
import { Address, type Line, type Order } from './schema.ts';

/** The states are Magento's own; shops invent statuses below them. `new` and `processing` depend on the order. */
const STATES: Readonly<Record<string, ImportedOrder['state']>> = {
  new: 'open',
  pending_payment: 'held',
  payment_review: 'held',
  holded: 'held',
  processing: 'open',
  complete: 'shipped',
  closed: 'cancelled',
  canceled: 'cancelled',
};

const CASH_ON_DELIVERY = ['cashondelivery'];
const TAX_CODE = /^[A-Z]{6}[0-9LMNPQRSTUV]{2}[A-Z][0-9LMNPQRSTUV]{2}[A-Z][0-9LMNPQRSTUV]{3}[A-Z]$/i;

export function importOrder(order: Order, account: Account): ImportedOrder {
  const problems: string[] = [];
  const { lines, unreadable } = readLines(order);
  if (order.items === null) problems.push('The lines of the order could not be read');
  else if (order.items.length === 0) problems.push('The order has no lines');
  problems.push(...unreadable.map((position) => `Line ${position} of the order could not be read`));

  const cashOnDelivery = (account.cashOnDeliveryMethods ?? CASH_ON_DELIVERY).includes(order.payment.method);
  const state = stateOf(order, { lines, cashOnDelivery, problems });
  if (state === 'open') problems.push(...lines.flatMap(shippedBefore));
  const isOver = state === 'cancelled' || state === 'shipped';
  const left = isOver ? lines : lines.filter((line) => leftOf(line) > 0 || line.qty_ordered <= 0);
  if (lines.length > 0 && left.length === 0) {
    problems.push('Every piece of the order was cancelled or refunded: there is nothing to ship');
  }
  const total = totalOf(order, { isOver });
  if (!order.order_currency_code) problems.push('The order has no currency');
  if (!order.grand_total) problems.push('The order has no total');
  const billing = importAddress(order.billing_address);
  const shipping = amountsOf({
    total: order.shipping_amount,
    tax: order.shipping_tax_amount,
    discount: order.shipping_discount_amount,
    discountTax: order.shipping_discount_tax_compensation_amount,
  });
  return {
    externalId: String(order.entity_id),
    externalNumber: order.increment_id || String(order.entity_id),
    state,
    currency: order.order_currency_code,
    createdAt: order.created_at,
    modifiedAt: order.updated_at,
    customer: {
      fullName: `${order.customer_firstname} ${order.customer_lastname}`.trim() || billing.fullName,
      email: order.customer_email,
      phone: billing.phone,
    },
    billing: { ...billing, ...taxNumbersOf(order) },
    shipping: importShipping(order, problems),
    lines: left.map((line) => importLine(line, { isOver, problems })),
    shippingGross: money(shipping?.gross ?? '0'),
    totalGross: total ? money(total.gross) : '',
    totalNet: total ? money(total.net) : '',
    paymentMethod: order.payment.method,
    cashOnDelivery,
    note: order.customer_note,
    ...(isDigital(order, lines) ? { needsShipping: false } : {}),
    problems,
  };
}

function stateOf(
  order: Order,
  { lines, cashOnDelivery, problems }: { lines: Line[]; cashOnDelivery: boolean; problems: string[] },
): ImportedOrder['state'] {
  const state = STATES[order.state];
  if (!state) problems.push(`The shop's order state "${order.state}" is not known: the order waits`);
  if (state !== 'open') return state ?? 'held';
  // Shipped before it is invoiced, an order stays in process.
  const isShipped = lines.some(({ qty_shipped }) => qty_shipped > 0) && lines.every((line) => openPieces(line) <= 0);
  if (isShipped) return 'shipped';
  const isUnpaid = Number(order.total_due || order.grand_total) > 0;
  return order.state === 'new' && isUnpaid && !cashOnDelivery ? 'held' : 'open';
}

function shippedBefore(line: Line): string[] {
  const { qty_ordered, qty_shipped } = line;
  return qty_shipped > 0 ? [`${qty_shipped} of ${qty_ordered} pieces of "${titleOf(line)}" were already shipped`] : [];
}

const DIGITAL = new Set(['virtual', 'downloadable']);

function isDigital(order: Order, lines: readonly Line[]): boolean {
  const isVirtual = (line: Line) => line.is_virtual || DIGITAL.has(line.product_type);
  return order.is_virtual || (lines.length > 0 && lines.every(isVirtual));
}

/** Without what was cancelled or refunded. */
function leftOf({ qty_ordered, qty_canceled, qty_refunded }: Line): number {
  return qty_ordered - qty_canceled - qty_refunded;
}

/** Without what was cancelled or refunded, except in an order that is over: that is shown as it was. */
function totalOf(order: Order, { isOver }: { isOver: boolean }): { gross: Big; net: Big } | null {
  if (!order.grand_total) return null;
  const dropped = (...amounts: string[]): Big =>
    amounts.reduce((sum, amount) => sum.plus(isOver ? 0 : amount || 0), new Big(0));
  const gross = new Big(order.grand_total).minus(dropped(order.total_refunded, order.total_canceled));
  const tax = new Big(order.tax_amount || 0).minus(dropped(order.tax_refunded, order.tax_canceled));
  return { gross, net: gross.minus(tax) };
}

function importLine(line: Line, { isOver, problems }: { isOver: boolean; problems: string[] }): ImportedLine {
  const quantity = isOver ? line.qty_ordered : leftOf(line);
  const share = line.qty_ordered > 0 ? new Big(quantity).div(line.qty_ordered) : new Big(1);
  const title = titleOf(line);
  if (!Number.isInteger(quantity) || quantity < 1) {
    problems.push(`The quantity of "${title}" is ${quantity}: there is nothing to ship of it`);
  }
  const amounts = amountsOf({
    total: line.row_total,
    tax: line.tax_amount,
    discount: line.discount_amount,
    discountTax: line.discount_tax_compensation_amount,
  });
  if (!amounts) problems.push(`"${title}" has no price`);
  const gross = amounts?.gross.times(share);
  const net = amounts?.net.times(share);
  return {
    externalLineId: String(line.item_id),
    sku: line.sku,
    title: line.name,
    quantity,
    unitPriceGross: gross ? unitPrice(gross, quantity) : '',
    totalGross: gross ? money(share.eq(1) ? gross : gross.round(2)) : '',
    totalNet: net ? money(share.eq(1) ? net : net.round(2)) : '',
  };
}

function titleOf({ name, sku, item_id }: Line): string {
  return name || sku || `line ${item_id}`;
}

function importShipping(order: Order, problems: string[]): ImportedAddress {
  const [first, ...others] = order.extension_attributes.shipping_assignments;
  if (order.is_virtual) {
    problems.push('The order holds digital goods only: there is nothing to ship');
    return importAddress(first?.shipping.address ?? Address.parse({}));
  }
  if (others.length > 0) {
    problems.push(`The order goes to ${others.length + 1} addresses, of which this is the first: split it in the shop`);
  }
  const address = importAddress(first?.shipping.address ?? Address.parse({}));
  problems.push(...addressProblems(address));
  return address;
}

function importAddress(address: Address): ImportedAddress {
  const [street = '', ...more] = address.street.filter(Boolean);
  return {
    fullName: `${address.firstname} ${address.lastname}`.trim(),
    company: address.company,
    phone: address.telephone,
    address: street,
    address2: more.join(', '),
    city: address.city,
    province: address.region_code || address.region,
    zip: address.postcode,
    countryCode: address.country_id.toUpperCase(),
  };
}

/** Magento has a VAT number on the address and one field on the customer, which in Italy takes either number. */
function taxNumbersOf({ billing_address, customer_taxvat }: Order): { vatNumber: string; taxCode: string } {
  const isTaxCode = TAX_CODE.test(customer_taxvat);
  return {
    vatNumber: billing_address.vat_id || (isTaxCode ? '' : customer_taxvat),
    taxCode: isTaxCode ? customer_taxvat.toUpperCase() : '',
  };
}
