import { describe, expect, it } from 'vitest';
import { compilePriceList } from '../../../src/domain/pricing/compile.ts';
import { PriceList } from '../../../src/domain/pricing/price-list.ts';
import { type Quote, quote } from '../../../src/domain/pricing/quote.ts';
import type { QuoteInput } from '../../../src/domain/pricing/quote-input.ts';
import { quoteSteps } from '../../../src/domain/pricing/quote-steps.ts';

const ITALY = {
  code: 'IT',
  name: 'Italia',
  match: { countries: ['IT'] },
  sale: {
    brackets: [
      { upToGrams: 3000, price: 5 },
      { upToGrams: 10_000, price: 8 },
      { upToGrams: 50_000, price: 20 },
    ],
  },
};

function buildInput(list: Record<string, unknown>, overrides: Partial<QuoteInput> = {}): QuoteInput {
  return {
    prices: compilePriceList(PriceList.parse({ name: 'Listino', zones: [ITALY], ...list })),
    day: '2026-11-21',
    contract: { coefficient: 300, maxWeightGrams: null },
    destination: { countryCode: 'IT', province: 'BO', city: 'Bologna', zip: '40121' },
    parcels: [parcel(2000)],
    cod: null,
    insuredCents: null,
    optionCodes: [],
    isToPickupPoint: false,
    vat: { percent: '22', reason: '' },
    ...overrides,
  };
}

function parcel(weightGrams: number, [lengthMm, widthMm, heightMm]: [number, number, number] = [0, 0, 0]) {
  return { weightGrams, lengthMm, widthMm, heightMm };
}

function priced(list: Record<string, unknown>, overrides: Partial<QuoteInput> = {}): Quote {
  const result = quote(buildInput(list, overrides));
  if ('refused' in result) throw new Error(result.refused);
  return result;
}

function refusal(list: Record<string, unknown>, overrides: Partial<QuoteInput> = {}): string | null {
  const result = quote(buildInput(list, overrides));
  return 'refused' in result ? result.refused : null;
}

describe('several parcels', () => {
  // 1 m × 0.5 m × 0.1 m at 300 kg/m³ weighs 15 kg by volume.
  const parcels = [parcel(1000, [1000, 500, 100]), parcel(4500)];

  it.each([
    ['together', { chargeableGrams: 15_000, basePrice: 2000 }],
    ['weighed-each', { chargeableGrams: 20_000, basePrice: 2000 }],
    ['priced-each', { chargeableGrams: 20_000, basePrice: 2000 + 800 }],
  ])('are priced %s', (rule, expected) => {
    expect(priced({ parcels: rule, rounding: 1000 }, { parcels })).toMatchObject(expected);
  });

  it('are explained one by one when they are priced one by one', () => {
    const input = buildInput({ parcels: 'priced-each' }, { parcels: [parcel(2000), parcel(4500)] });
    const result = quote(input) as Quote;

    const rules = quoteSteps(input, result).map(({ rule, amount }) => [rule, amount]);
    expect(rules).toContainEqual(['Parcel of 2 kg: Up to 3 kg', 500]);
    expect(rules).toContainEqual(['Parcel of 4.5 kg: Up to 10 kg', 800]);
  });

  it('have no price when one of them has no weight', () => {
    expect(refusal({ parcels: 'priced-each' }, { parcels: [parcel(1000), parcel(0)] })).toContain('not known');
  });
});

describe('zones', () => {
  const sale = (price: number) => ({ brackets: [{ upToGrams: 50_000, price }] });
  const zones = [
    ITALY,
    { code: 'NORD', name: 'Emilia-Romagna', match: { regions: ['emr'] }, sale: sale(4) },
    { code: 'BO', name: 'Bologna', match: { provinces: ['BO'] }, sale: sale(3) },
    { code: 'CITTÀ', name: 'Bologna centro', match: { postalCodes: ['40121-40141'] }, sale: sale(2) },
    { code: 'ISOLE', name: 'Isole', match: { areas: ['ISLANDS'] }, sale: sale(9) },
    { code: 'MINORI', name: 'Isole minori', match: { areas: ['MINOR_ISLANDS'] }, sale: sale(19) },
    { code: 'LAGUNA', name: 'Venezia', match: { areas: ['VENICE_LAGOON'] }, sale: sale(25) },
    {
      code: 'DISAGIATE',
      name: 'Disagiate',
      match: { areas: ['DISADVANTAGED'], places: ['Foppolo (BG)'] },
      sale: sale(30),
    },
    { code: 'CH', name: 'Svizzera', match: { countries: ['CH'], postalCodes: ['6900-6999'] }, sale: sale(40) },
  ];
  const areas = [{ code: 'DISADVANTAGED', name: 'Disagiate', match: { postalCodes: ['23030'] } }];

  it.each<[string, string, Partial<QuoteInput['destination']>, string | null]>([
    ['the country', 'Roma', { province: 'RM', zip: '00184' }, 'IT'],
    ['the region', 'Modena', { province: 'MO', zip: '41121' }, 'NORD'],
    ['the province', 'Imola', { province: 'BO', zip: '40026' }, 'BO'],
    ['the postal code', 'Bologna', { province: 'BO', zip: '40125' }, 'CITTÀ'],
    ['a province by its name', 'Imola', { province: 'Bologna', zip: '40026' }, 'BO'],
    ['a province that was renamed', 'Forlì', { province: 'FO', zip: '47121' }, 'NORD'],
    ['the big islands', 'Palermo', { province: 'PA', zip: '90133' }, 'ISOLE'],
    ['a small island by its comune', 'LIPARI', { province: 'ME', zip: '98055' }, 'MINORI'],
    ['the lagoon by its postal code', 'Venezia', { province: 'VE', zip: '30124' }, 'LAGUNA'],
    ['not the lagoon on the mainland', 'Venezia Mestre', { province: 'VE', zip: '30172' }, 'IT'],
    ["an area of the list's own", 'Bormio', { province: 'SO', zip: '23030' }, 'DISAGIATE'],
    ['a place among others of its postal code', 'Fòppolo', { province: 'BG', zip: '24010' }, 'DISAGIATE'],
    ['its neighbour with the same postal code', 'Carona', { province: 'BG', zip: '24010' }, 'IT'],
    [
      'what the carrier says of the address',
      'Roma',
      { province: 'RM', zip: '00184', areas: ['DISADVANTAGED'] },
      'DISAGIATE',
    ],
    ['a postal code abroad', 'Lugano', { countryCode: 'CH', province: null, zip: '6900' }, 'CH'],
    ['nothing for the rest of that country', 'Zürich', { countryCode: 'CH', province: null, zip: '8001' }, null],
  ])('are found by %s', (_title, city, place, code) => {
    const destination = { countryCode: 'IT', province: null, zip: '', city, ...place };
    const prices = compilePriceList(PriceList.parse({ name: 'Zone', zones, areas }));

    expect(prices.zoneOf(destination)?.zone.code ?? null).toBe(code);
  });
});

describe('surcharges', () => {
  const fuel = {
    name: 'Carburante',
    kind: 'percent',
    base: ['transport', 'Isole'],
    amounts: [
      { from: '2026-10-01', amount: 28, purchaseAmount: 20 },
      { from: '2026-11-01', to: '2026-11-30', amount: '27.5' },
    ],
  };
  const others = [
    { name: 'Isole', kind: 'fixed', amount: 4, when: { areas: ['ISLANDS'] } },
    { name: 'Pedaggio', kind: 'fixed', amount: 1 },
  ];
  const palermo = { countryCode: 'IT', province: 'PA', city: 'Palermo', zip: '90133' };

  it('take a percentage of the day, of what it is charged on', () => {
    const surcharges = [...others, fuel];
    const october = priced({ surcharges }, { destination: palermo, day: '2026-10-31' });
    const november = priced({ surcharges }, { destination: palermo });

    expect(october.surcharges.at(-1)).toMatchObject({ name: 'Carburante', rate: '28', baseCents: 900, price: 252 });
    expect(november.surcharges.at(-1)).toMatchObject({ rate: '27.5', baseCents: 900, price: 248 });
  });

  it.each(['2026-09-30', '2026-12-01'])('say where a dated amount is missing: %s', (day) => {
    expect(refusal({ surcharges: [...others, fuel] }, { day })).toBe(
      `Price list "Listino" has no amount of "Carburante" for ${day}`,
    );
  });

  it('apply only in their season', () => {
    const surcharges = [{ name: 'Picco', kind: 'fixed', amount: 2, from: '2026-11-20', to: '2026-12-24' }];

    const days = ['2026-11-19', '2026-11-20', '2026-12-24', '2026-12-25'];
    expect(days.map((day) => priced({ surcharges }, { day }).surchargePrice)).toEqual([0, 200, 200, 0]);
  });

  it.each<[string, Record<string, unknown>, number]>([
    ['each parcel', { per: 'parcel' }, 300],
    ['each parcel after the first', { per: 'further-parcel' }, 200],
    ['each kilogram begun', { per: 'kilogram' }, 3500],
    ['each parcel that is too long', { per: 'parcel', when: { parcelOverMm: 1200 } }, 100],
    ['the shipment with a parcel that is too heavy', { when: { parcelOverGrams: 29_999 } }, 100],
    ['length and girth', { when: { parcelGirthOverMm: 2099 } }, 100],
    ['nothing when no parcel is that big', { when: { parcelGirthOverMm: 2100 } }, 0],
    ['more than two parcels', { when: { overParcels: 2 } }, 100],
    ['not three parcels when only more count', { when: { overParcels: 3 } }, 0],
    ['at least its minimum', { per: 'parcel', minimum: '4.50' }, 450],
  ])('are charged for %s', (_title, rule, cents) => {
    const parcels = [parcel(30_000, [1300, 200, 200]), parcel(3500), parcel(1001)];
    const list = { surcharges: [{ name: 'S', kind: 'fixed', amount: 1, ...rule }], volumetric: 0 };

    expect(priced(list, { parcels }).surchargePrice).toBe(cents);
  });

  it('have a minimum of a percentage too, and say so', () => {
    const input = buildInput({ surcharges: [{ name: 'Fuel', kind: 'percent', amount: 1, minimum: '0.80' }] });
    const steps = quoteSteps(input, quote(input) as Quote);

    expect(steps).toContainEqual({ rule: 'Fuel: 1 % of 5.00, raised to its minimum', amount: 80 });
  });
});

describe('options', () => {
  const cod = { code: 'COD', name: 'Contrassegno', kind: 'percent' };
  const options = [
    { ...cod, id: 1, price: 1, minimum: 3, maximum: 20 },
    { ...cod, id: 2, price: 2, minimum: 5, paymentTypes: ['ass', 'AB'] },
    { id: 3, code: 'SATURDAY', name: 'Sabato', kind: 'fixed', price: 6, carrierCodes: ['07', '36'] },
    { id: 4, code: 'LOCKER', name: 'Locker', kind: 'fixed', price: '0.5' },
    { id: 5, code: 'APPOINTMENT', name: 'Su appuntamento', kind: 'fixed', price: '3' },
  ];

  it.each([
    ['CONT', 50_00, 1, 300],
    ['CONT', 1000_00, 1, 1000],
    ['CONT', 5000_00, 1, 2000],
    ['ASS', 50_00, 2, 500],
    ['', 50_00, 1, 300],
  ])('collect money by payment type %j: %d', (paymentType, amountCents, optionId, price) => {
    expect(priced({ options }, { cod: { amountCents, paymentType } }).options).toEqual([
      expect.objectContaining({ optionId, price }),
    ]);
  });

  it('refuse a payment type that none of them is for', () => {
    const only = [options[1]];

    expect(refusal({ options: only }, { cod: { amountCents: 100, paymentType: 'CONT' } })).toContain(
      'no option COD for the payment type CONT',
    );
  });

  it("are known by the carrier's codes, and charged once", () => {
    const chosen = priced({ options }, { optionCodes: ['36', 'saturday', 'APPOINTMENT'] });

    expect(chosen.options.map(({ optionId }) => optionId)).toEqual([3, 5]);
  });

  it('charge a locker where the list has one, and do not miss it where it has none', () => {
    expect(priced({ options }, { isToPickupPoint: true }).optionsTotal).toBe(50);
    expect(priced({}, { isToPickupPoint: true }).optionsTotal).toBe(0);
  });
});
