import PDFDocument from 'pdfkit';
import { drawBars, writeText, zplText } from '../../label-parts.ts';
import type { Shipment } from './books.ts';

export type Paper = 'A6' | 'A4' | '8x4';

/** The paper of a label template; null for one that DHL does not have. */
export const PAPERS: Readonly<Record<string, Paper>> = {
  ECOM26_A6_002: 'A6',
  ECOM26_84_A4_001: 'A4',
  ECOM26_84_001: '8x4',
};

interface Line {
  text: string;
  size: number;
}

function linesOf(shipment: Shipment, place: number): Line[] {
  const { sender, recipient, pieces } = shipment;
  const piece = pieces[place - 1];
  return [
    { text: `DHL EXPRESS   ${shipment.product}`, size: 15 },
    { text: `WAYBILL ${shipment.number}`, size: 13 },
    { text: `From: ${sender.addressLine1}, ${sender.postalCode} ${sender.cityName} ${sender.countryCode}`, size: 9 },
    { text: recipient.fullName, size: 12 },
    { text: recipient.wholeAddress, size: 11 },
    { text: `${recipient.postalCode} ${recipient.cityName} ${recipient.countryCode}`, size: 11 },
    { text: `Piece ${place}/${pieces.length}   ${(piece?.weightKg ?? 0).toFixed(1)} kg`, size: 11 },
    { text: `Contents: ${shipment.description}`, size: 9 },
    { text: `Ref: ${shipment.references.join(' ')}`, size: 9 },
    { text: 'TEST LABEL - DO NOT SHIP', size: 8 },
  ];
}

function sizeOf(paper: Paper): [number, number] {
  if (paper === 'A6') return [297.64, 419.53];
  return paper === 'A4' ? [595.28, 841.89] : [288, 576];
}

/** A real PDF, one page per piece. */
export function pdfLabels(shipment: Shipment, places: readonly number[], paper: Paper): Promise<Buffer> {
  return written(paper, (document) => {
    places.forEach((place, index) => {
      if (index > 0) document.addPage();
      for (const { text, size } of linesOf(shipment, place)) {
        if (text !== '') writeText(document, text, { size, x: 18, lineGap: 3 });
      }
      const barcode = shipment.pieces[place - 1]?.number ?? '';
      const width = document.page.width - 36;
      const top = document.page.height - 110;
      drawBars(document, barcode, { x: 18, y: top, width, height: 64 });
      document.fontSize(9).text(barcode, 18, top + 68, { width, align: 'center', lineBreak: false });
    });
  });
}

export function pdfInvoice(shipment: Shipment, { number, lines }: { number: string; lines: readonly string[] }) {
  return written('A4', (document) => {
    document.fontSize(16).text(`INVOICE ${number}`);
    for (const line of [`Waybill ${shipment.number}`, ...lines]) writeText(document, line, { size: 10 });
  });
}

async function written(paper: Paper, draw: (document: PDFKit.PDFDocument) => void): Promise<Buffer> {
  const document = new PDFDocument({ size: sizeOf(paper), margin: 18 });
  const chunks: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  document.on('end', resolve);
  draw(document);
  document.end();
  await promise;
  return Buffer.concat(chunks);
}

/** The same label for a 203 dpi printer. */
export function zplLabels(shipment: Shipment, places: readonly number[]): Buffer {
  return Buffer.from(places.map((place) => zplLabel(shipment, place)).join(''), 'utf8');
}

function zplLabel(shipment: Shipment, place: number): string {
  let y = 30;
  const fields = linesOf(shipment, place).map(({ text, size }) => {
    const field = `^FO30,${y}^A0N,${size * 3},${size * 3}^FH^FD${zplText(text)}^FS`;
    y += size * 3 + 18;
    return field;
  });
  const bars = `^FO60,${y + 20}^BY2^BCN,160,Y,N,N^FD${shipment.pieces[place - 1]?.number ?? ''}^FS`;
  return `^XA^CI28^PW812^LL1624${fields.join('')}${bars}^XZ`;
}
