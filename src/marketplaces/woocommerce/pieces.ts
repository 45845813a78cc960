import type { Shipment } from './mechanism.ts';
import { refuse } from './refusal.ts';
import { Line } from './schema.ts';

/** Pieces by the id of their order line. */
export type Pieces = Map<number, number>;

/** The pieces of the shipment; without lines all that were ordered. */
export function piecesOf({ order, confirmation }: Shipment): Pieces {
  if (confirmation.lines.length === 0) return requireAny(orderedPieces(order));
  const pieces: Pieces = new Map();
  for (const { externalLineId, quantity } of confirmation.lines) {
    if (quantity > 0) pieces.set(Number(externalLineId), (pieces.get(Number(externalLineId)) ?? 0) + quantity);
  }
  return requireAny(pieces);
}

function requireAny(pieces: Pieces): Pieces {
  if (pieces.size === 0) throw refuse('validation', 'The shipment has no lines to confirm');
  return pieces;
}

export function orderedPieces(order: Shipment['order']): Pieces {
  const ordered: Pieces = new Map();
  for (const raw of order.line_items ?? []) {
    const line = Line.safeParse(raw);
    if (line.success && line.data.quantity > 0) ordered.set(line.data.id, line.data.quantity);
  }
  return ordered;
}

/** What remains of `pieces`; lines of which nothing remains are left out. */
export function minus(pieces: Pieces, taken: Pieces): Pieces {
  return new Map(
    [...pieces].map(([id, qty]) => [id, qty - (taken.get(id) ?? 0)] as const).filter(([, qty]) => qty > 0),
  );
}
