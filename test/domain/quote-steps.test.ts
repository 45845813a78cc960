import { expect, it } from 'vitest';
import { PriceList } from '../../src/domain/price-list.ts';
import { type QuoteInput, type QuoteParcel, quote } from '../../src/domain/quote.ts';
import { quoteSteps } from '../../src/domain/quote-steps.ts';

const priceList = PriceList.parse({
  name: 'GLS 2026',
  rounding: 1000,
  zones: [
    {
      code: 'ISOLE',
      name: 'Sicilia e Sardegna',
      match: { provinces: ['PA'] },
      sale: {
        brackets: [
          { upToGrams: 3000, price: '8.90' },
          { upToGrams: 10_000, price: '12.50' },
        ],
        stepGrams: 10_000,
        stepPrice: '5.50',
        minimum: '9.50',
      },
    },
  ],
  surcharges: [
    { name: 'Carburante', kind: 'percent', amount: '4.5' },
    { name: 'Isola', kind: 'fixed', amount: '2' },
  ],
  options: [
    { id: 1, code: 'COD', name: 'Contrassegno', description: "1,5 % dell'importo", kind: 'percent', price: '1.5' },
  ],
});

/** The explanation of a parcel to Palermo. */
function stepsOf(parcel: Partial<QuoteParcel>, more: Partial<QuoteInput> = {}) {
  const input: QuoteInput = {
    priceList,
    contract: { coefficient: 300, maxWeightGrams: null },
    destination: { countryCode: 'IT', province: 'PA', zip: '90133' },
    parcels: [{ weightGrams: 0, lengthMm: 0, widthMm: 0, heightMm: 0, ...parcel }],
    cod: null,
    insuredCents: null,
    optionCodes: [],
    vatRate: '22',
    vatApplies: true,
    ...more,
  };
  const priced = quote(input);
  if ('refused' in priced) throw new Error(priced.refused);
  return quoteSteps(input, priced);
}

it('name the rule behind every part of a price', () => {
  const parcel = { weightGrams: 21_000, lengthMm: 400, widthMm: 300, heightMm: 200 };

  expect(stepsOf(parcel, { cod: { amountCents: 5000 } })).toEqual([
    { rule: 'Weighs 21 kg, 7.2 kg by volume at 300 kg/m³: 21 kg count, rounded up to the next 1 kg', amount: null },
    { rule: 'Zone ISOLE, Sicilia e Sardegna', amount: null },
    { rule: 'Up to 10 kg', amount: 1250 },
    { rule: '2 steps of 10 kg beyond, 5.50 each', amount: 1100 },
    { rule: 'Carburante: 4.5 % of 23.50', amount: 106 },
    { rule: 'Isola', amount: 200 },
    { rule: "Contrassegno: 1,5 % dell'importo", amount: 75 },
    { rule: 'VAT 22 %', amount: 601 },
  ]);
});

it('say when the minimum counts, and when there is no VAT', () => {
  const steps = stepsOf({ weightGrams: 500 }, { vatApplies: false });

  expect(steps).toContainEqual({ rule: 'Up to 3 kg, raised to the minimum of 9.50', amount: 950 });
  expect(steps.at(-1)).toEqual({ rule: 'No VAT', amount: 0 });
});
