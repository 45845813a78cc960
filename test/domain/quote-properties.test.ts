import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PriceList } from '../../src/domain/price-list.ts';
import type { Quote, QuoteInput } from '../../src/domain/quote.ts';
import { quote } from '../../src/domain/quote.ts';
import { quoteSteps } from '../../src/domain/quote-steps.ts';

function parcel(weightGrams: number, [lengthMm, widthMm, heightMm]: [number, number, number] = [0, 0, 0]) {
  return { weightGrams, lengthMm, widthMm, heightMm };
}

function priced(input: QuoteInput): Quote {
  const result = quote(input);
  if ('refused' in result) throw new Error(result.refused);
  return result;
}

describe('quotes of any price list', () => {
  const amount = fc.integer({ min: 0, max: 500_000 }).map((tenThousandths) => (tenThousandths / 10_000).toFixed(4));
  const transport = fc
    .record({
      rises: fc.array(fc.tuple(fc.integer({ min: 1, max: 20_000 }), fc.integer({ min: 0, max: 90_000 })), {
        minLength: 1,
        maxLength: 5,
      }),
      stepGrams: fc.integer({ min: 1, max: 20_000 }),
      stepPrice: amount,
      minimum: fc.option(amount, { nil: undefined }),
    })
    .map(({ rises, ...rest }) => {
      let upToGrams = 0;
      let price = 0;
      const brackets = rises.map(([grams, more]) => {
        upToGrams += grams;
        price += more;
        return { upToGrams, price: (price / 10_000).toFixed(4) };
      });
      return { brackets, ...rest };
    });
  const surcharge = fc.oneof(
    fc.record({
      name: fc.constant('F'),
      kind: fc.constant('fixed'),
      amount,
      when: fc.record({ overGrams: fc.nat(50_000) }),
    }),
    fc.record({
      name: fc.constant('P'),
      kind: fc.constant('percent'),
      amount,
      base: fc.constantFrom('transport', 'transport+surcharges'),
    }),
  );
  const input = fc
    .record({
      rounding: fc.integer({ min: 1, max: 2000 }),
      sale: transport,
      purchase: fc.option(transport, { nil: undefined }),
      surcharges: fc.array(surcharge, { maxLength: 4 }),
      codPrice: amount,
      codCents: fc.option(fc.nat(1_000_000), { nil: null }),
      vatRate: fc.constantFrom('22', '10', '4', '0'),
      parcels: fc.array(fc.tuple(fc.integer({ min: 1, max: 70_000 }), fc.nat(2000), fc.nat(2000), fc.nat(2000)), {
        minLength: 1,
        maxLength: 4,
      }),
    })
    .map(({ rounding, sale, purchase, surcharges, codPrice, codCents, vatRate, parcels }) => {
      const zones = [{ code: 'IT', name: 'Italia', match: { countries: ['IT'] }, sale, purchase }];
      const options = [{ id: 1, code: 'COD', name: 'Contrassegno', kind: 'percent', price: codPrice }];
      return {
        priceList: PriceList.parse({ name: 'Any', rounding, zones, surcharges, options }),
        contract: { coefficient: 300, maxWeightGrams: null },
        destination: { countryCode: 'IT', province: 'MI', zip: '20121' },
        parcels: parcels.map(([grams, length, width, height]) => parcel(grams, [length, width, height])),
        cod: codCents === null ? null : { amountCents: codCents },
        insuredCents: null,
        optionCodes: [],
        vatRate,
        vatApplies: true,
      };
    });

  it('add up to the cent, in integers that are never negative', () => {
    fc.assert(
      fc.property(input, (each) => {
        const result = priced(each);
        const { options, surcharges, zone, purchase, coefficient, ...numbers } = result;

        expect(Object.values(numbers).every((value) => Number.isSafeInteger(value) && value >= 0)).toBe(true);
        expect(options.reduce((sum, option) => sum + option.price, 0)).toBe(result.optionsTotal);
        expect(surcharges.reduce((sum, surcharge) => sum + surcharge.price, 0)).toBe(result.surchargePrice);
        const steps = quoteSteps(each, result);
        expect(steps.reduce((sum, step) => sum + (step.amount ?? 0), 0)).toBe(result.totalWithVat);
        expect(result.basePrice + result.extraPrice + result.surchargePrice + result.optionsTotal).toBe(
          result.totalPrice,
        );
        expect(result.totalPrice + result.vatAmount).toBe(result.totalWithVat);
        if (!purchase) return;
        expect(purchase.basePrice + purchase.extraPrice + purchase.surchargePrice + purchase.optionsTotal).toBe(
          purchase.totalPrice,
        );
        expect(purchase.totalPrice + purchase.margin).toBe(result.totalPrice);
      }),
    );
  });

  it('never fall when the weight rises', () => {
    fc.assert(
      fc.property(input, fc.integer({ min: 1, max: 50_000 }), (each, more) => {
        const heavier = { ...each, parcels: [...each.parcels, parcel(more)] };

        expect(priced(heavier).chargeableGrams).toBeGreaterThanOrEqual(priced(each).chargeableGrams);
        expect(priced(heavier).totalPrice).toBeGreaterThanOrEqual(priced(each).totalPrice);
      }),
    );
  });

  it('charge no less than the real and the volumetric weight, in whole steps', () => {
    fc.assert(
      fc.property(input, (each) => {
        const { chargeableGrams, realGrams, volumetricGrams } = priced(each);
        const { rounding } = each.priceList;

        expect(chargeableGrams % rounding).toBe(0);
        expect(chargeableGrams - Math.max(realGrams, volumetricGrams)).toBeGreaterThanOrEqual(0);
        expect(chargeableGrams - Math.max(realGrams, volumetricGrams)).toBeLessThan(rounding);
      }),
    );
  });

  it('are the same for the same input, whatever the order of the parcels, and leave it as it was', () => {
    fc.assert(
      fc.property(input, (each) => {
        const before = structuredClone(each);

        const first = quote(each);

        expect(quote({ ...each, parcels: [...each.parcels].reverse() })).toEqual(first);
        expect(each).toEqual(before);
      }),
    );
  });
});
