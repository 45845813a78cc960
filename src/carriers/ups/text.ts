import { latinText } from '../text.ts';

/** Writing for UPS, whose labels are printed in Latin-1 unless another alphabet is ordered. Pure. */

/**
 * Latin-1 letters as they are, others in plain Latin ones. What cannot be written so becomes a question mark, and is refused
 * before anything is sent.
 */
export function plain(value: string): string {
  return [...value.normalize('NFC')]
    .map((letter) => (letter <= 'ÿ' ? letter : latinText(letter, { rest: '?' })))
    .join('')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** Whether something stayed that cannot be written in Latin letters. */
export function isUnwritable(value: string): boolean {
  return questionMarks(plain(value)) > questionMarks(value);
}

function questionMarks(text: string): number {
  return text.split('?').length;
}

/** A long text over the lines there are for it, broken between words. Null: it does not fit. */
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
