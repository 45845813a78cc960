import { drawLabel, type LabelLine, pdfOf, zplOf } from '../../label.ts';
import { barcodeOf, type Shipment } from './shipment.ts';

/** 95 x 65 mm, lying. */
const WIDTH = (95 / 25.4) * 72;
const HEIGHT = (65 / 25.4) * 72;

function linesOf(shipment: Shipment, place: number): LabelLine[] {
  const { name, address, zip, city, province, country, codCents } = shipment;
  return [
    { text: `BRT ${shipment.place.depot} ${shipment.place.depotName}  zona ${shipment.place.zone}`, size: 11 },
    { text: name, size: 9 },
    { text: address, size: 8 },
    { text: `${zip} ${city} ${province} ${country}`, size: 8 },
    { text: shipment.pudoId === '' ? '' : `FERMOPOINT ${shipment.pudoId}`, size: 8 },
    { text: `Collo ${place}/${shipment.parcels}  kg ${shipment.weightKg.toFixed(1)}`, size: 8 },
    { text: codCents > 0 ? `CONTRASSEGNO EUR ${(codCents / 100).toFixed(2)} ${shipment.codType}` : '', size: 8 },
    { text: `Rif. ${shipment.numeric} ${shipment.alphanumeric}`, size: 7 },
    { text: 'ETICHETTA DI PROVA - NON SPEDIRE', size: 6 },
  ];
}

/** Returns a PDF of one page. */
export function pdfLabel(shipment: Shipment, place: number): Promise<Buffer> {
  const bars = { x: 10, y: HEIGHT - 50, width: WIDTH - 20, height: 40 };
  return pdfOf({ size: [WIDTH, HEIGHT], margin: 10 }, (document) =>
    drawLabel(document, { lines: linesOf(shipment, place), barcode: barcodeOf(shipment, place), lineGap: 1, bars }),
  );
}

/** Returns the same label for a 203 dpi printer; DP5 is 100 x 150 mm, all else 95 x 65. */
export function zplLabel(shipment: Shipment, place: number, format: string): string {
  const size = format === 'DP5' ? { width: 800, height: 1200 } : { width: 760, height: 520 };
  const paper = { ...size, margin: 20, gap: 8, barHeight: 100 };
  return zplOf(linesOf(shipment, place), barcodeOf(shipment, place), paper);
}
