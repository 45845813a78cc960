import { Line, type Order, type Shipment } from './schema.ts';

/** Pieces by the id of their order line. */
export type Pieces = ReadonlyMap<string, number>;

/** The top-level lines, which the parts of configurable products and bundles follow; and the places of those that cannot be read. */
export function readLines({ items }: Order): { lines: Line[]; unreadable: number[] } {
  const read = (items ?? []).map((raw) => Line.safeParse(raw));
  return {
    lines: read.flatMap(({ data }) => (data && !data.parent_item_id ? [data] : [])),
    unreadable: read.flatMap(({ success }, index) => (success ? [] : [index + 1])),
  };
}

/** What is still to be shipped of a line. */
export function openPieces({ qty_ordered, qty_shipped, qty_canceled, qty_refunded }: Line): number {
  return qty_ordered - qty_shipped - qty_canceled - qty_refunded;
}

export function piecesIn(shipments: readonly Shipment[]): Pieces {
  const pieces = new Map<string, number>();
  for (const { order_item_id, qty } of shipments.flatMap(({ items }) => items)) {
    pieces.set(String(order_item_id), (pieces.get(String(order_item_id)) ?? 0) + qty);
  }
  return pieces;
}

/** What remains of `pieces`; lines of which nothing remains are left out. */
export function minus(pieces: Pieces, taken: Pieces): Pieces {
  return new Map(
    [...pieces].map(([id, quantity]) => [id, quantity - (taken.get(id) ?? 0)] as const).filter(([, left]) => left > 0),
  );
}
