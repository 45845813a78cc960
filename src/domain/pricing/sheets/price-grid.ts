import { findFrames, type GridFrame, isUnitCell, pricesIn, transposed } from './grid-frames.ts';
import { findLongFrame, type LongFrame, rowsByZone } from './long-form.ts';
import { type DecimalMark, decimalMarkOf, foreignCurrency } from './numbers.ts';
import { type Cell, type CellPlace, cellText, type Sheet, type SheetProblem } from './sheet.ts';
import { checkWeightRows, labelOf, readWeightRow, type WeightRow } from './weight-rows.ts';
import { isDateCell, numbersIn, unitOf } from './weights.ts';
import { type GridZone, readZonePrices } from './zone-prices.ts';

/** A row outside of a price grid. */
export interface UnreadRow extends CellPlace {
  text: string;
}

/** The prices of a carrier's file: zones by their headings, and everything unreadable. */
export interface PriceGridReading {
  zones: GridZone[];
  problems: SheetProblem[];
  notRead: UnreadRow[];
}

/** One sheet in its current view: a sheet with weights across is turned so that they go down. */
interface Layout {
  sheet: Sheet;
  rows: readonly Cell[][];
  isTurned: boolean;
  frames: GridFrame[];
  long: LongFrame | null;
}

/** A column of prices before they are parsed. */
interface ZoneColumn {
  heading: string;
  at: CellPlace;
  cells: { row: number; cell: Cell; at: CellPlace }[];
}

/** The rows of weights of a grid and the columns that belong to them. */
interface GridPart {
  labels: { row: number; from: Cell | undefined; to: Cell | undefined; at: CellPlace }[];
  columns: ZoneColumn[];
  /** The source of the weights' unit. */
  weightHeading: string;
}

/**
 * Finds and reads the price grids of a file, in any of the usual forms. These are weights down and zones across, the
 * other way round, or one price a row. `rounding` is the step in grams that weights are rounded up to.
 */
export function readPriceGrids(sheets: readonly Sheet[], options: { rounding: number }): PriceGridReading {
  const layouts = sheets.map(layoutOf);
  const parts = layouts.flatMap((layout) => partsOf(layout));
  const problems: SheetProblem[] = layouts.flatMap(currencyProblems);
  if (parts.every(({ columns }) => columns.length === 0)) problems.push(nothingFound(sheets));
  const mark = decimalMarkOf(parts.flatMap(numberCells));
  const zones = parts.flatMap((part) => readPart(part, { ...options, mark }, problems));
  return { zones, problems, notRead: layouts.flatMap(unreadRows) };
}

function nothingFound(sheets: readonly Sheet[]): SheetProblem {
  const message =
    'There are no prices here that can be read: weights down and zones across, or zones down and weights across, ' +
    'or one price a row under headings such as zone, from kg, to kg, price';
  return { sheet: sheets[0]?.name ?? '', row: 1, column: 1, message };
}

function layoutOf(sheet: Sheet): Layout {
  const { rows } = sheet;
  const long = findLongFrame(rows);
  if (long) return { sheet, rows, isTurned: false, frames: [], long };
  const turned = transposed(rows);
  const upright = findFrames(rows, false);
  const across = findFrames(turned, true);
  const isTurned = pricesIn(turned, across) > pricesIn(rows, upright);
  return isTurned
    ? { sheet, rows: turned, isTurned, frames: across, long: null }
    : { sheet, rows, isTurned, frames: upright, long: null };
}

function placeIn(layout: Layout, row: number, column: number): CellPlace {
  const [y, x] = layout.isTurned ? [column, row] : [row, column];
  return { sheet: layout.sheet.name, row: y + 1, column: x + 1 };
}

function partsOf(layout: Layout): GridPart[] {
  if (layout.long) return longParts(layout, layout.long);
  return layout.frames.map((frame) => matrixPart(layout, frame));
}

function cellAt(layout: Layout, row: number | null, column: number | null): Cell {
  return row === null || column === null ? null : (layout.rows[row]?.[column] ?? null);
}

function matrixPart(layout: Layout, frame: GridFrame): GridPart {
  const rows = partRows(layout, frame);
  return {
    labels: rows.map((row) => labelIn(layout, row, frame)),
    columns: frame.zones.map((column) => ({
      heading: cellText(cellAt(layout, frame.header, column)),
      at: placeIn(layout, frame.header ?? frame.first, column),
      cells: rows.map((row) => ({ row, cell: cellAt(layout, row, column), at: placeIn(layout, row, column) })),
    })),
    weightHeading: cellText(cellAt(layout, frame.header, frame.to)),
  };
}

/** Returns the rows of a frame with a weight or a value in the price columns; titles between them are left out. */
function partRows(layout: Layout, frame: GridFrame): number[] {
  const indexes = Array.from({ length: frame.end - frame.first }, (_each, index) => frame.first + index);
  return indexes.filter((row) => {
    const { from, to } = labelIn(layout, row, frame);
    const isFilled = frame.zones.some((column) => {
      const cell = cellAt(layout, row, column);
      return cellText(cell) !== '' && !isUnitCell(cell);
    });
    return isFilled || labelOf(from, to) !== null || isDateCell(to);
  });
}

function labelIn(layout: Layout, row: number, frame: { from: number | null; to: number }): GridPart['labels'][number] {
  const from = frame.from === null ? undefined : cellAt(layout, row, frame.from);
  return { row, from, to: cellAt(layout, row, frame.to), at: placeIn(layout, row, frame.from ?? frame.to) };
}

function longParts(layout: Layout, frame: LongFrame): GridPart[] {
  const weightHeading = cellText(cellAt(layout, frame.header, frame.to));
  return [...rowsByZone(layout.rows, frame)].map(([heading, rows]) => ({
    weightHeading,
    labels: rows.map((row) => labelIn(layout, row, frame)),
    columns: [
      {
        heading,
        at: placeIn(layout, rows[0] ?? frame.header, frame.zone),
        cells: rows.map((row) => ({
          row,
          cell: cellAt(layout, row, frame.price),
          at: placeIn(layout, row, frame.price),
        })),
      },
    ],
  }));
}

function numberCells(part: GridPart): Cell[] {
  const weights = part.labels.flatMap(({ from, to }) => numbersIn(labelOf(from, to)));
  return [...weights, ...part.columns.flatMap(({ cells }) => cells.map(({ cell }) => cell))];
}

function readPart(
  part: GridPart,
  context: { mark: DecimalMark; rounding: number },
  problems: SheetProblem[],
): GridZone[] {
  const unit = unitOf(part.weightHeading);
  const rows = new Map<number, WeightRow>();
  for (const label of part.labels) rows.set(label.row, readWeightRow(label, { mark: context.mark, unit }, problems));
  checkWeightRows([...rows.values()], context.rounding, problems);
  return part.columns.map((column) => {
    if (column.heading === '' || isUnitCell(column.heading)) {
      problems.push({ ...column.at, message: 'There are prices here, but no heading says for which zone' });
    }
    const cells = column.cells.flatMap((cell) => {
      const row = rows.get(cell.row);
      return row ? [{ ...cell, row }] : [];
    });
    return readZonePrices({ ...column, cells }, context.mark, problems);
  });
}

/** Checks the titles and headings: a whole table in another currency says so above it. */
function currencyProblems(layout: Layout): SheetProblem[] {
  const below = layout.long ? layout.long.header + 1 : (layout.frames[0]?.first ?? 0);
  const above = layout.rows.slice(0, below);
  return above.flatMap((cells, row) =>
    cells.flatMap((cell, column) => {
      const currency = foreignCurrency(cellText(cell));
      if (currency === null) return [];
      return [{ ...placeIn(layout, row, column), message: `Prices are in euro, this table is in ${currency}` }];
    }),
  );
}

/** Lists every row of the sheet with text that no grid took in. */
function unreadRows(layout: Layout): UnreadRow[] {
  const taken = new Set<string>();
  const take = (row: number, column: number): void => {
    const at = placeIn(layout, row, column);
    taken.add(`${at.row}:${at.column}`);
  };
  for (const frame of [...layout.frames, ...(layout.long ? [longAsFrame(layout.long)] : [])]) {
    const rows = layout.long ? longRows(layout.long) : partRows(layout, frame);
    for (const row of frame.header === null ? rows : [frame.header, ...rows]) {
      for (const column of [frame.from, frame.to, ...frame.zones]) if (column !== null) take(row, column);
    }
  }
  return layout.sheet.rows.flatMap((cells, row) => {
    const left = cells.map((cell, column) => (taken.has(`${row + 1}:${column + 1}`) ? null : cell));
    if (left.every((cell) => cellText(cell) === '' || isUnitCell(cell))) return [];
    const column = left.findIndex((cell) => cellText(cell) !== '') + 1;
    return [{ sheet: layout.sheet.name, row: row + 1, column, text: left.map(cellText).filter(Boolean).join(' | ') }];
  });
}

function longAsFrame(long: LongFrame): GridFrame {
  return { ...long, first: long.header + 1, zones: [long.zone, long.price] };
}

function longRows({ header, end }: LongFrame): number[] {
  return Array.from({ length: end - header - 1 }, (_each, index) => header + 1 + index);
}
