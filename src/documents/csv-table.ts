import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import iconv from 'iconv-lite';
import type { Cell, Sheet } from '../domain/pricing/sheets/sheet.ts';

/** In search order: a comma may also be a decimal mark. */
const DELIMITERS = [';', '\t', ','];
const LINE_WITH_DELIMITER = /^sep=(.)\r?\n/i;
/** Beginnings that a spreadsheet runs as a formula. */
const FORMULA = /^(?:['=+@\t\r]|-.)/;

/** Decodes a file: UTF-8 or UTF-16 by its mark, UTF-8 when it is valid, else Windows-1252 as Excel writes it. */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return iconv.decode(bytes, 'utf-16le');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return iconv.decode(bytes, 'windows-1252');
  }
}

/** Returns the delimiter that is on most lines; a comma only where hardly any line has another one. */
function delimiterOf(text: string): string {
  const lines = text.replaceAll(/"(?:[^"]|"")*"/g, '').split(/\r?\n/);
  const [semicolons, tabs, commas] = DELIMITERS.map(
    (delimiter) => lines.filter((line) => line.includes(delimiter)).length,
  ) as [number, number, number];
  const [best, lineCount] = tabs > semicolons ? ['\t', tabs] : [';', semicolons];
  return lineCount > 0 && lineCount * 2 >= commas ? best : ',';
}

/** Parses a CSV file into one sheet, every cell a text. Throws csv-parse's error for an invalid file. */
export function readCsv(bytes: Buffer, name: string): Sheet {
  const text = decode(bytes);
  const [line, said] = LINE_WITH_DELIMITER.exec(text) ?? [];
  const rows: string[][] = parse(text.slice(line?.length ?? 0), {
    delimiter: said ?? delimiterOf(text),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: false,
  });
  return { name, rows: rows.map((row) => row.map(readCell)) };
}

function readCell(text: string): Cell {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  return trimmed.startsWith("'") && FORMULA.test(trimmed.slice(1)) ? trimmed.slice(1) : trimmed;
}

export function writeCsv(sheet: Sheet): string {
  const harmless = (cell: Cell): Cell => (typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : cell);
  return stringify(sheet.rows.map((row) => row.map(harmless)));
}
