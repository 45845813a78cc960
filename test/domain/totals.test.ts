import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCashOnDelivery } from '../../src/domain/cod.ts';
import type { TotalsInput } from '../../src/domain/totals.ts';
import { orderTotals } from '../../src/domain/totals.ts';

function buildInput(overrides: Partial<TotalsInput> = {}): TotalsInput {
  return {
    items: [{ quantity: 3, unitPrice: 9.99 }],
    pricesIncludeVat: true,
    vatRate: '22',
    shippingCost: 0,
    insuranceAmount: 0,
    ...overrides,
  };
}

describe('order totals', () => {
  it('takes VAT out of prices that include it', () => {
    const totals = orderTotals(buildInput({ shippingCost: '5.90', insuranceAmount: 1 }));

    expect(totals).toEqual({
      lines: [{ unitPriceGross: 9.99, unitPriceNet: 8.1885, totalGrossCents: 2997, totalNetCents: 2457 }],
      grossCents: 2997 + 590 + 100,
      netCents: 2457 + 484 + 82,
      vatCents: 540 + 106 + 18,
      shippingGrossCents: 590,
      shippingNetCents: 484,
      insuranceGrossCents: 100,
      insuranceNetCents: 82,
    });
  });

  it('adds VAT to prices without it', () => {
    const totals = orderTotals(buildInput({ pricesIncludeVat: false, shippingCost: 5 }));

    expect(totals).toMatchObject({ grossCents: 3656 + 610, netCents: 2997 + 500, vatCents: 659 + 110 });
    expect(totals.lines).toEqual([
      { unitPriceGross: 12.1878, unitPriceNet: 9.99, totalGrossCents: 3656, totalNetCents: 2997 },
    ]);
  });

  it('rounds a line, not a piece, half up', () => {
    const totals = orderTotals(buildInput({ items: [{ quantity: 3, unitPrice: '0.335' }], vatRate: 0 }));

    expect(totals).toMatchObject({ grossCents: 101, netCents: 101, vatCents: 0 });
  });

  it('is not misled by binary fractions', () => {
    const totals = orderTotals(buildInput({ items: [{ quantity: 1, unitPrice: 1.005 }], vatRate: 0 }));

    expect(totals.grossCents).toBe(101);
  });

  it('is zero for an order without items', () => {
    expect(orderTotals(buildInput({ items: [] }))).toMatchObject({ grossCents: 0, netCents: 0, vatCents: 0 });
  });

  it('adds up to the cent for any order', () => {
    const price = fc.nat(99_999_999).map((tenThousandths) => (tenThousandths / 10_000).toFixed(4));
    const input = fc.record({
      items: fc.array(fc.record({ quantity: fc.nat(999), unitPrice: price })),
      pricesIncludeVat: fc.boolean(),
      vatRate: fc.constantFrom('22', '10', '5', '4', '0'),
      shippingCost: price,
      insuranceAmount: price,
    });

    fc.assert(
      fc.property(input, (each) => {
        const totals = orderTotals(each);
        const { lines, ...sums } = totals;
        const gross = lines.reduce((sum, line) => sum + line.totalGrossCents, 0);
        const net = lines.reduce((sum, line) => sum + line.totalNetCents, 0);

        expect(Object.values(sums).every((cents) => Number.isSafeInteger(cents) && cents >= 0)).toBe(true);
        expect(totals.netCents + totals.vatCents).toBe(totals.grossCents);
        expect(gross + totals.shippingGrossCents + totals.insuranceGrossCents).toBe(totals.grossCents);
        expect(net + totals.shippingNetCents + totals.insuranceNetCents).toBe(totals.netCents);
        expect(lines.every((line) => line.totalNetCents <= line.totalGrossCents)).toBe(true);
        expect(orderTotals(each)).toEqual(totals);
      }),
    );
  });
});

describe('cash on delivery', () => {
  it.each(['COD', 'cod', ' Contrassegno ', 'cash_on_delivery'])('is meant by %j', (method) => {
    expect(isCashOnDelivery(method)).toBe(true);
  });

  it.each(['PREPAID', 'paypal', 'CODICE', '', null])('is not meant by %j', (method) => {
    expect(isCashOnDelivery(method)).toBe(false);
  });
});
