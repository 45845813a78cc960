import { type Fulfillment, Line, type Order } from './schema.ts';

/** Pieces by the id of their order line. */
export type Pieces = ReadonlyMap<string, number>;

export function orderedPieces({ lineItems }: Order): Pieces {
  const lines = (lineItems ?? []).flatMap((raw) => Line.safeParse(raw).data ?? []);
  return new Map(lines.map(({ lineItemId, quantity }) => [lineItemId, quantity]));
}

/** A fulfilment that does not say how much of a line it holds counts as all of it. */
export function piecesIn(fulfillments: readonly Fulfillment[], ordered: Pieces): Pieces {
  const pieces = new Map<string, number>();
  for (const { lineItemId, quantity } of fulfillments.flatMap(({ lineItems }) => lineItems)) {
    pieces.set(lineItemId, (pieces.get(lineItemId) ?? 0) + (quantity ?? ordered.get(lineItemId) ?? 0));
  }
  return pieces;
}

/** What remains of `pieces`; lines of which nothing remains are left out. */
export function minus(pieces: Pieces, taken: Pieces): Pieces {
  return new Map(
    [...pieces].map(([id, quantity]) => [id, quantity - (taken.get(id) ?? 0)] as const).filter(([, left]) => left > 0),
  );
}
