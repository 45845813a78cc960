/** Writing for DHL: JSON in UTF-8, letters of every language as they are. Pure. */

/** Composed letters, no control characters, single spaces. */
export function plain(value: string): string {
  return value
    .normalize('NFC')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** A long street over the lines that DHL has for it, broken between words. Null: it does not fit. */
export function linesOf(parts: readonly string[], { max, lines }: { max: number; lines: number }): string[] | null {
  const written: string[] = [];
  for (const part of parts) {
    let line = '';
    for (const word of part.split(' ')) {
      if (word.length > max) return null;
      const longer = line === '' ? word : `${line} ${word}`;
      if (longer.length <= max) line = longer;
      else {
        written.push(line);
        line = word;
      }
    }
    if (line !== '') written.push(line);
  }
  return written.length <= lines ? written : null;
}
