import PDFDocument from 'pdfkit';
import { drawBars, writeText, zplText } from '../../label-parts.ts';
import type { Shipment } from './books.ts';

/** A picture of one dot: whoever orders a GIF prints something else. */
export const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Four by six inches. */
const PAPER: [number, number] = [288, 432];
const A4: [number, number] = [595.28, 841.89];

interface Line {
  text: string;
  size: number;
}

function linesOf(shipment: Shipment, place: number): Line[] {
  const { sender, recipient, packages, point, cod, isReturn } = shipment;
  const one = packages[place - 1];
  return [
    { text: `UPS   ${shipment.service}${isReturn ? '   RETURN SERVICE' : ''}`, size: 15 },
    { text: `TRACKING # ${one?.number ?? ''}`, size: 12 },
    { text: `From: ${sender.name}, ${sender.street}, ${sender.zip} ${sender.city} ${sender.country}`, size: 8 },
    { text: recipient.name, size: 12 },
    { text: recipient.street, size: 11 },
    { text: `${recipient.zip} ${recipient.city} ${recipient.country}`, size: 11 },
    { text: point === null ? '' : `ACCESS POINT ${point}`, size: 11 },
    { text: cod === null ? '' : `COD ${cod}`, size: 11 },
    { text: `${place} OF ${packages.length}   ${one?.weight ?? ''} KG`, size: 11 },
    { text: `DESC: ${shipment.description}`, size: 8 },
    { text: `REF: ${shipment.references.join(' ')}`, size: 8 },
    { text: 'TEST LABEL - DO NOT SHIP', size: 8 },
  ].filter(({ text }) => text !== '');
}

/** One file, one page per package. */
export function pdfLabels(shipment: Shipment): Promise<Buffer> {
  return written(PAPER, (document) => {
    shipment.packages.forEach(({ number }, index) => {
      if (index > 0) document.addPage();
      for (const { text, size } of linesOf(shipment, index + 1)) {
        writeText(document, text, { size, x: 18, lineGap: 3 });
      }
      const width = document.page.width - 36;
      const top = document.page.height - 110;
      drawBars(document, number, { x: 18, y: top, width, height: 64 });
      document.fontSize(9).text(number, 18, top + 68, { width, align: 'center', lineBreak: false });
    });
  });
}

export function pdfInvoice(shipment: Shipment, { number, lines }: { number: string; lines: readonly string[] }) {
  return written(A4, (document) => {
    document.fontSize(16).text(`INVOICE ${number}`);
    for (const line of [`Shipment ${shipment.id}`, ...lines]) writeText(document, line, { size: 10 });
  });
}

async function written(size: [number, number], draw: (document: PDFKit.PDFDocument) => void): Promise<Buffer> {
  const document = new PDFDocument({ size, margin: 18 });
  const chunks: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  document.on('end', resolve);
  draw(document);
  document.end();
  await promise;
  return Buffer.concat(chunks);
}

/** The label of one package for a 203 dpi printer. */
export function zplLabel(shipment: Shipment, place: number): Buffer {
  let y = 30;
  const fields = linesOf(shipment, place).map(({ text, size }) => {
    const field = `^FO30,${y}^A0N,${size * 3},${size * 3}^FH^FD${zplText(text)}^FS`;
    y += size * 3 + 14;
    return field;
  });
  const bars = `^FO60,${y + 20}^BY2^BCN,160,Y,N,N^FD${shipment.packages[place - 1]?.number ?? ''}^FS`;
  return Buffer.from(`^XA^CI28^PW812^LL1218${fields.join('')}${bars}^XZ`, 'utf8');
}
