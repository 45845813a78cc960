import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DecimalMark,
  decimalMarkOf,
  looksNumeric,
  readPrice,
} from '../../../../src/domain/pricing/sheets/numbers.ts';
import type { Cell } from '../../../../src/domain/pricing/sheets/sheet.ts';

function price(cell: Cell, mark: DecimalMark = ','): string {
  const reading = readPrice(cell, mark);
  return 'value' in reading ? reading.value : `! ${reading.problem}`;
}

/** Without marks, and without the zeros in front, of which a reader keeps one before a decimal mark. */
function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '');
}

describe('prices as people write them', () => {
  it.each<[Cell, DecimalMark, string]>([
    ['6,90', ',', '6.90'],
    ['6.90', '.', '6.90'],
    ['7', null, '7'],
    ['€ 6,90', ',', '6.90'],
    ['6,90 €', ',', '6.90'],
    ['6,90\u00a0€', ',', '6.90'],
    ['EUR 6,90', ',', '6.90'],
    ['6,90 euro', ',', '6.90'],
    ['1.234,50', ',', '1234.50'],
    ['1,234.50', '.', '1234.50'],
    ['1 234,50', ',', '1234.50'],
    ["1'234.50", '.', '1234.50'],
    ['1.234.567', ',', '1234567'],
    ['1,234', ',', '1.234'],
    ['007', null, '7'],
    ['0.0', '.', '0.0'],
    [6.9, ',', '6.9'],
    [6.9000000000000004, ',', '6.9'],
    [0.1 + 0.2, null, '0.3'],
    [0, null, '0'],
  ])('%j in a file with "%s" is %s', (cell, mark, value) => {
    expect(price(cell, mark)).toBe(value);
  });

  it.each<[Cell, DecimalMark, string]>([
    [null, ',', 'The price is missing'],
    ['€', ',', 'The price is missing'],
    ['6.90', ',', '6.90 has decimals with ".", the file otherwise with ","'],
    ['6,90', '.', '6,90 has decimals with ",", the file otherwise with "."'],
    ['1.234', ',', '1.234 may mean 1234 or 1.234: write it without a doubt'],
    ['1.234', null, '1.234 may mean 1234 or 1.234: write it without a doubt'],
    ['1,234', '.', '1,234 may mean 1234 or 1.234: write it without a doubt'],
    ['$ 6.90', '.', 'Prices are in euro, this one is in $: $ 6.90'],
    ['6,90 CHF', ',', 'Prices are in euro, this one is in CHF: 6,90 CHF'],
    ['£6', ',', 'Prices are in euro, this one is in £: £6'],
    ['usd 6', ',', 'Prices are in euro, this one is in USD: usd 6'],
    ['-3,50', ',', 'A price must not be negative: -3,50'],
    [-3.5, ',', 'An amount must not be negative: -3.5'],
    ['su richiesta', ',', 'Not a price: su richiesta'],
    ['6,90*', ',', 'Not a price: 6,90*'],
    ['6,90,1', ',', 'Not a price: 6,90,1'],
    ['min 5', ',', 'Not a price: min 5'],
    [
      '2026-09-06',
      ',',
      'The spreadsheet made the date 2026-09-06 of what was written here: write the price as a number',
    ],
    ['1,23456', ',', 'At most 4 decimals are allowed: 1.23456'],
    [1.23456, ',', 'At most 4 decimals are allowed: 1.23456'],
    ['12345678', ',', 'Not an amount between 0 and 9999999.9999: 12345678'],
    [1e21, ',', 'Not a number that can be used: 1e+21'],
  ])('%j in a file with "%s" is refused: %s', (cell, mark, problem) => {
    expect(price(cell, mark)).toBe(`! ${problem}`);
  });

  it('never come out as another number, whatever is written', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.stringMatching(/^[\d.,' €-]{1,10}$/)),
        fc.constantFrom(',', '.', null),
        (text, mark) => {
          const reading = readPrice(text, mark);
          if (!('value' in reading)) return;
          expect(digitsOf(reading.value)).toBe(digitsOf(text));
          expect(reading.value).toMatch(/^\d{1,7}(\.\d{1,4})?$/);
        },
      ),
      { examples: [['0.0', '.']] },
    );
  });
});

describe('the decimal mark of a file', () => {
  it.each<[Cell[], DecimalMark]>([
    [['6,90', '7'], ','],
    [['6.90'], '.'],
    [['7', 8, '1.234', null], null],
    [['1.234', '1,5'], ','],
    [['0.500'], '.'],
    [['€ 1.234,50'], ','],
    [['6,90', '7,90', '8.90'], ','],
    [['6.90', '7,90', '8.90'], '.'],
    [['6,90', '8.90'], ','],
  ])('of %j is %j', (cells, mark) => {
    expect(decimalMarkOf(cells)).toBe(mark);
  });
});

describe('the search for numbers', () => {
  it.each([6, '6', '6,90 €', '$ 3', 'CHF 4', '1.234,5', '-3'])('accepts %j', (cell) => {
    expect(looksNumeric(cell)).toBe(true);
  });

  it.each([null, '', 'Zona 1', '24 ore', '3 pz', 'fino a 3 kg', '2027-01-01', '3) IVA'])('rejects %j', (cell) => {
    expect(looksNumeric(cell)).toBe(false);
  });
});
