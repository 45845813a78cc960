/** Writing for carriers, each of which takes other letters. Pure. */

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
 * Writes plain ASCII: a grave or acute accent becomes an apostrophe after its letter, and other marks are dropped.
 * `rest` stands for a letter without a Latin form. `own` are a carrier's own replacements.
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

/** Letters of every language, composed; no control characters, single spaces. For JSON in UTF-8. */
export function composedText(value: string): string {
  return value
    .normalize('NFC')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}

/** Writes Latin-1 letters as they are, others in plain Latin ones, and a question mark for the rest. */
export function latin1Text(value: string): string {
  return composedText(
    [...value.normalize('NFC')].map((letter) => (letter <= 'ÿ' ? letter : latinText(letter, { rest: '?' }))).join(''),
  );
}

/** Returns true when writing leaves question marks where letters were. */
export function losesLetters(write: (value: string) => string, value: string): boolean {
  return questionMarks(write(value)) > questionMarks(value);
}

function questionMarks(text: string): number {
  return text.split('?').length;
}

/** Spreads a long text over the lines, broken between words. Returns null when it does not fit. */
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

/** Recognises an Italian mobile number, which starts with 3; other countries' cannot be told apart. */
export function isItalianMobile(phone: string): boolean {
  return /^(\+39|0039)?3\d{8,9}$/.test(phone);
}
