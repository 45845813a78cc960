import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePriceList } from '../../../src/domain/pricing/compile.ts';
import { PriceList } from '../../../src/domain/pricing/price-list.ts';
import { type Quote, quote } from '../../../src/domain/pricing/quote.ts';
import type { QuoteInput } from '../../../src/domain/pricing/quote-input.ts';
import { purchaseSteps, quoteSteps } from '../../../src/domain/pricing/quote-steps.ts';

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
      minimum: fc.option(amount, { nil: undefined }),
      per: fc.constantFrom('shipment', 'parcel', 'further-parcel', 'kilogram'),
      when: fc.option(fc.record({ overGrams: fc.nat(50_000) }), { nil: undefined }),
    }),
    fc.record({
      name: fc.constant('S'),
      kind: fc.constant('fixed'),
      amount,
      per: fc.constantFrom('shipment', 'parcel'),
      when: fc.record({
        parcelOverGrams: fc.integer({ min: 1, max: 30_000 }),
        parcelOverMm: fc.integer({ min: 1, max: 1500 }),
      }),
    }),
    fc.record({
      name: fc.constant('P'),
      kind: fc.constant('percent'),
      amounts: fc.tuple(amount, amount).map(([before, now]) => [
        { from: '2026-01-01', to: '2026-10-31', amount: before },
        { from: '2026-11-01', amount: now },
      ]),
      base: fc.constantFrom('transport', 'transport+surcharges', ['transport']),
    }),
  );
  const input = fc
    .record({
      rounding: fc.integer({ min: 1, max: 2000 }),
      together: fc.constantFrom('together', 'weighed-each', 'priced-each'),
      sale: transport,
      purchase: fc.option(transport, { nil: undefined }),
      surcharges: fc.array(surcharge, { maxLength: 4 }),
      codPrice: amount,
      codCents: fc.option(fc.nat(1_000_000), { nil: null }),
      percent: fc.constantFrom('22', '10', '4', '0'),
      parcels: fc.array(fc.tuple(fc.integer({ min: 1, max: 70_000 }), fc.nat(2000), fc.nat(2000), fc.nat(2000)), {
        minLength: 1,
        maxLength: 4,
      }),
    })
    .map(({ rounding, together, sale, purchase, surcharges, codPrice, codCents, percent, parcels }): QuoteInput => {
      const zones = [{ code: 'IT', name: 'Italia', match: { countries: ['IT'] }, sale, purchase }];
      const options = [{ id: 1, code: 'COD', name: 'Contrassegno', kind: 'percent', price: codPrice }];
      const list = PriceList.parse({ name: 'Any', rounding, parcels: together, zones, surcharges, options });
      return {
        prices: compilePriceList(list),
        day: '2026-11-21',
        contract: { coefficient: 300, maxWeightGrams: null },
        destination: { countryCode: 'IT', province: 'MI', city: 'Milano', zip: '20121' },
        parcels: parcels.map(([grams, length, width, height]) => parcel(grams, [length, width, height])),
        cod: codCents === null ? null : { amountCents: codCents, paymentType: 'CONT' },
        insuredCents: null,
        optionCodes: [],
        isToPickupPoint: false,
        vat: { percent, reason: '' },
      };
    });
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

  it('add up to the cent, in integers that are never negative', () => {
    fc.assert(
      fc.property(input, (each) => {
        const result = priced(each);
        const { options, surcharges, transport: units, zone, purchase, coefficient, ...numbers } = result;

        expect(Object.values(numbers).every((value) => Number.isSafeInteger(value) && value >= 0)).toBe(true);
        for (const side of [result, ...(purchase ? [purchase] : [])]) {
          expect(sum(side.transport.map(({ basePrice }) => basePrice))).toBe(side.basePrice);
          expect(sum(side.transport.map(({ extraPrice }) => extraPrice))).toBe(side.extraPrice);
          expect(sum(side.options.map(({ price }) => price))).toBe(side.optionsTotal);
          expect(sum(side.surcharges.map(({ price }) => price))).toBe(side.surchargePrice);
          expect(sum([side.basePrice, side.extraPrice, side.surchargePrice, side.optionsTotal])).toBe(side.totalPrice);
        }
        expect(result.totalPrice + result.vatAmount).toBe(result.totalWithVat);
        expect(sum(quoteSteps(each, result).map((step) => step.amount ?? 0))).toBe(result.totalWithVat);
        expect(sum(purchaseSteps(each, result).map((step) => step.amount ?? 0))).toBe(purchase?.totalPrice ?? 0);
        if (purchase) expect(purchase.totalPrice + purchase.margin).toBe(result.totalPrice);
      }),
    );
  });

  it('never fall when a parcel is added or one weighs more', () => {
    fc.assert(
      fc.property(input, fc.integer({ min: 1, max: 50_000 }), (each, more) => {
        const [first, ...others] = each.parcels;
        const longer = { ...each, parcels: [...each.parcels, parcel(more)] };
        const heavier = {
          ...each,
          parcels: [{ ...parcel(1), ...first, weightGrams: (first?.weightGrams ?? 0) + more }, ...others],
        };

        for (const bigger of [longer, heavier]) {
          expect(priced(bigger).chargeableGrams).toBeGreaterThanOrEqual(priced(each).chargeableGrams);
          expect(priced(bigger).totalPrice).toBeGreaterThanOrEqual(priced(each).totalPrice);
        }
      }),
    );
  });

  it('charge no less than the real and the volumetric weight, in whole steps', () => {
    fc.assert(
      fc.property(input, (each) => {
        const { chargeableGrams, realGrams, volumetricGrams } = priced(each);
        const { rounding, parcels } = each.prices.list;
        const beyond = chargeableGrams - Math.max(realGrams, volumetricGrams);

        expect(chargeableGrams % rounding).toBe(0);
        expect(beyond).toBeGreaterThanOrEqual(0);
        if (parcels === 'together') expect(beyond).toBeLessThan(rounding);
      }),
    );
  });

  it('are the same for the same input, whatever the order of the parcels, and leave it as it was', () => {
    fc.assert(
      fc.property(input, (each) => {
        const { prices, ...before } = structuredClone({ ...each, prices: each.prices.list });

        const first = priced(each);
        const { transport: units, purchase, ...rest } = first;
        const turned = priced({ ...each, parcels: [...each.parcels].reverse() });

        expect(turned).toMatchObject(rest);
        expect(turned.purchase?.totalPrice).toBe(purchase?.totalPrice);
        expect(quote(each)).toEqual(first);
        expect({ ...each, prices: each.prices.list }).toEqual({ ...before, prices });
      }),
    );
  });
});
