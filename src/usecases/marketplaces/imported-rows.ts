import { Big, toCents } from '../../lib/decimal.ts';
import type { ImportedOrder } from '../../marketplaces/adapter.ts';
import { customerFields } from '../orders/party-fields.ts';

/** Returns the amounts of an imported order as the marketplace counted them. A missing amount becomes zero and a problem. */
function amountsOf(order: ImportedOrder) {
  const grossCents = toCents(order.totalGross || 0);
  const netCents = toCents(order.totalNet || 0);
  const shippingGrossCents = toCents(order.shippingGross || 0);
  return { grossCents, netCents, vatCents: grossCents - netCents, shippingGrossCents };
}

/** Returns the columns of the order row for an imported order. */
export function orderFields(order: ImportedOrder, vatRate: string) {
  const amounts = amountsOf(order);
  const held = order.state === 'held' ? ['The marketplace says that the order is not ready to be shipped'] : [];
  return {
    ...amounts,
    shippingNetCents: new Big(amounts.shippingGrossCents)
      .div(new Big(vatRate).div(100).plus(1))
      .round(0, Big.roundHalfUp)
      .toNumber(),
    currency: order.currency || 'EUR',
    paymentMethod: order.cashOnDelivery ? 'COD' : order.paymentMethod.slice(0, 50) || 'PREPAID',
    codCents: order.cashOnDelivery ? amounts.grossCents : null,
    buyerOrderNote: order.note,
    problems: [...order.problems, ...held],
    // An open payment is no problem of the order, and neither are digital goods.
    error: order.problems.length > 0 && order.needsShipping !== false ? order.problems.join('; ') : null,
    externalOrderNumber: order.externalNumber,
    externalModifiedAt: order.modifiedAt,
    marketplaceCreatedAt: order.createdAt,
  };
}

export function buyerFields({ customer, billing }: ImportedOrder) {
  const address = [billing.address, billing.address2].filter(Boolean).join(' ');
  return customerFields({ customer, billing: { ...billing, address } });
}

export function itemRows(order: ImportedOrder, owner: { companyId: number; orderId: number }) {
  return order.lines.map((line, index) => ({
    ...owner,
    position: index + 1,
    externalLineId: line.externalLineId,
    sku: line.sku,
    title: line.title,
    // A parcel of two and a half metres is a problem of the order, but no reason to lose the order.
    quantity: Math.ceil(line.quantity),
    unitPriceGross: new Big(line.unitPriceGross || 0).toFixed(4),
    unitPriceNet: new Big(line.totalNet || 0).div(line.quantity > 0 ? line.quantity : 1).toFixed(4),
    totalGrossCents: toCents(line.totalGross || 0),
    totalNetCents: toCents(line.totalNet || 0),
  }));
}
