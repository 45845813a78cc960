import bwipjs from 'bwip-js';
import type PDFDocument from 'pdfkit';
import { type FontWeight, fontFor } from '../lib/pdf-text.ts';

export type Pdf = InstanceType<typeof PDFDocument>;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Wide enough for a scanner's laser at arm's length, narrow enough for a long number to fit its box. */
const MAX_MODULE_PT = 1.1;

/** Returns true when a Code 128 can carry the text. */
export function hasCode128(text: string): boolean {
  return /^[\x20-\x7e]{1,40}$/.test(text);
}

/** Draws a Code 128 as vector bars. Returns false, and draws nothing, for a text it cannot carry. */
export function drawCode128(pdf: Pdf, text: string, box: Box, align: 'left' | 'right' = 'right'): boolean {
  if (!hasCode128(text)) return false;
  const [symbol] = bwipjs.raw({ bcid: 'code128', text });
  if (!symbol || !('sbs' in symbol)) return false;
  const modules = symbol.sbs.reduce((sum, width) => sum + width, 0);
  const module = Math.min(MAX_MODULE_PT, box.width / modules);
  let x = align === 'left' ? box.x : box.x + box.width - modules * module;
  for (const [index, width] of symbol.sbs.entries()) {
    if (index % 2 === 0) pdf.rect(x, box.y, width * module, box.height);
    x += width * module;
  }
  pdf.fill('black');
  return true;
}

interface LineOptions {
  x: number;
  y: number;
  width: number;
  align?: 'left' | 'right' | 'center';
  size: number;
  weight?: FontWeight;
  maxLines?: number;
}

/** From the top of a line to its baseline, as a share of the size: two fonts side by side must share a baseline. */
const ASCENT = 0.718;

/** Writes text into at most `maxLines` lines (default 1), with an ellipsis when it is longer. */
export function writeLine(
  pdf: Pdf,
  text: string,
  { x, y, width, align = 'left', size, weight, maxLines = 1 }: LineOptions,
): void {
  pdf.font(fontFor(text, weight)).fontSize(size);
  const height = pdf.currentLineHeight(true) * maxLines;
  pdf.text(text, x, y, { width, height, align, ellipsis: '…', baseline: -ASCENT * size });
}

/** Writes `left` and `Pagina n di m` at the foot of the current page. */
export function writeFoot(pdf: Pdf, left: string, { page, pages }: { page: number; pages: number }): void {
  const margins = pdf.page.margins;
  const width = pdf.page.width - margins.left - margins.right;
  const y = pdf.page.height - margins.bottom + 8;
  const bottom = margins.bottom;
  margins.bottom = 0; // otherwise pdfkit starts a page for text below the margin
  pdf.fillColor('#555555');
  writeLine(pdf, left, { x: margins.left, y, width: width - 90, size: 7.5 });
  writeLine(pdf, `Pagina ${page} di ${pages}`, {
    x: margins.left + width - 90,
    y,
    width: 90,
    align: 'right',
    size: 7.5,
  });
  margins.bottom = bottom;
}

/** Returns the bytes drawn since the last call. A finished page leaves memory. */
export function takeWritten(pdf: Pdf): Buffer {
  const written: Buffer | null = pdf.read();
  return written ?? Buffer.alloc(0);
}

const amountFormat = new Intl.NumberFormat('it-IT', { minimumFractionDigits: 2, useGrouping: 'always' });
const weightFormat = new Intl.NumberFormat('it-IT', {
  minimumFractionDigits: 1,
  maximumFractionDigits: 3,
  useGrouping: 'always',
});
const countFormat = new Intl.NumberFormat('it-IT', { useGrouping: 'always' });

/** Returns `123450` as `1.234,50`. */
export function italianAmount(cents: number): string {
  return amountFormat.format(cents / 100);
}

/** Returns `12500` grams as `12,5`. */
export function italianKg(grams: number): string {
  return weightFormat.format(grams / 1000);
}

export function italianCount(count: number): string {
  return countFormat.format(count);
}

export interface Column {
  title: string;
  width: number;
  align?: 'right';
  /** More lines than the longest identifier needs; a cut would lose meaning, so the row grows instead. */
  maxLines: number;
  weight?: FontWeight;
}

export interface Table {
  x: number;
  width: number;
  columns: readonly Column[];
}

export const CELL_PADDING = 3;
const CELL_SIZE = 8;
const RULE = '#c4c9d1';

export const TABLE_HEAD_HEIGHT = 17;

/** Returns the y where the rows begin. */
export function drawTableHead(pdf: Pdf, table: Table, y: number): number {
  const height = TABLE_HEAD_HEIGHT;
  pdf.rect(table.x, y, table.width, height).fill('#27364b');
  pdf.fillColor('white');
  for (const { column, x, width } of placed(table)) {
    writeLine(pdf, column.title, { x, y: y + 5, width, align: column.align ?? 'left', weight: 'bold', size: 7.5 });
  }
  return y + height;
}

export function rowHeight(pdf: Pdf, table: Table, cells: readonly string[]): number {
  const heights = placed(table).map(({ column, width, index }) => {
    const text = cells[index] ?? '';
    pdf.font(fontFor(text, column.weight)).fontSize(CELL_SIZE);
    const line = pdf.currentLineHeight(true);
    const wanted = pdf.heightOfString(text, { width });
    return Math.max(line, Math.min(wanted, line * column.maxLines));
  });
  return Math.max(...heights) + 2 * CELL_PADDING + 1;
}

export function drawRow(pdf: Pdf, table: Table, row: { cells: readonly string[]; y: number; height: number }): void {
  for (const { column, x, width, index } of placed(table)) {
    const { align = 'left', weight = 'regular', maxLines } = column;
    pdf.fillColor('#111111');
    writeLine(pdf, row.cells[index] ?? '', {
      x,
      y: row.y + CELL_PADDING + 1,
      width,
      align,
      weight,
      maxLines,
      size: CELL_SIZE,
    });
  }
  const bottom = row.y + row.height;
  pdf
    .lineWidth(0.5)
    .moveTo(table.x, bottom)
    .lineTo(table.x + table.width, bottom)
    .stroke(RULE);
}

/** Draws sums under their columns, in bold on a shade; a sum may be a little wider than its column. */
export function drawSums(
  pdf: Pdf,
  table: Table,
  row: { title: string; sums: Record<number, string>; y: number },
): void {
  const wider = 14;
  pdf.rect(table.x, row.y, table.width, 18).fill('#eceff3');
  pdf.fillColor('#111111');
  writeLine(pdf, row.title, {
    x: table.x + 2 * CELL_PADDING,
    y: row.y + 5,
    width: table.width / 2,
    weight: 'bold',
    size: 8.5,
  });
  for (const { x, width, index } of placed(table)) {
    const place = { x: x - wider, y: row.y + 5, width: width + wider };
    const sum = row.sums[index];
    if (sum) writeLine(pdf, sum, { ...place, align: 'right', weight: 'bold', size: 8.5 });
  }
}

/** Returns each column with the place of its text. */
function placed({ x, columns }: Table): { column: Column; x: number; width: number; index: number }[] {
  let left = x;
  return columns.map((column, index) => {
    const place = { column, x: left + CELL_PADDING, width: column.width - 2 * CELL_PADDING, index };
    left += column.width;
    return place;
  });
}
