import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { Order } from '../../../src/db/entities/index.ts';
import { eraseOrders } from '../../../src/usecases/persons/erase-orders.ts';
import { forgetOldOrders } from '../../../src/usecases/persons/forget-old.ts';
import { trackNow } from '../../../src/usecases/tracking/queue-tracking.ts';
import { placesOf, rewriteTables, scanPages, scanRedis, scanRows, textOf } from '../../support/byte-scan.ts';
import { type FakeBucket, startFakeBucket } from '../../support/fake-bucket.ts';
import { backends, startTestApp, type TestApp } from '../../support/test-app.ts';
import { database } from '../engine.ts';

const DAY_MS = 86_400_000;
/** Texts that nothing else contains. */
const MARKERS = [
  'Xelquor',
  'Vandrimple',
  'zzmail',
  '0598877665',
  'Zzstrada',
  'Zzbilling',
  'Zzcompany',
  'ZZCF',
  'Zznote',
];
const PERSON = {
  customer: { full_name: 'Xelquor Vandrimple', email: 'zzmail@example.com', phone: '0598877665' },
  billing: {
    company: 'Zzcompany srl',
    address: 'Via Zzbilling, 3',
    city: 'Bologna',
    province: 'BO',
    zip: '40121',
    country_code: 'IT',
    codice_fiscale: 'ZZCFRK80A01H501U',
  },
  shipping: {
    full_name: 'Xelquor Vandrimple',
    address: 'Via Zzstrada, 77',
    city: 'Milano',
    province: 'MI',
    zip: '20123',
    country_code: 'IT',
    phone: '0598877665',
  },
  items: [{ sku: 'MUG-01', name: 'Tazza', quantity: 1, price: 10 }],
  payment_method: 'PREPAID',
  note: 'Zznote sul campanello',
};

describe.each(backends())('a person whose order was delivered, queue on %s', (backend) => {
  let test: TestApp;
  let bucket: FakeBucket;
  const lines: string[] = [];

  beforeAll(async () => {
    bucket = await startFakeBucket();
    const write = (...parts: unknown[]): void => void lines.push(JSON.stringify(parts));
    const log = { info: write, warn: write, error: write, debug: write, trace: write, fatal: write } as never;
    const { url, key, secret, region } = bucket;
    test = await startTestApp({
      backend,
      log: Object.assign(log, { child: () => log }),
      // One backend with a bucket, and the other with documents in the database.
      env:
        backend === 'redis'
          ? { DOCUMENTS_S3_URL: url, DOCUMENTS_S3_KEY: key, DOCUMENTS_S3_SECRET: secret, DOCUMENTS_S3_REGION: region }
          : {},
    });
  });
  afterAll(async () => {
    await test.stop();
    await bucket.close();
  });

  async function inBucket(): Promise<string[]> {
    return placesOf(
      [...bucket.objects].map(([place, { bytes }]) => ({ place, text: textOf(bytes) })),
      MARKERS,
    );
  }
  const url = (): string => test.app.config.databaseUrl ?? '';

  it('leaves no byte anywhere after the erasure', async () => {
    const created = await test.call('POST', '/orders', PERSON, { 'Idempotency-Key': `life-${backend}` });
    const orderId = created.body.order.id as number;
    await test.call('PATCH', `/orders/${orderId}`, { note: 'Zznote nuova' }, { 'Idempotency-Key': `note-${backend}` });
    await test.call('POST', '/shipment/create', [{ orderId }]);
    const { companyId } = test.demo;
    const open = await eraseOrders(test.app.deps, {
      companyId,
      orderIds: [orderId],
      endedBefore: null,
      alsoTexts: true,
    });
    await test.call('POST', '/shipment/transmit', [{ orderId }]);
    await test.call('POST', '/bordero', { allTransmitted: true });
    const [shipment] = (await test.call('GET', `/orders/${orderId}`)).body.shipments;
    await test.advance(120);
    await trackNow(test.app.deps, [shipment.id]);
    await test.until(
      async () => (await test.call('GET', `/orders/${orderId}`)).body.order.status,
      (status) => status === 'delivered',
    );
    const before = await scanRows(url(), MARKERS);
    const events = await database(test).execute('select count(*) from events');

    const done = await eraseOrders(test.app.deps, {
      companyId,
      orderIds: [orderId],
      endedBefore: null,
      alsoTexts: true,
    });
    const after = await scanRows(url(), MARKERS);
    // While another transaction runs, PostgreSQL keeps the rows that it may still see.
    const pages = await test.until(
      async () => {
        await rewriteTables(url());
        return scanPages(url(), MARKERS);
      },
      (places) => places.length === 0,
    );
    const detail = await test.call('GET', `/orders/${orderId}`);
    const back = await test.call('POST', '/shipment/return', [{ orderId }]);

    expect(open).toEqual({ erased: [], held: [{ orderId, reason: 'on-its-way' }] });
    expect(before).toEqual(
      expect.arrayContaining([
        'public.customers.full_name',
        'public.customer_addresses.address',
        'public.exchanges.bodies',
        'public.idempotency_keys.body',
        'public.orders.buyer_order_note',
        'public.search_words.word',
      ]),
    );
    expect(done).toEqual({ erased: [orderId], held: [] });
    expect(after).toEqual([]);
    expect(pages).toEqual([]);
    expect(await inBucket()).toEqual([]);
    expect(bucket.objects.size).toBe(0);
    expect(
      placesOf(
        lines.map((text) => ({ place: text, text })),
        MARKERS,
      ),
    ).toEqual([]);
    const { prefix } = test.app.deps.queues.queue('carrier-gls-it').opts;
    if (backend === 'redis') expect(await scanRedis(inject('redisUrl') ?? '', prefix ?? '', MARKERS)).toEqual([]);
    expect(detail.body.order).toMatchObject({ status: 'delivered' });
    expect(detail.body.customerAddress ?? detail.body.address).toMatchObject({ zip: '20123', city: 'Milano' });
    expect(back.body.details.errors[0].message).toContain('erased');
    expect(await database(test).execute('select count(*) from events')).toEqual(events);
  });

  it('is forgotten when the days are over, and not a day before', async () => {
    const created = await test.call('POST', '/orders', PERSON);
    const orderId = created.body.order.id as number;
    const open = await test.call('POST', '/orders', PERSON);
    await test.call('POST', `/orders/${orderId}/cancel`, {});
    const { deps } = test.app;
    const inDays = (days: number) => ({
      ...deps,
      now: () => new Date(Date.now() + days * DAY_MS),
      settings: { ...deps.settings, personalDataMs: 30 * DAY_MS },
    });

    const counts = [
      await forgetOldOrders({ ...inDays(4000), settings: { ...deps.settings, personalDataMs: null } }),
      await forgetOldOrders(inDays(29)),
      await forgetOldOrders(inDays(31)),
      await forgetOldOrders(inDays(32)),
    ];
    const orders = await database(test).find(
      Order,
      { id: { $in: [orderId, open.body.order.id] } },
      { orderBy: { id: 'asc' } },
    );

    expect(counts).toEqual([0, 0, 1, 0]);
    expect(orders.map(({ id, forgottenAt, buyerOrderNote }) => [id, forgottenAt !== null, buyerOrderNote])).toEqual([
      [orderId, true, ''],
      [open.body.order.id, false, 'Zznote sul campanello'],
    ]);
  });
});
