import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';

const ITEMS = [
  { sku: 'A', name: 'Tazza', quantity: 3, price: 10 },
  { sku: 'B', name: 'Piatto', quantity: 2, price: 0.01 },
];
const COD_CENTS = 3337;
const RUNS = 25;
const TIMEOUT_MS = 240_000;

/** One call of a client; `pick` chooses among the parts or shipments that are there. */
type Step =
  | { kind: 'split'; pieces: { item: number; quantity: number }[][] }
  | { kind: 'ship'; pick: number | null }
  | { kind: 'cancel'; pick: number };

const anySplit = fc.record({
  kind: fc.constant('split' as const),
  pieces: fc.array(
    fc.array(fc.record({ item: fc.nat(ITEMS.length - 1), quantity: fc.integer({ min: 1, max: 3 }) }), {
      minLength: 1,
      maxLength: 2,
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
const wholeShipment: Step = { kind: 'ship', pick: null };
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  anySplit,
  fc.record({ kind: fc.constant('ship' as const), pick: fc.option(fc.nat(4)) }),
  fc.record({ kind: fc.constant('cancel' as const), pick: fc.nat(4) }),
);

/** Steps that are taken at the same moment; often a split meets a booking that was planned before it. */
const anyMoment: fc.Arbitrary<Step[]> = fc.oneof(
  fc.array(anyStep, { minLength: 1, maxLength: 3 }),
  anySplit.map((split) => [wholeShipment, split, wholeShipment]),
);

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ queues: ['carrier-gls-it'] });
});
afterAll(() => test.stop());

it(
  'each piece is in at most one live shipment, and the parts collect what the order does',
  () =>
    fc.assert(
      fc.asyncProperty(fc.array(anyMoment, { minLength: 1, maxLength: 6 }), async (moments) => {
        const order = buildOrder({ items: ITEMS, payment_method: 'COD', cod_amount: COD_CENTS / 100 });
        const { body } = await test.call('POST', '/orders', order);
        const orderId: number = body.order.id;
        const itemIds: number[] = body.orderItems.map(({ id }: { id: number }) => id);
        for (const moment of moments) {
          await Promise.all(moment.map((step) => take(step, { orderId, itemIds })));
          await expectWhole(orderId);
        }
      }),
      { numRuns: RUNS },
    ),
  TIMEOUT_MS,
);

async function take(step: Step, { orderId, itemIds }: { orderId: number; itemIds: readonly number[] }): Promise<void> {
  if (step.kind === 'split') {
    const parts = step.pieces.map((lines) => ({
      lines: lines.map(({ item, quantity }) => ({ itemId: itemIds[item], quantity })),
    }));
    const { status } = await test.call('POST', `/orders/${orderId}/split`, { parts });
    expect([200, 201, 422]).toContain(status);
    return;
  }
  if (step.kind === 'ship' && step.pick === null) {
    expect((await test.call('POST', '/shipment/create', [{ orderId }])).status).toBe(200);
    return;
  }
  const { body } = await test.call('GET', `/orders/${orderId}`);
  const ids: number[] = (step.kind === 'ship' ? body.parts : body.shipments).map(({ id }: { id: number }) => id);
  const id = ids[(step.pick ?? 0) % Math.max(1, ids.length)];
  if (step.kind === 'ship') {
    expect((await test.call('POST', '/shipment/create', [{ orderId, partId: id }])).status).toBe(200);
  } else if (id !== undefined) {
    await test.call('DELETE', `/shipment/${id}`);
  }
}

interface Live {
  part_id: number | null;
  cod_cents: number;
  /** Null: the whole order. */
  lines: { itemId: number; quantity: number }[] | null;
  replaced_at: string | null;
}

async function expectWhole(orderId: number): Promise<void> {
  const em = database(test);
  const live = await em.execute<Live[]>(
    `select s.part_id, s.cod_cents, p.lines, p.replaced_at from shipments s left join order_parts p on p.id = s.part_id
      where s.order_id = ? and s.direction = 'outbound' and s.process_status not in ('cancelled', 'rejected')`,
    [orderId],
  );
  const items = await em.execute<{ id: number; quantity: number }[]>(
    'select id, quantity from order_items where order_id = ?',
    [orderId],
  );
  const parts = await em.execute<{ cod_cents: number }[]>(
    'select cod_cents from order_parts where order_id = ? and replaced_at is null',
    [orderId],
  );
  const sum = (amounts: readonly number[]) => amounts.reduce((before, amount) => before + amount, 0);
  for (const { id, quantity } of items) {
    const shipped = live.map(({ lines }) => {
      if (lines === null) return quantity;
      return sum(lines.filter(({ itemId }) => itemId === id).map((line) => line.quantity));
    });
    expect(sum(shipped)).toBeLessThanOrEqual(quantity);
  }
  expect(live.filter(({ replaced_at }) => replaced_at !== null)).toEqual([]);
  if (parts.length > 0) expect(sum(parts.map(({ cod_cents }) => cod_cents))).toBe(COD_CENTS);
  const isWhole = parts.length === 0 ? live.length === 1 : live.length === parts.length;
  const collected = sum(live.map(({ cod_cents }) => cod_cents));
  if (isWhole) expect(collected).toBe(COD_CENTS);
  else expect(collected).toBeLessThanOrEqual(COD_CENTS);
}
