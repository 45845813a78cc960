import { type Pieces, sumPieces } from '../pieces.ts';
import { Line, type Order, type Shipment } from './schema.ts';

/**
 * Reads the top-level lines, which the parts of configurable products and bundles follow. `unreadable` holds the places of
 * the lines that cannot be read, counted from 1.
 */
export function readLines({ items }: Order): { lines: Line[]; unreadable: number[] } {
  const read = (items ?? []).map((raw) => Line.safeParse(raw));
  return {
    lines: read.flatMap(({ data }) => (data && !data.parent_item_id ? [data] : [])),
    unreadable: read.flatMap(({ success }, index) => (success ? [] : [index + 1])),
  };
}

/** Returns the pieces of a line that are still to be shipped. */
export function openPieces({ qty_ordered, qty_shipped, qty_canceled, qty_refunded }: Line): number {
  return qty_ordered - qty_shipped - qty_canceled - qty_refunded;
}

export function piecesIn(shipments: readonly Shipment[]): Pieces {
  return sumPieces(shipments.flatMap(({ items }) => items).map((item) => [String(item.order_item_id), item.qty]));
}
