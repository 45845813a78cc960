import PDFDocument from 'pdfkit';
import { drawBars, writeText, zplText } from '../../label-parts.ts';
import type { Shipment } from './books.ts';

/** Four by six inches, and a letter. */
const SIZES: Readonly<Record<string, [number, number]>> = { PAPER_4X6: [288, 432] };
const LETTER: [number, number] = [612, 792];
const LABEL_WIDTH = 252;

interface Line {
  text: string;
  size: number;
}

function linesOf(shipment: Shipment, place: number): Line[] {
  const { sender, recipient, packages, service, master, isReturn } = shipment;
  const one = packages[place - 1];
  return [
    { text: `FedEx   ${service}${isReturn ? '   RETURNS' : ''}`, size: 13 },
    { text: `TRK# ${one?.number ?? ''}`, size: 12 },
    { text: packages.length === 1 ? '' : `Mstr# ${master}`, size: 9 },
    { text: `From: ${sender.name}, ${sender.street}, ${sender.zip} ${sender.city} ${sender.country}`, size: 8 },
    { text: recipient.name, size: 12 },
    { text: recipient.street, size: 11 },
    { text: `${recipient.zip} ${recipient.city} ${recipient.country}`, size: 11 },
    { text: `${place} of ${packages.length}   ${one?.kilograms ?? ''} KG`, size: 11 },
    { text: `DESC: ${shipment.description}`, size: 8 },
    { text: `REF: ${shipment.reference}   PO: ${shipment.orderNumber}`, size: 8 },
    { text: 'TEST LABEL - DO NOT SHIP', size: 8 },
  ].filter(({ text }) => text !== '');
}

/** The label of one package. */
export function pdfLabel(shipment: Shipment, place: number, stock: string): Promise<Buffer> {
  return written(SIZES[stock] ?? LETTER, (document) => {
    for (const { text, size } of linesOf(shipment, place)) {
      writeText(document, text, { size, x: 18, width: LABEL_WIDTH, lineGap: 3 });
    }
    const number = shipment.packages[place - 1]?.number ?? '';
    drawBars(document, number, { x: 18, y: 322, width: LABEL_WIDTH, height: 64 });
    document.fontSize(9).text(number, 18, 390, { width: LABEL_WIDTH, align: 'center', lineBreak: false });
  });
}

export function pdfInvoice(shipment: Shipment, { number, lines }: { number: string; lines: readonly string[] }) {
  return written(LETTER, (document) => {
    document.fontSize(16).text(`COMMERCIAL INVOICE ${number}`);
    for (const line of [`Shipment ${shipment.master}`, ...lines]) writeText(document, line, { size: 10 });
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

/** The same for a 203 dpi printer. */
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
