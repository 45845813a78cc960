import { Big } from '../../lib/decimal.ts';
import type { ImportedLine, ImportedOrder } from '../adapter.ts';
import { money, unitPrice } from '../amounts.ts';
import { readLines } from '../read-lines.ts';
import { importBilling, importCustomer, importShipping, isDigital } from './addresses.ts';
import { Line, type Order } from './schema.ts';
import { standingOf } from './state.ts';

export function importOrder(order: Order): ImportedOrder {
  const { state, problems } = standingOf(order);
  const { total, tax, deliveryCost, deliveryDiscount } = order.pricingSummary;
  const { currency } = total;
  if (!currency) problems.push('The order has no currency');
  if (!total.value) problems.push('The order has no total');
  const lines = readLines(Line, order.lineItems, problems).map((line) =>
    importLine(line, { state, currency, problems }),
  );
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
  return {
    externalLineId: lineItemId,
    sku,
    title: line.title,
    quantity,
    unitPriceGross: gross ? unitPrice(gross, quantity) : '',
    totalGross: gross ? money(gross) : '',
    totalNet: cost.value && money(cost.value),
  };
}
