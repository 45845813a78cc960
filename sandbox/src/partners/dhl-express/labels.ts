import { drawLabel, type LabelLine, pdfOf, zplOf } from '../../label.ts';
import type { Shipment } from './books.ts';

export type Paper = 'A6' | 'A4' | '8x4';

/** The paper of a label template; null for one that DHL does not have. */
export const PAPERS: Readonly<Record<string, Paper>> = {
  ECOM26_A6_002: 'A6',
  ECOM26_84_A4_001: 'A4',
  ECOM26_84_001: '8x4',
};

function linesOf(shipment: Shipment, place: number): LabelLine[] {
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

/** Returns a PDF with one page per piece. */
export function pdfLabels(shipment: Shipment, places: readonly number[], paper: Paper): Promise<Buffer> {
  return pdfOf({ size: sizeOf(paper) }, (document) => {
    places.forEach((place, index) => {
      if (index > 0) document.addPage();
      drawLabel(document, { lines: linesOf(shipment, place), barcode: numberOf(shipment, place) });
    });
  });
}

/** Returns the same labels for a 203 dpi printer. */
export function zplLabels(shipment: Shipment, places: readonly number[]): Buffer {
  const paper = { width: 812, height: 1624, gap: 18 };
  const labels = places.map((place) => zplOf(linesOf(shipment, place), numberOf(shipment, place), paper));
  return Buffer.from(labels.join(''), 'utf8');
}

function numberOf({ pieces }: Shipment, place: number): string {
  return pieces[place - 1]?.number ?? '';
}
