import type { ShipmentConfirmation } from '../adapter.ts';
import { isAlive } from './order-states.ts';
import { refuse } from './refusals.ts';
import { Line, type Order } from './schema.ts';

/** Pieces by the id of their order line. */
export type Pieces = ReadonlyMap<string, number>;

/** A place is null where a line cannot be read. */
export function readLines({ order_lines }: Order): (Line | null)[] {
  return (order_lines ?? []).map((raw) => Line.safeParse(raw).data ?? null);
}

/** What the order asks for, without lines that were refused, cancelled or refunded. */
export function orderedPieces(order: Order): Pieces {
  const lines = readLines(order).filter((line) => line !== null);
  return new Map(lines.filter(isAlive).map((line) => [line.order_line_id, line.quantity]));
}

export function wantedPieces(order: Order, { lines }: ShipmentConfirmation): Pieces {
  const ordered = orderedPieces(order);
  const wanted = new Map(lines.length === 0 ? minus(ordered, new Map()) : []);
  for (const { externalLineId, quantity } of lines) {
    if (!ordered.has(externalLineId)) {
      throw refuse('line_not_found', `Order ${order.order_id} has no line ${externalLineId} to ship`);
    }
    if (quantity > 0) wanted.set(externalLineId, (wanted.get(externalLineId) ?? 0) + quantity);
  }
  if (wanted.size === 0) throw refuse('validation', 'The shipment has no lines to confirm');
  return wanted;
}

/** What remains of `pieces`; lines of which nothing remains are left out. */
export function minus(pieces: Pieces, taken: Pieces): Pieces {
  return new Map(
    [...pieces].map(([id, quantity]) => [id, quantity - (taken.get(id) ?? 0)] as const).filter(([, left]) => left > 0),
  );
}
