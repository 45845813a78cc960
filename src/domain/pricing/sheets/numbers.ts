import { amountProblem } from '../amount.ts';
import type { Cell } from './sheet.ts';

/** The decimal mark of a file; null: no cell of it tells. */
export type DecimalMark = ',' | '.' | null;

/** An exact decimal text such as `1234.50`, or why there is none. */
export type NumberReading = { value: string } | { problem: string };

type Shape = 'whole' | 'comma' | 'point' | 'unclear-comma' | 'unclear-point' | 'none';

const SHAPES: readonly [RegExp, Shape][] = [
  [/^\d+$/, 'whole'],
  [/^\d{1,3}(\.\d{3})+,\d+$/, 'comma'],
  [/^\d{1,3}(,\d{3})+\.\d+$/, 'point'],
  // Two groups of thousands: a decimal mark never occurs twice.
  [/^\d{1,3}(\.\d{3}){2,}$/, 'comma'],
  [/^\d{1,3}(,\d{3}){2,}$/, 'point'],
  // A thousand, or three decimals.
  [/^[1-9]\d{0,2}\.\d{3}$/, 'unclear-point'],
  [/^[1-9]\d{0,2},\d{3}$/, 'unclear-comma'],
  [/^\d+,\d+$/, 'comma'],
  [/^\d+\.\d+$/, 'point'],
];

const EURO = '(?:€|eur|euro)';
const AROUND_EURO = new RegExp(`^(?:${EURO}\\.?\\s*(.*)|(.*?)\\s*${EURO})$`, 'i');
/** A currency beside digits: its sign, or three letters. */
const OTHER_CURRENCY = /^(?:(\p{Sc}|[A-Z]{3})\s*[-\d].*|[-\d][^a-z]*?\s*(\p{Sc}|[A-Z]{3}))$/iu;
const NUMERIC = /^(\p{Sc}|[A-Z]{3}|euro)?\.?\s*-?\d[\d.,'’ ]*?\s*(\p{Sc}|[A-Z]{3}|euro)?$/iu;
/** ISO codes and signs that a heading may name instead of every cell. */
const CURRENCY_WORD = /[$£¥₣]|\b(?:CHF|GBP|USD|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|TRY|JPY|CNY)\b/;
/** A spreadsheet keeps about fifteen digits; further digits are rounding noise. */
const SPREADSHEET_DIGITS = 15;

function spaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

/** Digits with separated thousands (`1 234,50`, `1'234.50`), without the separators. */
function withoutGaps(text: string): string {
  return /^\d{1,3}([ '’]\d{3})+([.,]\d+)?$/.test(text) ? text.replaceAll(/[ '’]/g, '') : text;
}

function shapeOf(text: string): Shape {
  const plain = withoutGaps(text);
  const shape = SHAPES.find(([pattern]) => pattern.test(plain))?.[1] ?? 'none';
  if (plain === text || !shape.startsWith('unclear')) return shape;
  return shape === 'unclear-comma' ? 'comma' : 'point';
}

/** Returns the number in a price without the euro around it. */
function withoutEuro(text: string): string {
  const [, after, before] = AROUND_EURO.exec(text) ?? [];
  return spaced(after ?? before ?? text);
}

/** Returns true when a cell means a number, readable or not: prices in a sheet are found this way. */
export function looksNumeric(cell: Cell | undefined): boolean {
  if (typeof cell === 'number') return true;
  const [all, ...around] = NUMERIC.exec(spaced(cell ?? '')) ?? [];
  return all !== undefined && around.every((word) => word === undefined || /^euro$/i.test(word) || isCurrency(word));
}

/** Returns the foreign currency that a text names; null when it names none. */
export function foreignCurrency(text: string): string | null {
  return CURRENCY_WORD.exec(text)?.[0] ?? null;
}

const currencies = new Set(Intl.supportedValuesOf('currency'));

function isCurrency(text: string | undefined): boolean {
  return text !== undefined && (/^\p{Sc}$/u.test(text) || currencies.has(text.toUpperCase()));
}

/** Returns the decimal mark of a file, by the unambiguous cells: the most frequent one, then the first one. */
export function decimalMarkOf(cells: readonly (Cell | undefined)[]): DecimalMark {
  let balance = 0;
  let first: DecimalMark = null;
  for (const cell of cells) {
    if (typeof cell !== 'string') continue;
    const shape = shapeOf(withoutEuro(spaced(cell)));
    if (shape !== 'comma' && shape !== 'point') continue;
    first ??= shape === 'comma' ? ',' : '.';
    balance += shape === 'comma' ? 1 : -1;
  }
  if (balance === 0) return first;
  return balance > 0 ? ',' : '.';
}

/** Parses a number as people write it, under the decimal mark of its file. */
export function readNumber(cell: Cell, mark: DecimalMark): NumberReading {
  if (typeof cell === 'number') return fromNumber(cell);
  const text = withoutGaps(spaced(cell ?? ''));
  const shape = shapeOf(spaced(cell ?? ''));
  if (shape === 'none') return { problem: `Not a number: ${text}` };
  if (shape === 'whole') return { value: trimmedZeros(text) };
  const own: DecimalMark = shape.endsWith('comma') ? ',' : '.';
  if (shape.startsWith('unclear') && mark !== own) {
    const [whole, decimals] = text.split(own);
    return { problem: `${text} may mean ${whole}${decimals} or ${whole}.${decimals}: write it without a doubt` };
  }
  if (mark !== null && mark !== own) {
    return { problem: `${text} has decimals with "${own}", the file otherwise with "${mark}"` };
  }
  return { value: trimmedZeros(decimalText(text, own)) };
}

function decimalText(text: string, mark: ',' | '.'): string {
  const parts = text.split(mark);
  // The mark occurs twice, so it separates the thousands of the other one, and they hold no decimals.
  return parts.map((part) => part.replaceAll(/[.,]/g, '')).join('.');
}

function trimmedZeros(text: string): string {
  return text.replace(/^0+(?=\d)/, '');
}

function fromNumber(value: number): NumberReading {
  const text = String(Number(value.toPrecision(SPREADSHEET_DIGITS)));
  return /^-?\d+(\.\d+)?$/.test(text) ? { value: text } : { problem: `Not a number that can be used: ${value}` };
}

/** Parses a price in euro as people write it, with or without the sign. */
export function readPrice(cell: Cell, mark: DecimalMark): NumberReading {
  const text = typeof cell === 'string' ? withoutEuro(spaced(cell)) : cell;
  if (text === null || text === '') return { problem: 'The price is missing' };
  if (typeof text === 'string') {
    const [, before, after] = OTHER_CURRENCY.exec(text) ?? [];
    const currency = foreignCurrency(text) ?? [before, after].find(isCurrency);
    if (currency) return { problem: `Prices are in euro, this one is in ${currency.toUpperCase()}: ${text}` };
    if (/^-\s*\d/.test(text)) return { problem: `A price must not be negative: ${text}` };
    if (shapeOf(text) === 'none') return { problem: notAPrice(text) };
  }
  const reading = readNumber(text, mark);
  if ('problem' in reading) return reading;
  const problem = amountProblem(reading.value);
  return problem === null ? reading : { problem };
}

function notAPrice(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return `Not a price: ${text}`;
  return `The spreadsheet made the date ${text} of what was written here: write the price as a number`;
}
