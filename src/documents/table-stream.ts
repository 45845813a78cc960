import { stringify } from 'csv-stringify/sync';
import { strToU8, Zip, ZipDeflate } from 'fflate';
import { columnLetters } from '../domain/pricing/sheets/sheet.ts';

export type TableFormat = 'csv' | 'xlsx';
export type TableCell = string | number | boolean | null;

export const TABLE_TYPES: Readonly<Record<TableFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Beginnings that a spreadsheet runs as a formula. */
const FORMULA = /^[=+\-@\t\r]/;
/** XML cannot hold these characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** Returns the bytes of a table, row by row. The rows are read only as fast as the bytes are taken. */
export function tableBytes(
  format: TableFormat,
  header: readonly string[],
  pages: AsyncIterable<readonly (readonly TableCell[])[]>,
): AsyncGenerator<Buffer> {
  return format === 'csv' ? csvBytes(header, pages) : xlsxBytes(header, pages);
}

/** The mark at the start makes Excel read UTF-8. A text that looks like a formula gets an apostrophe. */
async function* csvBytes(
  header: readonly string[],
  pages: AsyncIterable<readonly (readonly TableCell[])[]>,
): AsyncGenerator<Buffer> {
  yield Buffer.from(`\ufeff${stringify([[...header]])}`);
  for await (const rows of pages) {
    if (rows.length > 0) yield Buffer.from(stringify(rows.map((row) => row.map(csvCell))));
  }
}

function csvCell(cell: TableCell): TableCell {
  if (typeof cell === 'boolean') return String(cell);
  return typeof cell === 'string' && FORMULA.test(cell) ? `'${cell}` : cell;
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
/** Every part of a workbook with one sheet, except the sheet. */
const PARTS: Readonly<Record<string, string>> = {
  '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${TYPE}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${DOCUMENT}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets><sheet name="smista" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${DOCUMENT}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
};
/** The view keeps the first row visible. */
const SHEET_START = `<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;
const SHEET_END = '</sheetData></worksheet>';

/** The workbook libraries build a sheet in memory; this one writes it as a stream. A text is a text there, never a formula. */
async function* xlsxBytes(
  header: readonly string[],
  pages: AsyncIterable<readonly (readonly TableCell[])[]>,
): AsyncGenerator<Buffer> {
  let ready: Buffer[] = [];
  const zip = new Zip((error, chunk) => {
    if (error) throw error;
    ready.push(Buffer.from(chunk));
  });
  const taken = (): Buffer => {
    const bytes = Buffer.concat(ready);
    ready = [];
    return bytes;
  };
  for (const [name, content] of Object.entries(PARTS)) openPart(zip, name).push(strToU8(XML + content), true);
  const sheet = openPart(zip, 'xl/worksheets/sheet1.xml');
  let written = 0;
  const rowsXml = (rows: readonly (readonly TableCell[])[]) =>
    strToU8(rows.map((row) => rowXml(row, ++written)).join(''));
  sheet.push(strToU8(XML + SHEET_START));
  sheet.push(rowsXml([header]));
  yield taken();
  for await (const rows of pages) {
    if (rows.length > 0) sheet.push(rowsXml(rows));
    const bytes = taken();
    if (bytes.length > 0) yield bytes;
  }
  sheet.push(strToU8(SHEET_END), true);
  zip.end();
  yield taken();
}

function openPart(zip: Zip, name: string): ZipDeflate {
  const part = new ZipDeflate(name, { level: 6 });
  zip.add(part);
  return part;
}

function rowXml(row: readonly TableCell[], number: number): string {
  return `<row r="${number}">${row.map((cell, at) => cellXml(cell, `${columnLetters(at + 1)}${number}`)).join('')}</row>`;
}

function cellXml(cell: TableCell, at: string): string {
  if (cell === null || cell === '') return '';
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
}

function escaped(text: string): string {
  return text.replaceAll(CONTROL, '\ufffd').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
