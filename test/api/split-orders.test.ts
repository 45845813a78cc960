import { PDFDocument } from 'pdf-lib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Shipment } from '../../src/db/entities/index.ts';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';

const ITEMS = [
  { sku: 'A', name: 'Tazza', quantity: 3, price: 10 },
  { sku: 'B', name: 'Piatto', quantity: 1, price: 30 },
];
const PARCEL = { weight_kg: 1, length_cm: 10, width_cm: 10, height_cm: 10 };

interface Part {
  id: number;
  lines: { itemId: number; quantity: number }[];
  parcelCount: number;
  codAmount: string | null;
  shipmentId: number | null;
}

let test: TestApp;
const contracts = new Map<string, number>();

beforeAll(async () => {
  test = await startTestApp({ queues: ['carrier-gls-it', 'carrier-brt'] });
  for (const { id, carrier } of (await test.call('GET', '/carriers/contracts')).body) contracts.set(carrier.code, id);
});
afterEach(() => test.clearFaults());
afterAll(() => test.stop());

async function order(overrides: Record<string, unknown> = {}): Promise<{ id: number; items: number[] }> {
  const { body } = await test.call('POST', '/orders', buildOrder({ items: ITEMS, ...overrides }));
  return { id: body.order.id, items: body.orderItems.map((item: { id: number }) => item.id) };
}

async function read(id: number) {
  const { body } = await test.call('GET', `/orders/${id}`);
  return {
    status: body.order.status as string,
    parts: body.parts as Part[],
    shipments: body.shipments as { id: number }[],
  };
}

const split = (id: number, parts: unknown) => test.call('POST', `/orders/${id}/split`, { parts });
const ship = (...elements: unknown[]) => test.call('POST', '/shipment/create', elements);

describe('an order that is split by lines', () => {
  it('gets one label per part, with the carrier that each is given, and no further one', async () => {
    const { id, items } = await order();
    const answer = await split(id, [{ lines: [{ itemId: items[0], quantity: 2 }] }]);
    const [first, second] = answer.body.parts as Part[];

    const one = await ship({ orderId: id, partId: first?.id, carrierCompanyId: contracts.get('gls-it') });
    const two = await ship({ orderId: id, partId: second?.id, carrierCompanyId: contracts.get('brt') });
    const again = await ship({ orderId: id });

    expect(answer.body.parts).toMatchObject([
      { lines: [{ itemId: items[0], quantity: 2 }], shipmentId: null },
      {
        lines: [
          { itemId: items[0], quantity: 1 },
          { itemId: items[1], quantity: 1 },
        ],
        shipmentId: null,
      },
    ]);
    for (const { body } of [one, two])
      expect(body).toMatchObject({ success: true, details: { success: [id], errors: [] } });
    expect(again.body).toMatchObject({ success: true, total: 2, details: { success: [id] } });
    const { parts, shipments } = await read(id);
    expect(shipments).toHaveLength(2);
    expect(parts.map(({ shipmentId }) => shipmentId)).toEqual(
      [one, two].map(({ body }) => body.details.shipments[0].shipmentId),
    );
    const rows = await database(test).find(Shipment, { orderId: id }, { orderBy: { id: 'asc' } });
    expect(rows.map(({ contractId }) => contractId)).toEqual([contracts.get('gls-it'), contracts.get('brt')]);
  });

  it('is booked whole by one call, which says what became of each part', async () => {
    const { id, items } = await order();
    await split(id, [{ lines: [{ itemId: items[1], quantity: 1 }] }]);

    const { body } = await ship({ orderId: id });

    expect(body).toMatchObject({ success: true, total: 2, details: { success: [id] } });
    const { parts } = await read(id);
    expect(body.details.shipments.map(({ partId }: { partId: number }) => partId)).toEqual(
      parts.map((part) => part.id),
    );
  });

  it('prints the labels of all its parts', async () => {
    const { id, items } = await order();
    await split(id, [{ lines: [{ itemId: items[1], quantity: 1 }] }]);
    await ship({ orderId: id });

    const answer = await fetch(`${test.app.url}/api/v1/external/labels?orderIds=${id}`, {
      headers: { 'x-api-key': test.demo.apiKey },
    });

    expect((await PDFDocument.load(await answer.arrayBuffer())).getPageCount()).toBe(2);
  });

  it('divides cash on delivery without losing a cent', async () => {
    const { id, items } = await order({ payment_method: 'COD', cod_amount: 70.01 });

    const { body } = await split(id, [
      { lines: [{ itemId: items[0], quantity: 1 }] },
      { lines: [{ itemId: items[0], quantity: 1 }] },
    ]);

    const amounts = (body.parts as Part[]).map(({ codAmount }) => Math.round(Number(codAmount) * 100));
    expect(amounts.reduce((sum, cents) => sum + cents, 0)).toBe(7001);
    expect(Math.min(...amounts)).toBeGreaterThan(0);
  });

  it('divides again what has no label, and keeps the part that has one', async () => {
    const { id, items } = await order();
    const { body } = await split(id, [{ lines: [{ itemId: items[0], quantity: 1 }] }]);
    const [kept] = body.parts as Part[];
    await ship({ orderId: id, partId: kept?.id });

    const again = await split(id, [{ lines: [{ itemId: items[0], quantity: 2 }] }]);
    const over = await split(id, [{ lines: [{ itemId: items[0], quantity: 3 }] }]);

    expect(again.body.parts).toMatchObject([
      { id: kept?.id, shipmentId: expect.any(Number) },
      { lines: [{ itemId: items[0], quantity: 2 }] },
      { lines: [{ itemId: items[1], quantity: 1 }] },
    ]);
    expect(over.status).toBe(422);
    expect(over.body.violations).toMatchObject([
      { pointer: '/parts/0/lines/0/quantity', message: expect.stringContaining('2 of line') },
    ]);
  });
});

describe('an order that is split by parcels', () => {
  it('sends as many parcels in each shipment as were named', async () => {
    const { id } = await order({ parcels: [PARCEL, PARCEL, PARCEL] });

    const { body } = await split(id, [{ parcelCount: 1 }]);
    await ship({ orderId: id });

    expect((body.parts as Part[]).map(({ parcelCount, lines }) => [parcelCount, lines])).toEqual([
      [1, []],
      [2, []],
    ]);
    const rows = await database(test).find(Shipment, { orderId: id }, { orderBy: { id: 'asc' } });
    expect(rows.map(({ parcelCount }) => parcelCount)).toEqual([1, 2]);
  });
});

describe('a split is refused', () => {
  it('of more than there is, of a foreign line, of everything in one part, and twice over', async () => {
    const { id, items } = await order();

    const faulty = await split(id, [
      {
        lines: [
          { itemId: items[0], quantity: 2 },
          { itemId: items[0], quantity: 2 },
        ],
      },
      { lines: [{ itemId: 2_000_000_000, quantity: 1 }] },
    ]);
    const whole = await split(id, [{ lines: items.map((itemId, at) => ({ itemId, quantity: ITEMS[at]?.quantity })) }]);

    expect([faulty.status, whole.status]).toEqual([422, 422]);
    expect(faulty.body.violations.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/parts/0/lines/1/quantity',
      '/parts/1/lines/0/itemId',
    ]);
    expect((await read(id)).parts).toEqual([]);
  });

  it('while the whole order has its label', async () => {
    const { id, items } = await order();
    await ship({ orderId: id });

    const { status, body } = await split(id, [{ lines: [{ itemId: items[0], quantity: 1 }] }]);

    expect(status).toBe(422);
    expect(body.detail).toContain('cancel that before');
  });

  it('for a part that the order does not have, and for a part of an order that is whole', async () => {
    const [whole, parted] = [await order(), await order()];
    await split(parted.id, [{ lines: [{ itemId: parted.items[1], quantity: 1 }] }]);

    const { body } = await ship({ orderId: whole.id, partId: 1 }, { orderId: parted.id, partId: 2_000_000_000 });

    expect(body.details.errors.map(({ message }: { message: string }) => message)).toEqual([
      expect.stringContaining('is not split'),
      expect.stringContaining('has no part'),
    ]);
  });
});

it('an order whose split comes between plan and booking gets no label of its old shape', async () => {
  const { id, items } = await order();
  const em = database(test);

  const [booking] = await Promise.all([
    ship({ orderId: id }),
    em.transactional(async (tx) => {
      await tx.execute('select id from orders where id = ? for update', [id]);
      await test.until(
        () => database(test).execute('select 1 from pg_locks where not granted'),
        (waiting) => waiting.length > 0,
      );
      await tx.execute('update orders set revision = revision + 1 where id = ?', [id]);
    }),
  ]);

  expect(booking.body.details.errors).toEqual([{ id, message: expect.stringContaining('changed at this moment') }]);
  expect(await database(test).count(Shipment, { orderId: id })).toBe(0);
  expect(items).toHaveLength(2);
});

it('a split order follows its parts: pending again when none has a label, delivered when all have arrived', async () => {
  const { id, items } = await order();
  await split(id, [{ lines: [{ itemId: items[0], quantity: 1 }] }]);
  const { body } = await ship({ orderId: id });
  const [first, second] = body.details.shipments.map(({ shipmentId }: { shipmentId: number }) => shipmentId);

  const booked = (await read(id)).status;
  await test.call('DELETE', `/shipment/${first}`);
  const half = (await read(id)).status;
  await test.call('DELETE', `/shipment/${second}`);

  expect([booked, half, (await read(id)).status]).toEqual(['shipment_created', 'shipment_created', 'pending']);
});
