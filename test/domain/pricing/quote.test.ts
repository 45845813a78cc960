import { describe, expect, it } from 'vitest';
import { compilePriceList } from '../../../src/domain/pricing/compile.ts';
import { PriceList } from '../../../src/domain/pricing/price-list.ts';
import { type Quote, quote } from '../../../src/domain/pricing/quote.ts';
import type { QuoteInput } from '../../../src/domain/pricing/quote-input.ts';

const LIST = {
  name: 'Espresso 2026',
  rounding: 1000,
  zones: [
    {
      code: 'IT',
      name: 'Italia',
      label: 'Italia continentale',
      match: { countries: ['IT'] },
      sale: {
        brackets: [
          { upToGrams: 5000, price: '6.50' },
          { upToGrams: 10000, price: 8.2 },
        ],
        stepGrams: 10000,
        stepPrice: '3.405',
      },
      purchase: { brackets: [{ upToGrams: 10000, price: 5 }], stepGrams: 10000, stepPrice: 2 },
    },
    {
      code: 'ISOLE',
      name: 'Isole',
      match: { provinces: ['CA', 'SS', 'PA'] },
      sale: { brackets: [{ upToGrams: 50000, price: 12 }] },
    },
    {
      code: 'MINORI',
      name: 'Isole minori',
      match: { postalCodes: ['98050-98055', '07024'] },
      sale: { brackets: [{ upToGrams: 50000, price: 20 }] },
    },
    {
      code: 'DE',
      name: 'Germania',
      match: { countries: ['DE'] },
      sale: { brackets: [{ upToGrams: 31500, price: 14 }] },
    },
  ],
  surcharges: [
    { name: 'Carburante', kind: 'percent', amount: 10 },
    { name: 'Oltre 20 kg', kind: 'fixed', amount: 2.5, purchaseAmount: 1, when: { overGrams: 20000 } },
    { name: 'Sicurezza', kind: 'percent', amount: 1, base: 'transport+surcharges', when: { zones: ['IT'] } },
  ],
  options: [
    {
      id: 7,
      code: 'COD',
      name: 'Contrassegno',
      description: '2 %',
      kind: 'percent',
      price: 2,
      minimum: 3,
      purchasePrice: 1,
    },
    { id: 8, code: 'INSURANCE', name: 'Assicurazione', kind: 'percent', price: '0.5' },
    { id: 9, code: 'SATURDAY', name: 'Consegna al sabato', kind: 'fixed', price: 4.9 },
  ],
};

function compiled(list: unknown) {
  return compilePriceList(PriceList.parse(list));
}

function buildInput(overrides: Partial<QuoteInput> = {}): QuoteInput {
  return {
    prices: compiled(LIST),
    day: '2026-11-21',
    contract: { coefficient: 300, maxWeightGrams: null },
    destination: { countryCode: 'IT', province: 'MI', city: 'Milano', zip: '20121' },
    parcels: [{ weightGrams: 3200, lengthMm: 0, widthMm: 0, heightMm: 0 }],
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

function priced(input: QuoteInput): Quote {
  const result = quote(input);
  if ('refused' in result) throw new Error(result.refused);
  return result;
}

function refusal(overrides: Partial<QuoteInput>): string | null {
  const result = quote(buildInput(overrides));
  return 'refused' in result ? result.refused : null;
}

describe('quote', () => {
  it('prices a light parcel from its bracket', () => {
    const result = priced(buildInput());

    expect(result).toEqual({
      zone: { code: 'IT', name: 'Italia', label: 'Italia continentale' },
      coefficient: 300,
      realGrams: 3200,
      volumetricGrams: 0,
      chargeableGrams: 4000,
      basePrice: 650,
      extraSteps: 0,
      extraPrice: 0,
      surchargePrice: 65 + 7,
      transport: [
        { chargeableGrams: 4000, upToGrams: 5000, basePrice: 650, raisedBy: 0, extraSteps: 0, extraPrice: 0 },
      ],
      surcharges: [
        { name: 'Carburante', kind: 'percent', rate: '10', baseCents: 650, count: 1, price: 65, isRaised: false },
        { name: 'Sicurezza', kind: 'percent', rate: '1', baseCents: 715, count: 1, price: 7, isRaised: false },
      ],
      options: [],
      optionsTotal: 0,
      totalPrice: 722,
      vatAmount: 159,
      totalWithVat: 881,
      purchase: {
        transport: [
          { chargeableGrams: 4000, upToGrams: 10_000, basePrice: 500, raisedBy: 0, extraSteps: 0, extraPrice: 0 },
        ],
        basePrice: 500,
        extraPrice: 0,
        surcharges: [
          { name: 'Carburante', kind: 'percent', rate: '10', baseCents: 500, count: 1, price: 50, isRaised: false },
          { name: 'Sicurezza', kind: 'percent', rate: '1', baseCents: 550, count: 1, price: 6, isRaised: false },
        ],
        surchargePrice: 50 + 6,
        options: [],
        optionsTotal: 0,
        totalPrice: 556,
        margin: 166,
      },
    });
  });

  it('charges the volume of all parcels together when it weighs more', () => {
    const parcels = [parcel(1000, [400, 300, 250]), parcel(500, [400, 300, 250])];

    const result = priced(buildInput({ parcels }));

    expect(result).toMatchObject({ realGrams: 1500, volumetricGrams: 18_000, chargeableGrams: 18_000, extraSteps: 1 });
  });

  it('lets the coefficient of the list replace that of the contract', () => {
    const parcels = [parcel(1000, [400, 300, 250])];

    const result = priced(buildInput({ parcels, prices: compiled({ ...LIST, volumetric: 200 }) }));

    expect(result).toMatchObject({ coefficient: 200, volumetricGrams: 6000 });
  });

  it('counts whole steps beyond the last bracket and rounds their price once', () => {
    const result = priced(buildInput({ parcels: [parcel(30_001)] }));

    expect(result).toMatchObject({ chargeableGrams: 31_000, basePrice: 820, extraSteps: 3, extraPrice: 1022 });
    expect(result.purchase).toMatchObject({ basePrice: 500, extraPrice: 600 });
  });

  it('keeps a weight on the edge of a bracket in that bracket', () => {
    expect(priced(buildInput({ parcels: [parcel(5000)] })).basePrice).toBe(650);
    expect(priced(buildInput({ parcels: [parcel(5001)] })).basePrice).toBe(820);
  });

  it('raises the base to the minimum', () => {
    const zones = [
      {
        ...LIST.zones[3],
        sale: { brackets: [{ upToGrams: 1000, price: 2 }], stepGrams: 1000, stepPrice: 1, minimum: 9 },
      },
    ];
    const input = { prices: compiled({ name: 'Minimo', zones }), parcels: [parcel(4000)] };

    const result = priced(
      buildInput({ ...input, destination: { countryCode: 'DE', province: null, city: '', zip: '10115' } }),
    );

    expect(result).toMatchObject({ basePrice: 600, extraPrice: 300, totalPrice: 900 });
  });

  it('adds options, computed ones not below their minimum', () => {
    const input = {
      cod: { amountCents: 9999, paymentType: '' },
      insuredCents: 50_000,
      optionCodes: ['saturday', 'SATURDAY'],
    };

    const result = priced(buildInput(input));

    expect(result.options).toEqual([
      { optionId: 7, name: 'Contrassegno', description: '2 %', price: 300, calculated: 1 },
      { optionId: 8, name: 'Assicurazione', description: '', price: 250, calculated: 1 },
      { optionId: 9, name: 'Consegna al sabato', description: '', price: 490, calculated: 0 },
    ]);
    expect(result.optionsTotal).toBe(1040);
    expect(result.purchase?.optionsTotal).toBe(100 + 250 + 490);
  });

  it('has no VAT where it does not apply', () => {
    expect(priced(buildInput({ vat: { percent: '0', reason: 'export' } }))).toMatchObject({
      vatAmount: 0,
      totalWithVat: 722,
    });
  });

  it('has no purchase side where the zone has none', () => {
    const destination = { countryCode: 'IT', province: 'CA', city: '', zip: '09121' };

    expect(priced(buildInput({ destination })).purchase).toBeNull();
  });

  it('has no purchase side where the purchase prices end before this weight', () => {
    const [zone] = LIST.zones;
    const zones = [{ ...zone, purchase: { brackets: [{ upToGrams: 3000, price: 5 }] } }];

    expect(priced(buildInput({ prices: compiled({ name: 'Corto', zones }) })).purchase).toBeNull();
  });

  it.each<[string, Partial<QuoteInput>, string]>([
    [
      'a destination without a zone',
      { destination: { countryCode: 'US', province: 'MI', city: '', zip: '20121' } },
      'Price list "Espresso 2026" has no zone for US 20121 MI',
    ],
    [
      'a weight beyond the last bracket without steps',
      { destination: { countryCode: 'DE', province: null, city: '', zip: '10115' }, parcels: [parcel(31_501)] },
      'Price list "Espresso 2026" has no price above 31.5 kg in zone DE: 32 kg count',
    ],
    [
      'a weight that the contract does not take',
      { contract: { coefficient: 300, maxWeightGrams: 30_000 }, parcels: [parcel(20_000), parcel(10_500)] },
      'The shipment weighs 30.5 kg and the contract takes up to 30 kg',
    ],
    [
      'parcels without any weight',
      { parcels: [parcel(0)] },
      'The weight of the shipment is not known: give its parcels a weight',
    ],
    [
      'an option that the list lacks',
      { optionCodes: ['FLOOR'] },
      'Price list "Espresso 2026" has no option FLOOR: add it, with price 0 if it costs nothing',
    ],
    [
      'a percentage without its amount',
      { optionCodes: ['COD'] },
      'Price list "Espresso 2026" has option COD as a percentage: an amount is needed',
    ],
  ])('refuses %s', (_title, overrides, sentence) => {
    expect(refusal(overrides)).toBe(sentence);
  });
});

describe('zone of a destination', () => {
  it.each<[string, string, string | null, string, string | null]>([
    ['the country when nothing is closer', 'IT', 'MI', '20121', 'IT'],
    ['the province before the country', 'it', 'ca', '09121', 'ISOLE'],
    ['the postal code before the province', 'IT', 'SS', '07024', 'MINORI'],
    ['the postal code in a range', 'IT', 'ME', '98052', 'MINORI'],
    ['no Italian province in another country', 'US', 'CA', '90210', null],
    ['no Italian postal code in another country', 'DE', null, '98052', 'DE'],
    ['the country without a province', 'IT', null, '', 'IT'],
  ])('is %s', (_title, countryCode, province, zip, code) => {
    expect(compiled(LIST).zoneOf({ countryCode, province, city: '', zip })?.zone.code ?? null).toBe(code);
  });

  it('is the first listed of two equally close ones', () => {
    const [zone] = LIST.zones;
    const list = compiled({
      name: 'Due',
      zones: [
        { ...zone, code: 'A' },
        { ...zone, code: 'B' },
      ],
    });

    expect(list.zoneOf({ countryCode: 'IT', province: 'MI', city: '', zip: '20121' })?.zone.code).toBe('A');
  });
});
