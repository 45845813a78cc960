import { describe, expect, it } from 'vitest';
import { PriceList } from '../../../src/domain/pricing/price-list.ts';
import { priceListChanges } from '../../../src/domain/pricing/price-list-changes.ts';

const list = (sale: object, more: object = {}) =>
  PriceList.parse({
    name: 'Listino',
    zones: [{ code: 'ITALIA', name: 'Italia', match: { countries: ['IT'] }, sale }],
    ...more,
  });
const BRACKETS = [
  { upToGrams: 3000, price: '6.90' },
  { upToGrams: 10_000, price: '9.50' },
];

describe('changes between two price lists', () => {
  it('counts the same amount in another spelling as unchanged', () => {
    const before = list({ brackets: BRACKETS });
    const after = list({ brackets: [{ upToGrams: 3000, price: 6.9 }, BRACKETS[1]] });

    expect(priceListChanges(before, after)).toEqual({ prices: [], unchanged: 2, parts: [] });
  });

  it('names another step as one that is added and one that is removed, and a new minimum', () => {
    const before = list({ brackets: BRACKETS, stepGrams: 10_000, stepPrice: '4.00' });
    const after = list({ brackets: BRACKETS, stepGrams: 5000, stepPrice: '2.50', minimum: '7.00' });
    const at = { side: 'sale', zone: 'ITALIA' };

    expect(priceListChanges(before, after).prices).toEqual([
      { ...at, change: 'added', row: 'minimum', grams: null, before: null, after: '7.00' },
      { ...at, change: 'added', row: 'step', grams: 5000, before: null, after: '2.50' },
      { ...at, change: 'removed', row: 'step', grams: 10_000, before: '4.00', after: null },
    ]);
  });

  it('names the parts besides prices, and calls everything new where there was no list', () => {
    const surcharges = [{ name: 'Carburante', kind: 'percent', amount: '5' }];
    const after = list({ brackets: BRACKETS }, { rounding: 1000, surcharges });

    expect(priceListChanges(list({ brackets: BRACKETS }), after).parts).toEqual(['rules', 'surcharges']);
    expect(priceListChanges(null, after)).toMatchObject({
      prices: [{ change: 'added' }, { change: 'added' }],
      parts: [],
    });
  });
});
