import { drawLabel, type LabelLine, pdfOf, zplOf } from '../../label.ts';
import type { Shipment } from './books.ts';

function linesOf(shipment: Shipment): LabelLine[] {
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
  ];
}

/** Returns a PDF of one page. */
export function pdfLabel(shipment: Shipment, paper: 'A6' | 'A4'): Promise<Buffer> {
  return pdfOf({ size: paper }, (document) =>
    drawLabel(document, { lines: linesOf(shipment), barcode: shipment.number }),
  );
}

/** Returns the same label for a printer of 203 or 300 dpi with 105 x 148 mm paper. */
export function zplLabel(shipment: Shipment, dpi: 203 | 300): Buffer {
  const dotsPerPoint = dpi / 72;
  const [width = 0, height = 0, margin = 0, gap = 0, barHeight = 0] = [297, 419, 12, 6, 56].map((points) =>
    Math.round(points * dotsPerPoint),
  );
  const paper = { width, height, dotsPerPoint, margin, gap, barHeight };
  return Buffer.from(zplOf(linesOf(shipment), shipment.number, paper), 'utf8');
}
