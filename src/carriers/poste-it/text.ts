import type { Party } from '../adapter.ts';
import { latinText, losesLetters } from '../text.ts';

/** Writing for Poste. What its systems do with accents was not found, so only plain Latin letters are sent. Pure. */

/** Writes Latin letters. Any other becomes a question mark, and is refused before anything is sent. */
export function plain(value: string): string {
  return latinText(value, { rest: '?' });
}

export function isUnwritable(value: string): boolean {
  return losesLetters(plain, value);
}

/**
 * Spreads the beginning of a text over the lines, broken between words where it can be. A too long word is broken
 * itself.
 */
export function linesOf(text: string, { max, lines }: { max: number; lines: number }): string[] {
  const written: string[] = [];
  let rest = plain(text);
  while (rest !== '' && written.length < lines) {
    const end = rest.length <= max ? rest.length : rest.lastIndexOf(' ', max);
    const line = rest.slice(0, end > 0 ? end : max);
    written.push(line);
    rest = rest.slice(line.length).trimStart();
  }
  return written;
}

/** A number at the end of a street: `Via Roma 12`, `Via Roma, 12/A`, `Via Roma snc`. */
const CIVIC = /^(.*[^\s,])[\s,]+(\d+\s?(?:[A-Z]|bis|ter)?(?:\s?[/-]\s?\w{1,4})?|s\.?n\.?c\.?)$/i;

/** Splits street and civic number. A number that is too long, or followed by a second line, stays in the street. */
export function streetOf(
  { address, address2 }: Pick<Party, 'address' | 'address2'>,
  maxNumber: number,
): { street: string; number: string } {
  const [first, second] = [plain(address), plain(address2)];
  const [, street = '', number = ''] = CIVIC.exec(first) ?? [];
  if (second === '' && number !== '' && number.length <= maxNumber) return { street, number };
  return { street: [first, second].filter((part) => part !== '').join(', '), number: '' };
}
