import PDFDocument from 'pdfkit';
import { drawBars, writeText, zplText } from '../../label-parts.ts';
import type { Waybill } from './books.ts';

const POINTS_PER_CM = 72 / 2.54;

/** Points; `1011` is 10 x 11 cm. */
const PAPERS = { A4: [595.28, 841.89], '1011': [10 * POINTS_PER_CM, 11 * POINTS_PER_CM] } as const;

function linesOf(waybill: Waybill): { text: string; size: number }[] {
  const { sender, recipient } = waybill;
  return [
    { text: `POSTE ITALIANE   ${waybill.product}`, size: 13 },
    { text: `LDV ${waybill.code}`, size: 12 },
    { text: `Mitt.: ${sender.nameSurname}, ${sender.zipCode} ${sender.city} ${sender.province}`, size: 8 },
    { text: `${sender.note1} ${sender.note2}`.trim(), size: 8 },
    { text: recipient.nameSurname, size: 12 },
    { text: recipient.contactName, size: 9 },
    { text: `${recipient.address} ${recipient.streetNumber}`.trim(), size: 10 },
    { text: `${recipient.zipCode} ${recipient.city} ${recipient.province}`, size: 10 },
    { text: `Collo ${waybill.place}/${waybill.of}   ${waybill.weightGrams} g   ${waybill.content}`, size: 8 },
    { text: `Rif. ${waybill.reference}`, size: 8 },
    { text: 'ETICHETTA DI PROVA - NON SPEDIRE', size: 7 },
  ].filter(({ text }) => text !== '');
}

/** A real PDF of one page. */
export async function pdfLabel(waybill: Waybill, paper: keyof typeof PAPERS): Promise<Buffer> {
  const [width, height] = PAPERS[paper];
  const document = new PDFDocument({ size: [width, height], margin: 14 });
  const chunks: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  document.on('end', resolve);
  for (const { text, size } of linesOf(waybill)) writeText(document, text, { size, x: 14, lineGap: 2 });
  const top = height - 84;
  drawBars(document, waybill.code, { x: 14, y: top, width: width - 28, height: 52 });
  document.fontSize(9).text(waybill.code, 14, top + 56, { width: width - 28, align: 'center', lineBreak: false });
  document.end();
  await promise;
  return Buffer.concat(chunks);
}

/** The same label for a 203 dpi printer. */
export function zplLabel(waybill: Waybill): Buffer {
  let y = 24;
  const fields = linesOf(waybill).map(({ text, size }) => {
    const field = `^FO24,${y}^A0N,${size * 3},${size * 3}^FH^FD${zplText(text)}^FS`;
    y += size * 3 + 12;
    return field;
  });
  const bars = `^FO60,${y + 12}^BY2^BCN,130,Y,N,N^FD${waybill.code}^FS`;
  return Buffer.from(`^XA^CI28^PW800^LL880${fields.join('')}${bars}^XZ`, 'utf8');
}
