import { fileURLToPath } from 'node:url';

export type FontWeight = 'regular' | 'bold';

/** Arimo has the widths of Helvetica, so lines look alike in both. Only the used glyphs go into the file. */
const ARIMO: Record<FontWeight, string> = {
  regular: fileURLToPath(import.meta.resolve('@expo-google-fonts/arimo/400Regular/Arimo_400Regular.ttf')),
  bold: fileURLToPath(import.meta.resolve('@expo-google-fonts/arimo/700Bold/Arimo_700Bold.ttf')),
};
/** Every PDF reader includes it: it needs no embedding, and its layout is four times as fast. */
const HELVETICA: Record<FontWeight, string> = { regular: 'Helvetica', bold: 'Helvetica-Bold' };

/** Windows-1252, the encoding of the standard PDF fonts. */
const IN_HELVETICA = /^[\x20-\x7e\xa0-\xac\xae-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/;
/**
 * Arimo's Latin, Greek, Cyrillic, punctuation and currencies, without the characters that only change the text around
 * them.
 */
const IN_ARIMO =
  /^(?!\p{Cn})[\x20-\x7e\xa0-\xac\xae-\u02af\u0370-\u052f\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u20a0-\u20be□№™−]$/u;
const REPLACEMENT = '□';

/** Returns the font for a printable text, as pdfkit takes it. */
export function fontFor(text: string, weight: FontWeight = 'regular'): string {
  return (IN_HELVETICA.test(text) ? HELVETICA : ARIMO)[weight];
}

/**
 * Returns text that our PDFs can show. Latin, Greek and Cyrillic stay as written; emoji and control characters vanish.
 * A letter of another script becomes `□`, so that the rest does not look like the whole name.
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
