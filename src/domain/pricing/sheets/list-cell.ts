/** A text that stays below what a spreadsheet holds in one cell (32767 characters). */
const MAX_CELL = 30_000;

function quoted(element: string): string {
  return /[",;\n\r]|^\s|\s$|^$/.test(element) ? `"${element.replaceAll('"', '""')}"` : element;
}

/** A list as the text of one cell or, when it is longer than a cell can be, of several. */
export function listCells(elements: readonly string[]): string[] {
  const cells: string[] = [];
  let cell = '';
  for (const element of elements.map(quoted)) {
    if (cell !== '' && cell.length + element.length > MAX_CELL) {
      cells.push(cell);
      cell = '';
    }
    cell = cell === '' ? element : `${cell}, ${element}`;
  }
  return cell === '' ? cells : [...cells, cell];
}

/** The elements of a list in a cell, separated by commas or semicolons; one that holds such is in quotes. */
export function readList(text: string): string[] {
  // Outside quotes, or in quotes that close before the next separator; quotes that never close are letters like others.
  const element = /\s*(?:"((?:[^"]|"")*)"(?=\s*(?:[,;]|$))|([^,;]*))\s*([,;]|$)/gy;
  const elements: string[] = [];
  for (;;) {
    const [, inQuotes, plain = '', separator] = element.exec(text) ?? [];
    const found = inQuotes?.replaceAll('""', '"') ?? plain.trim();
    if (inQuotes !== undefined || found !== '') elements.push(found);
    if (!separator) return elements;
  }
}
