import { buffer } from 'node:stream/consumers';
import PDFDocument from 'pdfkit';
import { type Box, drawBars, writeText, zplText } from './label-parts.ts';

export interface LabelLine {
  text: string;
  /** In points. */
  size: number;
}

/** Returns the bytes of the PDF that `draw` fills. */
export function pdfOf(
  options: PDFKit.PDFDocumentOptions,
  draw: (document: PDFKit.PDFDocument) => void,
): Promise<Buffer> {
  const document = new PDFDocument({ margin: 18, ...options });
  draw(document);
  document.end();
  return buffer(document);
}

/** Draws one label on the current page: lines from the top, and a Code 128 with its text above the lower edge. */
export function drawLabel(
  document: PDFKit.PDFDocument,
  { lines, barcode, lineGap = 3, bars }: { lines: readonly LabelLine[]; barcode: string; lineGap?: number; bars?: Box },
): void {
  const { width, height, margins } = document.page;
  const box = bars ?? { x: margins.left, y: height - 110, width: width - 2 * margins.left, height: 64 };
  for (const { text, size } of lines) {
    if (text !== '') writeText(document, text, { size, x: margins.left, width: box.width, lineGap });
  }
  drawBars(document, barcode, box);
  // One that does not fit is left out.
  const caption = box.y + box.height + 4;
  if (caption + 12 > height) return;
  document.fontSize(9).text(barcode, box.x, caption, { width: box.width, align: 'center', lineBreak: false });
}

/** Returns an invoice for customs on one page. */
export function pdfInvoice(size: [number, number] | string, title: string, lines: readonly string[]): Promise<Buffer> {
  return pdfOf({ size }, (document) => {
    document.fontSize(16).text(title);
    for (const line of lines) writeText(document, line, { size: 10 });
  });
}

interface ZplPaper {
  /** In dots. */
  width: number;
  height: number;
  /** Three for a printer of about 203 dpi. */
  dotsPerPoint?: number;
  margin?: number;
  gap?: number;
  barHeight?: number;
  /** The narrowest bar. */
  module?: number;
}

/** Returns one label as ZPL. */
export function zplOf(lines: readonly LabelLine[], barcode: string, paper: ZplPaper): string {
  const { width, height, dotsPerPoint = 3, margin = 30, gap = 14, barHeight = 160, module = 2 } = paper;
  let y = margin;
  const fields = lines
    .filter(({ text }) => text !== '')
    .map(({ text, size }) => {
      const dots = Math.round(size * dotsPerPoint);
      const field = `^FO${margin},${y}^A0N,${dots},${dots}^FH^FD${zplText(text)}^FS`;
      y += dots + gap;
      return field;
    });
  const bars = `^FO${margin * 2},${y + gap}^BY${module}^BCN,${barHeight},Y,N,N^FD${barcode}^FS`;
  return `^XA^CI28^PW${width}^LL${height}${fields.join('')}${bars}^XZ`;
}
