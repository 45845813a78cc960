import readWorkbook from 'read-excel-file/node';
import writeWorkbook from 'write-excel-file/node';
import { type Cell, columnLetters, type Sheet } from '../domain/pricing/sheets/sheet.ts';
import { foreignCells } from './xlsx-currencies.ts';
import { unzipBounded, ZipError, type ZipPart } from './zip-parts.ts';

/** Explains why a file is no readable workbook, in words that follow its name. */
export class WorkbookError extends Error {}

/** Bytes, unpacked; carriers' price lists have a hundredth of it. */
const MAX_UNPACKED = 60_000_000;
export const MAX_ROWS = 50_000;
export const MAX_COLUMNS = 1000;
/** Cells. The reader fills the whole rectangle up to the last cell. */
const MAX_CELLS = 2_000_000;
/** The most rows that a spreadsheet has; formatting may reach down there where no data does. */
const SHEET_ROWS = 1_048_576;

const ROW = /<(?:\w+:)?row\s[^<>]*?\br\s*=\s*["'](\d+)["']/g;
/** A cell with content; a cell without a value closes at once. No tag is scanned twice. */
const FILLED_CELL = /<(?:\w+:)?c\s([^<>]*)(?<!\/)>/g;
const ADDRESS = /(?:^|\s)r\s*=\s*["']([A-Za-z]+)(\d+)["']/;
/** A workbook reads this as an escaped character, so such a text is escaped itself. XML cannot hold the characters below. */
const ESCAPED = /_x([0-9A-Fa-f]{4})_/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u0084\u0086-\u009f\ufffd-\uffff]/g;

/**
 * Reads the sheets of a workbook in their order. A number that shows another currency than the euro becomes a text with
 * it.
 */
export async function readXlsx(bytes: Buffer): Promise<Sheet[]> {
  const parts = unpack(bytes);
  refuseTooLarge(parts);
  const sheets = await readWorkbook(bytes, { trim: false }).catch((cause: Error) => {
    throw new WorkbookError('is not an Excel workbook (.xlsx) that can be read', { cause });
  });
  const foreign = foreignCells(parts);
  return sheets.map(({ sheet, data }) => {
    const currencies = foreign.get(sheet);
    const currencyAt = (row: number, column: number): string | undefined =>
      currencies?.get(`${columnLetters(column + 1)}${row + 1}`);
    const rows = data.map((cells, row) => cells.map((value, column) => readCell(value, currencyAt(row, column))));
    return { name: sheet, rows };
  });
}

function readCell(value: unknown, currency: string | undefined): Cell {
  if (typeof value === 'number') return currency === undefined ? value : `${currency} ${value}`;
  if (value === null) return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : dateText(value);
  const text = String(value).trim();
  return text === '' ? null : text;
}

/** Returns a day as `2027-01-31`; with a time of day, all of it. */
function dateText(date: Date): string {
  return date.toISOString().replace(/T00:00:00\.000Z$/, '');
}

function unpack(bytes: Buffer): ZipPart[] {
  try {
    return unzipBounded(bytes, MAX_UNPACKED);
  } catch (cause) {
    if (cause instanceof ZipError) throw new WorkbookError(`cannot be read: ${cause.message}`, { cause });
    throw cause;
  }
}

/** Checks the unpacked size before reading, because memory depends on it and not on the file's size. */
function refuseTooLarge(parts: readonly ZipPart[]): void {
  for (const { name, bytes: part } of parts) {
    if (!name.endsWith('.xml') || !name.startsWith('xl/')) continue;
    const text = part.toString('latin1');
    const rows = [...text.matchAll(ROW)].map(([, row]) => Number(row));
    let [lastRow, lastColumn] = [0, 0];
    for (const [, attributes = ''] of text.matchAll(FILLED_CELL)) {
      const [, letters = '', row = '0'] = ADDRESS.exec(attributes) ?? [];
      lastRow = Math.max(lastRow, Number(row));
      lastColumn = Math.max(lastColumn, columnNumber(letters));
    }
    const isTooLarge = lastRow > MAX_ROWS || lastColumn > MAX_COLUMNS || lastRow * lastColumn > MAX_CELLS;
    if (isTooLarge || rows.some((row) => row > SHEET_ROWS)) {
      throw new WorkbookError(
        `has a sheet with more than ${MAX_ROWS} rows, ${MAX_COLUMNS} columns or ${MAX_CELLS} cells`,
      );
    }
  }
}

function columnNumber(letters: string): number {
  return [...letters.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

/** Creates a workbook with these sheets; the first row of each stays visible. */
export function writeXlsx(sheets: readonly Sheet[]): Promise<Buffer> {
  const written = sheets.map(({ name, rows }) => ({
    sheet: name,
    data: rows.map((row, index) => row.map((cell) => writeCell(cell, index === 0))),
    stickyRowsCount: 1,
    columns: columnsOf(rows),
  }));
  return writeWorkbook(written).toBuffer();
}

function writeCell(cell: Cell, isHeading: boolean) {
  if (cell === null) return null;
  const style = isHeading ? { fontWeight: 'bold' as const } : {};
  if (typeof cell === 'number') return { value: cell, type: Number, ...style };
  return { value: escaped(cell), type: String, ...style };
}

function escaped(text: string): string {
  const plain = text.replaceAll(ESCAPED, '_x005F_x$1_').replaceAll(CONTROL, escapedCharacter);
  // The library looks texts up in a plain object, where "constructor" seems to exist already.
  return plain in {} ? escapedCharacter(plain.charAt(0)) + plain.slice(1) : plain;
}

function escapedCharacter(character: string): string {
  return `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
}

const WIDEST = 40;

function columnsOf(rows: readonly Cell[][]): { width: number }[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  return Array.from({ length: count }, (_each, column) => {
    const longest = Math.max(0, ...rows.map((row) => String(row[column] ?? '').length));
    return { width: Math.min(WIDEST, longest + 2) };
  });
}
