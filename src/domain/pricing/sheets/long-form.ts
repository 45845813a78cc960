import { WEIGHT_WORD } from './grid-frames.ts';
import { looksNumeric } from './numbers.ts';
import { type Cell, cellText, foldText, isBlankRow } from './sheet.ts';

/** Position of a price list with one price a row: zone, from, to, price. Rows and columns count from 0. */
export interface LongFrame {
  header: number;
  zone: number;
  from: number | null;
  to: number;
  price: number;
  end: number;
}

/** The whole heading: `Zona 1` would be the heading of prices. */
const ZONE_WORD =
  /^(zon[ae]|destinazion[ei]|destination|area|region[ei]?|paes[ei]|nazion[ei]|stato|country|provincia)( (di )?(destinazione|consegna))?$/;
const PRICE_WORD = /^(prezz[oi]|tariff[ae]|import[oi]|cost[oi]|price|rate|€|eur|euro)\b|^€/;
const TO_WORD = /^((peso )?(fino )?(a|ad|al)|fino|max|massimo|up to|to|weight to)( |$|\()/;
const FROM_WORD = /^((peso )?(da|dal)|from|weight from|oltre|min)( |$|\()/;

/** Finds the long form in a table; null when its headings do not match. */
export function findLongFrame(rows: readonly Cell[][]): LongFrame | null {
  for (const [header, row] of rows.entries()) {
    const words = row.map((cell) => foldText(cellText(cell)));
    const prices = indexesOf(words, PRICE_WORD);
    const zones = indexesOf(words, ZONE_WORD);
    const [zone] = zones;
    const from = words.findIndex((word) => FROM_WORD.test(word));
    const weights = indexesOf(words, TO_WORD).concat(indexesOf(words, WEIGHT_WORD));
    const [price] = prices;
    const to = weights.find((column) => column !== from && column !== zone);
    if (prices.length !== 1 || zones.length !== 1) continue;
    if (price === undefined || zone === undefined || to === undefined) continue;
    return { header, zone, from: from < 0 ? null : from, to, price, end: endOf(rows, { header, to, price }) };
  }
  return null;
}

function indexesOf(words: readonly string[], pattern: RegExp): number[] {
  return words.flatMap((word, index) => (pattern.test(word) ? [index] : []));
}

/** Returns the end of the rows with a weight or a price; text alone below them is a footnote. */
function endOf(rows: readonly Cell[][], frame: { header: number; to: number; price: number }): number {
  let end = frame.header + 1;
  let wasBlank = false;
  for (let row = end; row < rows.length; row += 1) {
    const cells = rows[row] ?? [];
    const isPriced = looksNumeric(cells[frame.price]);
    if (isBlankRow(cells)) wasBlank = true;
    else if (isPriced || (!wasBlank && cellText(cells[frame.to]) !== '')) end = row + 1;
  }
  return end;
}

/** Returns the rows of each zone, in the order of the file. A merged cell names its zone once, in its first row. */
export function rowsByZone(rows: readonly Cell[][], frame: LongFrame): Map<string, number[]> {
  const body = Array.from({ length: frame.end - frame.header - 1 }, (_each, index) => frame.header + 1 + index).filter(
    (row) => !isBlankRow(rows[row] ?? []),
  );
  const names = body.map((row) => cellText(rows[row]?.[frame.zone]));
  const given = names.filter(Boolean);
  const isMerged = names[0] !== '' && new Set(given).size === given.length;
  const byZone = new Map<string, number[]>();
  let current = '';
  for (const [index, row] of body.entries()) {
    const name = names[index] ?? '';
    current = name === '' && isMerged ? current : name;
    byZone.set(current, [...(byZone.get(current) ?? []), row]);
  }
  return byZone;
}
