import type { PageSize } from './source-pdf.ts';

const MM = 72 / 25.4;
export const A6: PageSize = { width: 105 * MM, height: 148 * MM };
export const A4: PageSize = { width: 210 * MM, height: 297 * MM };

/** Layouts: as the carrier made the labels, one per A6, or one, two or four per A4. */
export const SHEET_LAYOUTS = ['a6', 'a4-1', 'a4-2', 'a4-4'] as const;
export type SheetLayout = (typeof SHEET_LAYOUTS)[number];

interface Sheet {
  paper: PageSize;
  columns: number;
  rows: number;
  /** Margin around each label: room for the marks, and about the strip that a printer cannot reach. */
  margin: number;
  hasMarks: boolean;
}

const SHEETS: Readonly<Record<SheetLayout, Sheet>> = {
  // A label printer prints to the edge, and needs no cutting.
  a6: { paper: A6, columns: 1, rows: 1, margin: 0, hasMarks: false },
  'a4-1': { paper: A4, columns: 1, rows: 1, margin: 3 * MM, hasMarks: true },
  'a4-2': { paper: A4, columns: 1, rows: 2, margin: 3 * MM, hasMarks: true },
  'a4-4': { paper: A4, columns: 2, rows: 2, margin: 3 * MM, hasMarks: true },
};

/** Points. Rounding of millimetres may change one size by this much. */
const TOLERANCE = 0.005;
/** A label is turned only when it grows by this factor: people read labels upright. */
const TURN_GAIN = 1.1;
const MARK_GAP = 2;
const MARK_LENGTH = 5.5;

export function sheetOf(layout: SheetLayout): PageSize {
  return SHEETS[layout].paper;
}

export function placesPerSheet(layout: SheetLayout): number {
  const { columns, rows } = SHEETS[layout];
  return columns * rows;
}

/** A label's place on its sheet, in points from the lower left corner. */
export interface Placement {
  x: number;
  y: number;
  width: number;
  height: number;
  scale: number;
  isTurned: boolean;
}

/**
 * Centres a label in its place, at its own size or smaller. It is never enlarged or distorted: a scanner expects the
 * carrier's bars. It is turned by a quarter when that makes it much larger. `place` counts from 0, from the upper left.
 */
export function placeLabel(layout: SheetLayout, place: number, size: PageSize): Placement {
  const { paper, columns, rows, margin } = SHEETS[layout];
  const cell = { width: paper.width / columns, height: paper.height / rows };
  const upright = scaleInto(cell, margin, size);
  const turned = scaleInto(cell, margin, { width: size.height, height: size.width });
  const isTurned = turned > upright * TURN_GAIN;
  const scale = isTurned ? turned : upright;
  const [width, height] = isTurned
    ? [size.height * scale, size.width * scale]
    : [size.width * scale, size.height * scale];
  const column = place % columns;
  const row = Math.floor(place / columns);
  return {
    x: cell.width * column + (cell.width - width) / 2,
    y: paper.height - cell.height * (row + 1) + (cell.height - height) / 2,
    width,
    height,
    scale,
    isTurned,
  };
}

function scaleInto(cell: PageSize, margin: number, size: PageSize): number {
  const scale = Math.min((cell.width - 2 * margin) / size.width, (cell.height - 2 * margin) / size.height);
  return scale > 1 - TOLERANCE ? 1 : scale;
}

/** Returns the drawing instructions that put a form of the page's resources into its place. */
export function drawPlaced(name: string, { x, y, width, scale, isTurned }: Placement): string {
  const matrix = isTurned ? [0, scale, -scale, 0, x + width, y] : [scale, 0, 0, scale, x, y];
  return `q ${matrix.map(short).join(' ')} cm /${name} Do Q\n`;
}

/**
 * Draws cut marks beside the four corners of the label, never on it. Returns an empty text where there is nothing to
 * cut.
 */
export function drawMarks(layout: SheetLayout, { x, y, width, height }: Placement): string {
  if (!SHEETS[layout].hasMarks) return '';
  const lines = [x, x + width].flatMap((atX, right) =>
    [y, y + height].flatMap((atY, upper) => {
      const [outX, outY] = [right === 1 ? 1 : -1, upper === 1 ? 1 : -1];
      return [
        [atX + outX * MARK_GAP, atY, atX + outX * (MARK_GAP + MARK_LENGTH), atY],
        [atX, atY + outY * MARK_GAP, atX, atY + outY * (MARK_GAP + MARK_LENGTH)],
      ];
    }),
  );
  const drawn = lines.map(([a = 0, b = 0, c = 0, d = 0]) => `${short(a)} ${short(b)} m ${short(c)} ${short(d)} l S`);
  return `q 0.4 w 0.5 G ${drawn.join(' ')} Q\n`;
}

function short(number: number): string {
  return String(Math.round(number * 1000) / 1000);
}
