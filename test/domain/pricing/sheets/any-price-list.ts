import fc from 'fast-check';
import { PROVINCES } from '../../../../src/domain/addresses/gazetteer/provinces.ts';
import { REGIONS } from '../../../../src/domain/addresses/gazetteer/regions.ts';
import { PriceList } from '../../../../src/domain/pricing/price-list.ts';

/** What JSON does: a field that is undefined is not there. */
function withoutUndefined(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function maybe<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> {
  return fc.option(arbitrary, { nil: undefined });
}

function listOf<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value[] | undefined> {
  return maybe(fc.uniqueArray(arbitrary, { minLength: 1, maxLength: 4 }));
}

const ODD_PIECES = ['a', ',', ';', '"', "'", ' ', '\n', '-', '=', '_x0041_', '€', '1', 'à'];

/** Text that a person could write, and some that nobody would: separators, quotes, line ends, formulas. */
const text = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }),
    fc.array(fc.constantFrom(...ODD_PIECES), { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join('')),
    fc.constantFrom('-', 'zone', 'sale', 'transport', 'transport+surcharges', '007', '1e3', 'true'),
  )
  .filter((value) => value.trim() !== '');

const amount = fc.oneof(
  fc.integer({ min: 0, max: 99_999_999 }).map((scaled) => (scaled / 10_000).toFixed(4)),
  fc.integer({ min: 0, max: 99_999 }).map((cents) => (cents / 100).toFixed(2)),
  fc.integer({ min: 0, max: 99_999 }).map((cents) => cents / 100),
);
const code = fc.stringMatching(/^[A-Z][A-Z0-9_]{0,8}$/);
const day = fc
  .integer({ min: 0, max: 3000 })
  .map((days) => new Date(Date.UTC(2024, 0, 1) + days * 86_400_000).toISOString().slice(0, 10));

const postalCode = fc.oneof(
  fc.tuple(fc.integer({ min: 0, max: 99_000 }), fc.nat(999)).map(([from, more]) => {
    const [first, last] = [from, from + more].map((number) => String(number).padStart(5, '0'));
    return more === 0 ? `${first}` : `${first}-${last}`;
  }),
  fc.constantFrom(' 00100 - 00199 ', 'ad100-ad700', '1010', 'SW1A'),
);
const italian = {
  regions: listOf(fc.constantFrom(...REGIONS.map((region) => region.code))),
  provinces: listOf(fc.constantFrom(...PROVINCES.map((province) => province.code))),
  postalCodes: listOf(postalCode),
  places: listOf(fc.constantFrom('Livigno (SO)', "Campione d'Italia (CO)", 'Capri (NA)', 'Reggio, Emilia (RE)')),
};

function isFilled(match: Record<string, unknown>): boolean {
  return Object.values(match).some((value) => value !== undefined);
}

const transport = fc
  .record({
    rises: fc.array(fc.tuple(fc.integer({ min: 1, max: 20_000 }), amount), { minLength: 1, maxLength: 5 }),
    step: maybe(fc.tuple(fc.integer({ min: 1, max: 20_000 }), amount)),
    minimum: maybe(amount),
  })
  .map(({ rises, step, minimum }) => {
    let upToGrams = 0;
    const brackets = rises.map(([grams, price]) => {
      upToGrams += grams;
      return { upToGrams, price };
    });
    return { brackets, ...(step ? { stepGrams: step[0], stepPrice: step[1] } : {}), minimum };
  });

const season = fc
  .tuple(maybe(day), maybe(day))
  .map(([from, to]) => (from !== undefined && to !== undefined && from > to ? { from: to, to: from } : { from, to }));

const dated = fc
  .tuple(fc.uniqueArray(day, { minLength: 1, maxLength: 4 }), fc.array(amount, { minLength: 4, maxLength: 4 }), amount)
  .map(([days, amounts, purchaseAmount]) =>
    days.toSorted().map((from, index) => ({
      from,
      amount: amounts[index] ?? '1',
      ...(index % 2 ? { purchaseAmount } : {}),
    })),
  );

function surcharges(zones: string[], areas: string[]): fc.Arbitrary<unknown[]> {
  const when = fc
    .record({
      zones: listOf(fc.constantFrom(...zones)),
      areas: listOf(fc.constantFrom('ZTL', 'DISADVANTAGED', 'ISLANDS', ...areas)),
      postalCodes: listOf(postalCode),
      overGrams: maybe(fc.nat(50_000)),
      overParcels: maybe(fc.integer({ min: 1, max: 9 })),
      parcelOverGrams: maybe(fc.integer({ min: 1, max: 90_000 })),
      parcelOverMm: maybe(fc.integer({ min: 1, max: 9000 })),
      parcelGirthOverMm: maybe(fc.integer({ min: 1, max: 9000 })),
    })
    .filter(isFilled);
  const one = fc.record({
    name: text,
    price: fc.oneof(
      fc.record({ amount, purchaseAmount: maybe(amount) }),
      dated.map((amounts) => ({ amounts })),
    ),
    season,
    when: maybe(when),
    minimum: maybe(amount),
    per: fc.constantFrom(undefined, 'shipment', 'parcel', 'further-parcel', 'kilogram'),
    base: fc.constantFrom(undefined, 'transport', 'transport+surcharges', ['transport'], 'before'),
    isPercent: fc.boolean(),
  });
  return fc.array(one, { maxLength: 4 }).map((all) =>
    all.map(({ price, season: days, per, base, isPercent, ...rest }, index) => {
      const before = ['transport', ...all.slice(0, index).map(({ name }) => name.trim())];
      const kind = isPercent ? { kind: 'percent', base: base === 'before' ? before : base } : { kind: 'fixed', per };
      return { ...rest, ...price, ...days, ...kind };
    }),
  );
}

const option = fc.record({
  code: fc.constantFrom('COD', 'INSURANCE', 'SATURDAY', 'PHONE'),
  name: text,
  description: fc.oneof(fc.constant(''), text),
  price: amount,
  minimum: maybe(amount),
  maximum: maybe(amount),
  purchasePrice: maybe(amount),
  carrierCodes: listOf(text),
});

function zones(codes: readonly string[], areaCodes: readonly string[]): fc.Arbitrary<unknown[]> {
  const zone = fc.record({
    name: text,
    label: maybe(text),
    match: fc
      .record({
        countries: listOf(fc.constantFrom('IT', 'DE', 'FR', 'SM')),
        ...italian,
        areas: listOf(fc.constantFrom('ISLANDS', 'VENICE_LAGOON', 'ZTL', ...areaCodes)),
      })
      .filter(isFilled),
    sale: transport,
    purchase: maybe(transport),
  });
  return fc
    .array(zone, { minLength: codes.length, maxLength: codes.length })
    .map((all) => all.map((each, index) => ({ code: codes[index], ...each })));
}

/** Any list that the schema takes, as the schema gives it back. */
export const anyPriceList: fc.Arbitrary<PriceList> = fc
  .record({
    name: text,
    rounding: maybe(fc.integer({ min: 1, max: 5000 })),
    volumetric: maybe(fc.oneof(fc.nat(500), fc.double({ min: 1e-9, max: 1000, noNaN: true }))),
    parcels: maybe(fc.constantFrom('together', 'weighed-each', 'priced-each')),
    areas: fc.uniqueArray(fc.record({ code, name: text, match: fc.record(italian).filter(isFilled) }), {
      maxLength: 3,
      selector: (area) => area.code,
    }),
    zoneCodes: fc.uniqueArray(text, { minLength: 1, maxLength: 4, selector: (value) => value.trim() }),
    options: fc.uniqueArray(option, { maxLength: 3, selector: (each) => each.code }),
  })
  .chain(({ zoneCodes, areas, options, ...list }) => {
    const areaCodes = areas.map((area) => area.code);
    const trimmed = zoneCodes.map((value) => value.trim());
    return fc.record({
      list: fc.constant({ ...list, areas }),
      zones: zones(zoneCodes, areaCodes),
      surcharges: surcharges(trimmed, areaCodes),
      options: fc.constant(options.map((each, index) => ({ id: index + 1, kind: 'fixed', ...each }))),
    });
  })
  .map(({ list, ...rest }) => PriceList.parse(withoutUndefined({ ...list, ...rest })));
