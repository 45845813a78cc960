import { printable } from '../lib/pdf-text.ts';
import { type Box, type Pdf, writeLine } from './pages.ts';

const INK = '#111111';
const GREY = '#555555';
const RULE = '#c4c9d1';

/** Draws a box with a title, a name in bold and the lines below it; empty lines are left out. */
export function drawBlock(
  pdf: Pdf,
  { title, lines }: { title: string; lines: string[] },
  { x, y, width, height }: Box,
): void {
  pdf.lineWidth(0.7).roundedRect(x, y, width, height, 3).stroke(RULE);
  pdf.fillColor(GREY);
  writeLine(pdf, title, { x: x + 8, y: y + 7, width: width - 16, weight: 'bold', size: 7 });
  const [name = '', ...details] = lines.filter(Boolean).map(printable);
  const at = { x: x + 8, width: width - 16 };
  pdf.fillColor(INK);
  writeLine(pdf, name, { ...at, y: y + 19, maxLines: 2, weight: 'bold', size: 10.5 });
  const isLong = pdf.widthOfString(name) > at.width;
  for (const [index, line] of details.entries()) {
    writeLine(pdf, line, { ...at, y: y + (isLong ? 46 : 34) + index * 12.5, size: 9 });
  }
}

/** Draws a box with fields to fill in by hand, and room for a signature. */
export function drawSignature(
  pdf: Pdf,
  { title, fields }: { title: string; fields: string[] },
  { x, y, width, height }: Box,
): void {
  pdf.lineWidth(0.7).roundedRect(x, y, width, height, 3).stroke(RULE);
  pdf.fillColor(GREY);
  writeLine(pdf, title, { x: x + 8, y: y + 7, width: width - 16, weight: 'bold', size: 7 });
  const half = width / 2;
  const draw = (label: string, at: { x: number; y: number; width: number }) => {
    pdf.fillColor(GREY);
    writeLine(pdf, label, { ...at, size: 7.5 });
    const from = at.x + pdf.widthOfString(label) + 4;
    pdf
      .lineWidth(0.5)
      .moveTo(from, at.y + 7)
      .lineTo(at.x + at.width, at.y + 7)
      .stroke('#777777');
  };
  for (const [index, label] of fields.entries()) {
    draw(label, { x: x + 8, y: y + 24 + index * 18, width: half - 16 });
  }
  draw('Firma', { x: x + half + 4, y: y + height - 18, width: half - 12 });
}
