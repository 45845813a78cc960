import { describe, expect, it } from 'vitest';
import { PriceList } from '../../../../src/domain/pricing/price-list.ts';
import type { GridTarget } from '../../../../src/domain/pricing/sheets/list-from-grid.ts';
import { readPriceList } from '../../../../src/domain/pricing/sheets/read-price-list.ts';
import { type Cell, placeText, type Sheet } from '../../../../src/domain/pricing/sheets/sheet.ts';
import { toWorkbook } from '../../../../src/domain/pricing/sheets/workbook.ts';

const sale = { brackets: [{ upToGrams: 3000, price: '6.00' }], stepGrams: 1000, stepPrice: '1.00' };
const BASE = PriceList.parse({
  name: 'Base',
  rounding: 1000,
  zones: [
    { code: 'IT', name: 'Italia', match: { countries: ['IT'] }, sale },
    { code: 'ROMA', name: 'Roma centro', match: { postalCodes: ['00118-00199'] }, sale },
  ],
});
const TARGET: GridTarget = { base: null, zones: [], side: 'sale', name: null, defaultName: 'listino' };

function read(rows: Cell[][] | Sheet[], target: Partial<GridTarget> = {}) {
  const isSheets = (given: Cell[][] | Sheet[]): given is Sheet[] => !Array.isArray(given[0]);
  const sheets = isSheets(rows) ? rows : [{ name: 'S', rows }];
  const reading = readPriceList(sheets, { ...TARGET, ...target });
  return { ...reading, problems: reading.problems.map((each) => `${placeText(each)} ${each.message}`) };
}

const GRID: Cell[][] = [
  ['Peso', 'Italia'],
  ['5', '7,00'],
];

describe('a file of prices', () => {
  it('makes a list of its own, or replaces the prices of a zone, its steps too', () => {
    expect(read(GRID).priceList).toMatchObject({ name: 'listino', zones: [{ code: 'ITALIA' }] });

    const { priceList, notices } = read(GRID, { base: BASE, name: 'Nuovo' });
    expect(priceList?.zones).toEqual([
      { ...BASE.zones[0], sale: { brackets: [{ upToGrams: 5000, price: '7.00' }] } },
      BASE.zones[1],
    ]);
    expect([priceList?.name, priceList?.rounding]).toEqual(['Nuovo', 1000]);
    expect(notices).toEqual(['Zone ROMA keeps its sale prices: the file has none for it']);
  });

  it('adds a zone that the list before did not have, for sale alone', () => {
    const grid = [
      ['Peso', 'Italia', 'Germania'],
      ['5', '7,00', '15,00'],
    ];

    expect(read(grid, { base: BASE }).priceList?.zones.map(({ code }) => code)).toEqual(['IT', 'ROMA', 'GERMANIA']);
    expect(read(grid, { base: BASE, side: 'purchase' })).toMatchObject({
      priceList: null,
      problems: ['S!C1 The zone GERMANIA has no sale prices yet: import those first'],
    });
  });

  it('takes the zones that it is given before those of the list before', () => {
    const zones = [
      { code: 'IT', name: 'Italia e San Marino', match: { countries: ['IT', 'SM'] } },
      { code: 'EU', name: 'Zona 1', match: { countries: ['DE'] } },
    ];
    const { priceList, notices } = read(
      [
        ['Peso', 'IT'],
        ['5', '7,00'],
      ],
      { base: BASE, zones },
    );

    expect(priceList?.zones[0]).toMatchObject({ name: 'Italia e San Marino', match: { countries: ['IT', 'SM'] } });
    expect(notices).toContain('Zone EU is left out: the file has no prices for it');
  });

  it('may not claim a place that another zone has', () => {
    expect(
      read([
        ['Peso', 'Sicilia', 'Isole'],
        ['5', '7,00', '8,00'],
      ]),
    ).toMatchObject({
      priceList: null,
      problems: ['S!C1 The zones SICILIA and ISOLE both claim the region SIC'],
    });
  });

  it('has no second problem for what is one already', () => {
    expect(
      read([
        ['Peso', 'Italia'],
        ['5', 'sette'],
        ['7', '8,00'],
      ]).problems,
    ).toEqual(['S!B2 Not a price: sette']);
  });

  it('replaces everything when it is a whole workbook, which keeps its name unless another is given', () => {
    const reading = read(toWorkbook(BASE), { side: 'purchase' });

    expect(reading).toMatchObject({ priceList: BASE, problems: [] });
    expect(reading.notices).toEqual(['The file is a whole workbook: it replaces everything, on both sides']);
    expect(read(toWorkbook(BASE), { name: 'X' }).priceList?.name).toBe('X');
  });

  it('says in which cell of a workbook two zones claim the same place', () => {
    const sheets = structuredClone(toWorkbook(BASE));
    sheets.find(({ name }) => name === 'Zones')?.rows[2]?.splice(3, 4, 'IT', null, null, null);

    expect(read(sheets).problems).toEqual(['Zones!D3 The zones IT and ROMA both claim the country IT']);
  });

  it('refuses prices of a zone that the list before does not have', () => {
    const prices = [
      ['zone', 'IT', 'DE'],
      ['side', 'sale', 'sale'],
      ['3000', '6.50', '9.00'],
    ];

    expect(read(prices, { base: BASE }).problems).toEqual(['S!C1 There is no zone DE']);
    expect(
      read(
        prices.map((row) => row.slice(0, 2)),
        { base: BASE },
      ),
    ).toMatchObject({
      problems: [],
      notices: ['Zone ROMA keeps its prices: the file has none for it'],
      priceList: { zones: [{ sale: { brackets: [{ price: '6.50' }] } }, { sale }] },
    });
  });
});
