import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Connection, Shipment } from '../../src/db/entities/index.ts';
import { apply } from '../../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../../src/usecases/setup/apply-document.ts';
import { buyInShop, fulfilInShop, importBought, shipBought } from '../support/pretend-shop.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';
import { addCompany, demoConnection } from './second-company.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});
afterEach(() => test.clearFaults());
afterAll(() => test.stop());

const below = (path: string) => `/marketplace/connected/${test.connectionId}/${path}`;
const state = async () => (await test.call('GET', '/marketplace/state')).body[0];
const importNow = (body: object = {}, headers = {}) => test.call('POST', below('import'), body, headers);
const ledger = async (filter = '') => (await test.call('GET', below(`confirmations${filter}`))).body;
const statesOf = async (orderId: number) => {
  const found: Record<string, boolean> = {};
  for (const one of ['told', 'read_back', 'missing', 'told_another']) {
    found[one] = (await ledger(`?state=${one}`)).some((row: { orderId: number }) => row.orderId === orderId);
  }
  return Object.keys(found).filter((one) => found[one]);
};

async function declareShop(changes: Record<string, unknown>): Promise<void> {
  const connections = [{ ...demoConnection(test), ...changes }];
  await apply(test.app.deps, ApplyDocument.parse({ companies: [{ key: 'demo', name: 'Demo', connections }] }));
}

describe('an import on demand', () => {
  it('brings in what changed, says how much, and when the last one ended', async () => {
    const before = await state();
    const orderId = await buyInShop(test);

    const answer = await importNow();
    const after = await state();
    const again = await importNow();
    const found = await test.call('GET', `/orders?marketplaceOrderId=${orderId}`);

    expect(before.imports).toMatchObject({ importedUntil: null, lastRunAt: null, isEnabled: true, isRunning: false });
    expect(answer).toMatchObject({
      status: 200,
      body: { connectionId: test.connectionId, marketplaceOrderId: null, status: 'succeeded', wasRunning: false },
    });
    expect(answer.body.created).toBeGreaterThanOrEqual(1);
    expect(found.body).toHaveLength(1);
    expect(after.imports).toMatchObject({ error: null, failed: { count: 0, isCapped: false } });
    expect(Date.parse(after.imports.lastRunAt)).toBeGreaterThan(Date.now() - 60_000);
    expect(Date.parse(after.imports.nextRunAt)).toBeGreaterThan(Date.parse(after.imports.importedUntil));
    expect(again.body).toMatchObject({ created: 0, failed: 0 });
  });

  it('keeps what cannot be imported with its reason, and reads one order again when it is asked for', async () => {
    const id = await buyInShop(test);
    // A fault of ours: the shop's order is fine.
    await database(test).execute(`alter table orders add constraint fault check (external_order_id <> '${id}')`);
    const run = await importNow();
    const [kept] = (await test.call('GET', below('import-failures'))).body;
    const stillBad = await importNow({ marketplaceOrderId: id });
    const [tried] = (await test.call('GET', below('import-failures'))).body;
    const counted = (await state()).imports;
    await database(test).execute('alter table orders drop constraint fault');
    const mended = await importNow({ marketplaceOrderId: id });
    const left = (await test.call('GET', below('import-failures'))).body;

    expect(run.body).toMatchObject({ status: 'succeeded', failed: 1 });
    expect(kept).toMatchObject({ marketplaceOrderId: id, tries: 1, message: expect.stringMatching(/./) });
    expect(stillBad.body).toMatchObject({ status: 'failed', marketplaceOrderId: id, failed: 1, error: tried.message });
    expect(tried.tries).toBe(2);
    expect(Date.parse(tried.nextTryAt)).toBeGreaterThan(Date.parse(kept.nextTryAt));
    expect(counted).toMatchObject({ failed: { count: 1, isCapped: false }, error: null });
    expect(mended.body).toMatchObject({ status: 'succeeded', created: 1, failed: 0, error: null });
    expect(left).toEqual([]);
  });

  it('says that the shop is away in the words of the platform, and the state keeps it until a run succeeds', async () => {
    await test.fault('woocommerce', 'orders.list', 'status-503', 9);
    const failed = await importNow();
    await test.clearFaults();
    const during = (await state()).imports;
    await importNow();

    expect(failed).toMatchObject({
      status: 200,
      body: { status: 'failed', errorType: 'platform_unavailable', errorSuggestion: expect.stringMatching(/shop/) },
    });
    expect(during.error).toBe(failed.body.error);
    expect((await state()).imports.error).toBeNull();
  });

  it('does nothing beside a running import, and shares the answer of an equal request', async () => {
    const em = database(test);
    const held = new Date(Date.now() + 60_000);
    await em.nativeUpdate(Connection, { id: test.connectionId }, { importingUntil: held });
    const beside = await importNow();
    const { isRunning } = (await state()).imports;
    await em.nativeUpdate(Connection, { id: test.connectionId }, { importingUntil: null });
    await test.fault('woocommerce', 'orders.list', 'delay');
    const waiting = { prefer: 'respond-async' };
    const [first, second] = [await importNow({}, waiting), await importNow({}, waiting)];

    expect(beside.body).toMatchObject({ status: 'succeeded', wasRunning: true, created: 0 });
    expect(isRunning).toBe(true);
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
    const settled = await test.until(
      () => test.call('GET', first.headers.get('location')?.replace('/api/v1/external', '') ?? ''),
      ({ status }) => status === 200,
    );
    expect(settled.body).toMatchObject({ status: 'succeeded', wasRunning: false });
  });

  it('is refused where imports or the connection are switched off, while credentials can be verified', async () => {
    await declareShop({ import_orders: false });
    const off = await importNow();
    const shown = await state();
    await declareShop({ connected: false });
    const away = await importNow({ marketplaceOrderId: '1' });
    const verified = await test.call('POST', below('verify'));
    await declareShop({});

    expect(off).toMatchObject({ status: 422, body: { detail: expect.stringContaining('Imports of connection') } });
    expect(shown.imports).toMatchObject({ isEnabled: false, nextRunAt: null });
    expect(away).toMatchObject({ status: 422, body: { detail: expect.stringContaining('switched off') } });
    expect(verified.body).toEqual({
      ...{ connectionId: test.connectionId, status: 'succeeded' },
      ...{ error: null, errorType: null, errorSuggestion: null },
    });
  });

  it('names the field that is wrong', async () => {
    const refused = await importNow({ marketplaceOrderId: 7 });

    expect(refused).toMatchObject({ status: 400, body: { violations: [{ pointer: '/marketplaceOrderId' }] } });
  });
});

it('verifying a connection says what the shop refused, and what to do', async () => {
  const { account } = demoConnection(test) as { account: object };
  await declareShop({ account: { ...account, consumerSecret: 'cs_wrong' } });
  const refused = await test.call('POST', below('verify'));
  await declareShop({});
  const accepted = await test.call('POST', below('verify'));

  expect(refused).toMatchObject({
    status: 200,
    body: { status: 'failed', errorType: 'auth_invalid', errorSuggestion: expect.stringMatching(/credentials/) },
  });
  expect(refused.body.error).not.toContain('cs_wrong');
  expect(accepted.body.status).toBe('succeeded');
});

describe('the ledger of confirmations', () => {
  const send = (orderId: number) => test.call('POST', `/orders/${orderId}/send-to-marketplace`);

  it('has a transmitted order as missing, then told, then read back, and counts what is missing', async () => {
    const idle = await importBought(test);
    const orderId = await shipBought(test);
    const first = await statesOf(orderId);
    const counted = (await state()).confirmations;
    await test.fault('woocommerce', '*', 'status-503', 9);
    const refused = await send(orderId);
    await test.clearFaults();
    const [failed] = await ledger('?state=missing&limit=1');
    await send(orderId);
    const told = await statesOf(orderId);
    await send(orderId);
    const [row] = await ledger('?state=read_back');

    expect([first, told]).toEqual([['missing'], ['told']]);
    expect(counted).toMatchObject({ missing: { count: 1 }, toldAnother: { count: 0 }, isAutomatic: false });
    expect(refused.body.Result).toBe('KO');
    expect(failed).toMatchObject({
      orderId,
      toldAt: null,
      last: { status: 'failed', error: refused.body.ErrorMessage },
    });
    expect(failed.shipments).toMatchObject([{ toldNumber: null, trackingNumber: expect.stringMatching(/./) }]);
    expect(row).toMatchObject({ orderId, state: 'read_back', deadNumbers: [], last: { status: 'succeeded' } });
    expect(row.shipments[0].toldNumber).toBe(row.shipments[0].trackingNumber);
    expect(Date.parse(row.readBackAt)).toBeGreaterThanOrEqual(Date.parse(row.toldAt));
    expect(await statesOf(orderId)).toEqual(['read_back']);
    expect(await statesOf(idle)).toEqual([]);
  });

  it('names another number in the shop: of a cancelled label, and of a shipment whose number changed', async () => {
    const [dead, changed] = [await shipBought(test), await shipBought(test)];
    await send(dead);
    await send(changed);
    const shipmentOf = async (orderId: number) => (await test.call('GET', `/orders/${orderId}`)).body.shipments[0];
    const cancelled = await shipmentOf(dead);
    await test.call('DELETE', `/shipment/${cancelled.id}`);
    const other = await shipmentOf(changed);
    await database(test).nativeUpdate(Shipment, { id: other.id }, { trackingNumber: 'NEW-1' });
    const rows = await ledger('?state=told_another');
    const counted = (await state()).confirmations.toldAnother;
    const refused = await send(changed);
    const [kept] = await ledger('?state=told_another&limit=1');

    expect(rows).toMatchObject([
      { orderId: changed, shipments: [{ trackingNumber: 'NEW-1', toldNumber: other.trackingNumber }] },
      { orderId: dead, shipments: [], deadNumbers: [cancelled.trackingNumber] },
    ]);
    expect(counted.count).toBe(2);
    expect(refused.body).toMatchObject({ Result: 'KO', ErrorType: 'already_shipped' });
    expect(kept).toMatchObject({ orderId: changed, last: { status: 'failed', errorType: 'already_shipped' } });
    expect(kept.last.errorSuggestion).toBe(refused.body.ErrorSuggestion);
  });

  it('finds a number that was typed into the shop by hand, and is right again once the shop has ours', async () => {
    const orderId = await shipBought(test);
    const { marketplaceOrderId: id, shipments } = (await ledger('?state=missing&limit=1'))[0];
    await fulfilInShop(test, id, 'BY-HAND');
    const refused = await send(orderId);
    const after = await statesOf(orderId);
    await fulfilInShop(test, id, shipments[0].trackingNumber);
    await send(orderId);

    expect(refused.body.ErrorType).toBe('already_shipped');
    expect(after).toEqual(['told_another']);
    expect(await statesOf(orderId)).toEqual(['read_back']);
  });

  it('takes a split order as told once its shop has the number', async () => {
    const orderId = await importBought(test);
    await test.call('POST', `/orders/${orderId}/split`, { parts: [{ parcelCount: 1 }, { parcelCount: 1 }] });
    await test.call('POST', '/shipment/create', [{ orderId }]);
    await test.call('POST', '/shipment/transmit', [{ orderId }]);
    const before = await statesOf(orderId);
    await send(orderId);

    expect(before).toEqual(['missing']);
    expect(await statesOf(orderId)).toEqual(['told']);
  });

  it('comes in pages, newest first, and shows no company the orders of another', async () => {
    const first = await test.call('GET', below('confirmations?limit=1'));
    const next = first.headers.get('link')?.match(/<\/api\/v1\/external([^>]+)>/)?.[1] ?? '';
    const second = await test.call('GET', next);
    const all = await ledger();
    const { headers } = await addCompany(test, 'vicina');
    const [own] = (await test.call('GET', '/marketplace/state', undefined, headers)).body;
    const foreign = await test.call('GET', below('confirmations'), undefined, headers);

    expect([...first.body, ...second.body]).toEqual(all.slice(0, 2));
    expect(all.map(({ orderId }: { orderId: number }) => orderId)).toEqual(
      all.map(({ orderId }: { orderId: number }) => orderId).toSorted((a: number, b: number) => b - a),
    );
    expect(own).toMatchObject({
      imports: { failed: { count: 0 } },
      confirmations: { missing: { count: 0 }, toldAnother: { count: 0 } },
    });
    expect(own.connectionId).not.toBe(test.connectionId);
    expect(foreign.status).toBe(404);
    expect((await test.call('GET', below('confirmations?state=lost'))).status).toBe(400);
  });
});
