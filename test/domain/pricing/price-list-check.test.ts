import { describe, expect, it } from 'vitest';
import { PriceList } from '../../../src/domain/pricing/price-list.ts';
import { priceListProblems } from '../../../src/domain/pricing/price-list-check.ts';
import { priceListHoles } from '../../../src/domain/pricing/price-list-holes.ts';

const sale = { brackets: [{ upToGrams: 3000, price: 5 }], stepGrams: 1000, stepPrice: 1 };

function listOf(matches: object[], more: object = {}): PriceList {
  const zones = matches.map((match, index) => ({ code: 'ABCDEF'.charAt(index), name: 'x', match, sale }));
  return PriceList.parse({ name: 'L', zones, ...more });
}

function claims(...matches: object[]): string[] {
  return priceListProblems(listOf(matches)).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('two zones that claim the same place', () => {
  it.each<[string, object[], string]>([
    [
      'a country',
      [{ countries: ['IT'] }, { countries: ['DE', 'IT'] }],
      'zones.1.match.countries.1: The zones A and B both claim the country IT',
    ],
    [
      'a region',
      [{ regions: ['SIC'] }, { regions: ['LOM', 'SIC'] }],
      'zones.1.match.regions.1: The zones A and B both claim the region SIC',
    ],
    [
      'a province',
      [{ provinces: ['MI'] }, { countries: ['IT'], provinces: ['MI'] }],
      'zones.1.match.provinces.0: The zones A and B both claim the province MI',
    ],
    [
      'a place',
      [{ places: ['Livigno (SO)'] }, { places: ['LIVIGNO (so)'] }],
      'zones.1.match.places.0: The zones A and B both claim the place LIVIGNO (so)',
    ],
    [
      'a region and an area',
      [{ regions: ['SAR'] }, { areas: ['ISLANDS'] }],
      'zones.1.match.areas.0: The zones A and B both claim the region SAR',
    ],
    [
      'an area of a carrier',
      [{ areas: ['ZTL'] }, { areas: ['ZTL'] }],
      'zones.1.match.areas.0: The zones A and B both claim the area ZTL',
    ],
    [
      'postal codes',
      [{ postalCodes: ['00100-00199'] }, { postalCodes: ['00150-00250'] }],
      'zones.1.match.postalCodes.0: The zones A and B both claim the postal codes 00150-00199',
    ],
    [
      'one postal code',
      [{ postalCodes: ['00100-00199'] }, { postalCodes: ['00150'] }],
      'zones.1.match.postalCodes.0: The zones A and B both claim the postal code 00150',
    ],
    [
      'postal codes, the wider later',
      [{ postalCodes: ['00150'] }, { postalCodes: ['00100-00199'] }],
      'zones.1.match.postalCodes.0: The zones A and B both claim the postal code 00150',
    ],
    [
      'postal codes of an area',
      [{ postalCodes: ['30141'] }, { areas: ['VENICE_LAGOON'] }],
      'zones.1.match.areas.0: The zones A and B both claim the postal code 30141',
    ],
  ])('are refused: %s', (_what, matches, problem) => {
    expect(claims(...matches)).toEqual([problem]);
  });

  it.each<[string, object[]]>([
    [
      'closer and further',
      [{ countries: ['IT'] }, { regions: ['LOM'] }, { provinces: ['MI'] }, { postalCodes: ['20121'] }],
    ],
    ['ranges side by side', [{ postalCodes: ['00100-00149'] }, { postalCodes: ['00150-00199'] }]],
    ['postal codes of different lengths', [{ postalCodes: ['1010'] }, { postalCodes: ['10100'] }]],
    ['different countries', [{ countries: ['FR'], postalCodes: ['20000-20999'] }, { postalCodes: ['20121'] }]],
    ['twice in one zone', [{ postalCodes: ['20121', '20100-20199'], regions: ['SIC'], areas: ['ISLANDS'] }]],
    [
      'areas outside Italy, which never match',
      [
        { countries: ['FR'], areas: ['ISLANDS'] },
        { countries: ['FR'], regions: ['SIC'] },
      ],
    ],
  ])('are none: %s', (_what, matches) => {
    expect(claims(...matches)).toEqual([]);
  });

  it('are told once for each pair, also when a range lies within a longer one', () => {
    expect(
      claims({ postalCodes: ['10000-19999'] }, { postalCodes: ['11000-11999'] }, { postalCodes: ['12000'] }),
    ).toEqual([
      'zones.1.match.postalCodes.0: The zones A and B both claim the postal codes 11000-11999',
      'zones.2.match.postalCodes.0: The zones A and C both claim the postal code 12000',
    ]);
  });
});

describe('the holes of a price list', () => {
  const holes = (list: PriceList): string[] => priceListHoles(list, '2027-01-15');
  const italy = { countries: ['IT'] };

  it('are none in a list that has a price for everything', () => {
    expect(holes(listOf([italy, { regions: ['SIC'] }, { countries: ['DE'] }]))).toEqual([]);
    expect(holes(listOf([{ countries: ['DE'] }]))).toEqual([]);
  });

  it('are parts of Italy that no zone has', () => {
    const all = 'ABR BAS CAL CAM EMR FVG LAZ LIG MAR MOL PIE PUG TOS TAA UMB VDA VEN'.split(' ');

    expect(holes(listOf([{ regions: all }, { areas: ['ISLANDS'] }, { provinces: ['MI', 'BG'] }])).slice(0, 1)).toEqual([
      'No zone covers the provinces Brescia (BS), Como (CO), Cremona (CR), Lecco (LC), Lodi (LO), ' +
        'Monza e della Brianza (MB), Mantova (MN), Pavia (PV), Sondrio (SO), Varese (VA)',
    ]);
    expect(holes(listOf([{ regions: [...all, 'LOM', 'SIC'] }]))).toEqual(['No zone covers the region Sardegna (SAR)']);
    expect(holes(listOf([{ postalCodes: ['20121'] }]))).toEqual(['No zone covers a whole region or province of Italy']);
  });

  it('are weights beyond the last bracket, on each side', () => {
    const ends = { brackets: [{ upToGrams: 3500, price: 5 }] };
    const zones = [{ code: 'A', name: 'x', match: italy, sale: ends, purchase: sale }];

    expect(holes(PriceList.parse({ name: 'L', zones }))).toEqual(['Zone A has no sale price above 3.5 kg']);
  });

  it('are purchase prices that only some zones have', () => {
    const zones = [
      { code: 'A', name: 'x', match: italy, sale, purchase: sale },
      { code: 'B', name: 'x', match: { regions: ['SIC'] }, sale },
    ];

    expect(holes(PriceList.parse({ name: 'L', zones }))).toEqual([
      'Zone B has no purchase prices, while others have them',
    ]);
  });

  it.each<[string, object, string[]]>([
    ['begin later', { amounts: [{ from: '2027-02-01', amount: 5 }] }, ['Surcharge F has no amount on 2027-01-15']],
    [
      'are over',
      { amounts: [{ from: '2026-01-01', to: '2026-12-31', amount: 5 }] },
      ['Surcharge F has no amount on 2027-01-15'],
    ],
    ['end within a month', { amounts: [{ from: '2027-01-01', to: '2027-02-14', amount: 5 }] }, []],
    [
      'end a day too early',
      { amounts: [{ from: '2027-01-01', to: '2027-02-13', amount: 5 }] },
      ['Surcharge F has no amount after 2027-02-13'],
    ],
    [
      'go on',
      {
        amounts: [
          { from: '2027-01-01', to: '2027-01-31', amount: 5 },
          { from: '2027-02-01', amount: 6 },
        ],
      },
      [],
    ],
    [
      'leave a day out',
      {
        amounts: [
          { from: '2027-01-01', to: '2027-01-30', amount: 5 },
          { from: '2027-02-01', amount: 6 },
        ],
      },
      ['Surcharge F has no amount after 2027-01-30'],
    ],
    ['end with their season', { to: '2027-01-20', amounts: [{ from: '2027-01-01', to: '2027-01-20', amount: 5 }] }, []],
    [
      'end before their season begins',
      { from: '2027-02-01', amounts: [{ from: '2027-01-01', to: '2027-01-31', amount: 5 }] },
      ['Surcharge F has no amount on 2027-02-01'],
    ],
    [
      'are for a season long past',
      { to: '2026-12-31', amounts: [{ from: '2026-01-01', to: '2026-12-31', amount: 5 }] },
      [],
    ],
    ['never change', { amount: 5 }, []],
  ])('are surcharges whose amounts %s', (_what, amounts, expected) => {
    expect(holes(listOf([italy], { surcharges: [{ name: 'F', kind: 'percent', ...amounts }] }))).toEqual(expected);
  });

  it('are areas that nothing uses', () => {
    const areas = ['UNO', 'DUE', 'TRE'].map((code) => ({ code, name: 'x', match: { postalCodes: ['20121'] } }));
    const surcharges = [{ name: 'F', kind: 'fixed', amount: 1, when: { areas: ['DUE'] } }];

    expect(holes(listOf([italy, { areas: ['UNO'] }], { areas, surcharges }))).toEqual([
      'Area TRE is defined and never used',
    ]);
  });

  it.each<[string, object, string[]]>([
    [
      'parts of Italy elsewhere',
      { countries: ['FR'], regions: ['SIC'] },
      ['Zone B can never match: it names parts of Italy in FR'],
    ],
    [
      'areas elsewhere',
      { countries: ['FR'], areas: ['ZTL'] },
      ['Zone B can never match: it names parts of Italy in FR'],
    ],
    ['a region that is none', { regions: ['XXX'] }, ['Zone B can never match: there is no region XXX']],
    ['a province that is no more', { provinces: ['OT'] }, ['Zone B can never match: there is no province OT']],
    [
      'a place of another province',
      { places: ['Livigno (MI)'] },
      ['Zone B can never match: there is no place Livigno (MI)'],
    ],
    ['one of two', { provinces: ['OT', 'MI'] }, ['Zone B names what does not exist: province OT']],
    ['postal codes elsewhere', { countries: ['FR'], postalCodes: ['20000'] }, []],
    ['what a carrier says', { areas: ['ZTL'] }, []],
  ])('are zones that name %s', (_what, match, expected) => {
    expect(holes(listOf([italy, match]))).toEqual(expected);
  });
});
