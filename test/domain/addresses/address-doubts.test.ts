import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AddressDoubt, addressDoubts, type WrittenAddress } from '../../../src/domain/addresses/address-doubts.ts';
import { allComuni } from '../../../src/domain/addresses/gazetteer/comuni.ts';
import { firstDigitsOf, provinceOfPlace } from '../../../src/domain/addresses/gazetteer.ts';

function written(overrides: Partial<WrittenAddress> = {}): WrittenAddress {
  return { countryCode: 'IT', province: 'MI', city: 'Milano', zip: '20123', address: 'Via Torino, 5', ...overrides };
}

function fieldsOf(doubts: readonly AddressDoubt[]): string[] {
  return doubts.map(({ field }) => field);
}

describe('the doubts about an address', () => {
  it.each<[string, Partial<WrittenAddress>]>([
    ['an exact one', {}],
    ['a province by its name', { province: 'Milano' }],
    ['small letters', { countryCode: 'it', province: 'mi', city: 'milano' }],
    ['a saint cut short', { province: 'BO', city: 'S. Lazzaro di Savena', zip: '40068' }],
    ['a name of before', { province: 'BL', city: 'Quero Vas', zip: '32038' }],
    ['a street without numbers', { address: 'Contrada Fontana snc' }],
    ['a street without numbers, with points', { address: 'Località Piana S.N.C.' }],
    ['a kilometre', { address: 'SS 16 km 3' }],
    ['a house number behind a date', { address: 'Via 25 Aprile 3' }],
    ['another country', { countryCode: 'FR', province: '', city: 'Paris', zip: '75001', address: 'Rue de Rivoli' }],
    ['a country without postal codes', { countryCode: 'AE', province: '', city: 'Dubai', zip: '0' }],
    ['a country that nobody knows', { countryCode: '', province: '', city: 'X', zip: '' }],
  ])('are none for %s', (_title, overrides) => {
    expect(addressDoubts(written(overrides))).toEqual([]);
  });

  it.each<[string, Partial<WrittenAddress>, AddressDoubt[]]>([
    [
      'an unknown comune, with the nearest spellings',
      { province: 'BO', city: 'Casaleccio di Reno', zip: '40033' },
      [
        {
          field: 'city',
          message: expect.stringMatching(
            /^There is no comune "Casaleccio di Reno": .*Similar: Casalecchio di Reno \(BO\)/,
          ),
          suggestion: 'Casalecchio di Reno',
        },
      ],
    ],
    [
      'a comune of another province',
      { province: 'BO' },
      [
        {
          field: 'province',
          message: 'Milano is in MI and not in BO: correct the province or the city',
          suggestion: 'MI',
        },
      ],
    ],
    [
      'a city that neither province nor postal code agree with',
      { province: 'BO', zip: '40121' },
      [
        {
          field: 'city',
          message: 'Milano is in MI, and 40121 is a postal code of BO: correct the city or both others',
        },
      ],
    ],
    [
      'a postal code of another province',
      { zip: '40121' },
      [{ field: 'zip', message: '40121 is probably no postal code of MI, where they begin with 20: check it' }],
    ],
    [
      'the postal code of a whole city',
      { zip: '20100' },
      [
        {
          field: 'zip',
          message: '20100 stood for all of Milano and is not used any more: write the one of the street',
        },
      ],
    ],
    [
      'a postal code too short',
      { zip: '2012' },
      [{ field: 'zip', message: '"2012" has not the form of a postal code of IT: check it' }],
    ],
    [
      'a postal code that lost its zeros',
      { province: 'RM', city: 'Roma', zip: '185' },
      [{ field: 'zip', message: '"185" has not the form of a postal code of IT: check it', suggestion: '00185' }],
    ],
    [
      'a postal code of San Marino',
      { province: 'RN', city: 'Rimini', zip: '47890' },
      [
        {
          field: 'zip',
          message: '47890 is a postal code of San Marino (SM) and the country is IT: check the country',
        },
      ],
    ],
    [
      'a postal code of the Vatican',
      { province: 'RM', city: 'Roma', zip: '00120' },
      [
        {
          field: 'zip',
          message: '00120 is a postal code of the Vatican (VA) and the country is IT: check the country',
        },
      ],
    ],
    [
      'no province',
      { province: '' },
      [{ field: 'province', message: 'The province is missing: write its two letters', suggestion: 'MI' }],
    ],
    [
      'a province that is none',
      { province: 'XX' },
      [{ field: 'province', message: 'There is no Italian province "XX": write its two letters', suggestion: 'MI' }],
    ],
    [
      'a street without a house number',
      { address: 'Via Torino' },
      [{ field: 'address', message: 'The street has no house number: add it, or "snc" when there is none' }],
    ],
    [
      'a street named after a day',
      { address: 'Via 25 Aprile' },
      [{ field: 'address', message: 'The street has no house number: add it, or "snc" when there is none' }],
    ],
    [
      'the wrong country',
      { countryCode: 'FR' },
      [{ field: 'zip', message: '20123 Milano is in Italy and the country is FR: check the country' }],
    ],
    [
      'a foreign postal code of the wrong form',
      { countryCode: 'GB', province: '', city: 'London', zip: '20123' },
      [{ field: 'zip', message: '"20123" has not the form of a postal code of GB: check it' }],
    ],
  ])('name %s', (_title, overrides, expected) => {
    expect(addressDoubts(written(overrides))).toEqual(expected);
  });

  it('are all told at once', () => {
    const nonsense = written({ province: 'XX', city: 'Zzyzxqwkj', zip: '1', address: 'Piazza' });

    expect(fieldsOf(addressDoubts(nonsense))).toEqual(['province', 'city', 'zip', 'address']);
  });

  it('are none for any comune with its province and its first digits', () => {
    const places = fc.tuple(fc.constantFrom(...allComuni()), fc.integer({ min: 1, max: 98 }));
    fc.assert(
      fc.property(places, ([{ name, province }, rest]) => {
        const zip = `${firstDigitsOf(province)}0${`${rest}`.padStart(2, '0')}`;
        expect(addressDoubts(written({ province: province.code, city: name, zip }))).toEqual([]);
      }),
    );
  });

  it('never fail and always say something, whatever was written', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom('IT', 'MI', 'Milano', '20123', ''),
    );
    const anything = fc.record({ countryCode: text, province: text, city: text, zip: text, address: text });
    fc.assert(
      fc.property(anything, (address) => {
        for (const doubt of addressDoubts(address)) expect(doubt.message).not.toBe('');
      }),
    );
  });
});

describe('provinceOfPlace', () => {
  it.each([
    ['Milano', '20123', 'MI'],
    ['Milano', '', 'MI'],
    ['Livo', '22010', 'CO'],
    ['Livo', '38020', 'TN'],
    ['Mestre', '30172', 'VE'],
  ])('%s %s is in %s', (city, zip, code) => {
    expect(provinceOfPlace({ city, zip })?.code).toBe(code);
  });

  it.each([
    ['Livo', ''],
    ['Livo', '00100'],
    ['Milano', '40121'],
    ['Zzyzx', '20123'],
    ['', '20123'],
  ])('%s %s is nowhere for sure', (city, zip) => {
    expect(provinceOfPlace({ city, zip })).toBeNull();
  });

  it('finds every comune by its name and the first digits of its province', () => {
    for (const { name, province } of allComuni()) {
      expect(provinceOfPlace({ city: name, zip: `${firstDigitsOf(province)}010` })).toBe(province);
    }
  });
});
