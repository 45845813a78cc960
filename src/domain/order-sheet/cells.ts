import { type DecimalMark, readNumber } from '../pricing/sheets/numbers.ts';
import { type Cell, cellText, exactText, foldText } from '../pricing/sheets/sheet.ts';
import type { CellKind } from './columns.ts';
import { countryCodeOf } from './countries.ts';

/** A value for the body of `POST /orders`, or what is wrong with the cell. */
export type CellReading = { value: string | number | boolean | string[] } | { fault: string };

const YES = new Set(['si', 's', 'yes', 'y', 'x', 'true', 'vero']);
const NO = new Set(['no', 'n', 'false', 'falso', '-']);
/** Excel writes a long number so when it saves a CSV file, and its digits are gone. */
const SHORTENED = /^\d[.,]\d+E\+\d{2}$/i;
const ITALIAN_DAY = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d{2})(?:[ T,].*)?$/;
const ISO_DAY = /^(\d{4})-(\d{2})-(\d{2})(?:[ T].*)?$/;
/** Units that a number may have around it. */
const UNITS = /^(?:€|eur|euro)\s*|\s*(?:€|eur|euro|kg|cm|pz)\.?$/gi;
const MAX_SHOWN = 40;

/** Reads one filled cell. `mark` is the decimal mark of its column. Takes formulas as text. */
export function readSheetCell(kind: CellKind, cell: Cell, mark: DecimalMark): CellReading {
  const text = cellText(cell);
  if (!text.isWellFormed() || text.includes('\u0000')) return { fault: 'must be text without NUL characters' };
  switch (kind) {
    case 'text':
      return { value: text };
    case 'note':
      return { value: exactText(cell) };
    case 'code':
      return readCode(text);
    case 'number':
      return readDecimal(cell, mark);
    case 'yes-no':
      return readYesNo(text === '1' ? 'yes' : text === '0' ? 'no' : text);
    case 'amount-or-yes': {
      const answer = readYesNo(text);
      return 'value' in answer ? answer : readDecimal(cell, mark);
    }
    case 'country': {
      const code = countryCodeOf(text);
      return code === null ? { fault: `is no country: ${shown(text)}. Write two letters such as IT` } : { value: code };
    }
    case 'day':
      return readDay(text);
    case 'id':
    case 'id-or-key':
      return { value: /^\d{1,15}$/.test(text) ? Number(text) : text };
    case 'list':
      return {
        value: text
          .split(/[,;|]/)
          .map((part) => part.trim())
          .filter(Boolean),
      };
  }
}

/** Removes the `.0` that a program adds to a number it takes for a decimal. */
function readCode(text: string): CellReading {
  if (SHORTENED.test(text)) {
    return { fault: `was shortened by the spreadsheet to ${text}: format the column as text and fill it in again` };
  }
  return { value: text.replace(/^(\d+)\.0+$/, '$1') };
}

function readDecimal(cell: Cell, mark: DecimalMark): CellReading {
  const number = typeof cell === 'string' ? withoutUnits(cellText(cell)) : cell;
  const alone = readNumber(number, null);
  const reading = 'problem' in alone ? readNumber(number, mark) : alone;
  return 'problem' in reading
    ? { fault: `is no clear number: ${shown(cellText(cell))}` }
    : { value: Number(reading.value) };
}

/** Strips the units around a number in one line. */
export function withoutUnits(text: string): string {
  return text.length > MAX_SHOWN ? text : text.replaceAll(UNITS, '');
}

function readYesNo(text: string): CellReading {
  const word = foldText(text);
  if (YES.has(word)) return { value: true };
  return NO.has(word) ? { value: false } : { fault: `must be yes or no, and is ${shown(text)}` };
}

function readDay(text: string): CellReading {
  const [, isoYear, isoMonth, isoDay] = ISO_DAY.exec(text) ?? [];
  const [, day = isoDay, month = isoMonth, year = isoYear] = ITALIAN_DAY.exec(text) ?? [];
  const full = year?.length === 2 ? `20${year}` : year;
  const iso = `${full}-${month?.padStart(2, '0')}-${day?.padStart(2, '0')}`;
  const at = new Date(`${iso}T00:00:00Z`);
  // JavaScript reads the 31st of February as a day in March.
  const isDay = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(iso);
  return isDay ? { value: iso } : { fault: `must be a day such as 31/12/2026, and is ${shown(text)}` };
}

function shown(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text;
}
