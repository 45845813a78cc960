import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import { drawBars, writeText, zplText } from '../../label-parts.ts';
import type { Shipment } from './shipment.ts';

/** Code 128 on a GLS label: depot, number, parcel, kind of parcel, destination depot; without the last on a "GLS Check". */
function barcodeOf(shipment: Shipment, place: number): string {
  const parcel = `${shipment.sede}${shipment.number}${String(place).padStart(2, '0')}`;
  return shipment.route ? `${parcel}0${shipment.route.depot.padEnd(4)}` : parcel;
}

interface LabelLine {
  text: string;
  size: number;
}

function linesOf(shipment: Shipment, place: number): LabelLine[] {
  const parcel = shipment.parcels[place - 1];
  return [
    {
      text: `GLS ${shipment.sede}  >  ${shipment.route?.depot ?? ''} ${shipment.route?.depotName ?? 'GLS Check'}`,
      size: 15,
    },
    { text: `${shipment.sede} ${shipment.number}   zona ${shipment.route?.zone ?? '-'}`, size: 12 },
    { text: shipment.name, size: 12 },
    { text: shipment.address, size: 11 },
    { text: `${shipment.zip} ${shipment.city} (${shipment.province})`, size: 11 },
    { text: `Collo ${place} di ${shipment.parcels.length}   kg ${(parcel?.weightKg ?? 0).toFixed(1)}`, size: 11 },
    {
      text: shipment.codCents > 0 ? `CONTRASSEGNO EUR ${(shipment.codCents / 100).toFixed(2)}` : 'Porto franco',
      size: 11,
    },
    { text: `Rif. ${shipment.bda}`, size: 9 },
    { text: shipment.note, size: 9 },
    { text: 'ETICHETTA DI PROVA - NON SPEDIRE', size: 8 },
  ];
}

/** A real PDF of one page, A6 upright or A5 lying. */
export async function pdfLabel(shipment: Shipment, place: number): Promise<Buffer> {
  const paper = shipment.parcels[place - 1]?.paper ?? 'A6';
  const document = new PDFDocument({ size: paper, layout: paper === 'A5' ? 'landscape' : 'portrait', margin: 18 });
  for (const { text, size } of linesOf(shipment, place)) {
    if (text !== '') writeText(document, text, { size, lineGap: 3 });
  }
  const width = document.page.width - 36;
  const top = document.page.height - 110;
  drawBars(document, barcodeOf(shipment, place), { x: 18, y: top, width, height: 64 });
  document.fontSize(9).text(barcodeOf(shipment, place), 18, top + 68, { width, align: 'center', lineBreak: false });
  document.end();
  return buffer(document);
}

/** The list of what was closed, as the depot gets it by mail. */
export async function pdfDistinta(shipments: readonly Shipment[]): Promise<Buffer> {
  const document = new PDFDocument({ size: 'A4', margin: 36 });
  document
    .fontSize(14)
    .text(`DISTINTA GLS  sede ${shipments[0]?.sede ?? ''}`)
    .moveDown();
  for (const { sede, number, name, city, parcels } of shipments) {
    writeText(document, `${sede} ${number} - ${name} - ${city} - colli ${parcels.length}`, { size: 9 });
  }
  document.moveDown();
  writeText(document, `Spedizioni ${shipments.length}   DISTINTA DI PROVA`, { size: 9 });
  document.end();
  return buffer(document);
}

/** The same label for a 203 dpi printer with 10 x 15 cm paper. */
export function zplLabel(shipment: Shipment, place: number): string {
  let y = 30;
  const fields = linesOf(shipment, place).map(({ text, size }) => {
    const field = `^FO30,${y}^A0N,${size * 3},${size * 3}^FH^FD${zplText(text)}^FS`;
    y += size * 3 + 18;
    return field;
  });
  const bars = `^FO60,${y + 20}^BY3^BCN,160,Y,N,N^FD${barcodeOf(shipment, place)}^FS`;
  return `^XA^CI28^PW812^LL1218${fields.join('')}${bars}^XZ`;
}
