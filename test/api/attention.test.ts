import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { importBought } from '../support/pretend-shop.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';

let test: TestApp;
let client: pg.Client;

beforeAll(async () => {
  test = await startTestApp();
  client = new pg.Client({ connectionString: test.app.config.databaseUrl });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await test.stop();
});

/** Ships an order whose shop cannot be told. */
async function untold(): Promise<number> {
  const orderId = await importBought(test);
  await test.call('POST', '/shipment/create', [{ orderId }]);
  await test.fault('woocommerce', '*', 'status-503', 9);
  await test.call('POST', `/orders/${orderId}/send-to-marketplace`);
  await test.clearFaults();
  const [one] = await test.until(
    async () => (await test.call('GET', '/attention')).body,
    (body) => body.length > 0,
  );
  return one.id;
}

const isWaiting = async (): Promise<boolean> =>
  (await client.query('select from pg_locks where not granted')).rowCount !== 0;

it.each(['/attention', '/attention?reason=marketplace-not-told'])(
  'GET %s has the reason of each case, also of one that ends while it is read',
  async (path) => {
    const shipmentId = await untold();
    await client.query('begin; lock table shipment_attempts in access exclusive mode');
    const asked = test.call('GET', path);
    await test.until(isWaiting, (is) => is);
    await client.query(`update operation_items set status = 'succeeded', failure_kind = null where kind = 'send'`);
    await client.query('commit');
    const { body } = await asked;
    const after = (await test.call('GET', path)).body;

    expect(body).toMatchObject([{ id: shipmentId, reasons: [{ reason: 'marketplace-not-told' }] }]);
    expect(after).toEqual([]);
  },
);
