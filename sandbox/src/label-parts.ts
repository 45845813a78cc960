import { fileURLToPath } from 'node:url';
import bwip from 'bwip-js/node';

/** Has the widths of Helvetica, and Latin, Greek and Cyrillic. A subset of it goes into the file. */
const ARIMO = fileURLToPath(import.meta.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf'));
/** The characters of Helvetica, which every PDF reader has. */
const IN_HELVETICA = /^[\x20-\x7e\xa0-\xff]*$/;
const NOT_IN_ARIMO = /[^\x20-\x7e\xa0-\u052f\u1e00-\u1fff\u2010-\u205e\u20a0-\u20be]/gu;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Draws a Code 128 as vectors: `sbs` is the widths of bar, space, bar … in modules. */
export function drawBars(document: PDFKit.PDFDocument, text: string, box: Box): void {
  const [symbol] = bwip.raw({ bcid: 'code128', text }) as unknown as [{ sbs: number[] }];
  const quiet = 10;
  const module = box.width / (symbol.sbs.reduce((sum, modules) => sum + modules, 0) + 2 * quiet);
  let x = box.x + quiet * module;
  symbol.sbs.forEach((modules, index) => {
    if (index % 2 === 0) document.rect(x, box.y, modules * module, box.height);
    x += modules * module;
  });
  document.fill('black');
}

/** Writes a text below the last one, in a font that has its letters; `x` as the last one where it is left out. */
export function writeText(
  document: PDFKit.PDFDocument,
  text: string,
  { size, x = document.x, ...options }: PDFKit.Mixins.TextOptions & { size: number; x?: number },
): void {
  const shown = text.normalize('NFC').replaceAll(NOT_IN_ARIMO, '□');
  const font = IN_HELVETICA.test(shown) ? 'Helvetica' : ARIMO;
  document.font(font).fontSize(size).text(shown, x, undefined, options);
}

/** Escapes a text for a ZPL field with `^FH`. */
export function zplText(text: string): string {
  return text.replace(/[\^~_]/g, (mark) => `_${mark.charCodeAt(0).toString(16)}`);
}
