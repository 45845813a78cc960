import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Sheet } from '../domain/pricing/sheets/sheet.ts';
import { UsageError } from '../lib/errors.ts';
import { readCsv, writeCsv } from './csv-table.ts';
import { readXlsxApart } from './read-xlsx-apart.ts';
import { MAX_COLUMNS, MAX_ROWS, readXlsx, WorkbookError, writeXlsx } from './xlsx-table.ts';

const MAX_BYTES = 10_000_000;
/** Signature of older Excel files, and of newer ones with a password. */
const BOX_START = Buffer.from([0xd0, 0xcf, 0x11, 0xe0]);
/** Signatures of an archive with content, and of an empty one. */
const ZIP_STARTS = [Buffer.from('PK\u0003\u0004'), Buffer.from('PK\u0005\u0006')];
const PASSWORD_MARK = Buffer.from('EncryptedPackage', 'utf16le');

/** Explains why bytes are no table, in words that follow the file's name. */
export class TableError extends Error {}

/**
 * Reads the sheets of an `.xlsx` or `.csv` file, told apart by its content. Throws a `UsageError` for a file that is
 * neither, empty or too large.
 */
export async function readTableFile(file: string): Promise<Sheet[]> {
  const { name } = path.parse(file);
  return readTable(readBytes(file), { name, readWorkbook: readXlsx }).catch((cause: unknown) => {
    if (cause instanceof TableError) throw new UsageError(`${file} ${cause.message}`, { cause });
    throw cause;
  });
}

/** Reads the sheets of bytes from outside, a workbook with bounded memory and time. Throws a `TableError` for no table. */
export function readTableUpload(bytes: Buffer): Promise<Sheet[]> {
  return readTable(bytes, { name: 'CSV', readWorkbook: readXlsxApart });
}

interface TableReading {
  /** The name of the sheet when the bytes are CSV. */
  name: string;
  readWorkbook(bytes: Buffer): Promise<Sheet[]>;
}

async function readTable(bytes: Buffer, reading: TableReading): Promise<Sheet[]> {
  const refusal = refusalOf(bytes);
  if (refusal) throw new TableError(refusal);
  const sheets = await sheetsOf(bytes, reading);
  if (sheets.every(({ rows }) => rows.every((row) => row.every((cell) => cell === null)))) {
    throw new TableError('is empty');
  }
  const isTooLarge = ({ rows }: Sheet): boolean =>
    rows.length > MAX_ROWS || rows.some((row) => row.length > MAX_COLUMNS);
  if (sheets.some(isTooLarge)) throw new TableError(`has more than ${MAX_ROWS} rows or ${MAX_COLUMNS} columns`);
  return sheets;
}

function readBytes(file: string): Buffer {
  try {
    const { size } = statSync(file);
    if (size > MAX_BYTES) throw new UsageError(`${file} is larger than ${MAX_BYTES / 1_000_000} MB`);
    return readFileSync(file);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    throw new UsageError(`${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** Returns why these bytes are no table; null when they may be one. */
function refusalOf(bytes: Buffer): string | null {
  if (bytes.length === 0) return 'is empty';
  if (bytes.subarray(0, BOX_START.length).equals(BOX_START)) {
    return bytes.includes(PASSWORD_MARK)
      ? 'is protected by a password: save it without one'
      : 'is a workbook of an old Excel: save it as .xlsx';
  }
  const start = bytes.toString('latin1', 0, 200).trimStart().toLowerCase();
  if (start.startsWith('%pdf')) return 'is a PDF: ask for the table as .xlsx or .csv';
  if (/^(\u00ef\u00bb\u00bf)?<(!doctype|html|table|\?xml)/.test(start))
    return 'is a web page: open it in Excel and save it as .xlsx';
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  if (!isZip(bytes) && !isUtf16 && bytes.includes(0)) return 'is neither .xlsx nor .csv';
  return null;
}

function isZip(bytes: Buffer): boolean {
  return ZIP_STARTS.some((start) => bytes.subarray(0, start.length).equals(start));
}

async function sheetsOf(bytes: Buffer, { name, readWorkbook }: TableReading): Promise<Sheet[]> {
  try {
    return isZip(bytes) ? await readWorkbook(bytes) : [readCsv(bytes, name)];
  } catch (cause) {
    if (cause instanceof WorkbookError) throw new TableError(cause.message, { cause });
    throw new TableError(`cannot be read: ${(cause as Error).message}`, { cause });
  }
}

/** Writes sheets in the format of the file name's extension; a `.csv` file holds one sheet alone. */
export async function writeTableFile(file: string, sheets: readonly Sheet[]): Promise<void> {
  const [first] = sheets;
  const content = isXlsxName(file) ? await writeXlsx(sheets) : first ? writeCsv(first) : '';
  try {
    writeFileSync(file, content);
  } catch (cause) {
    throw new UsageError(`${file} cannot be written: ${(cause as Error).message}`, { cause });
  }
}

/** Returns true when the file name means a workbook, false for CSV. Throws a `UsageError` for any other name. */
export function isXlsxName(file: string): boolean {
  const end = path.extname(file).toLowerCase();
  if (end !== '.xlsx' && end !== '.csv') throw new UsageError(`${file} must end in .xlsx or .csv`);
  return end === '.xlsx';
}
