import type { PriceListTransport, PriceListZone } from '../price-list.ts';
import type { Side } from '../quote-input.ts';
import type { CellIndex } from './cell-index.ts';
import { type Cell, cellText, exactText, isBlankRow, type Sheet, type SheetProblem } from './sheet.ts';
import { PRICES_SHEET } from './workbook-columns.ts';

/** A transport as the sheet has it, for the schema to validate. */
export type Transports = Map<string, Partial<Record<Side, Record<string, unknown>>>>;

const SIDES: readonly Side[] = ['sale', 'purchase'];
const BELOW = ['stepGrams', 'stepPrice', 'minimum'] as const;
/** A cell's mark for a zone without such a bracket, step or minimum. An empty cell may be a mistake. */
const NONE = '-';
/** Heading rows of zones and of sides. */
const HEADER_ROWS = 2;

/** Writes weights in grams down, zones and their sides across. */
export function writePrices(zones: readonly PriceListZone[]): Sheet {
  const columns = zones.flatMap((zone) =>
    SIDES.flatMap((side) => {
      const transport = zone[side];
      return transport ? [{ code: zone.code, side, transport }] : [];
    }),
  );
  const weights = new Set(columns.flatMap(({ transport }) => transport.brackets.map(({ upToGrams }) => upToGrams)));
  const rows: Cell[][] = [
    ['zone', ...columns.map(({ code }) => code)],
    ['side', ...columns.map(({ side }) => side)],
    ...[...weights].toSorted((a, b) => a - b).map((grams) => [grams, ...columns.map((each) => priceOf(each, grams))]),
  ];
  for (const field of BELOW) {
    const cells = columns.map(({ transport }) => transport[field] ?? NONE);
    if (cells.some((cell) => cell !== NONE)) rows.push([field, ...cells]);
  }
  return { name: PRICES_SHEET, rows };
}

function priceOf({ transport }: { transport: PriceListTransport }, grams: number): Cell {
  return transport.brackets.find(({ upToGrams }) => upToGrams === grams)?.price ?? NONE;
}

/** Returns true for a sheet that `writePrices` has written. */
export function isPricesSheet({ rows }: Sheet): boolean {
  return cellText(rows[0]?.[0]) === 'zone' && cellText(rows[1]?.[0]) === 'side';
}

/**
 * Reads the prices of each zone by its code. `index` gets the cells under `prices`, the code and the side, because the
 * zone's place in the list is unknown here.
 */
export function readPrices(sheet: Sheet, index: CellIndex, problems: SheetProblem[]): Transports {
  const found: Transports = new Map();
  const labels = readLabels(sheet, problems);
  const width = Math.max(0, ...sheet.rows.map((row) => row.length));
  for (let column = 1; column < width; column += 1) {
    const cells = sheet.rows.map((row) => row[column] ?? null);
    if (isBlankRow(cells)) continue;
    const at = { sheet: sheet.name, row: 1, column: column + 1 };
    const code = exactText(cells[0]);
    const side = SIDES.find((each) => each === cellText(cells[1]).toLowerCase());
    const zone = found.get(code) ?? {};
    if (code === '') problems.push({ ...at, message: 'There are prices here, but no zone' });
    else if (!side) problems.push({ ...at, row: 2, message: 'The side is missing: sale or purchase' });
    else if (zone[side]) problems.push({ ...at, message: `A second column of ${side} prices for the zone ${code}` });
    else {
      index.set(['prices', code, side], at);
      zone[side] = readTransport({ cells, labels, at, path: ['prices', code, side] }, index, problems);
      found.set(code, zone);
    }
  }
  return found;
}

type Label = { row: number; grams: number } | { row: number; field: (typeof BELOW)[number] };

function readLabels(sheet: Sheet, problems: SheetProblem[]): Label[] {
  return sheet.rows.flatMap((cells, row): Label[] => {
    if (row < HEADER_ROWS || isBlankRow(cells)) return [];
    const text = cellText(cells[0]);
    const field = BELOW.find((each) => each.toLowerCase() === text.toLowerCase());
    if (field) return [{ row, field }];
    if (/^\d+$/.test(text)) return [{ row, grams: Number(text) }];
    const message = `Not grams, stepGrams, stepPrice or minimum: ${text || 'an empty cell'}`;
    problems.push({ sheet: sheet.name, row: row + 1, column: 1, message });
    return [];
  });
}

function readTransport(
  column: {
    cells: readonly Cell[];
    labels: readonly Label[];
    at: { sheet: string; column: number };
    path: readonly string[];
  },
  index: CellIndex,
  problems: SheetProblem[],
): Record<string, unknown> {
  const brackets: Record<string, unknown>[] = [];
  const transport: Record<string, unknown> = { brackets };
  for (const label of column.labels) {
    const cell = column.cells[label.row] ?? null;
    const at = { ...column.at, row: label.row + 1 };
    const text = cellText(cell);
    if ('field' in label) index.set([...column.path, label.field], at);
    if (text === NONE) continue;
    if (text === '') {
      problems.push({ ...at, message: `It is empty: write an amount, or ${NONE} where the zone has none` });
      continue;
    }
    const value = typeof cell === 'number' ? cell : text;
    if ('grams' in label) {
      index.set([...column.path, 'brackets', brackets.length], at);
      index.set([...column.path, 'brackets', brackets.length, 'upToGrams'], { ...at, column: 1 });
      brackets.push({ upToGrams: label.grams, price: value });
      continue;
    }
    transport[label.field] = label.field === 'stepGrams' && /^\d+$/.test(text) ? Number(text) : value;
  }
  return transport;
}
