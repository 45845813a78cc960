import type { CellIndex } from './cell-index.ts';
import { listCells, readList } from './list-cell.ts';
import { type Cell, cellText, isBlankRow, type Sheet, type SheetProblem } from './sheet.ts';
import { type Column, DATED_AMOUNT, type TableLayout } from './workbook-columns.ts';

type Fields = Record<string, unknown>;

/** The two words that a base may be, beside a list. */
const BASE_WORDS = ['transport', 'transport+surcharges'];
/** Shorter numbers may have lost leading zeros. */
const FULL_POSTAL_CODE = 10_000;

/** Writes one sheet of records, a heading row first. */
export function writeRecords(layout: TableLayout, records: readonly Fields[]): Sheet {
  const rows = records.flatMap((record) => recordRows(layout, record));
  return { name: layout.sheet, rows: [layout.columns.map(({ heading }) => heading), ...rows] };
}

/** Returns the row of a record, and the continued rows below it: the rest of long lists, and dated amounts. */
function recordRows(layout: TableLayout, record: Fields): Cell[][] {
  const amounts = (record.amounts ?? []) as Fields[];
  const cells = layout.columns.map((column) => {
    const own = writeField(column, valueAt(record, column.path));
    return DATED_AMOUNT.includes(column.heading) && layout.field === 'surcharges'
      ? [own[0] ?? null, ...amounts.map((amount) => (amount[column.heading] ?? null) as Cell)]
      : own;
  });
  const height = Math.max(1, ...cells.map((column) => column.length));
  return Array.from({ length: height }, (_each, row) => cells.map((column) => column[row] ?? null));
}

function valueAt(record: Fields, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Fields | undefined)?.[name], record);
}

function writeField({ kind }: Column, value: unknown): Cell[] {
  if (value === undefined || value === '') return [];
  if (!Array.isArray(value)) return [value as Cell];
  const [only] = value as string[];
  // In quotes, one of the two words is a list with that one element.
  if (kind === 'base' && value.length === 1 && BASE_WORDS.includes(only ?? '')) return [`"${only}"`];
  return listCells(value as string[]);
}

/** Reads the records of a sheet unchanged, for the schema to validate; `index` gets each value's cell. */
export function readRecords(layout: TableLayout, sheet: Sheet, index: CellIndex, problems: SheetProblem[]): Fields[] {
  const headings = readHeadings(layout, sheet, problems);
  const records: Fields[] = [];
  for (const [row, cells] of sheet.rows.entries()) {
    if (row === 0 || isBlankRow(cells)) continue;
    const isNew = cellText(cells[headings.keyColumn]) !== '';
    if (!isNew && records.length === 0) {
      const message = `The first row below the headings has no ${layout.columns[0]?.heading}`;
      problems.push({ sheet: sheet.name, row: row + 1, column: headings.keyColumn + 1, message });
      return records;
    }
    if (isNew) records.push({});
    const record = records.at(-1) ?? {};
    const path = [layout.field, records.length - 1];
    if (isNew) index.set(path, { sheet: sheet.name, row: row + 1, column: headings.keyColumn + 1 });
    const target =
      isNew || layout.field !== 'surcharges' ? { record, path } : datedAmount(record, path, cells, headings);
    for (const [column, field] of headings.columns) {
      const cell = cells[column] ?? null;
      if (cellText(cell) === '') continue;
      const at = { sheet: sheet.name, row: row + 1, column: column + 1 };
      const isDated = target.record !== record && DATED_AMOUNT.includes(field.heading);
      setField(isDated ? target : { record, path }, field, cell, { at, index, isNew: isNew || isDated, problems });
    }
  }
  return records;
}

interface Headings {
  columns: Map<number, Column>;
  keyColumn: number;
}

function readHeadings(layout: TableLayout, sheet: Sheet, problems: SheetProblem[]): Headings {
  const columns = new Map<number, Column>();
  for (const [at, cell] of (sheet.rows[0] ?? []).entries()) {
    const heading = cellText(cell);
    if (heading === '') continue;
    const column = layout.columns.find((each) => each.heading.toLowerCase() === heading.toLowerCase());
    const isRepeated = column !== undefined && [...columns.values()].includes(column);
    if (column && !isRepeated) columns.set(at, column);
    else {
      const known = layout.columns.map((each) => each.heading).join(', ');
      const message = isRepeated ? `A second column ${heading}` : `There is no column ${heading}; known are ${known}`;
      problems.push({ sheet: sheet.name, row: 1, column: at + 1, message });
    }
  }
  const [key] = layout.columns;
  const keyColumn = [...columns].find(([, column]) => column === key)?.[0];
  if (keyColumn === undefined) {
    problems.push({ sheet: sheet.name, row: 1, column: 1, message: `The column ${key?.heading} is missing` });
  }
  return { columns, keyColumn: keyColumn ?? 0 };
}

/** Returns true for a row below a surcharge that names an amount or its days: it is one of its amounts. */
function datedAmount(
  record: Fields,
  path: readonly (string | number)[],
  cells: readonly Cell[],
  headings: Headings,
): { record: Fields; path: (string | number)[] } {
  const isAmount = [...headings.columns].some(
    ([column, { heading }]) => DATED_AMOUNT.includes(heading) && cellText(cells[column]) !== '',
  );
  if (!isAmount) return { record, path: [...path] };
  const amounts = (record.amounts ?? []) as Fields[];
  record.amounts = amounts;
  const amount: Fields = {};
  amounts.push(amount);
  return { record: amount, path: [...path, 'amounts', amounts.length - 1] };
}

function setField(
  { record, path }: { record: Fields; path: readonly (string | number)[] },
  field: Column,
  cell: Cell,
  context: {
    at: { sheet: string; row: number; column: number };
    index: CellIndex;
    isNew: boolean;
    problems: SheetProblem[];
  },
): void {
  const parents = field.path.slice(0, -1);
  const name = field.path.at(-1) ?? '';
  const holder = parents.reduce<Fields>((value, parent) => {
    value[parent] ??= {};
    return value[parent] as Fields;
  }, record);
  const value = readField(field, cell);
  const fieldPath = [...path, ...field.path];
  for (const depth of parents.keys()) context.index.setOnce([...path, ...parents.slice(0, depth + 1)], context.at);
  if (Array.isArray(value)) {
    const before = (holder[name] ?? []) as unknown[];
    for (const position of value.keys()) context.index.set([...fieldPath, before.length + position], context.at);
    holder[name] = [...before, ...value];
  } else if (context.isNew) holder[name] = value;
  else {
    const message = `Only lists go on in the rows below; ${field.heading} stands in the first row of its record`;
    context.problems.push({ ...context.at, message });
  }
  context.index.setOnce(fieldPath, context.at);
}

function readField({ kind }: Column, cell: Cell): unknown {
  const text = typeof cell === 'string' ? cell.trim() : String(cell);
  if (kind === 'text') return text;
  if (kind === 'amount') return typeof cell === 'number' ? cell : text;
  if (kind === 'number') return /^\d+(\.\d+)?$/.test(text) ? Number(text) : typeof cell === 'number' ? cell : text;
  if (kind === 'base' && BASE_WORDS.includes(text)) return text;
  if (kind === 'postal-codes' && typeof cell === 'number' && cell < FULL_POSTAL_CODE) return [cell];
  return readList(text);
}
