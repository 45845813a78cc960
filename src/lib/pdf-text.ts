import { fileURLToPath } from 'node:url';

export type FontWeight = 'regular' | 'bold';

/** Arimo has the widths of Helvetica, so a line of one looks like a line of the other. A subset of it goes into the file. */
const ARIMO: Record<FontWeight, string> = {
  regular: fileURLToPath(import.meta.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf')),
  bold: fileURLToPath(import.meta.resolve('@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf')),
};
/** Every PDF reader brings it along: nothing to embed, and four times as fast to lay out. */
const HELVETICA: Record<FontWeight, string> = { regular: 'Helvetica', bold: 'Helvetica-Bold' };

/** Windows-1252, the encoding of the standard PDF fonts. */
const IN_HELVETICA = /^[\x20-\x7e\xa0-\xac\xae-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;
/** What Arimo has of Latin, Greek, Cyrillic, punctuation and currencies, without what only changes the text around it. */
const IN_ARIMO =
  /^(?!\p{Cn})[\x20-\x7e\xa0-\xac\xae-\u02af\u0370-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u20a0-\u20be□№™−]$/u;
const REPLACEMENT = '□';

/** Returns the font to write a printable text with, as pdfkit takes it. */
export function fontFor(text: string, weight: FontWeight = 'regular'): string {
  return (IN_HELVETICA.test(text) ? HELVETICA : ARIMO)[weight];
}

/**
 * Returns text that our PDFs can show: Latin, Greek and Cyrillic as written; emoji and control characters vanish. A letter of another
 * script becomes `□`, so that the rest is not taken for the whole name.
 */
export function printable(text: string): string {
  let result = '';
  for (const char of text.normalize('NFC')) {
    if (IN_ARIMO.test(char)) result += char;
    else if (/\s/.test(char)) result += ' ';
    else result += withoutAccents(char);
  }
  return result.replace(/ {2,}/g, ' ').trim();
}

function withoutAccents(char: string): string {
  const plain = char.normalize('NFKD').replace(/\p{M}/gu, '');
  if (plain !== '' && [...plain].every((one) => IN_ARIMO.test(one))) return plain;
  return /[\p{L}\p{N}]/u.test(char) ? REPLACEMENT : '';
}
