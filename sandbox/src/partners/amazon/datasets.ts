import type { StoredOrder } from './books.ts';

export const DATASETS = [
  'BUYER',
  'RECIPIENT',
  'PROCEEDS',
  'EXPENSE',
  'PROMOTION',
  'CANCELLATION',
  'FULFILLMENT',
  'PACKAGES',
  'TAX',
  'PAYMENT',
  'FULFILLMENT_ORDERS',
];

/** Fields that are only there when their dataset is asked for. */
const ORDER_FIELDS: Readonly<Record<string, string>> = {
  buyer: 'BUYER',
  recipient: 'RECIPIENT',
  proceeds: 'PROCEEDS',
  fulfillment: 'FULFILLMENT',
  packages: 'PACKAGES',
  tax: 'TAX',
  payment: 'PAYMENT',
  fulfillmentOrders: 'FULFILLMENT_ORDERS',
};
const ITEM_FIELDS: Readonly<Record<string, string>> = {
  proceeds: 'PROCEEDS',
  expense: 'EXPENSE',
  promotion: 'PROMOTION',
  cancellation: 'CANCELLATION',
  fulfillment: 'FULFILLMENT',
  tax: 'TAX',
};
const PERSONAL = new Set(['BUYER', 'RECIPIENT']);
const UNPAID = new Set(['PENDING', 'PENDING_AVAILABILITY']);

/** Shows the order to one caller: without a role for persons it has none, and a pending order has no recipient yet. */
export function showOrder(order: StoredOrder, asked: { datasets: readonly string[]; mayReadPersons: boolean }): object {
  const status = (order.fulfillment as { fulfillmentStatus?: string }).fulfillmentStatus ?? '';
  const shown = new Set(
    asked.datasets.filter(
      (dataset) =>
        !(PERSONAL.has(dataset) && !asked.mayReadPersons) && !(dataset === 'RECIPIENT' && UNPAID.has(status)),
    ),
  );
  const only = (value: object, fields: Readonly<Record<string, string>>): object =>
    Object.fromEntries(
      Object.entries(value).filter(([name]) => {
        const dataset = fields[name];
        return dataset === undefined || shown.has(dataset);
      }),
    );
  const { orderItems } = order;
  return {
    ...only(order, ORDER_FIELDS),
    orderItems: Array.isArray(orderItems)
      ? orderItems.map((item) => (typeof item === 'object' && item !== null ? only(item, ITEM_FIELDS) : item))
      : orderItems,
  };
}
