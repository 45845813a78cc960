import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  Connection,
  Customer,
  CustomerAddress,
  ImportFailure,
  Order,
  OrderItem,
} from '../../../src/db/entities/index.ts';
import { IntegrationError } from '../../../src/lib/errors.ts';
import type { Marketplace, OrderWindow } from '../../../src/marketplaces/adapter.ts';
import { authorize } from '../../../src/marketplaces/woocommerce/auth.ts';
import { keepImportFailure } from '../../../src/usecases/marketplaces/import-failures.ts';
import {
  type ImportCount,
  importOneOrder,
  importOrders,
  queueDueImports,
} from '../../../src/usecases/marketplaces/import-orders.ts';
import { cancelForShop } from '../../../src/usecases/orders/cancel-for-shop.ts';
import { eraseOrders } from '../../../src/usecases/persons/erase-orders.ts';
import { bookShipment } from '../../../src/usecases/shipments/book-shipment.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { type Deps, database, jobContext, readExchanges, recordingDeps } from '../engine.ts';

const MINUTE_MS = 60_000;
/** More cents than a column of the database holds. */
const BEYOND_ALL_BOUNDS = '99999999999.00';
const ADDRESS = {
  first_name: 'Chiara',
  last_name: 'Prova',
  address_1: 'Via Torino, 5',
  city: 'Milano',
  state: 'MI',
  postcode: '20123',
  country: 'IT',
};
const LINE = { name: 'Tazza', sku: 'MUG-01', quantity: 2, total: '20.49', total_tax: '4.51' };
const SOLD = { billing: ADDRESS, shipping: ADDRESS, total: '25.00', total_tax: '4.51', line_items: [LINE] };

let test: TestApp;

beforeAll(async () => {
  // No worker: each test is the worker.
  test = await startTestApp({ roles: ['api'] });
});
afterEach(() => test.clearFaults());
afterAll(() => test.stop());

/** An order that the shop changed some minutes ago. */
async function buyInShop(fields: Record<string, unknown> = {}, minutesAgo = 1): Promise<string> {
  const at = new Date(Date.now() - minutesAgo * MINUTE_MS).toISOString();
  const response = await fetch(`${test.app.sandboxUrl}/woocommerce/_seed/orders`, {
    method: 'POST',
    body: JSON.stringify({ ...SOLD, date_modified_gmt: at, ...fields }),
  });
  return String(((await response.json()) as { id: number }).id);
}

/** A person changes an order in the shop, now. */
async function changeInShop(externalId: string, fields: Record<string, unknown>): Promise<void> {
  const account = { url: '', consumerKey: 'ck_sandbox', consumerSecret: 'cs_sandbox' };
  const url = `${test.app.sandboxUrl}/woocommerce/wp-json/wc/v3/orders/${externalId}`;
  const signed = authorize(account, { method: 'PUT', url, now: new Date() });
  const response = await fetch(signed.url, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(fields),
  });
  if (!response.ok) throw new Error(`The shop refused: ${await response.text()}`);
}

function run(deps: Deps): Promise<ImportCount> {
  return importOrders(deps, { connectionId: test.connectionId, ...jobContext() });
}

function readImported(externalOrderId: string): Promise<Order | null> {
  return database(test).findOne(Order, { externalOrderId });
}

function readConnection(): Promise<Connection> {
  return database(test).findOneOrFail(Connection, test.connectionId);
}

describe('importing the orders of a marketplace', () => {
  it('brings in what is to be shipped, with the amounts of the shop', async () => {
    const [open, shipped, cancelled, onHold, cod] = [
      await buyInShop(),
      await buyInShop({ status: 'completed' }),
      await buyInShop({ status: 'cancelled' }),
      await buyInShop({ status: 'on-hold' }),
      await buyInShop({ payment_method: 'cod' }),
    ];

    await run(recordingDeps(test).deps);

    const order = await readImported(open);
    expect(order).toMatchObject({ status: 'pending', grossCents: 2500, netCents: 2049, vatCents: 451, problems: [] });
    expect(await database(test).find(OrderItem, { orderId: order?.id ?? 0 })).toMatchObject([
      { sku: 'MUG-01', quantity: 2, totalGrossCents: 2500, unitPriceGross: '12.5000' },
    ]);
    expect(await readImported(shipped)).toBeNull();
    expect(await readImported(cancelled)).toBeNull();
    expect((await readImported(onHold))?.problems).toEqual([expect.stringContaining('not ready to be shipped')]);
    expect(await readImported(cod)).toMatchObject({ paymentMethod: 'COD', codCents: 2500 });
  });

  it('finds the province that the shop does not tell, and says so when it cannot', async () => {
    const told = await buyInShop({ shipping: { ...ADDRESS, state: '' } });
    const unclear = await buyInShop({ shipping: { ...ADDRESS, state: '', city: 'Nowhere' } });

    await run(recordingDeps(test).deps);

    const [clear, doubtful] = [await readImported(told), await readImported(unclear)];
    const address = await database(test).findOneOrFail(CustomerAddress, clear?.customerAddressId ?? 0);
    expect(address.state).toBe('MI');
    expect(clear?.problems).toEqual([]);
    expect(doubtful).toMatchObject({
      problems: ['The shipping address has no province'],
      error: 'The shipping address has no province',
    });
  });

  it('looks back over the end of the last window, and imports nothing twice', async () => {
    const { deps } = recordingDeps(test);
    await run(deps);
    const watermark = (await readConnection()).importedUntil ?? new Date(0);
    const committedLate = await buyInShop({}, 4);
    const tooOld = await buyInShop({}, 60);

    const count = await run(deps);

    const exchanges = (await readExchanges(test)).filter(({ row }) => row.operation === 'orders.list');
    const asked = new URLSearchParams(exchanges.at(-1)?.request).get('modified_after');
    expect(count).toMatchObject({ created: 1, failed: 0 });
    expect(await readImported(committedLate)).not.toBeNull();
    expect(await readImported(tooOld)).toBeNull();
    expect(asked).toBe(new Date(watermark.getTime() - 5 * MINUTE_MS).toISOString().slice(0, 19));
    expect((await readConnection()).importedUntil?.getTime()).toBeGreaterThan(watermark.getTime());
  });

  it('does not move on when the shop does not answer', async () => {
    const { deps } = recordingDeps(test);
    const { importedUntil } = await readConnection();
    await test.fault('woocommerce', 'orders.list', 'status-503');

    await expect(run(deps)).rejects.toMatchObject({ name: 'RetryLater', afterMs: 1000 });
    const failed = await readConnection();
    await run(deps);

    expect(failed).toMatchObject({ importedUntil, lastImportError: expect.stringContaining('WooCommerce') });
    expect(await readConnection()).toMatchObject({ lastImportError: null });
  });

  it('brings in each order once when three importers run at once', async () => {
    const bought = await Promise.all(Array.from({ length: 8 }, () => buyInShop()));
    const { deps } = recordingDeps(test);

    const counts = await Promise.all([run(deps), run(deps), run(deps)]);

    expect(counts.reduce((sum, count) => sum + count.created, 0)).toBe(8);
    expect(counts.reduce((sum, count) => sum + count.failed, 0)).toBe(0);
    expect(await database(test).count(Order, { externalOrderId: { $in: bought } })).toBe(8);
  });

  it('is left to the worker that is at it, until that one is gone', async () => {
    const { deps } = recordingDeps(test);
    const bought = await buyInShop();
    const hold = (importingUntil: Date) =>
      database(test).nativeUpdate(Connection, { id: test.connectionId }, { importingUntil });

    await hold(new Date(Date.now() + MINUTE_MS));
    const meanwhile = await run(deps);
    await hold(new Date(Date.now() - 1));
    const afterwards = await run(deps);

    expect(meanwhile).toEqual({ created: 0, updated: 0, unchanged: 0, failed: 0 });
    expect(afterwards.created).toBe(1);
    expect(await readImported(bought)).not.toBeNull();
    expect((await readConnection()).importingUntil).toBeNull();
  });

  it('brings in the neighbours of an order that cannot be stored', async () => {
    const before = await buyInShop();
    const poison = await buyInShop({ total: BEYOND_ALL_BOUNDS });
    const after = await buyInShop();

    const count = await run(recordingDeps(test).deps);

    expect(count).toMatchObject({ created: 2, failed: 1 });
    expect(await readImported(before)).not.toBeNull();
    expect(await readImported(poison)).toBeNull();
    expect(await readImported(after)).not.toBeNull();
    expect((await readConnection()).lastImportError).toBe('1 orders could not be imported');
  });

  it('reads an order that could not be stored again on its own, until it can', async () => {
    const { deps } = recordingDeps(test);
    const poison = await buyInShop();
    // A fault of ours: the shop's order is fine.
    await database(test).execute(`alter table orders add constraint fault check (external_order_id <> '${poison}')`);
    await run(deps);
    const makeDue = `update import_failures set next_try_at = now() where external_id = '${poison}'`;

    await database(test).execute(makeDue);
    await run(deps);
    const failed = await database(test).findOneOrFail(ImportFailure, { externalId: poison });
    await database(test).execute('alter table orders drop constraint fault');
    await database(test).execute(makeDue);
    await importOneOrder(deps, { connectionId: test.connectionId, externalId: poison, ...jobContext() });

    expect(failed.tries).toBeGreaterThan(1);
    expect(failed.nextTryAt.getTime()).toBeGreaterThan(Date.now() + 5 * MINUTE_MS);
    expect(await readImported(poison)).not.toBeNull();
    expect(await database(test).count(ImportFailure, { externalId: poison })).toBe(0);
  });

  it('is not kept from the others by one that the shop refuses to show', async () => {
    const { deps } = recordingDeps(test);
    const connection = await readConnection();
    await keepImportFailure(deps, connection, { externalId: 'odd', reason: 'x' });
    await keepImportFailure(deps, connection, { externalId: '999998', reason: 'x' });
    await database(test).execute(
      `update import_failures set next_try_at = now() where external_id in ('odd', '999998')`,
    );
    const real = deps.marketplaces.get('woocommerce') as Marketplace;
    const readOrder: Marketplace['readOrder'] = async (context, externalId) => {
      if (externalId !== 'odd') return real.readOrder(context, externalId);
      throw new IntegrationError('no such form', { kind: 'permanent', provider: 'x', code: 'validation' });
    };

    await run({ ...deps, marketplaces: new Map([['woocommerce', { ...real, readOrder }]]) });

    expect(await database(test).find(ImportFailure, { externalId: { $in: ['odd', '999998'] } })).toMatchObject([
      { externalId: 'odd', message: 'no such form', tries: 2 },
    ]);
    await database(test).nativeDelete(ImportFailure, { externalId: 'odd' });
  });

  it('forgets an order that could not be stored when the shop does not have it any more', async () => {
    const { deps } = recordingDeps(test);
    const connection = await readConnection();
    await keepImportFailure(deps, connection, { externalId: '999999', reason: 'x' });
    await database(test).execute(`update import_failures set next_try_at = now() where external_id = '999999'`);

    await run(deps);

    expect(await database(test).count(ImportFailure, { externalId: '999999' })).toBe(0);
  });

  it('goes on where it was cut off: a day that was read to its end is not read again', async () => {
    const { deps } = recordingDeps(test);
    const days = (count: number): Date => new Date(Date.now() - count * 24 * 60 * MINUTE_MS);
    const [young, old] = [await buyInShop({}, 60), await buyInShop({}, 2.5 * 24 * 60)];
    await database(test).nativeUpdate(Connection, { id: test.connectionId }, { importedUntil: days(3) });
    const real = deps.marketplaces.get('woocommerce') as Marketplace;
    const windows: OrderWindow[] = [];
    const listOrders: Marketplace['listOrders'] = (context, window) => {
      // Each window has a second list, the trash.
      if (window.page !== null) return real.listOrders(context, window);
      windows.push(window);
      if (windows.length === 2)
        throw new IntegrationError('gone', { kind: 'retryable', provider: 'x', code: 'no-answer' });
      return real.listOrders(context, window);
    };
    const marketplaces = new Map([['woocommerce', { ...real, listOrders }]]);

    await run({ ...deps, marketplaces }).catch(() => undefined);
    const cutOff = { old: await readImported(old), young: await readImported(young) };
    await run({ ...deps, marketplaces });

    expect(cutOff).toMatchObject({ old: { status: 'pending' }, young: null });
    expect(await readImported(young)).not.toBeNull();
    const [first, , again] = windows;
    expect(again?.modifiedAfter.getTime()).toBe((first?.modifiedBefore.getTime() ?? 0) - 5 * MINUTE_MS);
  });

  it.each([
    ['no total', { total: '' }, 'The order has no total'],
    ['a line without a price', { line_items: [{ ...LINE, total: null }] }, '"Tazza" has no price'],
    ['half a piece', { line_items: [{ ...LINE, quantity: 2.5 }] }, 'The quantity of "Tazza" is 2.5'],
    ['no lines', { line_items: [] }, 'The order has no lines'],
    ['no address', { billing: {}, shipping: {} }, 'The shipping address has no street'],
  ])('keeps an order with %s, and says what is wrong with it', async (_what, fields, problem) => {
    const externalId = await buyInShop(fields);

    await run(recordingDeps(test).deps);

    const order = await readImported(externalId);
    expect(order?.problems).toContainEqual(expect.stringContaining(problem));
    expect(order?.error).toContain(problem);
    const created = await test.call('POST', '/shipment/create', [{ orderId: order?.id }]);
    expect(created.body.details.errors[0].message).toContain(problem);
  });
});

describe('an order that the shop changed after its import', () => {
  async function imported(): Promise<string> {
    const externalId = await buyInShop();
    await run(recordingDeps(test).deps);
    return externalId;
  }
  /** Past the second in which the shop changed something. */
  const soon = () => recordingDeps(test, 1).deps;

  it('is left alone when its person was forgotten', async () => {
    const externalId = await imported();
    const { deps } = recordingDeps(test);
    const { id, companyId, customerAddressId } = (await readImported(externalId)) as Order;
    await cancelForShop(database(test), { companyId, orderId: id, reason: 'sold out', at: new Date() });
    await eraseOrders(deps, { companyId, orderIds: [id], endedBefore: null, alsoTexts: false });
    await changeInShop(externalId, { shipping: { ...ADDRESS, address_1: 'Corso Buenos Aires, 17' } });

    await run(soon());

    const address = await database(test).findOneOrFail(CustomerAddress, customerAddressId);
    expect(address).toMatchObject({ fullName: '', address: '', zip: '20123' });
  });

  it('changes here as it did at the shop', async () => {
    const externalId = await imported();
    await changeInShop(externalId, { shipping: { ...ADDRESS, address_1: 'Corso Buenos Aires, 9' } });

    await run(soon());

    const order = await readImported(externalId);
    const address = await database(test).findOneOrFail(CustomerAddress, order?.customerAddressId ?? 0);
    expect(address.address).toBe('Corso Buenos Aires, 9');
    expect(await database(test).count(OrderItem, { orderId: order?.id ?? 0 })).toBe(1);
  });

  it('stays split while its lines are the same, and is whole again when they are not', async () => {
    const externalId = await imported();
    const orderId = (await readImported(externalId))?.id ?? 0;
    const [line] = await database(test).find(OrderItem, { orderId });
    const parts = [{ lines: [{ itemId: line?.id, quantity: 1 }] }];
    await test.call('POST', `/orders/${orderId}/split`, { parts });
    const read = async () => (await test.call('GET', `/orders/${orderId}`)).body;
    const before = (await readImported(externalId))?.revision;

    await changeInShop(externalId, { shipping: { ...ADDRESS, address_1: 'Corso Buenos Aires, 13' } });
    await run(soon());
    const moved = await read();
    await changeInShop(externalId, { shipping: { ...ADDRESS, address_1: 'Corso Buenos Aires, 15' } });
    const { deps } = recordingDeps(test, 2);
    const real = deps.marketplaces.get('woocommerce') as Marketplace;
    const listOrders: Marketplace['listOrders'] = async (context, window) => {
      const page = await real.listOrders(context, window);
      const orders = page.orders.map((each) => ({
        ...each,
        lines: each.lines.map((row) => ({ ...row, quantity: 3 })),
      }));
      return { ...page, orders: orders.map((each) => ({ ...each, modifiedAt: new Date() })) };
    };
    await run({ ...deps, marketplaces: new Map([['woocommerce', { ...real, listOrders }]]) });
    const changed = await read();

    expect(moved.parts).toHaveLength(2);
    expect(changed.parts).toEqual([]);
    expect(changed.orderItems).toMatchObject([{ quantity: 3 }]);
    const order = await readImported(externalId);
    expect(order).toMatchObject({ isSplit: false, revision: (before ?? 0) + 2 });
  });

  it('is followed into a status that the connection does not import, and created from none of those', async () => {
    const externalId = await imported();
    const unwanted = await buyInShop();
    await changeInShop(externalId, { shipping: { ...ADDRESS, address_1: 'Corso Buenos Aires, 11' } });
    const { deps } = recordingDeps(test, 1);
    const real = deps.marketplaces.get('woocommerce') as Marketplace;
    const listOrders: Marketplace['listOrders'] = async (context, window) => {
      const page = await real.listOrders(context, window);
      return { ...page, orders: page.orders.map((order) => ({ ...order, mayCreate: false })) };
    };

    await run({ ...deps, marketplaces: new Map([['woocommerce', { ...real, listOrders }]]) });

    const order = await readImported(externalId);
    const address = await database(test).findOneOrFail(CustomerAddress, order?.customerAddressId ?? 0);
    expect(address.address).toBe('Corso Buenos Aires, 11');
    expect(await readImported(unwanted)).toBeNull();
  });

  it('keeps what its label says once it has one', async () => {
    const externalId = await imported();
    const orderId = (await readImported(externalId))?.id ?? 0;
    await test.call('POST', '/shipment/create', [{ orderId }], { prefer: 'respond-async' });
    const { shipments } = (await test.call('GET', `/orders/${orderId}`)).body;
    await bookShipment(recordingDeps(test).deps, { shipmentId: shipments[0].id, ...jobContext() });
    await changeInShop(externalId, {
      billing: { ...ADDRESS, first_name: 'Altra' },
      shipping: { ...ADDRESS, city: 'Roma' },
    });

    await run(soon());

    const order = await readImported(externalId);
    expect(await database(test).findOneOrFail(CustomerAddress, order?.customerAddressId ?? 0)).toMatchObject({
      city: 'Milano',
    });
    expect(await database(test).findOneOrFail(Customer, order?.customerId ?? 0)).toMatchObject({
      fullName: 'Chiara Prova',
    });
  });

  it('is cancelled with it while nothing was booked', async () => {
    const externalId = await imported();
    await changeInShop(externalId, { status: 'cancelled' });

    await run(soon());

    const order = await readImported(externalId);
    const created = await test.call('POST', '/shipment/create', [{ orderId: order?.id }]);
    expect(order?.status).toBe('cancelled');
    expect(created.body.details.success).toEqual([]);
    expect(created.body.details.errors).toHaveLength(1);
  });

  it('is cancelled with a shipment that has no label yet', async () => {
    const externalId = await imported();
    const orderId = (await readImported(externalId))?.id ?? 0;
    await test.call('POST', '/shipment/create', [{ orderId }], { prefer: 'respond-async' });
    await changeInShop(externalId, { status: 'refunded' });

    await run(soon());

    expect(await readImported(externalId)).toMatchObject({ status: 'cancelled', cancelReason: null });
    expect((await test.call('GET', `/orders/${orderId}`)).body.shipments).toMatchObject([{ status: 'cancelled' }]);
    expect((await test.call('POST', `/orders/${orderId}/reopen`)).status).toBe(422);
  });

  it('keeps what a person corrected here', async () => {
    const externalId = await imported();
    const orderId = (await readImported(externalId))?.id ?? 0;
    await test.call('PATCH', `/orders/${orderId}`, { shipping: { address: 'Via Corretta, 7' } });
    await changeInShop(externalId, { shipping: { ...ADDRESS, address_1: 'Corso Buenos Aires, 13' } });

    await run(soon());

    const order = await readImported(externalId);
    const address = await database(test).findOneOrFail(CustomerAddress, order?.customerAddressId ?? 0);
    expect(address.address).toBe('Via Corretta, 7');
  });

  it('keeps its label and says so when it was cancelled too late', async () => {
    const externalId = await imported();
    const orderId = (await readImported(externalId))?.id ?? 0;
    await test.call('POST', '/shipment/create', [{ orderId }], { prefer: 'respond-async' });
    const { shipments } = (await test.call('GET', `/orders/${orderId}`)).body;
    await bookShipment(recordingDeps(test).deps, { shipmentId: shipments[0].id, ...jobContext() });
    await changeInShop(externalId, { status: 'refunded' });

    await run(soon());

    expect(await readImported(externalId)).toMatchObject({
      status: 'shipment_created',
      error: 'The marketplace cancelled the order, but it has a shipment: cancel that first',
    });
  });

  it('comes back when the shop takes its cancellation back', async () => {
    const externalId = await imported();
    await changeInShop(externalId, { status: 'cancelled' });
    await run(soon());
    await database(test).execute(
      `update orders set external_modified_at = external_modified_at - interval '1 minute' where external_order_id = ?`,
      [externalId],
    );
    await changeInShop(externalId, { status: 'processing' });

    await run(soon());

    expect(await readImported(externalId)).toMatchObject({ status: 'pending' });
  });
});

describe('scheduling imports', () => {
  it('asks once per connection and interval, whatever the number of schedulers', async () => {
    const { deps, jobs } = recordingDeps(test, 120);

    await Promise.all([queueDueImports(deps), queueDueImports(deps)]);

    expect(new Set(jobs.map((job) => job.id)).size).toBe(1);
    expect(jobs[0]).toMatchObject({ name: 'import', payload: { connectionId: test.connectionId } });
  });

  it('leaves alone what was imported a moment ago', async () => {
    await run(recordingDeps(test).deps);
    const { deps, jobs } = recordingDeps(test);

    await queueDueImports(deps);

    expect(jobs).toEqual([]);
  });

  it('asks again a minute later when the interval is a minute, although the import began after its tick', async () => {
    const { deps, jobs } = recordingDeps(test);
    const settings = { ...deps.settings, importIntervalMs: MINUTE_MS };
    // Both ticks are inside the same minute of the clock.
    const tick = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    const ticks = [
      { at: tick, importedUntil: null },
      { at: tick + 59_900, importedUntil: new Date(tick + 200) },
      { at: tick + 119_900, importedUntil: new Date(tick + 200) },
    ];

    for (const { at, importedUntil } of ticks) {
      await database(test).nativeUpdate(Connection, { id: test.connectionId }, { importedUntil });
      await queueDueImports({ ...deps, settings, now: () => new Date(at) });
    }
    await database(test).nativeUpdate(Connection, { id: test.connectionId }, { importedUntil: new Date(tick) });
    await queueDueImports({ ...deps, settings, now: () => new Date(tick + 29_000) });

    expect(jobs).toHaveLength(3);
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(3);
  });
});
