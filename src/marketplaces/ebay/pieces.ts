import { type Pieces, sumPieces } from '../pieces.ts';
import { type Fulfillment, Line, type Order } from './schema.ts';

export function orderedPieces({ lineItems }: Order): Pieces {
  const lines = (lineItems ?? []).flatMap((raw) => Line.safeParse(raw).data ?? []);
  return new Map(lines.map(({ lineItemId, quantity }) => [lineItemId, quantity]));
}

/** Adds up the pieces of fulfilments. One that does not say how much of a line it holds counts as all of it. */
export function piecesIn(fulfillments: readonly Fulfillment[], ordered: Pieces): Pieces {
  return sumPieces(
    fulfillments
      .flatMap(({ lineItems }) => lineItems)
      .map(({ lineItemId: id, quantity }) => [id, quantity ?? ordered.get(id) ?? 0]),
  );
}
