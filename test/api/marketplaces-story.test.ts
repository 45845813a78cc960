import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection, Order } from '../../src/db/entities/index.ts';
import { importOrders } from '../../src/usecases/marketplaces/import-orders.ts';
import { apply } from '../../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../../src/usecases/setup/apply-document.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database, jobContext } from '../usecases/engine.ts';
import { ACCOUNTS, WRITES } from './marketplace-accounts.ts';

const NAMES = Object.keys(ACCOUNTS);

let test: TestApp;
/** BRT's: it does not insist on a province, which not every marketplace asks its buyers for. */
let contractId: number;

beforeAll(async () => {
  const queues = ['carrier-brt', ...NAMES.map((name) => `marketplace-${name}`)];
  test = await startTestApp({ queues });
  const connections = NAMES.map((marketplace) => ({
    key: marketplace,
    label: marketplace,
    marketplace,
    account: ACCOUNTS[marketplace]?.(`${test.app.sandboxUrl}/${marketplace}`),
    import_orders: true,
  }));
  const company = { key: 'demo', name: 'Bottega Aurora S.r.l.', connections };
  await apply(test.app.deps, ApplyDocument.parse({ companies: [company] }));
  await test.app.workers?.refresh();
  const contracts: { id: number; carrier: { code: string } }[] = (await test.call('GET', '/carriers/contracts')).body;
  contractId = contracts.find(({ carrier }) => carrier.code === 'brt')?.id ?? 0;
});
afterAll(() => test.stop());

async function imported(marketplace: string): Promise<Order[]> {
  const connection = await database(test).findOneOrFail(Connection, { key: marketplace });
  // Skips the platform's pause between two imports.
  await database(test).execute('delete from partner_budgets');
  await importOrders(test.app.deps, { connectionId: connection.id, ...jobContext() });
  return database(test).find(Order, { connectionId: connection.id }, { orderBy: { id: 'asc' } });
}

it('has an account here for every marketplace that there is', async () => {
  const known = [...test.app.deps.marketplaces.keys()].filter((name) => name !== 'woocommerce');

  expect(NAMES.toSorted()).toEqual(known.toSorted());
});

describe.each(NAMES)('an order of %s', (marketplace) => {
  it('comes in, is shipped, and is confirmed once however often it is sent', async () => {
    const orders = await imported(marketplace);
    const order = orders.find(({ problems, status }) => problems.length === 0 && status === 'pending');
    const orderId = order?.id ?? 0;

    const created = await test.call('POST', '/shipment/create', [{ orderId, carrierCompanyId: contractId }]);
    await test.call('POST', '/shipment/transmit', [{ orderId }]);
    const sent = await test.call('POST', `/orders/${orderId}/send-to-marketplace`);
    const again = await test.call('POST', `/orders/${orderId}/send-to-marketplace`);
    const { body: detail } = await test.call('GET', `/orders/${orderId}`);

    expect(orders.length).toBeGreaterThanOrEqual(3);
    expect(created.body.details).toMatchObject({ success: [orderId], errors: [] });
    expect(sent.body).toMatchObject({
      Result: 'OK',
      OrderID: order?.externalOrderId,
      TrackingNumber: detail.shipments[0].trackingNumber,
      ErrorMessage: null,
      ErrorType: null,
    });
    expect(again.body.Result).toBe('OK');
    expect(await test.ledger(marketplace, order?.externalOrderNumber ?? '')).toMatchObject({ confirmed: 1 });
  });

  it('is not imported a second time', async () => {
    const before = await imported(marketplace);
    const after = await imported(marketplace);

    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  it('is confirmed once when the answer was lost', async () => {
    const orders = await imported(marketplace);
    const order = orders.find(({ problems, status }) => problems.length === 0 && status === 'pending');
    const orderId = order?.id ?? 0;
    await test.call('POST', '/shipment/create', [{ orderId, carrierCompanyId: contractId }]);
    await test.fault(marketplace, WRITES[marketplace] ?? '*', 'accept-then-500');

    const sent = await test.call('POST', `/orders/${orderId}/send-to-marketplace`);
    await test.clearFaults();

    expect(sent.body).toMatchObject({ Result: 'OK', ErrorType: null });
    expect(await test.ledger(marketplace, order?.externalOrderNumber ?? '')).toMatchObject({ confirmed: 1 });
  });
});
