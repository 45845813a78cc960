/** The sheets of a workbook, by their names on the command line. */
export const EXPORTED_SHEETS = ['prices', 'zones', 'areas', 'surcharges', 'options', 'tariff'] as const;

/** A cell's value in a file; a date is ISO text, an empty cell is null. */
export type Cell = string | number | null;

/** A sheet of a workbook, or a CSV file; rows may be of different lengths. */
export interface Sheet {
  name: string;
  rows: Cell[][];
}

/** Position of a cell; row and column count from 1. */
export interface CellPlace {
  sheet: string;
  row: number;
  column: number;
}

/** A value that cannot be accepted, with its cell. */
export interface SheetProblem extends CellPlace {
  message: string;
}

/** Returns `3` as `C`, `28` as `AB`. */
export function columnLetters(column: number): string {
  const rest = Math.floor((column - 1) / 26);
  return (rest > 0 ? columnLetters(rest) : '') + String.fromCharCode(65 + ((column - 1) % 26));
}

/** Returns a position as a spreadsheet names it: `Prices!C7`, `'My prices'!C7`. */
export function placeText({ sheet, row, column }: CellPlace): string {
  const name = /^[\p{L}_][\p{L}\p{N}_.]*$/u.test(sheet) ? sheet : `'${sheet.replaceAll("'", "''")}'`;
  return `${name}!${columnLetters(column)}${row}`;
}

/** Returns the trimmed text of a cell, otherwise unchanged; empty when there is none. */
export function exactText(cell: Cell | undefined): string {
  return cell === null || cell === undefined ? '' : String(cell).trim();
}

/** Returns the text of a cell in one line; empty when there is none. */
export function cellText(cell: Cell | undefined): string {
  return cell === null || cell === undefined ? '' : String(cell).replaceAll(/\s+/g, ' ').trim();
}

export function isBlankRow(row: readonly Cell[]): boolean {
  return row.every((cell) => cellText(cell) === '');
}

/** Returns one spelling for comparing people's words: no accents, no case, one space. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[’‘`´]/g, "'")
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Returns each problem once, from the top of the first sheet to the end of the last one. */
export function inCellOrder(sheets: readonly Sheet[], problems: readonly SheetProblem[]): SheetProblem[] {
  const position = new Map(sheets.map(({ name }, index) => [name, index]));
  const distinct = new Map(problems.map((problem) => [`${placeText(problem)} ${problem.message}`, problem]));
  return [...distinct.values()].toSorted(
    (a, b) => (position.get(a.sheet) ?? 0) - (position.get(b.sheet) ?? 0) || a.row - b.row || a.column - b.column,
  );
}
