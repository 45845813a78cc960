import type { StoredOrder } from './books.ts';

type Part = Record<string, unknown>;

/** Lists tell nothing of the buyer's tax number and of cancellation requests; types of taxes and fees have to be asked for. */
export function renderOrder(order: StoredOrder, asked: { isListed: boolean; fieldGroups: unknown }): Part {
  const { isListed } = asked;
  const withTaxes = asked.fieldGroups === 'TAX_BREAKDOWN';
  return {
    ...order,
    buyer: isListed ? without(order.buyer, 'taxIdentifier') : order.buyer,
    cancelStatus:
      isListed && isPart(order.cancelStatus) ? { ...order.cancelStatus, cancelRequests: [] } : order.cancelStatus,
    pricingSummary: withTaxes ? order.pricingSummary : without(order.pricingSummary, 'fee'),
    lineItems: Array.isArray(order.lineItems) && !withTaxes ? order.lineItems.map(withoutTaxTypes) : order.lineItems,
  };
}

function withoutTaxTypes(item: unknown): unknown {
  if (!isPart(item) || !Array.isArray(item.taxes)) return item;
  return { ...item, taxes: item.taxes.map((tax) => without(tax, 'taxType')) };
}

function without(value: unknown, field: string): unknown {
  if (!isPart(value)) return value;
  const { [field]: _left, ...rest } = value;
  return rest;
}

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
