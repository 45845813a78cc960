import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import iconv from 'iconv-lite';
import type { Cell, Sheet } from '../domain/pricing/sheets/sheet.ts';

/** In the order in which they are looked for: a comma may also be a decimal mark. */
const DELIMITERS = [';', '\t', ','];
const LINE_WITH_DELIMITER = /^sep=(.)\r?\n/i;
/** What a spreadsheet would carry out instead of showing. */
const FORMULA = /^(?:['=+@\t\r]|-.)/;

/** Text of a file: UTF-8 or UTF-16 by its mark, UTF-8 if it can be that, else what Excel writes on Windows. */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return iconv.decode(bytes, 'utf-16le');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return iconv.decode(bytes, 'windows-1252');
  }
}

/** The delimiter that is on most lines; a comma only where hardly any line has another one. */
function delimiterOf(text: string): string {
  const lines = text.replaceAll(/"(?:[^"]|"")*"/g, '').split(/\r?\n/);
  const [semicolons, tabs, commas] = DELIMITERS.map(
    (delimiter) => lines.filter((line) => line.includes(delimiter)).length,
  ) as [number, number, number];
  const [best, lineCount] = tabs > semicolons ? ['\t', tabs] : [';', semicolons];
  return lineCount > 0 && lineCount * 2 >= commas ? best : ',';
}

/** The one sheet of a CSV file, every cell a text. Throws what csv-parse says of a file that is none. */
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
