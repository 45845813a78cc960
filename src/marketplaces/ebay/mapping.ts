import { Big } from '../../lib/decimal.ts';
import type { ImportedLine, ImportedOrder } from '../adapter.ts';
import { money } from '../amounts.ts';
import { importBilling, importCustomer, importShipping, isDigital } from './addresses.ts';
import { Line, type Order } from './schema.ts';
import { standingOf } from './state.ts';

/** Enough for a price that does not divide by its quantity, such as 10.00 for 3 pieces. */
const UNIT_PRICE_DECIMALS = 4;

export function importOrder(order: Order): ImportedOrder {
  const { state, problems } = standingOf(order);
  const { total, tax, deliveryCost, deliveryDiscount } = order.pricingSummary;
  const { currency } = total;
  if (!currency) problems.push('The order has no currency');
  if (!total.value) problems.push('The order has no total');
  const lines = readLines(order, problems).map((line) => importLine(line, { state, currency, problems }));
  const methods = order.paymentSummary.payments.map(({ paymentMethod }) => paymentMethod).filter(Boolean);
  return {
    externalId: order.orderId,
    externalNumber: order.orderId,
    state,
    currency,
    createdAt: order.creationDate,
    modifiedAt: order.lastModifiedDate,
    customer: importCustomer(order),
    billing: importBilling(order),
    shipping: importShipping(order, problems),
    lines,
    // The discount is described as a negative number; in any case it makes the delivery cheaper.
    shippingGross: money(new Big(deliveryCost.value || 0).minus(new Big(deliveryDiscount.value || 0).abs())),
    totalGross: total.value && money(total.value),
    totalNet: total.value && money(new Big(total.value).minus(tax.value || 0)),
    paymentMethod: [...new Set(methods)].join(', '),
    // eBay's payment methods know none (PaymentMethodTypeEnum, read 2026-11-21).
    cashOnDelivery: false,
    note: order.buyerCheckoutNotes,
    ...(isDigital(order) ? { needsShipping: false } : {}),
    problems,
  };
}

function readLines(order: Order, problems: string[]): Line[] {
  const lines: Line[] = [];
  for (const [index, raw] of (order.lineItems ?? []).entries()) {
    const parsed = Line.safeParse(raw);
    if (parsed.success) lines.push(parsed.data);
    else problems.push(`Line ${index + 1} of the order could not be read`);
  }
  if (order.lineItems === null) problems.push('The lines of the order could not be read');
  else if (order.lineItems.length === 0) problems.push('The order has no lines');
  return lines;
}

/** Taxes come on top: a price that includes VAT has none listed. */
function importLine(
  line: Line,
  { state, currency, problems }: Pick<ImportedOrder, 'state' | 'currency' | 'problems'>,
): ImportedLine {
  const { lineItemId, quantity, sku } = line;
  const title = line.title || sku || `line ${lineItemId}`;
  if (state !== 'shipped' && line.lineItemFulfillmentStatus === 'FULFILLED') {
    problems.push(`At least a part of "${title}" was already shipped`);
  }
  if (!Number.isInteger(quantity) || quantity < 1) {
    problems.push(`The quantity of "${title}" is ${quantity}: there is nothing to ship of it`);
  }
  const cost = line.discountedLineItemCost.value ? line.discountedLineItemCost : line.lineItemCost;
  if (!cost.value) problems.push(`"${title}" has no price`);
  else if (cost.currency !== currency) problems.push(`"${title}" is priced in ${cost.currency || 'no currency'}`);
  const gross = cost.value
    ? line.taxes.reduce((sum, { amount }) => sum.plus(amount.value || 0), new Big(cost.value))
    : null;
  const unit = gross && (quantity > 0 ? gross.div(quantity).round(UNIT_PRICE_DECIMALS) : new Big(0));
  return {
    externalLineId: lineItemId,
    sku,
    title: line.title,
    quantity,
    unitPriceGross: unit ? money(unit) : '',
    totalGross: gross ? money(gross) : '',
    totalNet: cost.value && money(cost.value),
  };
}
