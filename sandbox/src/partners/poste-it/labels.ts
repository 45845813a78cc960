import { drawLabel, type LabelLine, pdfOf, zplOf } from '../../label.ts';
import type { Waybill } from './books.ts';

const POINTS_PER_CM = 72 / 2.54;

/** Points; `1011` is 10 x 11 cm. */
const PAPERS = { A4: [595.28, 841.89], '1011': [10 * POINTS_PER_CM, 11 * POINTS_PER_CM] } as const;

function linesOf(waybill: Waybill): LabelLine[] {
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
  ];
}

/** Returns a PDF of one page. */
export function pdfLabel(waybill: Waybill, paper: keyof typeof PAPERS): Promise<Buffer> {
  const [width, height] = PAPERS[paper];
  const bars = { x: 14, y: height - 84, width: width - 28, height: 52 };
  return pdfOf({ size: [width, height], margin: 14 }, (document) =>
    drawLabel(document, { lines: linesOf(waybill), barcode: waybill.code, lineGap: 2, bars }),
  );
}

/** Returns the same label for a 203 dpi printer. */
export function zplLabel(waybill: Waybill): Buffer {
  const paper = { width: 800, height: 880, margin: 24, gap: 12, barHeight: 130 };
  return Buffer.from(zplOf(linesOf(waybill), waybill.code, paper), 'utf8');
}
