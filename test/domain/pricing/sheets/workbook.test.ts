import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { PriceList } from '../../../../src/domain/pricing/price-list.ts';
import { type Cell, placeText, type Sheet } from '../../../../src/domain/pricing/sheets/sheet.ts';
import { fromWorkbook, isWorkbook, toWorkbook } from '../../../../src/domain/pricing/sheets/workbook.ts';
import { TABLES, TARIFF_FIELDS } from '../../../../src/domain/pricing/sheets/workbook-columns.ts';
import { anyPriceList } from './any-price-list.ts';

const brackets = [
  { upToGrams: 3000, price: '6.90' },
  { upToGrams: 10_000, price: 9.5 },
];
const zone = {
  code: 'IT',
  name: 'Italia',
  match: { countries: ['IT'] },
  sale: { brackets, stepGrams: 10_000, stepPrice: '4.00' },
};
const amounts = [
  { from: '2027-01-01', amount: '5' },
  { from: '2027-02-01', amount: '6' },
];
const list = PriceList.parse({
  name: 'Espresso 2027',
  rounding: 1000,
  zones: [
    { ...zone, purchase: { brackets: [{ upToGrams: 5000, price: '5.10' }], minimum: '4.00' } },
    { ...zone, code: 'ISLE', match: { regions: ['SIC', 'SAR'], postalCodes: ['00100'] } },
  ],
  surcharges: [
    { name: 'Carburante', kind: 'percent', amounts },
    { name: 'Fermo', kind: 'fixed', amount: 3, when: { zones: ['ISLE'] }, per: 'parcel' },
    { name: 'Pedaggi', kind: 'percent', amount: 1, base: ['transport'] },
  ],
  options: [{ id: 1, code: 'COD', name: 'Contrassegno', kind: 'percent', price: '1.5', carrierCodes: ['CON', 'C,D'] }],
});

function readBack(sheets: readonly Sheet[]): PriceList {
  const reading = fromWorkbook(sheets);
  if ('problems' in reading) throw new Error(JSON.stringify(reading.problems));
  return reading.priceList;
}

/** The problems of the workbook with one other cell, as `Prices!C7: message`. */
function problemsWith(sheet: string, row: number, column: number, cell: Cell): string {
  const sheets = structuredClone(toWorkbook(list));
  sheets.find(({ name }) => name === sheet)?.rows[row - 1]?.splice(column - 1, 1, cell);
  const reading = fromWorkbook(sheets);
  const problems = 'problems' in reading ? reading.problems : [];
  return problems.map((each) => `${placeText(each)}: ${each.message}`).join('\n');
}

describe('the workbook of a price list', () => {
  it('gives back any list that was put into it', () => {
    fc.assert(
      fc.property(anyPriceList, (any) => {
        expect(readBack(toWorkbook(any))).toEqual(any);
      }),
    );
  });

  it('is known by its sheets', () => {
    expect(isWorkbook(toWorkbook(list))).toBe(true);
    expect(isWorkbook([{ name: 'Foglio1', rows: [] }])).toBe(false);
  });

  it('shows prices as a table: grams down, zones and sides across', () => {
    expect(toWorkbook(list).find(({ name }) => name === 'Prices')?.rows).toEqual([
      ['zone', 'IT', 'IT', 'ISLE'],
      ['side', 'sale', 'purchase', 'sale'],
      [3000, '6.90', '-', '6.90'],
      [5000, '-', '5.10', '-'],
      [10_000, 9.5, '-', 9.5],
      ['stepGrams', 10_000, '-', 10_000],
      ['stepPrice', '4.00', '-', '4.00'],
      ['minimum', '-', '4.00', '-'],
    ]);
  });

  it('has a column for every field of the schema', () => {
    const fields = (schema: z.ZodType, path: string): string[] => {
      let inner: z.ZodType = schema;
      while (inner instanceof z.ZodOptional || inner instanceof z.ZodDefault) inner = inner.unwrap() as z.ZodType;
      if (inner instanceof z.ZodArray && inner.element instanceof z.ZodObject) inner = inner.element;
      if (!(inner instanceof z.ZodObject)) return [path];
      return Object.entries(inner.shape).flatMap(([name, field]) =>
        fields(field as z.ZodType, path === '' ? name : `${path}.${name}`),
      );
    };
    const transport = ['brackets.upToGrams', 'brackets.price', 'stepGrams', 'stepPrice', 'minimum'];
    const known = new Set([
      ...TARIFF_FIELDS.map(({ heading }) => heading),
      ...TABLES.flatMap(({ field, columns }) => columns.map(({ path }) => [field, ...path].join('.'))),
      ...['amount', 'purchaseAmount', 'from', 'to'].map((name) => `surcharges.amounts.${name}`),
      ...['sale', 'purchase'].flatMap((side) => transport.map((name) => `zones.${side}.${name}`)),
    ]);

    const all = fields(PriceList, '');
    expect(all.length).toBeGreaterThan(50);
    expect(all.filter((path) => !known.has(path))).toEqual([]);
  });

  it('keeps lists that are longer than a cell may be', () => {
    const postalCodes = Array.from({ length: 9000 }, (_each, index) => String(10_000 + index));
    const long = PriceList.parse({ ...list, zones: [{ ...zone, match: { postalCodes } }], surcharges: [] });
    const cells = toWorkbook(long).flatMap(({ rows }) => rows.flat());

    expect(Math.max(...cells.map((cell) => String(cell ?? '').length))).toBeLessThan(32_767);
    expect(readBack(toWorkbook(long))).toEqual(long);
  });

  it.each<[string, [string, number, number, Cell], string]>([
    ['a decimal comma', ['Prices', 3, 2, '6,90'], 'Prices!B3: Write decimals with a point and thousands without'],
    ['an empty price', ['Prices', 3, 2, null], 'Prices!B3: It is empty: write an amount, or - where the zone has none'],
    ['brackets that fall', ['Prices', 5, 1, 2000], 'Prices!A5: Brackets must rise: 2000 g comes after 3000 g'],
    ['a step without a price', ['Prices', 7, 2, '-'], 'Prices!B7: stepGrams and stepPrice go together'],
    ['a weight in words', ['Prices', 3, 1, 'tre'], 'Prices!A3: Not grams, stepGrams, stepPrice or minimum: tre'],
    ['prices of no zone', ['Prices', 1, 4, 'ISOLE'], 'Prices!D1: There is no zone ISOLE'],
    ['a side that is none', ['Prices', 2, 2, 'vendita'], 'Prices!B2: The side is missing: sale or purchase'],
    ['a region that is none', ['Zones', 3, 5, 'SIC, Sardegna'], 'Zones!E3: A region is its three letters, such as SIC'],
    ['a postal code without zeros', ['Zones', 3, 7, 100], 'Zones!G3: Put the postal code in quotes, or its leading'],
    ['an unknown column', ['Zones', 1, 3, 'etichetta'], 'Zones!C1: There is no column etichetta'],
    ['a code used twice', ['Zones', 3, 1, 'IT'], 'Zones!A3: Two zones have the code IT'],
    ['another currency', ['Tariff', 3, 2, 'CHF'], 'Tariff!B3: must be EUR'],
    ['a surcharge for no zone', ['Surcharges', 5, 10, 'ISOLE'], 'Surcharges!J5: There is no zone with the code ISOLE'],
    ['amounts back in time', ['Surcharges', 4, 5, '2026-01-01'], 'Surcharges!E4: Amounts are listed from the oldest'],
    ['an option that is neither', ['Options', 2, 5, 'per cent'], 'Options!E2: must be '],
    ['a field in a row that goes on', ['Surcharges', 3, 2, 'fixed'], 'Surcharges!B3: Only lists go on in the rows'],
  ])('refuses %s at its cell', (_what, change, problem) => {
    expect(problemsWith(...change)).toContain(problem);
  });

  it('leaves sheets alone that it does not know', () => {
    expect(readBack([...toWorkbook(list), { name: 'Note mie', rows: [['ciao']] }])).toEqual(list);
  });
});
