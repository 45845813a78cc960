import { drawLabel, type LabelLine, pdfOf, zplOf } from '../../label.ts';
import type { Shipment } from './books.ts';

/** Four by six inches, and a letter. */
const SIZES: Readonly<Record<string, [number, number]>> = { PAPER_4X6: [288, 432] };
export const LETTER: [number, number] = [612, 792];
const BARS = { x: 18, y: 322, width: 252, height: 64 };

function linesOf(shipment: Shipment, place: number): LabelLine[] {
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
  ];
}

/** Returns the label of one package as PDF. */
export function pdfLabel(shipment: Shipment, place: number, stock: string): Promise<Buffer> {
  return pdfOf({ size: SIZES[stock] ?? LETTER }, (document) =>
    drawLabel(document, { lines: linesOf(shipment, place), barcode: numberOf(shipment, place), bars: BARS }),
  );
}

/** Returns the same for a 203 dpi printer. */
export function zplLabel(shipment: Shipment, place: number): Buffer {
  const paper = { width: 812, height: 1218 };
  return Buffer.from(zplOf(linesOf(shipment, place), numberOf(shipment, place), paper), 'utf8');
}

function numberOf({ packages }: Shipment, place: number): string {
  return packages[place - 1]?.number ?? '';
}
