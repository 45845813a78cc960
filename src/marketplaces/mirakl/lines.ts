import type { ShipmentConfirmation } from '../adapter.ts';
import { type Pieces, wantedPieces as wantedOf } from '../pieces.ts';
import { isAlive } from './order-states.ts';
import { refuse } from './refusals.ts';
import { Line, type Order } from './schema.ts';

/** Reads the lines; null stands in the place of one that cannot be read. */
export function readLines({ order_lines }: Order): (Line | null)[] {
  return (order_lines ?? []).map((raw) => Line.safeParse(raw).data ?? null);
}

/** Returns the pieces of the order, without lines that were refused, cancelled or refunded. */
export function orderedPieces(order: Order): Pieces {
  const lines = readLines(order).filter((line) => line !== null);
  return new Map(lines.filter(isAlive).map((line) => [line.order_line_id, line.quantity]));
}

export function wantedPieces(order: Order, { lines }: ShipmentConfirmation): Pieces {
  return wantedOf(refuse, { order: order.order_id, ordered: orderedPieces(order), lines });
}
