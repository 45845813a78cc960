import type { Schema } from '../../api/client.ts';

type OrderDetail = Schema['OrderDetail'];

/** A number of pieces of one line. */
export interface Pieces {
  itemId: number;
  quantity: number;
}

/** Returns the pieces of each line that have no label yet. Only these are divided by a split. */
export function openPieces({ orderItems, parts }: OrderDetail): Pieces[] {
  const labelled = parts.filter(({ shipmentId }) => shipmentId !== null).flatMap(({ lines }) => lines);
  return orderItems
    .map(({ id, quantity }) => ({ itemId: id, quantity: quantity - piecesOf(labelled, id) }))
    .filter(({ quantity }) => quantity > 0);
}

export function piecesOf(lines: readonly Pieces[], itemId: number): number {
  return lines.reduce((sum, line) => sum + (line.itemId === itemId ? line.quantity : 0), 0);
}

/** Returns words such as "1 × Mug, 2 × Tea". */
export function wordsOf(lines: readonly Pieces[], { orderItems }: Pick<OrderDetail, 'orderItems'>): string {
  return lines
    .filter(({ quantity }) => quantity > 0)
    .map(({ itemId, quantity }) => `${quantity} × ${orderItems.find(({ id }) => id === itemId)?.title ?? itemId}`)
    .join(', ');
}
