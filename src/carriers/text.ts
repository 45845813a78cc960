/** Writing for carriers that take plain Latin letters only. Pure. */

const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  Æ: 'AE',
  æ: 'ae',
  Œ: 'OE',
  œ: 'oe',
  Ø: 'O',
  ø: 'o',
  Đ: 'D',
  đ: 'd',
  Ł: 'L',
  ł: 'l',
  ı: 'i',
  '’': "'",
  '‘': "'",
  '´': "'",
  '“': '"',
  '”': '"',
  '–': '-',
  '—': '-',
  '€': 'EUR',
};

/**
 * Plain ASCII: a grave or acute accent becomes an apostrophe after its letter, other marks are dropped, `rest` stands for what has no
 * Latin form. `own` are a carrier's own replacements.
 */
export function latinText(
  value: string,
  options: { own?: Readonly<Record<string, string>>; rest?: string } = {},
): string {
  const { own = {}, rest = '' } = options;
  return [...value.normalize('NFC')]
    .map((letter) => own[letter] ?? LETTERS[letter] ?? letter.normalize('NFD'))
    .join('')
    .replace(/([A-Za-z])[\u0300\u0301]/g, "$1'")
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^\x20-\x7e]/g, (odd) => (/\s/.test(odd) ? ' ' : rest))
    .replace(/\s+/g, ' ')
    .trim();
}

export function shorten(value: string, max: number): string {
  return value.length <= max ? value : value.slice(0, max).trimEnd();
}

/** Digits and a leading plus. */
export function phoneDigits(value: string): string {
  return value.replace(/[^\d+]/g, '');
}
