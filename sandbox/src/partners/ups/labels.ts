import { drawLabel, type LabelLine, pdfOf, zplOf } from '../../label.ts';
import type { Shipment } from './books.ts';

/** A picture of one dot: a client that orders a GIF prints something else. */
export const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** Four by six inches. */
const PAPER: [number, number] = [288, 432];

function linesOf(shipment: Shipment, place: number): LabelLine[] {
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
  ];
}

/** Returns one file with a page per package. */
export function pdfLabels(shipment: Shipment): Promise<Buffer> {
  return pdfOf({ size: PAPER }, (document) => {
    shipment.packages.forEach(({ number: barcode }, index) => {
      if (index > 0) document.addPage();
      drawLabel(document, { lines: linesOf(shipment, index + 1), barcode });
    });
  });
}

/** Returns the label of one package for a 203 dpi printer. */
export function zplLabel(shipment: Shipment, place: number): Buffer {
  const barcode = shipment.packages[place - 1]?.number ?? '';
  return Buffer.from(zplOf(linesOf(shipment, place), barcode, { width: 812, height: 1218 }), 'utf8');
}
