/** A length below the limit of a spreadsheet cell (32767 characters). */
const MAX_CELL = 30_000;

function quoted(element: string): string {
  return /[",;\n\r]|^\s|\s$|^$/.test(element) ? `"${element.replaceAll('"', '""')}"` : element;
}

/** Returns a list as the text of one cell, or of several when it is too long for one. */
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

/** Splits the list in a cell at commas or semicolons; an element with a separator is in quotes. */
export function readList(text: string): string[] {
  // Outside quotes, or in quotes that close before the next separator. Quotes that never close are normal characters.
  const element = /\s*(?:"((?:[^"]|"")*)"(?=\s*(?:[,;]|$))|([^,;]*))\s*([,;]|$)/gy;
  const elements: string[] = [];
  for (;;) {
    const [, inQuotes, plain = '', separator] = element.exec(text) ?? [];
    const found = inQuotes?.replaceAll('""', '"') ?? plain.trim();
    if (inQuotes !== undefined || found !== '') elements.push(found);
    if (!separator) return elements;
  }
}
