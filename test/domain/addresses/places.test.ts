import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findComuni, provinceOf, regionOf } from '../../../src/domain/addresses/gazetteer.ts';
import { NAMED_AREAS } from '../../../src/domain/addresses/named-areas.ts';
import { hasPostalCodeShape } from '../../../src/domain/addresses/postal-code.ts';
import { parsePostalRange } from '../../../src/domain/pricing/match.ts';

describe('named areas', () => {
  it('have codes of their own', () => {
    const codes = NAMED_AREAS.map(({ code }) => code);

    expect(codes).toEqual(['ISLANDS', 'MINOR_ISLANDS', 'VENICE_LAGOON', 'LIVIGNO', 'CAMPIONE']);
  });

  it('name only places that the gazetteer has', () => {
    const places = NAMED_AREAS.flatMap(({ match }) => match.places ?? []);
    const unknown = places.filter((place) => {
      const [, name = '', code = ''] = /^(.+) \(([A-Z]{2})\)$/.exec(place) ?? [];
      return !findComuni(name).some((comune) => comune.name === name && comune.province.code === code);
    });

    expect(places.length).toBeGreaterThan(30);
    expect(unknown).toEqual([]);
  });

  it('name only regions, provinces and postal codes that can be', () => {
    for (const { match } of NAMED_AREAS) {
      expect(Object.values(match).flat().length).toBeGreaterThan(0);
      expect((match.regions ?? []).filter((code) => regionOf(code)?.code !== code)).toEqual([]);
      expect((match.provinces ?? []).filter((code) => provinceOf(code)?.code !== code)).toEqual([]);
      expect((match.postalCodes ?? []).filter((range) => parsePostalRange(range) === null)).toEqual([]);
    }
  });
});

describe('the shape of a postal code', () => {
  it.each([
    ['40121', 'IT'],
    [' 40121 ', 'it'],
    ['I-40121', 'IT'],
    ['IT-40121', 'IT'],
    ['75001', 'FR'],
    ['75001 CEDEX', 'FR'],
    ['75380 Cedex 08', 'FR'],
    ['D-10115', 'DE'],
    ['00-950', 'PL'],
    ['00950', 'PL'],
    ['sw1a1aa', 'GB'],
    ['SW1A 1AA', 'GB'],
    ['1012AB', 'NL'],
    ['111 22', 'SE'],
    ['1050-100', 'PT'],
    ['94103-1234', 'US'],
    ['LV1010', 'LV'],
    ['AZ1000', 'AZ'],
    ['47890', 'SM'],
    ['D02 X285', 'IE'],
    ['', 'IE'],
    ['', 'HK'],
    ['anything', 'AE'],
    ['4012', 'XX'],
    ['4012', ''],
  ])('accepts %j in %s', (zip, country) => {
    expect(hasPostalCodeShape(zip, country)).toBe(true);
  });

  it.each([
    ['4012', 'IT'],
    ['', 'IT'],
    ['ABCDE', 'IT'],
    ['401211', 'IT'],
    ['7500', 'FR'],
    ['1234', 'DE'],
    ['123456', 'CH'],
    ['40121', 'SM'],
    ['90210', 'GB'],
  ])('does not accept %j in %s', (zip, country) => {
    expect(hasPostalCodeShape(zip, country)).toBe(false);
  });

  it('accepts missing fields', () => {
    expect(hasPostalCodeShape(null, 'IT')).toBe(true);
    expect(hasPostalCodeShape('4012', null)).toBe(true);
  });

  it('never fails, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), fc.string({ maxLength: 4 }), (zip, country) => {
        expect(typeof hasPostalCodeShape(zip, country)).toBe('boolean');
      }),
    );
  });

  it('accepts every five digits in Italy', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999 }), (n) => hasPostalCodeShape(`${n}`.padStart(5, '0'), 'IT')),
    );
  });
});
