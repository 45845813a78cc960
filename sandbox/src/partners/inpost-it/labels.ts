import PDFDocument from 'pdfkit';
import { drawBars, writeText, zplText } from '../../label-parts.ts';
import type { Shipment } from './books.ts';

interface Line {
  text: string;
  size: number;
}

function linesOf(shipment: Shipment): Line[] {
  const { receiver, sender, cod } = shipment;
  return [
    { text: `INPOST   ${shipment.template.toUpperCase()}`, size: 15 },
    { text: `LOCKER ${shipment.targetPoint}`, size: 13 },
    { text: receiver.name || receiver.company, size: 12 },
    { text: receiver.phone, size: 11 },
    { text: cod ? `COD ${cod.amount.toFixed(2)} ${cod.currency}` : '', size: 11 },
    { text: `From: ${sender.company || sender.name}`, size: 9 },
    { text: `Ref: ${shipment.reference ?? ''}`, size: 9 },
    { text: shipment.comments, size: 9 },
    { text: 'TEST LABEL - DO NOT SHIP', size: 8 },
  ].filter(({ text }) => text !== '');
}

/** A real PDF of one page. */
export async function pdfLabel(shipment: Shipment, paper: 'A6' | 'A4'): Promise<Buffer> {
  const document = new PDFDocument({ size: paper, margin: 18 });
  const chunks: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  document.on('end', resolve);

  for (const { text, size } of linesOf(shipment)) writeText(document, text, { size, lineGap: 3 });
  const width = document.page.width - 36;
  const top = document.page.height - 110;
  drawBars(document, shipment.number, { x: 18, y: top, width, height: 64 });
  document.fontSize(9).text(shipment.number, 18, top + 68, { width, align: 'center', lineBreak: false });
  document.end();
  await promise;
  return Buffer.concat(chunks);
}

/** The same label for a printer of 203 or 300 dpi with 105 x 148 mm paper. */
export function zplLabel(shipment: Shipment, dpi: 203 | 300): Buffer {
  const dots = (points: number): number => Math.round((points * dpi) / 72);
  let y = dots(12);
  const fields = linesOf(shipment).map(({ text, size }) => {
    const field = `^FO${dots(12)},${y}^A0N,${dots(size)},${dots(size)}^FH^FD${zplText(text)}^FS`;
    y += dots(size + 6);
    return field;
  });
  const bars = `^FO${dots(12)},${y + dots(8)}^BY2^BCN,${dots(56)},Y,N,N^FD${shipment.number}^FS`;
  return Buffer.from(`^XA^CI28^PW${dots(297)}^LL${dots(419)}${fields.join('')}${bars}^XZ`, 'utf8');
}
