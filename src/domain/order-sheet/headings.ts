import { z } from 'zod';
import { type Cell, cellText, foldText } from '../pricing/sheets/sheet.ts';
import { NECESSARY, SHEET_COLUMNS, type SheetColumn, type SheetField } from './columns.ts';

const Header = z.string().trim().min(1).max(200);

/** Header by field, for a sheet with headers of its own. */
export type SheetMapping = Partial<Record<SheetField, string>>;
export const SheetMapping = z.strictObject(
  Object.fromEntries(SHEET_COLUMNS.map(({ field }) => [field, Header.optional()])),
) as unknown as z.ZodType<SheetMapping>;

/** A column of a sheet that means something. */
export interface PlacedColumn {
  column: SheetColumn & { field: SheetField };
  /** Index in the row, from 0. */
  at: number;
  /** The header as the sheet has it. */
  header: string;
}

export interface Headings {
  columns: PlacedColumn[];
  /** Headers that mean nothing here. */
  ignored: string[];
  /** Sentences about the columns that keep the sheet from being read. */
  faults: string[];
}

const MAX_HEADER = 80;

/** Finds the columns of a header row. A mapping counts before the headers that are known. */
export function readHeadings(row: readonly Cell[], mapping: SheetMapping = {}): Headings {
  const mapped = new Map(Object.entries(mapping).map(([field, header]) => [comparable(header), field]));
  const columns: PlacedColumn[] = [];
  const ignored: string[] = [];
  for (const [at, cell] of row.entries()) {
    const header = cellText(cell).toWellFormed().slice(0, MAX_HEADER);
    if (header === '') continue;
    const name = comparable(cellText(cell));
    const field = mapped.get(name) ?? KNOWN.get(name);
    const column = SHEET_COLUMNS.find((each) => each.field === field);
    const isReplaced = column !== undefined && mapping[column.field] !== undefined && !mapped.has(name);
    if (column && !isReplaced) columns.push({ column, at, header });
    else ignored.push(header);
  }
  return { columns, ignored, faults: [...missing(columns, mapping), ...repeated(columns)] };
}

/** Leaves letters and digits, since people separate words in many ways. */
function comparable(header: string): string {
  return foldText(header).replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

const KNOWN: ReadonlyMap<string, SheetField> = new Map(
  SHEET_COLUMNS.flatMap(({ field, headers }) => headers.map((header) => [comparable(header), field] as const)),
);

function missing(columns: readonly PlacedColumn[], mapping: SheetMapping): string[] {
  const has = (field: string): boolean => columns.some(({ column }) => column.field === field);
  const unmapped = Object.entries(mapping)
    .filter(([field]) => !has(field))
    .map(([field, header]) => `The mapping names "${header}" for ${field}, and the sheet has no such column`);
  const absent = NECESSARY.filter((fields) => !fields.some((field) => has(field) || mapping[field] !== undefined));
  return [...unmapped, ...absent.map((fields) => `A column is missing. Its header is one of: ${headersOf(fields)}`)];
}

function headersOf(fields: readonly SheetField[]): string {
  return fields.flatMap((field) => SHEET_COLUMNS.find((column) => column.field === field)?.headers ?? []).join(', ');
}

function repeated(columns: readonly PlacedColumn[]): string[] {
  return [...Map.groupBy(columns, ({ column }) => column.field)]
    .filter(([, placed]) => placed.length > 1 && !placed[0]?.column.mayRepeat)
    .map(([field, placed]) => {
      const headers = placed.map(({ header }) => `"${header}"`).join(' and ');
      return `Several columns mean ${field}: ${headers}. Rename all but one`;
    });
}
