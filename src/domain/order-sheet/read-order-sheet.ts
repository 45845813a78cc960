import { type DecimalMark, decimalMarkOf } from '../pricing/sheets/numbers.ts';
import { cellText, isBlankRow, type Sheet } from '../pricing/sheets/sheet.ts';
import { readSheetCell, withoutUnits } from './cells.ts';
import type { SheetField } from './columns.ts';
import { type PlacedColumn, readHeadings, type SheetMapping } from './headings.ts';
import { orderOfRows, type ReadRow, type SheetOrder } from './order-of-rows.ts';

/** Rows below the header, in one sheet. */
export const MAX_SHEET_ROWS = 10_000;

/** The orders of a sheet in the order of their first rows, or why the sheet as a whole cannot be read. */
export type OrderSheet = { orders: SheetOrder[]; ignoredColumns: string[] } | { faults: string[] };

/** Rows, or orders, between two steps: about ten milliseconds. */
const STEP = 500;

/** Reads a sheet with one line of an order per row. Rows with one order number are one order. */
export function readOrderSheet(sheet: Sheet, mapping: SheetMapping = {}): OrderSheet {
  const steps = readOrderSheetInSteps(sheet, mapping);
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Reads like `readOrderSheet`, in steps between which a caller may let other work run. */
export function* readOrderSheetInSteps(sheet: Sheet, mapping: SheetMapping): Generator<void, OrderSheet> {
  const top = sheet.rows.findIndex((row) => !isBlankRow(row));
  if (top === -1) return { faults: [`The sheet ${sheet.name} is empty`] };
  const { columns, ignored, faults } = readHeadings(sheet.rows[top] ?? [], mapping);
  if (faults.length > 0) return { faults };
  const rows = rowsBelow(sheet, top);
  if (rows.length === 0) return { faults: [`The sheet ${sheet.name} has no row below its headers`] };
  if (rows.length > MAX_SHEET_ROWS) {
    return { faults: [`The sheet has ${rows.length} rows, and ${MAX_SHEET_ROWS} at most are read: divide it`] };
  }
  const marks = decimalMarks(rows, columns);
  const read = yield* inSteps(rows, (row) => readRow(row, columns, marks));
  const orders = yield* inSteps([...groupedByNumber(read).values()], (own) => orderOfRows(own, columns));
  return { orders, ignoredColumns: ignored };
}

function* inSteps<Value, Result>(values: readonly Value[], run: (value: Value) => Result): Generator<void, Result[]> {
  const results: Result[] = [];
  for (const value of values) {
    if (results.length % STEP === STEP - 1) yield;
    results.push(run(value));
  }
  return results;
}

interface NumberedRow {
  /** Counted from 1, with the header. */
  row: number;
  cells: Sheet['rows'][number];
}

function rowsBelow(sheet: Sheet, top: number): NumberedRow[] {
  return sheet.rows
    .map((cells, index) => ({ row: index + 1, cells }))
    .slice(top + 1)
    .filter(({ cells }) => !isBlankRow(cells));
}

type Marks = ReadonlyMap<number, DecimalMark>;

/** `1.500` is clear when another cell of its column has a clear decimal mark. */
function decimalMarks(rows: readonly NumberedRow[], columns: readonly PlacedColumn[]): Marks {
  return new Map(
    columns
      .filter(({ column }) => column.kind === 'number' || column.kind === 'amount-or-yes')
      .map(({ at }) => {
        const cells = rows.map(({ cells: row }) => row[at]);
        return [
          at,
          decimalMarkOf(cells.map((cell) => (typeof cell === 'string' ? withoutUnits(cellText(cell)) : cell))),
        ];
      }),
  );
}

function readRow({ row, cells }: NumberedRow, columns: readonly PlacedColumn[], marks: Marks): ReadRow {
  const read: ReadRow = { row, values: new Map(), faults: [] };
  for (const { column, at, header } of columns) {
    const cell = cells[at] ?? null;
    if (cellText(cell) === '' || read.values.has(column.field)) continue;
    const reading = readSheetCell(column.kind, cell, marks.get(at) ?? null);
    if ('fault' in reading) read.faults.push({ row, column: header, message: reading.fault });
    else read.values.set(column.field, { value: reading.value, row, column: header });
  }
  return read;
}

/** A row without a readable number stands alone. */
function groupedByNumber(rows: readonly ReadRow[]): Map<string, ReadRow[]> {
  const number: SheetField = 'order_number';
  return Map.groupBy(rows, ({ row, values }) => {
    const known = values.get(number);
    return known === undefined ? `row ${row}` : `number ${known.value}`;
  });
}
