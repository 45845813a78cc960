import PDFDocument from 'pdfkit';
import { drawBars, writeText, zplText } from '../../label-parts.ts';
import { barcodeOf, type Shipment } from './shipment.ts';

/** 95 x 65 mm, lying. */
const WIDTH = (95 / 25.4) * 72;
const HEIGHT = (65 / 25.4) * 72;

function linesOf(shipment: Shipment, place: number): { text: string; size: number }[] {
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
  ].filter(({ text }) => text !== '');
}

/** A real PDF of one page. */
export async function pdfLabel(shipment: Shipment, place: number): Promise<Buffer> {
  const document = new PDFDocument({ size: [WIDTH, HEIGHT], margin: 10 });
  const chunks: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  document.on('end', resolve);
  for (const { text, size } of linesOf(shipment, place)) writeText(document, text, { size, lineGap: 1 });
  drawBars(document, barcodeOf(shipment, place), { x: 10, y: HEIGHT - 50, width: WIDTH - 20, height: 40 });
  document.end();
  await promise;
  return Buffer.concat(chunks);
}

/** The same label for a 203 dpi printer; DP5 is 100 x 150 mm, all else 95 x 65. */
export function zplLabel(shipment: Shipment, place: number, format: string): string {
  const [width, height] = format === 'DP5' ? [800, 1200] : [760, 520];
  let y = 15;
  const fields = linesOf(shipment, place).map(({ text, size }) => {
    const field = `^FO20,${y}^A0N,${size * 3},${size * 3}^FH^FD${zplText(text)}^FS`;
    y += size * 3 + 8;
    return field;
  });
  const bars = `^FO40,${y + 10}^BY2^BCN,100,Y,N,N^FD${barcodeOf(shipment, place)}^FS`;
  return `^XA^CI28^PW${width}^LL${height}${fields.join('')}${bars}^XZ`;
}
