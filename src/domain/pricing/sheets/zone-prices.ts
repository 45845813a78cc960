import { type DecimalMark, readPrice } from './numbers.ts';
import { type Cell, type CellPlace, cellText, type SheetProblem } from './sheet.ts';
import type { WeightRow } from './weight-rows.ts';

/** The prices of one zone in a carrier's sheet; amounts are exact decimal texts in euro. */
export interface GridZone {
  heading: string;
  at: CellPlace;
  brackets: { upToGrams: number; price: string }[];
  stepGrams?: number;
  stepPrice?: string;
  minimum?: string;
}

/** One price cell and its row. */
export interface PriceCell {
  row: WeightRow;
  cell: Cell;
  at: CellPlace;
}

/** A dash means that there is no price; an empty cell may be a mistake. */
function isDash(cell: Cell): boolean {
  return /^[-–—]+$/.test(cellText(cell));
}

/** Reads the prices of one zone; every unreadable cell becomes a problem. */
export function readZonePrices(
  zone: { heading: string; at: CellPlace; cells: readonly PriceCell[] },
  mark: DecimalMark,
  problems: SheetProblem[],
): GridZone {
  const read: GridZone = { heading: zone.heading, at: zone.at, brackets: [] };
  let endedAt: CellPlace | null = null;
  for (const { row, cell, at } of zone.cells) {
    if (isDash(cell)) {
      if (row.kind === 'bracket') endedAt ??= at;
      continue;
    }
    const reading = readPrice(cell, mark);
    if ('problem' in reading) {
      problems.push({ ...at, message: reading.problem });
      continue;
    }
    if (endedAt && row.kind !== 'minimum') {
      problems.push({ ...endedAt, message: 'The price is missing, and heavier ones have one' });
      endedAt = null;
    }
    if (row.kind === 'bracket') read.brackets.push({ upToGrams: row.upTo, price: reading.value });
    if (row.kind === 'minimum') read.minimum = reading.value;
    if (row.kind === 'step') Object.assign(read, { stepGrams: row.every, stepPrice: reading.value });
  }
  const isEmpty = zone.cells.every(({ cell }) => isDash(cell));
  if (isEmpty) problems.push({ ...zone.at, message: `No prices for ${zone.heading || 'this column'}` });
  return read;
}
