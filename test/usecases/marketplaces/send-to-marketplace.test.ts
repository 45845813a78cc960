import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Connection, OperationItem, Shipment } from '../../../src/db/entities/index.ts';
import { MARKETPLACE_ERRORS } from '../../../src/domain/marketplace-error.ts';
import { connectionSeal } from '../../../src/engine/call-connection.ts';
import type { JobContext } from '../../../src/engine/deps.ts';
import { sendToMarketplace } from '../../../src/usecases/marketplaces/send-to-marketplace.ts';
import { bookShipment } from '../../../src/usecases/shipments/book-shipment.ts';
import { transmitShipments } from '../../../src/usecases/shipments/transmit-shipments.ts';
import { sweep } from '../../../src/usecases/upkeep/sweep.ts';
import { type Answer, startTestApp, type TestApp } from '../../support/test-app.ts';
import {
  createOrder,
  type Deps,
  database,
  jobContext,
  lastItem,
  orderShipment,
  readExchanges,
  readOrderRow,
  recordingDeps,
} from '../engine.ts';

let test: TestApp;
let deps: Deps;

beforeAll(async () => {
  // No worker: each test is the worker.
  test = await startTestApp({ roles: ['api'] });
  ({ deps } = recordingDeps(test));
});
afterEach(() => test.clearFaults());
afterAll(() => test.stop());

/** An order in the pretend shop; answers its number there. */
async function buyInShop(fields: Record<string, unknown> = {}): Promise<string> {
  const order = { line_items: [{ name: 'Tazza', sku: 'MUG-01', quantity: 2, total: '25.00', total_tax: '0.00' }] };
  const response = await fetch(`${test.app.sandboxUrl}/woocommerce/_seed/orders`, {
    method: 'POST',
    body: JSON.stringify({ ...order, ...fields }),
  });
  return String(((await response.json()) as { id: number }).id);
}

/** A booked order that is linked to one of the shop. */
async function shippedOrder(externalId: string): Promise<number> {
  const marketplace = { connection_id: test.connectionId, order_id: externalId, order_number: externalId };
  const { orderId, shipmentId } = await orderShipment(test, { overrides: { marketplace } });
  await bookShipment(deps, { shipmentId, ...jobContext() });
  return orderId;
}

interface Ask {
  itemId: number;
  /** The answer a client would get now. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  look(): Promise<Answer<any>>;
}

async function ask(orderId: number): Promise<Ask> {
  const asked = await test.call('POST', `/orders/${orderId}/send-to-marketplace`, undefined, {
    prefer: 'respond-async',
  });
  const { id: itemId } = await lastItem(test, orderId);
  const [, operation] = /(\/operations\/\d+)$/.exec(asked.headers.get('location') ?? '') ?? [];
  return { itemId, look: async () => (operation ? test.call('GET', operation) : asked) };
}

function send(itemId: number, overrides: Partial<JobContext> = {}): Promise<void> {
  return sendToMarketplace(deps, { itemId, ...jobContext(overrides) });
}

async function countWrites(externalId: string): Promise<number> {
  const exchanges = await readExchanges(test);
  return exchanges.filter(({ row }) => row.effect === 'write' && row.url.includes(`/orders/${externalId}/`)).length;
}

describe('a connection that wants shipments confirmed at once', () => {
  it('has its shop told when the shipment is transmitted, and only then', async () => {
    const em = database(test);
    await em.nativeUpdate(Connection, { id: test.connectionId }, { confirmWhenTransmitted: true });
    const externalId = await buyInShop();
    const orderId = await shippedOrder(externalId);
    const before = await em.count(OperationItem, { orderId, kind: 'send' });
    const shipment = await em.findOneOrFail(Shipment, { orderId });
    const { deps: recording, jobs } = recordingDeps(test);

    await transmitShipments(deps, { shipmentIds: [shipment.id], ...jobContext() });
    const item = await em.findOneOrFail(OperationItem, { orderId, kind: 'send' });
    await em.nativeUpdate(OperationItem, { id: item.id }, { updatedAt: new Date(Date.now() - 60_000) });
    await sweep(recording);
    await send(item.id);
    await em.nativeUpdate(Connection, { id: test.connectionId }, { confirmWhenTransmitted: false });

    expect(before).toBe(0);
    expect(jobs).toContainEqual(expect.objectContaining({ name: 'send', payload: { itemId: item.id } }));
    expect(await test.ledger('woocommerce', externalId)).toMatchObject({ confirmed: 1 });
  });
});

describe('telling the marketplace that an order was shipped', () => {
  it('writes one shipment and remembers when', async () => {
    const externalId = await buyInShop();
    const orderId = await shippedOrder(externalId);
    const { itemId, look } = await ask(orderId);
    const before = await look();

    await send(itemId);

    expect(before).toMatchObject({ status: 202, body: { Result: 'PENDING' } });
    expect((await look()).body).toMatchObject({
      Result: 'OK',
      OrderID: externalId,
      ErrorMessage: null,
      ErrorType: null,
      ErrorSuggestion: null,
      error: null,
    });
    expect((await readOrderRow(test, orderId)).sentToMarketplaceAt).toBeInstanceOf(Date);
    expect(await test.ledger('woocommerce', externalId)).toMatchObject({ confirmed: 1 });
  });

  it.each(['accept-then-500', 'malformed', 'accept-then-hang'])(
    'looks before it repeats a write after %s',
    async (fault) => {
      const externalId = await buyInShop();
      const { itemId, look } = await ask(await shippedOrder(externalId));
      await test.fault('woocommerce', 'fulfillments.create', fault);
      const abort = new AbortController();

      const lost = expect(send(itemId, { signal: abort.signal })).rejects.toMatchObject({ name: 'RetryLater' });
      await test.until(
        () => test.ledger('woocommerce', externalId),
        (entry) => entry?.confirmed === 1,
      );
      abort.abort();
      await lost;
      await send(itemId);

      expect((await look()).body).toMatchObject({ Result: 'OK' });
      expect(await countWrites(externalId)).toBe(1);
      expect(await test.ledger('woocommerce', externalId)).toMatchObject({ confirmed: 1 });
    },
  );

  it('writes again what the shop does not have', async () => {
    const externalId = await buyInShop();
    const { itemId, look } = await ask(await shippedOrder(externalId));
    await test.fault('woocommerce', 'fulfillments.create', 'reset');

    await expect(send(itemId)).rejects.toMatchObject({ name: 'RetryLater' });
    await send(itemId);

    expect((await look()).body).toMatchObject({ Result: 'OK' });
    expect(await countWrites(externalId)).toBe(2);
    expect(await test.ledger('woocommerce', externalId)).toMatchObject({ confirmed: 1 });
  });

  it('is done once when one job is run by two workers', async () => {
    const externalId = await buyInShop();
    const { itemId } = await ask(await shippedOrder(externalId));

    await Promise.all([send(itemId), send(itemId)]);

    expect(await countWrites(externalId)).toBe(1);
    expect(await test.ledger('woocommerce', externalId)).toMatchObject({ confirmed: 1 });
  });

  it('is done one after the other when two clients ask at once', async () => {
    const externalId = await buyInShop();
    const orderId = await shippedOrder(externalId);
    const [first, second] = [await ask(orderId), await ask(orderId)];

    const tried = await Promise.allSettled([send(first.itemId), send(second.itemId)]);
    const [one, two] = await test.until(
      async () => {
        await Promise.allSettled([send(first.itemId), send(second.itemId)]);
        return [await first.look(), await second.look()];
      },
      (answers) => answers.every((answer) => answer.body.Result === 'OK'),
    );

    const failed = tried.filter((one) => one.status === 'rejected');
    for (const { reason } of failed) expect(reason).toMatchObject({ name: 'RetryLater' });
    expect(one?.body.TransactionID).toBe(two?.body.TransactionID);
    expect(await countWrites(externalId)).toBe(1);
    expect(await test.ledger('woocommerce', externalId)).toMatchObject({ confirmed: 1 });
  });
});

describe('a marketplace that cannot be told', () => {
  function expectRefused(body: Record<string, unknown>, errorType: keyof typeof MARKETPLACE_ERRORS): void {
    expect(body).toMatchObject({
      Result: 'KO',
      ErrorType: errorType,
      ErrorSuggestion: MARKETPLACE_ERRORS[errorType],
      ErrorMessage: expect.stringMatching(/\w/),
    });
    expect(body.error).toBe(body.ErrorMessage);
  }

  it('is none at all: the order is not linked', async () => {
    const { look } = await ask(await createOrder(test));

    const { status, body } = await look();

    expect(status).toBe(200);
    expectRefused(body, 'configuration');
    expect(body.ErrorMessage).toBe('The order is not linked to a marketplace');
  });

  it('has nothing to hear before there is a tracking number', async () => {
    const marketplace = { connection_id: test.connectionId, order_id: await buyInShop() };
    const { look } = await ask(await createOrder(test, { marketplace }));

    expectRefused((await look()).body, 'configuration');
  });

  it('does not know the order', async () => {
    const { itemId, look } = await ask(await shippedOrder('98765'));

    await expect(send(itemId)).rejects.toMatchObject({ name: 'UnrecoverableError' });

    expectRefused((await look()).body, 'order_not_found');
  });

  it('has cancelled the order meanwhile', async () => {
    const externalId = await buyInShop({ status: 'cancelled' });
    const { itemId, look } = await ask(await shippedOrder(externalId));

    await expect(send(itemId)).rejects.toMatchObject({ name: 'UnrecoverableError' });

    expectRefused((await look()).body, 'order_not_shippable');
    expect(await countWrites(externalId)).toBe(0);
  });

  it('is away: it says so when all retries are exhausted, not before', async () => {
    const externalId = await buyInShop();
    const { itemId, look } = await ask(await shippedOrder(externalId));
    await test.fault('woocommerce', '*', 'status-503', 2);

    await expect(send(itemId)).rejects.toMatchObject({ name: 'RetryLater', afterMs: 1000 });
    const between = await look();
    await expect(send(itemId, { isLastTry: true })).rejects.toThrow();

    expect(between.body.Result).toBe('PENDING');
    expectRefused((await look()).body, 'platform_unavailable');
  });

  it.each([
    ['ck_sandbox', 'wrong', 'auth_invalid'],
    ['ck_sandbox_readonly', 'cs_sandbox_readonly', 'permission_missing'],
  ] as const)('refuses the keys %s and %s', async (consumerKey, consumerSecret, errorType) => {
    const { itemId, look } = await ask(await shippedOrder(await buyInShop()));
    const connection = await database(test).findOneOrFail(Connection, test.connectionId);
    const account = { url: `${test.app.sandboxUrl}/woocommerce`, consumerKey, consumerSecret };
    const credentials = deps.vault.seal(account, connectionSeal(connection.id));
    await database(test).nativeUpdate(Connection, { id: connection.id }, { credentials });

    await expect(send(itemId)).rejects.toMatchObject({ name: 'UnrecoverableError' });
    await database(test).nativeUpdate(Connection, { id: connection.id }, { credentials: connection.credentials });

    const { body } = await look();
    expectRefused(body, errorType);
    expect(JSON.stringify(body)).not.toContain(consumerSecret);
  });
});
