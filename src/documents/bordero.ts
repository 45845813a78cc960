import { setImmediate as nextTurn } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import { wallClock } from '../lib/clock.ts';
import { printable } from '../lib/pdf-text.ts';
import { drawBlock, drawSignature } from './boxes.ts';
import type { Column, Pdf, Table } from './pages.ts';
import {
  CELL_PADDING,
  drawCode128,
  drawRow,
  drawSums,
  drawTableHead,
  hasCode128,
  italianAmount,
  italianCount,
  italianKg,
  rowHeight,
  TABLE_HEAD_HEIGHT,
  takeWritten,
  writeFoot,
  writeLine,
} from './pages.ts';

export interface BorderoItem {
  trackingNumber: string;
  orderRef: string;
  recipientName: string;
  recipientAddress: string;
  recipientCity: string;
  recipientProvince: string;
  recipientZip: string;
  recipientCountryCode: string;
  parcelsCount: number;
  weightGrams: number;
  /** Amount to collect; null without cash on delivery. */
  codCents: number | null;
}

export interface BorderoDocument {
  number: string;
  date: Date;
  /** The sender's time zone, such as `Europe/Rome`; the printed date uses it. */
  timeZone: string;
  company: {
    name: string;
    address: string;
    postalCode: string;
    city: string;
    country: string;
    vatNumber: string;
  };
  carrier: { name: string };
  contract: { label: string; customerCode: string | null };
  items: readonly BorderoItem[];
}

const MARGIN = 30;
const WIDTH = 841.89 - 2 * MARGIN;
const BOTTOM = 595.28 - MARGIN - 6;
const BLOCK_HEIGHT = 88;
const SIGNATURES_HEIGHT = 122;
/** Where the table begins on the first page, and on the others. */
const FIRST_TOP = MARGIN + 56 + BLOCK_HEIGHT + 10;
const NEXT_TOP = MARGIN + 20;
/** Rows that stand at least above the totals on the last of several pages: totals alone could belong to any list. */
const LAST_ROWS = 3;
const INK = '#111111';

/** An identifier is never cut: its row grows. */
const COLUMNS: readonly Column[] = [
  { title: 'N.', width: 26, align: 'right', maxLines: 1 },
  { title: 'Lettera di vettura', width: 142, maxLines: 6, weight: 'bold' },
  { title: 'Riferimento', width: 92, maxLines: 6 },
  { title: 'Destinatario', width: 112, maxLines: 2 },
  { title: 'Indirizzo', width: 136, maxLines: 2 },
  { title: 'CAP', width: 40, maxLines: 2 },
  { title: 'Località (Prov.)', width: 99, maxLines: 2 },
  { title: 'Colli', width: 34, align: 'right', maxLines: 1 },
  { title: 'Peso kg', width: 44, align: 'right', maxLines: 1 },
  { title: 'Contrass. €', width: 56.89, align: 'right', maxLines: 1, weight: 'bold' },
];
const NUMBER_COLUMN = 1;
/** Some 4 mm: a hand scanner hits this at the first try. */
const BARS_HEIGHT = 12;
const TABLE: Table = { x: MARGIN, width: WIDTH, columns: COLUMNS };

/**
 * Draws the load list that the driver signs, as an A4 PDF, and keeps no page in memory. The same document always gives
 * the same bytes.
 */
export async function* renderBordero(bordero: BorderoDocument): AsyncGenerator<Buffer> {
  const pdf = new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN },
    lang: 'it-IT',
    displayTitle: true,
    info: { Title: `Borderò ${bordero.number}`, Author: bordero.company.name, CreationDate: bordero.date },
  });
  const pages = paginate(pdf, bordero);
  const foot = printable(`Borderò ${bordero.number} del ${dateOf(bordero)} - ${bordero.company.name}`);
  for (const [index, rows] of pages.entries()) {
    if (index > 0) pdf.addPage();
    let y = index === 0 ? drawFirstHeader(pdf, bordero) : drawNextHeader(pdf, bordero);
    y = drawTableHead(pdf, TABLE, y);
    for (const { position, height } of rows) {
      const item = bordero.items[position - 1];
      if (item) drawItem(pdf, item, { position, y, height });
      y += height;
    }
    if (index === pages.length - 1) drawEnd(pdf, bordero, y);
    writeFoot(pdf, foot, { page: index + 1, pages: pages.length });
    yield takeWritten(pdf);
    // Yields: thousands of lines must not block other requests.
    await nextTurn();
  }
  pdf.end();
  yield takeWritten(pdf);
}

interface PlacedRow {
  /** From 1. */
  position: number;
  height: number;
}

/**
 * Splits the rows into pages, with room for the end on the last one. It runs first, so that every page can show the
 * number of pages.
 */
function paginate(pdf: Pdf, { items }: BorderoDocument): PlacedRow[][] {
  const pages: PlacedRow[][] = [[]];
  let y = FIRST_TOP + TABLE_HEAD_HEIGHT;
  const nextPage = (): void => {
    pages.push([]);
    y = NEXT_TOP + TABLE_HEAD_HEIGHT;
  };
  for (const [index, item] of items.entries()) {
    const position = index + 1;
    const height = heightOf(pdf, item, position);
    if (y + height > BOTTOM) nextPage();
    pages.at(-1)?.push({ position, height });
    y += height;
  }
  if (y + SIGNATURES_HEIGHT > BOTTOM) nextPage();
  fillLast(pages);
  return pages;
}

/** Moves rows to the last page until it has `LAST_ROWS`. They always fit beside the end: a row has six lines at most. */
function fillLast(pages: PlacedRow[][]): void {
  const [before, last] = pages.slice(-2);
  while (before && last && before.length > 1 && last.length < LAST_ROWS) last.unshift(...before.splice(-1));
}

function heightOf(pdf: Pdf, item: BorderoItem, position: number): number {
  const cells = cellsOf(item, position);
  const text = rowHeight(pdf, TABLE, cells);
  if (!hasCode128(item.trackingNumber)) return text;
  const number = rowHeight(
    pdf,
    TABLE,
    cells.map((cell, column) => (column === NUMBER_COLUMN ? cell : '')),
  );
  return Math.max(text, number + BARS_HEIGHT + 2);
}

/** Draws a row with the number as a barcode below it, so that a scanner at the ramp reads the list. */
function drawItem(pdf: Pdf, item: BorderoItem, row: PlacedRow & { y: number }): void {
  const cells = cellsOf(item, row.position);
  drawRow(pdf, TABLE, { cells, y: row.y, height: row.height });
  const before = COLUMNS.slice(0, NUMBER_COLUMN).reduce((sum, { width }) => sum + width, 0);
  const box = {
    x: MARGIN + before + CELL_PADDING,
    y: row.y + row.height - BARS_HEIGHT - CELL_PADDING,
    width: (COLUMNS[NUMBER_COLUMN]?.width ?? 0) - 4 * CELL_PADDING,
    height: BARS_HEIGHT,
  };
  drawCode128(pdf, item.trackingNumber, box, 'left');
}

/** Returns the y where the page goes on. */
function drawFirstHeader(pdf: Pdf, bordero: BorderoDocument): number {
  const barcodeWidth = 230;
  const right = MARGIN + WIDTH;
  pdf.fillColor(INK);
  writeLine(pdf, 'BORDERÒ DI SPEDIZIONE', {
    x: MARGIN,
    y: MARGIN,
    width: WIDTH - barcodeWidth - 20,
    weight: 'bold',
    size: 20,
  });
  const number = printable(`n. ${bordero.number} del ${dateOf(bordero)}`);
  writeLine(pdf, number, { x: MARGIN, y: MARGIN + 26, width: WIDTH - barcodeWidth - 20, size: 12 });
  const box = { x: right - barcodeWidth, y: MARGIN, width: barcodeWidth, height: 34 };
  if (drawCode128(pdf, bordero.number, box)) {
    pdf.fillColor(INK);
    writeLine(pdf, bordero.number, { x: box.x, y: box.y + 37, width: box.width, align: 'right', size: 8 });
  }

  const { company, carrier, contract } = bordero;
  const totals = totalsOf(bordero);
  const customer = contract.customerCode ? `Codice cliente ${contract.customerCode}` : '';
  const cod =
    totals.codCount > 0
      ? `Contrassegni ${totals.codCount} per € ${italianAmount(totals.codCents)}`
      : 'Nessun contrassegno';
  const city = [`${company.postalCode} ${company.city}`.trim(), company.country].filter(Boolean).join(', ');
  const vat = company.vatNumber ? `P. IVA ${company.vatNumber}` : '';
  const blocks = [
    { title: 'MITTENTE', width: 330, lines: [company.name, company.address, city, vat] },
    { title: 'VETTORE', width: 250, lines: [carrier.name, contract.label, customer] },
    {
      title: 'RIEPILOGO',
      width: WIDTH - 580 - 16,
      lines: [`Spedizioni ${totals.shipments}`, `Colli ${totals.parcels}`, `Peso kg ${totals.weight}`, cod],
    },
  ];
  let x = MARGIN;
  const top = MARGIN + 56;
  for (const { title, width, lines } of blocks) {
    drawBlock(pdf, { title, lines }, { x, y: top, width, height: BLOCK_HEIGHT });
    x += width + 8;
  }
  return FIRST_TOP;
}

function drawNextHeader(pdf: Pdf, bordero: BorderoDocument): number {
  pdf.fillColor(INK);
  const title = printable(`Borderò n. ${bordero.number} del ${dateOf(bordero)}`);
  writeLine(pdf, title, { x: MARGIN, y: MARGIN, width: WIDTH / 2, weight: 'bold', size: 10 });
  const parties = printable(`${bordero.company.name} - ${bordero.carrier.name}`);
  writeLine(pdf, parties, { x: MARGIN + WIDTH / 2, y: MARGIN + 1, width: WIDTH / 2, align: 'right', size: 9 });
  return NEXT_TOP;
}

function cellsOf(item: BorderoItem, position: number): string[] {
  const province = item.recipientProvince ? ` (${item.recipientProvince})` : '';
  const isAbroad = item.recipientCountryCode !== '' && item.recipientCountryCode !== 'IT';
  return [
    String(position),
    item.trackingNumber,
    item.orderRef,
    item.recipientName,
    item.recipientAddress,
    item.recipientZip,
    `${item.recipientCity}${province}${isAbroad ? ` ${item.recipientCountryCode}` : ''}`,
    italianCount(item.parcelsCount),
    italianKg(item.weightGrams),
    item.codCents === null ? '' : italianAmount(item.codCents),
  ].map(printable);
}

/** Draws the totals and the signatures, which share a page. */
function drawEnd(pdf: Pdf, bordero: BorderoDocument, y: number): void {
  const totals = totalsOf(bordero);
  const title = `TOTALE - spedizioni: ${totals.shipments}, in contrassegno: ${totals.codCount}`;
  const sums = { 7: totals.parcels, 8: totals.weight, 9: italianAmount(totals.codCents) };
  drawSums(pdf, TABLE, { title, sums, y });

  pdf.fillColor(INK);
  const statement = `Il vettore dichiara di aver ritirato quanto in elenco - colli: ${totals.parcels}, spedizioni: ${totals.shipments}, peso: kg ${totals.weight}`;
  writeLine(pdf, statement, { x: MARGIN, y: y + 26, width: WIDTH, size: 8.5 });
  const width = (WIDTH - 16) / 2;
  const height = SIGNATURES_HEIGHT - 44;
  drawSignature(
    pdf,
    { title: 'MITTENTE', fields: ['Nome e cognome', 'Data e ora'] },
    { x: MARGIN, y: y + 42, width, height },
  );
  const driver = { title: 'AUTISTA', fields: ['Nome e cognome', 'Data e ora', 'Targa'] };
  drawSignature(pdf, driver, { x: MARGIN + width + 16, y: y + 42, width, height });
}

function totalsOf({ items }: BorderoDocument) {
  return {
    shipments: italianCount(items.length),
    parcels: italianCount(items.reduce((sum, item) => sum + item.parcelsCount, 0)),
    weight: italianKg(items.reduce((sum, item) => sum + item.weightGrams, 0)),
    codCount: items.filter((item) => item.codCents !== null).length,
    codCents: items.reduce((sum, item) => sum + (item.codCents ?? 0), 0),
  };
}

function dateOf({ date, timeZone }: BorderoDocument): string {
  return wallClock(date, timeZone).date.split('-').reverse().join('/');
}
