import PDFDocument from 'pdfkit';
import { wallClock } from '../lib/clock.ts';
import type { Column, Pdf, Table } from './pages.ts';
import {
  drawCode128,
  drawRow,
  drawSums,
  drawTableHead,
  italianAmount,
  italianCount,
  italianKg,
  numberPages,
  printable,
  rowHeight,
  toBuffer,
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
  /** The sender's, such as `Europe/Rome`: the date is printed as it was there. */
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
const INK = '#111111';
const GREY = '#555555';
const RULE = '#c4c9d1';

/** An identifier is never cut: its row grows. */
const COLUMNS: readonly Column[] = [
  { title: 'N.', width: 26, align: 'right', maxLines: 1 },
  { title: 'Lettera di vettura', width: 112, maxLines: 6, bold: true },
  { title: 'Riferimento', width: 96, maxLines: 6 },
  { title: 'Destinatario', width: 122, maxLines: 2 },
  { title: 'Indirizzo', width: 146, maxLines: 2 },
  { title: 'CAP', width: 42, maxLines: 2 },
  { title: 'Località (Prov.)', width: 103, maxLines: 2 },
  { title: 'Colli', width: 34, align: 'right', maxLines: 1 },
  { title: 'Peso kg', width: 44, align: 'right', maxLines: 1 },
  { title: 'Contrass. €', width: 56.89, align: 'right', maxLines: 1, bold: true },
];
const TABLE: Table = { x: MARGIN, width: WIDTH, columns: COLUMNS };

/**
 * The load list that the driver signs, as an A4 PDF. The same document gives the same bytes, whenever it is printed
 * again.
 */
export function renderBordero(bordero: BorderoDocument): Promise<Buffer> {
  const pdf = new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    margins: { top: MARGIN, left: MARGIN, right: MARGIN, bottom: MARGIN },
    bufferPages: true,
    lang: 'it-IT',
    displayTitle: true,
    info: { Title: `Borderò ${bordero.number}`, Author: bordero.company.name, CreationDate: bordero.date },
  });
  let y = drawTableHead(pdf, TABLE, drawFirstHeader(pdf, bordero));
  const nextPage = () => {
    pdf.addPage();
    return drawTableHead(pdf, TABLE, drawNextHeader(pdf, bordero));
  };
  for (const [index, item] of bordero.items.entries()) {
    const cells = cellsOf(item, index + 1);
    const height = rowHeight(pdf, TABLE, cells);
    if (y + height > BOTTOM) y = nextPage();
    drawRow(pdf, TABLE, { cells, y, height });
    y += height;
  }
  if (y + SIGNATURES_HEIGHT > BOTTOM) y = nextPage();
  drawEnd(pdf, bordero, y);
  numberPages(pdf, printable(`Borderò ${bordero.number} del ${dateOf(bordero)} - ${bordero.company.name}`));
  return toBuffer(pdf);
}

/** Returns where the page goes on. */
function drawFirstHeader(pdf: Pdf, bordero: BorderoDocument): number {
  const barcodeWidth = 230;
  const right = MARGIN + WIDTH;
  pdf.fillColor(INK).font('Helvetica-Bold').fontSize(20);
  writeLine(pdf, 'BORDERÒ DI SPEDIZIONE', { x: MARGIN, y: MARGIN, width: WIDTH - barcodeWidth - 20 });
  pdf.font('Helvetica').fontSize(12);
  const number = printable(`n. ${bordero.number} del ${dateOf(bordero)}`);
  writeLine(pdf, number, { x: MARGIN, y: MARGIN + 26, width: WIDTH - barcodeWidth - 20 });
  const box = { x: right - barcodeWidth, y: MARGIN, width: barcodeWidth, height: 34 };
  if (drawCode128(pdf, bordero.number, box)) {
    pdf.font('Helvetica').fontSize(8).fillColor(INK);
    writeLine(pdf, bordero.number, { x: box.x, y: box.y + 37, width: box.width, align: 'right' });
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
  return top + BLOCK_HEIGHT + 10;
}

function drawBlock(
  pdf: Pdf,
  { title, lines }: { title: string; lines: string[] },
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): void {
  pdf.lineWidth(0.7).roundedRect(x, y, width, height, 3).stroke(RULE);
  pdf.font('Helvetica-Bold').fontSize(7).fillColor(GREY);
  writeLine(pdf, title, { x: x + 8, y: y + 7, width: width - 16 });
  const [name = '', ...details] = lines.filter(Boolean).map(printable);
  const at = { x: x + 8, width: width - 16 };
  pdf.font('Helvetica-Bold').fontSize(10.5).fillColor(INK);
  writeLine(pdf, name, { ...at, y: y + 19, maxLines: 2 });
  const isLong = pdf.widthOfString(name) > at.width;
  pdf.font('Helvetica').fontSize(9);
  for (const [index, line] of details.entries()) {
    writeLine(pdf, line, { ...at, y: y + (isLong ? 46 : 34) + index * 12.5 });
  }
}

function drawNextHeader(pdf: Pdf, bordero: BorderoDocument): number {
  pdf.font('Helvetica-Bold').fontSize(10).fillColor(INK);
  const title = printable(`Borderò n. ${bordero.number} del ${dateOf(bordero)}`);
  writeLine(pdf, title, { x: MARGIN, y: MARGIN, width: WIDTH / 2 });
  pdf.font('Helvetica').fontSize(9);
  const parties = printable(`${bordero.company.name} - ${bordero.carrier.name}`);
  writeLine(pdf, parties, { x: MARGIN + WIDTH / 2, y: MARGIN + 1, width: WIDTH / 2, align: 'right' });
  return MARGIN + 20;
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

/** The totals and the signatures, which share a page. */
function drawEnd(pdf: Pdf, bordero: BorderoDocument, y: number): void {
  const totals = totalsOf(bordero);
  const title = `TOTALE - spedizioni: ${totals.shipments}, in contrassegno: ${totals.codCount}`;
  const sums = { 7: totals.parcels, 8: totals.weight, 9: italianAmount(totals.codCents) };
  drawSums(pdf, TABLE, { title, sums, y });

  pdf.fillColor(INK);
  pdf.font('Helvetica').fontSize(8.5);
  const statement = `Il vettore dichiara di aver ritirato quanto in elenco - colli: ${totals.parcels}, spedizioni: ${totals.shipments}, peso: kg ${totals.weight}`;
  writeLine(pdf, statement, { x: MARGIN, y: y + 26, width: WIDTH });
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

function drawSignature(
  pdf: Pdf,
  { title, fields }: { title: string; fields: string[] },
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): void {
  pdf.lineWidth(0.7).roundedRect(x, y, width, height, 3).stroke(RULE);
  pdf.font('Helvetica-Bold').fontSize(7).fillColor(GREY);
  writeLine(pdf, title, { x: x + 8, y: y + 7, width: width - 16 });
  const half = width / 2;
  const draw = (label: string, at: { x: number; y: number; width: number }) => {
    pdf.font('Helvetica').fontSize(7.5).fillColor(GREY);
    writeLine(pdf, label, at);
    const from = at.x + pdf.widthOfString(label) + 4;
    pdf
      .lineWidth(0.5)
      .moveTo(from, at.y + 7)
      .lineTo(at.x + at.width, at.y + 7)
      .stroke('#777777');
  };
  for (const [index, label] of fields.entries()) {
    draw(label, { x: x + 8, y: y + 24 + index * 18, width: half - 16 });
  }
  draw('Firma', { x: x + half + 4, y: y + height - 18, width: half - 12 });
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
