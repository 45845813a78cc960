import { Big } from '../../../lib/decimal.ts';
import { type DecimalMark, readNumber } from './numbers.ts';
import { type Cell, cellText, foldText } from './sheet.ts';

export type WeightUnit = 'kg' | 'g';

/** A weight as written; its number is parsed once the file's decimal mark is known. */
export interface WrittenWeight {
  number: string | number;
  unit: WeightUnit | null;
}

/** The meaning of a row of a price grid. */
export type WeightLabel =
  | { kind: 'bracket'; from: WrittenWeight | null; to: WrittenWeight }
  /** Price of each begun step beyond the last bracket. */
  | { kind: 'step'; over: WrittenWeight | null; every: WrittenWeight }
  | { kind: 'minimum' };

/** Grams, or why there are none. */
export type GramsReading = { grams: number } | { problem: string };

const NUMBER = String.raw`\d+(?:[.,' ]\d+)*`;
const UNIT = String.raw`(?:kgs?|kil[io]|chil[io]|chilogramm[io]|kilogramm[io]|g|gr|gramm[io]|grams?)\b\.?`;
const WEIGHT = `(${NUMBER})\\s*(${UNIT})?`;
const FROM = '(?:da|dal|dai|from|oltre|sopra|over|above|piu di|>=?)';
const TO = '(?:fino a|fino ad|fino|sino a|sino ad|entro|massimo|max|up to|until|ad|al|a|to|<=?|≤)';

const RANGE = new RegExp(`^(?:${FROM}\\s*)?${WEIGHT}\\s*(?:,?\\s*${TO}|[-–—÷/])\\s*${WEIGHT}$`);
const UP_TO = new RegExp(`^(?:${TO}\\s*)?${WEIGHT}$`);
const EACH = new RegExp(
  `(?:\\bogni|\\beach|\\bevery)\\s+(?:(?:ulterior[ei]|additional|further|extra|successiv[oi]|frazione di)\\s+)?(?:(${NUMBER})\\s*)?(${UNIT})`,
);
const MORE = new RegExp(
  `(?:(${NUMBER})\\s*)?(${UNIT})\\s*(?:in piu|aggiuntiv|eccedent|supplementar|successiv|ulterior|extra)`,
);
const BEYOND = new RegExp(`(?:oltre|sopra|over|above|beyond|dopo|eccedent[ei]|>)\\s*(?:i |gli |il |the )?${WEIGHT}`);
const UNIT_FIRST = new RegExp(`\\b(${UNIT})\\s*(${NUMBER})`, 'g');
const MINIMUM =
  /^(?:importo |prezzo |tariffa |costo |price )?(?:minim[oa]|min\.?|minimum)(?: (?:per |di |a )?(?:spedizione|addebito|charge|shipment|price))?$/;
/** A spreadsheet reads some texts as dates: "1-3" becomes the first of March. */
const DATE = /^\d{4}-\d{2}-\d{2}/;

/** A longer text is a note. */
const MAX_LABEL = 120;

/** Returns the unit that a heading such as `Peso (g)` gives to the numbers below it. */
export function unitOf(heading: string): WeightUnit | null {
  const words = foldText(heading);
  if (/\b(kgs?|chil[io]|kil[io]|chilogrammi|kilogrammi)\b/.test(words)) return 'kg';
  return /\b(g|gr|grammi|grams?)\b/.test(words) ? 'g' : null;
}

function written(number: string | undefined, unit: string | undefined): WrittenWeight {
  return { number: number ?? '1', unit: unit === undefined ? null : unitOf(unit) };
}

/** Returns true when a cell is a date that a spreadsheet may have made of weights such as `1-3`. */
export function isDateCell(cell: Cell | undefined): boolean {
  return typeof cell === 'string' && DATE.test(cell);
}

/**
 * Parses a cell's weights: `3`, `fino a 3 kg`, `da 0 a 3`, `oltre 100 kg, ogni 10 kg`, `minimo`; null when there are
 * none.
 */
export function readWeightLabel(cell: Cell | undefined): WeightLabel | null {
  if (typeof cell === 'number') return { kind: 'bracket', from: null, to: { number: cell, unit: null } };
  const text = foldText(cellText(cell))
    .replace(/^(?:peso|scaglione|fascia|weight)\s+/, '')
    .replaceAll(UNIT_FIRST, '$2 $1');
  if (text === '' || text.length > MAX_LABEL || DATE.test(text)) return null;
  if (MINIMUM.test(text)) return { kind: 'minimum' };
  const upTo = UP_TO.exec(text);
  if (upTo) return { kind: 'bracket', from: null, to: written(upTo[1], upTo[2]) };
  const range = RANGE.exec(text);
  if (range) {
    const to = written(range[3], range[4]);
    const from = written(range[1], range[2]);
    return { kind: 'bracket', from: { ...from, unit: from.unit ?? to.unit }, to };
  }
  return readStep(text);
}

function readStep(text: string): WeightLabel | null {
  const each = EACH.exec(text) ?? MORE.exec(text);
  if (!each) return null;
  const rest = text.replace(each[0], ' ');
  const beyond = BEYOND.exec(rest);
  // An unexplained number may change the meaning.
  const left = beyond ? rest.replace(beyond[0], ' ') : rest;
  if (/\d/.test(left)) return null;
  return { kind: 'step', over: beyond ? written(beyond[1], beyond[2]) : null, every: written(each[1], each[2]) };
}

/** Returns the numbers in a label, which show the file's decimal mark as prices do. */
export function numbersIn(label: WeightLabel | null): (string | number)[] {
  if (label === null || label.kind === 'minimum') return [];
  const weights = label.kind === 'bracket' ? [label.from, label.to] : [label.over, label.every];
  return weights.flatMap((weight) => (weight ? [weight.number] : []));
}

/** Returns the grams of a weight; `unit` is that of the heading, for numbers without one. */
export function readGrams(weight: WrittenWeight, mark: DecimalMark, unit: WeightUnit | null): GramsReading {
  const reading = readNumber(weight.number, mark);
  if ('problem' in reading) return reading;
  const grams = new Big(reading.value).times((weight.unit ?? unit ?? 'kg') === 'kg' ? 1000 : 1);
  if (!grams.round(0).eq(grams)) return { problem: `A weight has no parts of a gram: ${weight.number}` };
  if (grams.lt(0) || grams.gt(Number.MAX_SAFE_INTEGER)) return { problem: `Not a weight: ${weight.number}` };
  return { grams: grams.toNumber() };
}
