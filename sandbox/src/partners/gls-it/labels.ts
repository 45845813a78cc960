import { drawLabel, type LabelLine, pdfOf, zplOf } from '../../label.ts';
import { writeText } from '../../label-parts.ts';
import type { Shipment } from './shipment.ts';

/** Code 128 on a GLS label: depot, number, parcel, kind of parcel, destination depot; without the last on a "GLS Check". */
function barcodeOf(shipment: Shipment, place: number): string {
  const parcel = `${shipment.sede}${shipment.number}${String(place).padStart(2, '0')}`;
  return shipment.route ? `${parcel}0${shipment.route.depot.padEnd(4)}` : parcel;
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

/** Returns a PDF of one page, A6 upright or A5 lying. */
export function pdfLabel(shipment: Shipment, place: number): Promise<Buffer> {
  const paper = shipment.parcels[place - 1]?.paper ?? 'A6';
  return pdfOf({ size: paper, layout: paper === 'A5' ? 'landscape' : 'portrait' }, (document) =>
    drawLabel(document, { lines: linesOf(shipment, place), barcode: barcodeOf(shipment, place) }),
  );
}

/** Returns the list of closed shipments, as the depot gets it by mail. */
export function pdfDistinta(shipments: readonly Shipment[]): Promise<Buffer> {
  return pdfOf({ size: 'A4', margin: 36 }, (document) => {
    document
      .fontSize(14)
      .text(`DISTINTA GLS  sede ${shipments[0]?.sede ?? ''}`)
      .moveDown();
    for (const { sede, number, name, city, parcels } of shipments) {
      writeText(document, `${sede} ${number} - ${name} - ${city} - colli ${parcels.length}`, { size: 9 });
    }
    document.moveDown();
    writeText(document, `Spedizioni ${shipments.length}   DISTINTA DI PROVA`, { size: 9 });
  });
}

/** Returns the same label for a 203 dpi printer with 10 x 15 cm paper. */
export function zplLabel(shipment: Shipment, place: number): string {
  const paper = { width: 812, height: 1218, gap: 18, module: 3 };
  return zplOf(linesOf(shipment, place), barcodeOf(shipment, place), paper);
}
