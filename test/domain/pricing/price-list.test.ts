import { describe, expect, it } from 'vitest';
import { comparablePostalCode, parsePostalRange } from '../../../src/domain/pricing/match.ts';
import { PriceList } from '../../../src/domain/pricing/price-list.ts';

const brackets = [{ upToGrams: 5000, price: '6.50' }];

function buildZone(overrides: Record<string, unknown> = {}) {
  return { code: 'IT', name: 'Italia', match: { countries: ['IT'] }, sale: { brackets }, ...overrides };
}

function buildList(overrides: Record<string, unknown> = {}) {
  return { name: 'Espresso 2026', zones: [buildZone()], ...overrides };
}

const codOption = { id: 1, code: 'COD', name: 'Contrassegno', kind: 'percent', price: 2, minimum: '3.00' };

function problemsOf(list: unknown): [string, string][] {
  const issues = PriceList.safeParse(list).error?.issues ?? [];
  return issues.map((issue) => [issue.path.join('.'), issue.message]);
}

describe('price list', () => {
  it('fills in currency, rounding and empty lists', () => {
    const list = PriceList.parse(buildList());

    expect(list).toMatchObject({ currency: 'EUR', rounding: 1, surcharges: [], options: [] });
  });

  it('takes prices as numbers and as text, and writes codes in upper case', () => {
    const zone = buildZone({
      match: { countries: ['it'], provinces: ['mi'] },
      sale: { brackets: [{ upToGrams: 1, price: 0.1 }] },
    });

    const list = PriceList.parse(buildList({ zones: [zone], options: [{ ...codOption, code: 'cod' }] }));

    expect(list.zones[0]?.match).toEqual({ countries: ['IT'], provinces: ['MI'] });
    expect(list.options[0]?.code).toBe('COD');
  });

  it('stays the same when it is read again', () => {
    const list = PriceList.parse(
      buildList({ options: [codOption], surcharges: [{ name: 'Fuel', kind: 'percent', amount: 8.5 }] }),
    );

    expect(PriceList.parse(JSON.parse(JSON.stringify(list)))).toEqual(list);
  });

  it.each<[string, unknown, string, string]>([
    [
      'brackets that do not rise',
      buildList({ zones: [buildZone({ sale: { brackets: [...brackets, ...brackets] } })] }),
      'zones.0.sale.brackets.1.upToGrams',
      'Brackets must rise: 5000 g comes after 5000 g',
    ],
    [
      'a negative price',
      buildList({ zones: [buildZone({ sale: { brackets: [{ upToGrams: 1, price: -1 }] } })] }),
      'zones.0.sale.brackets.0.price',
      'An amount must not be negative: -1',
    ],
    [
      'a decimal comma',
      buildList({ zones: [buildZone({ sale: { brackets, minimum: '7,50' } })] }),
      'zones.0.sale.minimum',
      'Write decimals with a point and thousands without a separator: 7,50',
    ],
    [
      'five decimals',
      buildList({ zones: [buildZone({ sale: { brackets, minimum: '7.50001' } })] }),
      'zones.0.sale.minimum',
      'At most 4 decimals are allowed: 7.50001',
    ],
    [
      'a step without a price',
      buildList({ zones: [buildZone({ sale: { brackets, stepGrams: 1000 } })] }),
      'zones.0.sale.stepPrice',
      'stepGrams and stepPrice go together',
    ],
    [
      'an empty match',
      buildList({ zones: [buildZone({ match: {} })] }),
      'zones.0.match',
      'An empty match covers nothing: give countries, regions, provinces, postalCodes, places or areas',
    ],
    [
      'a falling range',
      buildList({ zones: [buildZone({ match: { postalCodes: ['00199-00100'] } })] }),
      'zones.0.match.postalCodes.0',
      "Not a postal code or a rising range such as 00100-00199 (a code's own hyphen is left out): 00199-00100",
    ],
    [
      'a postal code that lost its quotes',
      buildList({ zones: [buildZone({ match: { postalCodes: [100] } })] }),
      'zones.0.match.postalCodes.0',
      'Put the postal code in quotes, or its leading zeros are lost: "00100"',
    ],
    [
      'two zones of one code',
      buildList({ zones: [buildZone(), buildZone()] }),
      'zones.1.code',
      'Two zones have the code IT',
    ],
    [
      'two options of one id',
      buildList({ options: [codOption, { ...codOption, code: 'INSURANCE' }] }),
      'options.1.id',
      'Two options have the id 1',
    ],
    [
      'two options of one code',
      buildList({ options: [codOption, { ...codOption, id: 2 }] }),
      'options.1.code',
      'Two options have the code COD',
    ],
    [
      'a percentage of nothing',
      buildList({ options: [{ ...codOption, code: 'SATURDAY' }] }),
      'options.0.kind',
      'Only COD and INSURANCE have an amount to take a percentage of',
    ],
    [
      'a surcharge for a zone that is not there',
      buildList({ surcharges: [{ name: 'Isole', kind: 'fixed', amount: 4, when: { zones: ['ISOLE'] } }] }),
      'surcharges.0.when.zones.0',
      'There is no zone with the code ISOLE',
    ],
    [
      'a base for a fixed surcharge',
      buildList({ surcharges: [{ name: 'Isole', kind: 'fixed', amount: 4, base: 'transport' }] }),
      'surcharges.0.base',
      'Only a percent surcharge has a base',
    ],
    ['a misspelt key', buildList({ roundng: 1000 }), '', 'has unknown fields: roundng'],
  ])('refuses %s where it stands', (_title, list, path, message) => {
    expect(problemsOf(list)).toEqual([[path, message]]);
  });

  it('reports all problems at once', () => {
    const zones = [
      buildZone({ match: {} }),
      buildZone({ code: 'B', sale: { brackets: [{ upToGrams: 0, price: 'free' }] } }),
    ];

    expect(problemsOf(buildList({ zones })).map(([path]) => path)).toEqual([
      'zones.0.match',
      'zones.1.sale.brackets.0.upToGrams',
      'zones.1.sale.brackets.0.price',
    ]);
  });
});

describe('postal codes', () => {
  it('reads single codes and ranges', () => {
    expect(parsePostalRange('00100')).toEqual({ from: '00100', to: '00100' });
    expect(parsePostalRange('00100 - 00199')).toEqual({ from: '00100', to: '00199' });
    expect(parsePostalRange('ad100-ad700')).toEqual({ from: 'AD100', to: 'AD700' });
  });

  it.each(['', '-', '00100-', '00100-001', '1-2-3', '00-950', 'x*'])('does not read %j', (text) => {
    expect(parsePostalRange(text)).toBeNull();
  });

  it('compares without spaces and hyphens', () => {
    expect(comparablePostalCode(' 00-950 ')).toBe('00950');
    expect(comparablePostalCode('sw1a 1aa')).toBe('SW1A1AA');
  });
});
