import { minus, type Pieces, sumPieces } from '../pieces.ts';
import type { Shipment } from './mechanism.ts';
import { refuse } from './refusals.ts';
import { Line } from './schema.ts';

/** Returns the pieces of the shipment; without lines, all that were ordered. */
export function piecesOf({ order, confirmation: { lines } }: Shipment): Pieces {
  const named = sumPieces(lines.map(({ externalLineId, quantity }) => [externalLineId, quantity]));
  const pieces = minus(lines.length === 0 ? orderedPieces(order) : named, new Map());
  if (pieces.size === 0) throw refuse('validation', 'The shipment has no lines to confirm');
  return pieces;
}

export function orderedPieces(order: Shipment['order']): Pieces {
  const lines = (order.line_items ?? []).flatMap((raw) => Line.safeParse(raw).data ?? []);
  return new Map(lines.filter(({ quantity }) => quantity > 0).map(({ id, quantity }) => [String(id), quantity]));
}
