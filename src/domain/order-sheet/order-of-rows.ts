import { SHEET_COLUMNS, type SheetField } from './columns.ts';
import type { PlacedColumn } from './headings.ts';
import { type OrderValues, orderBodyOf } from './order-body.ts';

/** A fault in a cell. The row counts as in a spreadsheet; the column is its header, null: it is absent. */
export interface SheetFault {
  row: number;
  column: string | null;
  message: string;
}

/** One row, read. */
export interface ReadRow {
  row: number;
  values: OrderValues;
  faults: SheetFault[];
}

/** An order as the sheet tells it. */
export interface SheetOrder {
  /** Null: its row has no number that can be read. */
  orderNumber: string | null;
  rows: number[];
  /** The body of `POST /orders`, not checked yet. */
  body: Record<string, unknown>;
  /** Day of the order, YYYY-MM-DD. */
  day: string | null;
  faults: SheetFault[];
  /** Returns the cell behind a JSON pointer into `body`. */
  placeOf(pointer: string): Omit<SheetFault, 'message'>;
}

/** Listed faults per order. */
const MAX_FAULTS = 20;

/** Makes one order of its rows. Values of the order stand in one of them or in several alike. */
export function orderOfRows(rows: readonly ReadRow[], columns: readonly PlacedColumn[]): SheetOrder {
  const faults = rows.flatMap((row) => row.faults);
  const shared = sharedValues(rows, columns, faults);
  const lines = rows.map(({ values }) => values);
  const headerOf = (field: SheetField): string | null =>
    columns.find(({ column }) => column.field === field)?.header ?? null;
  const has = (field: SheetField): boolean => headerOf(field) !== null;
  const { body, faults: contradictions } = orderBodyOf({ shared, lines, has });
  const firstRow = rows[0]?.row ?? 0;
  const placeOf: SheetOrder['placeOf'] = (pointer) => {
    const line = /^\/items\/(\d+)/.exec(pointer)?.[1];
    const field = fieldOf(pointer, has);
    const own = line === undefined ? shared : lines[Number(line)];
    const row = line === undefined ? firstRow : (rows[Number(line)]?.row ?? firstRow);
    const value = field && own?.get(field);
    return value ? { row: value.row, column: value.column } : { row, column: field && headerOf(field) };
  };
  const orderNumber = shared.get('order_number')?.value;
  const placed = contradictions.map(({ field, message }) => {
    const { row, column } = shared.get(field) ?? { row: firstRow, column: headerOf(field) };
    return { row, column, message };
  });
  const unnamed = orderNumber === undefined && !faults.some(({ column }) => column === headerOf('order_number'));
  const missing = unnamed ? [{ row: firstRow, column: headerOf('order_number'), message: 'is missing' }] : [];
  return {
    orderNumber: typeof orderNumber === 'string' ? orderNumber : null,
    rows: rows.map(({ row }) => row),
    body,
    day: (shared.get('date')?.value as string | undefined) ?? null,
    faults: [...faults, ...missing, ...placed].slice(0, MAX_FAULTS),
    placeOf,
  };
}

/** Returns the faults of an order with those of its body, each at its cell. A cell has one fault. */
export function withBodyFaults(
  order: SheetOrder,
  found: readonly { pointer: string; message: string }[],
): SheetFault[] {
  const faults = [...order.faults];
  for (const { pointer, message } of found) {
    const { row, column } = order.placeOf(pointer);
    if (faults.some((fault) => fault.row === row && fault.column === column && column !== null)) continue;
    if (faults.length < MAX_FAULTS) faults.push({ row, column, message });
  }
  return faults.toSorted((a, b) => a.row - b.row);
}

function sharedValues(rows: readonly ReadRow[], columns: readonly PlacedColumn[], faults: SheetFault[]): OrderValues {
  const shared: OrderValues = new Map();
  for (const field of new Set(columns.flatMap(({ column }) => (column.ofLine ? [] : [column.field])))) {
    for (const { values } of rows) {
      const value = values.get(field);
      const first = shared.get(field);
      if (value === undefined) continue;
      if (first === undefined) shared.set(field, value);
      else if (String(first.value) !== String(value.value)) {
        const message = `differs from row ${first.row} of the same order: an order has one value of it`;
        faults.push({ row: value.row, column: value.column, message });
      }
    }
  }
  return shared;
}

/** Members of the body that a column of another name fills. */
const ALSO: Readonly<Record<string, SheetField>> = { '/customer/full_name': 'name', '/customer/phone': 'phone' };

function fieldOf(pointer: string, has: (field: SheetField) => boolean): SheetField | null {
  const general = pointer.replace(/^\/(items|parcels)\/\d+/, '/$1/*');
  if (general === '/items/*') return has('sku') ? 'sku' : 'title';
  return ALSO[general] ?? SHEET_COLUMNS.find((column) => column.pointer === general)?.field ?? null;
}
