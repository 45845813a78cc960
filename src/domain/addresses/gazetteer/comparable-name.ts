const SAINTS = new Set(['s', 'san', 'sant', 'santa', 'santo', 'sta', 'sto', 'st', 'sankt', 'saint', 'sainte']);
const PARTICLES = new Set(
  (
    'a ad al alla all alle ai con d da dal dalla de dei degli del dell della delle dello di e ed in nel nell nella sul sull sulla' +
    ' an der am im'
  ).split(' '),
);

/**
 * Returns one spelling of a place's name, for comparing: small letters, no accents, no punctuation. All saints share
 * one word, particles are dropped, and a bilingual name keeps its first half. No two comuni of one province become
 * equal.
 */
export function comparableName(text: string): string {
  const [inBrackets = ''] = text.split('/').filter((half) => half.trim() !== '');
  const words = wordsOf(inBrackets.replace(/\(\s*[a-z]{2}\s*\)\s*$/i, ''));
  return words
    .map((word, index) => (SAINTS.has(word) && index < words.length - 1 ? 'san' : word))
    .filter((word, index) => index === 0 || !PARTICLES.has(word))
    .join(' ');
}

/**
 * Returns small letters without accents and punctuation, for texts in which every word counts, such as a street with
 * its number.
 */
export function comparableText(text: string): string {
  return wordsOf(text).join(' ');
}

/** `S.ta` and `S.to` are one word; any other character that is neither letter nor digit ends a word. */
function wordsOf(text: string): string[] {
  return withoutAccents(text)
    .replace(/\bs\.\s*(t[ao])\b\.?/g, 's$1')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

function withoutAccents(text: string): string {
  const lower = text.normalize('NFKD').toLowerCase().replaceAll('ß', 'ss');
  return lower.normalize('NFKD').replace(/\p{M}+/gu, '');
}
