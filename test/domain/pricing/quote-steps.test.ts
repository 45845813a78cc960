import { expect, it } from 'vitest';
import { compilePriceList } from '../../../src/domain/pricing/compile.ts';
import { PriceList } from '../../../src/domain/pricing/price-list.ts';
import { quote } from '../../../src/domain/pricing/quote.ts';
import type { QuoteInput } from '../../../src/domain/pricing/quote-input.ts';
import { purchaseSteps, quoteSteps } from '../../../src/domain/pricing/quote-steps.ts';
import type { QuoteParcel } from '../../../src/domain/pricing/weigh.ts';

const LIST = {
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
      purchase: { brackets: [{ upToGrams: 10_000, price: '7.10' }], stepGrams: 5000, stepPrice: '2.50' },
    },
  ],
  surcharges: [
    { name: 'Carburante', kind: 'percent', amount: '4.5' },
    { name: 'Isola', kind: 'fixed', amount: '2', purchaseAmount: '1.20' },
  ],
  options: [
    { id: 1, code: 'COD', name: 'Contrassegno', description: "1,5 % dell'importo", kind: 'percent', price: '1.5' },
  ],
};

/** A parcel to Palermo. */
function inputOf(parcel: Partial<QuoteParcel>, more: Partial<QuoteInput> = {}): QuoteInput {
  return {
    prices: compilePriceList(PriceList.parse(LIST)),
    day: '2026-11-21',
    contract: { coefficient: 300, maxWeightGrams: null },
    destination: { countryCode: 'IT', province: 'PA', city: 'Palermo', zip: '90133' },
    parcels: [{ weightGrams: 0, lengthMm: 0, widthMm: 0, heightMm: 0, ...parcel }],
    cod: null,
    insuredCents: null,
    optionCodes: [],
    isToPickupPoint: false,
    vat: { percent: '22', reason: '' },
    ...more,
  };
}

function explained(input: QuoteInput, explain: typeof quoteSteps) {
  const priced = quote(input);
  if ('refused' in priced) throw new Error(priced.refused);
  return explain(input, priced);
}

function stepsOf(parcel: Partial<QuoteParcel>, more: Partial<QuoteInput> = {}) {
  return explained(inputOf(parcel, more), quoteSteps);
}

it('name the rule behind every part of a price', () => {
  const parcel = { weightGrams: 21_000, lengthMm: 400, widthMm: 300, heightMm: 200 };

  expect(stepsOf(parcel, { cod: { amountCents: 5000, paymentType: '' } })).toEqual([
    { rule: 'Price list "GLS 2026" as of 2026-11-21', amount: null },
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
  const steps = stepsOf({ weightGrams: 500 }, { vat: { percent: '0', reason: 'the goods leave the VAT area' } });

  expect(steps).toContainEqual({ rule: 'Up to 3 kg, raised to the minimum of 9.50', amount: 950 });
  expect(steps.at(-1)).toEqual({ rule: 'No VAT: the goods leave the VAT area', amount: 0 });
});

it('name the rules behind what the carrier asks', () => {
  const input = inputOf({ weightGrams: 21_000 }, { cod: { amountCents: 5000, paymentType: '' } });

  expect(explained(input, purchaseSteps)).toEqual([
    { rule: 'Up to 10 kg', amount: 710 },
    { rule: '3 steps of 5 kg beyond, 2.50 each', amount: 750 },
    { rule: 'Carburante: 4.5 % of 14.60', amount: 66 },
    { rule: 'Isola', amount: 120 },
    { rule: "Contrassegno: 1,5 % dell'importo", amount: 75 },
  ]);
});
