import { createHmac, randomBytes } from 'node:crypto';

/** Values to replace in a text. */
export interface KnownValues {
  /** Names, streets, cities: replaced as a whole, cut at their end, and word by word. */
  names: readonly string[];
  /**
   * Numbers, mail addresses and notes: replaced as a whole only. Short ones are replaced only where they are the whole
   * value.
   */
  codes: readonly string[];
  phones: readonly string[];
}

const WORD = /[\p{L}\p{N}]+/gu;
/** Letters. A beginning of this length identifies the name. */
const TELLING = 8;
const MIN_WORD = 3;
/** Digits. A shorter number occurs in other texts by chance. */
const MIN_CODE = 6;
/** Digits without the country's code; a shorter match is a different number. */
const PHONE_DIGITS = 9;
const MIN_PHONE = 8;
/** Words that identify no person and that partners' messages are full of. */
const COMMON = new Set(
  'via viale piazza piazzale corso largo vicolo strada contrada localita frazione snc srl spa sas snc srls del dei della delle degli dal dalla per con the and gmbh ltd'.split(
    ' ',
  ),
);

/** Folds capitals and accents, and keeps the length. */
function plain(text: string): string {
  return text.replaceAll(/./gsu, (letter) => {
    const bare = letter.normalize('NFD').charAt(0).toLowerCase();
    return bare.length === letter.length ? bare : letter;
  });
}

/**
 * Replaces known values by placeholders of the same shape: letters by letters, digits by digits. The same value always
 * becomes the same placeholder, and the key is thrown away. With a plain hash, all phone numbers of a country could be
 * tried in an hour.
 */
export class Placeholders {
  readonly #key = randomBytes(32);
  readonly #phrases: readonly string[];
  readonly #words: ReadonlySet<string>;
  readonly #codes: readonly string[];
  readonly #short: ReadonlySet<string>;
  readonly #phones: readonly string[];

  constructor({ names, codes, phones }: KnownValues) {
    const known = (values: readonly string[]) => [...new Set(values.map((value) => plain(value.trim())))];
    const long = (a: string, b: string) => b.length - a.length;
    this.#phrases = known(names)
      .filter((name) => name.length >= MIN_WORD)
      .toSorted(long);
    const words = this.#phrases.flatMap((name) => name.match(WORD) ?? []);
    this.#words = new Set(words.filter((word) => word.length >= MIN_WORD && !/\d/.test(word) && !COMMON.has(word)));
    this.#codes = known(codes)
      .filter((code) => code.length >= MIN_CODE)
      .toSorted(long);
    this.#short = new Set(known(codes).filter((code) => code.length < MIN_CODE && code.length >= MIN_WORD));
    const digits = phones.map((phone) => phone.replaceAll(/\D/g, '').slice(-PHONE_DIGITS));
    this.#phones = digits.filter((phone) => phone.length >= MIN_PHONE);
  }

  /** Replaces the known values inside a text. */
  text(given: string): string {
    const text = plain(given);
    if (this.#short.has(text.trim())) return this.whole(given);
    const out = given.split('');
    for (const phrase of this.#phrases) this.#replacePhrase(text, phrase, out);
    for (const code of this.#codes) {
      for (let at = text.indexOf(code); at !== -1; at = text.indexOf(code, at + 1)) this.#put(out, at, code);
    }
    for (const { 0: word, index } of text.matchAll(WORD)) {
      const isEnd = index + word.length === text.length;
      const known = this.#words.has(word) ? word : isEnd ? this.#wordFrom(word) : undefined;
      if (known !== undefined) this.#put(out, index, known, word.length);
    }
    for (const { 0: run, index } of text.matchAll(/(?<![\p{L}\p{N}])\+?\d(?:[\d\s./-]{5,})\d/gu)) {
      const digits = run.replaceAll(/\D/g, '');
      if (this.#phones.some((phone) => digits.endsWith(phone))) this.#put(out, index, run);
    }
    return out.join('');
  }

  /** Replaces every word and number of a text. */
  whole(given: string): string {
    const out = given.split('');
    for (const { 0: word, index } of plain(given).matchAll(WORD)) this.#put(out, index, word);
    return out.join('');
  }

  /** Returns the known personal values that still stand in a text; for a last check before it leaves. */
  leaks(given: string): boolean {
    const text = plain(given);
    const telling = [...this.#phrases, ...this.#codes].filter(
      (value) => /[\s@]/.test(value) && value.length >= TELLING,
    );
    return telling.some((value) => text.includes(value) && this.whole(value) !== value);
  }

  #replacePhrase(text: string, phrase: string, out: string[]): void {
    const head = phrase.slice(0, TELLING);
    for (let at = text.indexOf(head); at !== -1; at = text.indexOf(head, at + 1)) {
      let end = head.length;
      while (end < phrase.length && text[at + end] === phrase[end]) end++;
      const isWhole = end === phrase.length;
      const isApart = !isLetter(text[at - 1]) && (!isWhole || !isLetter(text[at + end]));
      if (isApart && (isWhole || end >= TELLING)) this.#put(out, at, phrase, end);
    }
  }

  /** Returns the known word that the end of a text cut off. */
  #wordFrom(beginning: string): string | undefined {
    if (beginning.length < 5 || /\d/.test(beginning)) return undefined;
    return [...this.#words].find((word) => word.startsWith(beginning));
  }

  /**
   * Writes the placeholder of `value`, or its beginning, at a place. It works word by word, so that each word has the
   * same placeholder everywhere.
   */
  #put(out: string[], at: number, value: string, length = value.length): void {
    for (const { 0: word, index } of value.matchAll(WORD)) {
      if (COMMON.has(word)) continue;
      const bytes = createHmac('sha512', this.#key).update(word).digest();
      for (let place = 0; place < word.length && index + place < length; place++) {
        out[at + index + place] = like(value[index + place] ?? '', {
          byte: bytes[place % bytes.length] ?? 0,
          seen: out[at + index + place] ?? '',
        });
      }
    }
  }
}

function isLetter(letter: string | undefined): boolean {
  return letter !== undefined && /[\p{L}\p{N}]/u.test(letter);
}

/** A zero stays: a number's length may depend on a leading zero. */
function like(letter: string, { byte, seen }: { byte: number; seen: string }): string {
  if (/\d/.test(letter)) return letter === '0' ? '0' : String(1 + (byte % 9));
  if (!/\p{L}/u.test(letter)) return seen;
  const made = String.fromCharCode(97 + (byte % 26));
  return seen === seen.toUpperCase() ? made.toUpperCase() : made;
}
