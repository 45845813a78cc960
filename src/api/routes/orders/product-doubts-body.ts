import type { OrderView } from '../../../usecases/orders/read-orders.ts';

/** Lists items whose `product_id` the catalogue lacks, by the fields of order creation. */
export function productDoubtsBody({ items }: Pick<OrderView, 'items'>) {
  return items.flatMap(({ clientProductId, productId }, index) =>
    clientProductId === null || clientProductId === productId
      ? []
      : [
          {
            pointer: `/items/${index}/product_id`,
            message: productId
              ? 'The catalogue has no such product: the one with this sku lends its weight and size'
              : 'The catalogue has no such product: it is kept as your own reference, without weight and size',
            suggestion: productId,
          },
        ],
  );
}

/** Returns the header, or no header when every product is known. */
export function productDoubtsHeader(rows: Pick<OrderView, 'items'>): Record<string, string> {
  const pointers = productDoubtsBody(rows).map(({ pointer }) => pointer);
  return pointers.length === 0 ? {} : { 'X-Product-Doubts': pointers.slice(0, MAX_POINTERS).join(', ') };
}

/** Some proxies refuse long headers, so a long order names only its first items. */
const MAX_POINTERS = 50;
