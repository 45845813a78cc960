import { looksNumeric } from './numbers.ts';
import { type Cell, cellText, foldText, isBlankRow } from './sheet.ts';
import { isDateCell, readWeightLabel } from './weights.ts';

/**
 * Position of a price grid in a table: weights go down, zones go across. Rows and columns count from 0 in the current
 * view; a transposed sheet was turned before.
 */
export interface GridFrame {
  /** The row with the names of the zones; null when there is none above the prices. */
  header: number | null;
  /** The columns of the weight; `from` is null where one column holds all of it. */
  from: number | null;
  to: number;
  /** The columns with prices. */
  zones: number[];
  /** From the row below the header up to this one, exclusive. */
  first: number;
  end: number;
}

const ZONE_WORD =
  /^(zon[ae]s?|destinazion[ei]|destinations?|are[ae]s?|region[ei]s?|paes[ei]|nazion[ei]|stat[oi]|countr(y|ies)|provinc[ei]a?)\b/;
const FROM_WORD = /^(da|dal|from|oltre|over|min|>)(?![\p{L}\p{N}])|\bda (?:kg|g)\b|\bda \(/u;
const TO_WORD = /^(a|al|ad|fino|to|up to|max|<=?|≤)(?![\p{L}\p{N}])|\b(?:fino )?a (?:kg|g)\b/u;
export const WEIGHT_WORD = /^(pes[oi]|scaglion[ei]|fasci[ae]( (di )?peso)?|weight|kg)\b/;
const NOTE_WORD = /^(not[ae]|annotazion[ei]|remarks?|tempi|resa|transit|giorni|consegna|lead time)\b/;
const UNIT_CELL = /^(€|eur|euro|kg|g|€ ?\/ ?(kg|collo)|in euro|prezz[oi])$/;

/** Returns true for a cell that only names the unit of the numbers below. */
export function isUnitCell(cell: Cell | undefined): boolean {
  return UNIT_CELL.test(foldText(cellText(cell)));
}

function isUnitRow(row: readonly Cell[]): boolean {
  const filled = row.filter((cell) => cellText(cell) !== '');
  return filled.length > 0 && filled.every(isUnitCell);
}

function firstFilled(row: readonly Cell[]): number {
  return row.findIndex((cell) => cellText(cell) !== '');
}

/** Returns the column of the weight for a row with a weight and then prices; null for every other row. */
function labelColumnOf(row: readonly Cell[]): number | null {
  const column = firstFilled(row);
  if (column < 0 || (readWeightLabel(row[column]) === null && !isDateCell(row[column]))) return null;
  return row.slice(column + 1).some(looksNumeric) ? column : null;
}

function mostCommon(values: readonly number[]): number | null {
  const counts = Map.groupBy(values, (value) => value);
  const [best] = [...counts].toSorted(([a, some], [b, others]) => others.length - some.length || a - b);
  return best?.[0] ?? null;
}

/**
 * Finds every price grid in a table, from the top. Where both weights and zones are numbers, the corner says which go
 * down. `isTurned` is true when the table was a sheet's rows.
 */
export function findFrames(rows: readonly Cell[][], isTurned: boolean): GridFrame[] {
  const labels = rows.map(labelColumnOf);
  const column = mostCommon(labels.filter((label) => label !== null));
  if (column === null) return [];
  const isBody = (row: number): boolean => labels[row] === column;
  const frames: GridFrame[] = [];
  let row = 0;
  while (row < rows.length) {
    if (!isBody(row)) {
      row += 1;
      continue;
    }
    const floor = frames.at(-1)?.end ?? 0;
    const top = topOf(rows, { row, column, floor });
    const header = headerAbove(rows, { row: top, column, floor, isBody });
    const end = endOf(rows, { row, column, isBody });
    frames.push(frameOf(rows, { header, column, first: header === null ? top : header + 1, end }));
    row = end;
  }
  return frames.filter((frame) => !isOtherWayRound(rows, frame, isTurned));
}

function isOtherWayRound(rows: readonly Cell[][], frame: GridFrame, isTurned: boolean): boolean {
  const header = rows[frame.header ?? -1] ?? [];
  if (!frame.zones.every((column) => readWeightLabel(header[column]) !== null)) return false;
  const corner = foldText(cellText(header[frame.to]));
  return (isTurned ? WEIGHT_WORD : ZONE_WORD).test(corner);
}

/**
 * Returns the first row with a weight above the first one with prices: a row without prices belongs to the grid as
 * well.
 */
function topOf(rows: readonly Cell[][], where: { row: number; column: number; floor: number }): number {
  let top = where.row;
  for (let row = where.row - 1; row >= where.floor; row -= 1) {
    const cells = rows[row] ?? [];
    if (isBlankRow(cells) || isUnitRow(cells)) continue;
    const label = cells[where.column];
    if (readWeightLabel(label) === null && !isDateCell(label)) break;
    top = row;
  }
  return top;
}

/** Returns the nearest row above the prices that is neither empty nor one of units, if it has text above them. */
function headerAbove(
  rows: readonly Cell[][],
  where: { row: number; column: number; floor: number; isBody: (row: number) => boolean },
): number | null {
  for (let row = where.row - 1; row >= where.floor; row -= 1) {
    const cells = rows[row] ?? [];
    if (isBlankRow(cells) || isUnitRow(cells)) continue;
    const isHeader = !where.isBody(row) && cells.slice(where.column + 1).some((cell) => cellText(cell) !== '');
    return isHeader ? row : null;
  }
  return null;
}

/** Returns the end of a grid: the header of the next one, or an empty row that no weight follows. */
function endOf(
  rows: readonly Cell[][],
  where: { row: number; column: number; isBody: (row: number) => boolean },
): number {
  let end = where.row + 1;
  let wasBlank = false;
  for (let row = where.row + 1; row < rows.length; row += 1) {
    const cells = rows[row] ?? [];
    if (isBlankRow(cells)) {
      wasBlank = true;
      continue;
    }
    const hasLabel = readWeightLabel(cells[where.column]) !== null;
    const beside = cells.slice(where.column + 1);
    const numbers = beside.some(looksNumeric);
    if (!hasLabel && (wasBlank || (!numbers && isHeaderOfNext(rows, row, where)))) return end;
    // A footnote right below the prices is in one cell; a row with more cells belongs to the grid, readable or not.
    if (hasLabel || beside.some((cell) => cellText(cell) !== '')) end = row + 1;
    wasBlank = false;
  }
  return end;
}

function isHeaderOfNext(
  rows: readonly Cell[][],
  row: number,
  where: { column: number; isBody: (row: number) => boolean },
): boolean {
  const headings = (rows[row] ?? []).slice(where.column + 1).filter((cell) => cellText(cell) !== '');
  if (headings.length === 0) return false;
  for (let next = row + 1; next < rows.length; next += 1) {
    if (isBlankRow(rows[next] ?? []) || isUnitRow(rows[next] ?? [])) continue;
    return where.isBody(next);
  }
  return false;
}

function frameOf(
  rows: readonly Cell[][],
  found: { header: number | null; column: number; first: number; end: number },
): GridFrame {
  const headings = found.header === null ? [] : (rows[found.header] ?? []);
  const heading = (column: number): string => foldText(cellText(headings[column]));
  const isPair = FROM_WORD.test(heading(found.column)) && TO_WORD.test(heading(found.column + 1));
  const to = isPair ? found.column + 1 : found.column;
  const body = rows.slice(found.first, found.end);
  const width = Math.max(headings.length, ...body.map((row) => row.length));
  const zones = Array.from({ length: width }, (_each, column) => column).filter((column) => {
    if (column <= to) return false;
    if (body.some((row) => looksNumeric(row[column]))) return true;
    return heading(column) !== '' && !isUnitCell(heading(column)) && !NOTE_WORD.test(heading(column));
  });
  return { ...found, from: isPair ? found.column : null, to, zones };
}

/** Returns the table with its rows as columns. */
export function transposed(rows: readonly Cell[][]): Cell[][] {
  const width = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: width }, (_each, column) => rows.map((row) => row[column] ?? null));
}

/** Counts the grids' prices, to choose between the two orientations of a sheet. */
export function pricesIn(rows: readonly Cell[][], frames: readonly GridFrame[]): number {
  const counts = frames.map(({ header, first, end, zones }) =>
    header === null
      ? 0
      : rows
          .slice(first, end)
          .reduce((sum, row) => sum + zones.filter((column) => looksNumeric(row[column])).length, 0),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
