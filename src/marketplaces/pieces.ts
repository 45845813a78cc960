import type { ShipmentConfirmation } from './adapter.ts';
import type { Refusals } from './refusals.ts';

/** Pieces by the id of their order line. */
export type Pieces = ReadonlyMap<string, number>;

/** Adds up the pieces of each line; a line may come several times. */
export function sumPieces(parts: Iterable<readonly [id: string, quantity: number]>): Pieces {
  const pieces = new Map<string, number>();
  for (const [id, quantity] of parts) pieces.set(id, (pieces.get(id) ?? 0) + quantity);
  return pieces;
}

/** Returns the rest of `pieces`, without the lines that have none left. */
export function minus(pieces: Pieces, taken: Pieces): Pieces {
  return new Map(
    [...pieces].map(([id, quantity]) => [id, quantity - (taken.get(id) ?? 0)] as const).filter(([, left]) => left > 0),
  );
}

type Refuse = Refusals['refuse'];

/** Returns the pieces of a shipment; without lines, all that were ordered. Throws for an unknown line, and for none. */
export function wantedPieces(
  refuse: Refuse,
  { order, ordered, lines }: { order: string; ordered: Pieces; lines: ShipmentConfirmation['lines'] },
): Pieces {
  const unknown = lines.find(({ externalLineId }) => !ordered.has(externalLineId));
  if (unknown) throw refuse('line_not_found', `Order ${order} has no line ${unknown.externalLineId} to ship`);
  const named = sumPieces(lines.map(({ externalLineId, quantity }) => [externalLineId, quantity]));
  const wanted = minus(lines.length === 0 ? ordered : named, new Map());
  if (wanted.size === 0) throw refuse('validation', 'The shipment has no lines to confirm');
  return wanted;
}

/** Throws when the order has fewer pieces left to ship than are missing at the platform. */
export function requireLeft(
  refuse: Refuse,
  { order, missing, left }: { order: string; missing: Pieces; left: Pieces },
): void {
  if (minus(missing, left).size === 0) return;
  if ([...missing.keys()].every((id) => !left.has(id))) {
    throw refuse('already_shipped', `Order ${order} was already shipped with another tracking number`);
  }
  throw refuse('quantity_exceeded', `Order ${order} has fewer pieces left to ship than were sent`);
}
