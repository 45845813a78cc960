import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { numberEvents } from '../../../src/db/queries/number-events.ts';
import { listEvents } from '../../../src/usecases/events/read-events.ts';
import { bookOrder, createOrder, transmitOrder } from '../../api/ship-orders.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { database } from '../engine.ts';

let test: TestApp;
let companyId: number;

beforeAll(async () => {
  test = await startTestApp();
  companyId = test.demo.companyId;
});
beforeEach(() => database(test).execute('truncate events, event_counters, event_endpoints cascade'));
afterAll(() => test.stop());

interface Told {
  type: string;
  data: Record<string, unknown>;
}

/** What happened, without the numbers. */
async function told(): Promise<Told[]> {
  const events = await listEvents(test.app.deps, { companyId, after: 0, types: null, limit: 1000 });
  return events.map(({ type, data: { sequence: _, ...data } }) => ({ type, data }));
}

async function sequences(): Promise<number[]> {
  const rows = await database(test).execute<{ sequence: string }[]>('select sequence from events order by sequence');
  return rows.map((row) => Number(row.sequence));
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

describe('the events', () => {
  it('tell the life of an order, from its creation to the bordero and back', async () => {
    const { orderId, shipmentId } = await transmitOrder(test);
    const { body } = await test.call('POST', '/bordero', { carrierId: test.carrierId, orderIds: [orderId] });
    await test.call('DELETE', `/bordero/${body.manifestId}?confirm=true`);
    await test.call('DELETE', `/shipment/${shipmentId}`);

    const order = (status: string, previousStatus: string): Told => ({
      type: 'order.status_changed',
      data: { orderId, status, previousStatus },
    });
    const shipment = (status: string): Told => ({
      type: 'shipment.status_changed',
      data: { shipmentId, orderId, direction: 'outbound', status },
    });
    const manifest = { manifestId: body.manifestId, carrierId: test.carrierId, number: body.manifestNumber };
    expect(await told()).toEqual([
      { type: 'order.created', data: { orderId, status: 'pending' } },
      shipment('created'),
      order('shipment_created', 'pending'),
      shipment('transmitted'),
      order('transmitted', 'shipment_created'),
      { type: 'manifest.created', data: { ...manifest, status: 'created' } },
      order('manifested', 'transmitted'),
      order('transmitted', 'manifested'),
      { type: 'manifest.deleted', data: { ...manifest, status: 'deleted' } },
      shipment('cancelled'),
      order('pending', 'transmitted'),
    ]);
  });

  it('tell what the carrier says about a parcel, and that it is held', async () => {
    const { orderId, shipmentId } = await bookOrder(test);
    await database(test).execute('truncate events');
    const set = (status: string) =>
      database(test).execute('update shipments set tracking_status = ? where id = ?', [status, shipmentId]);
    await set('in_transit');
    await set('in_transit');
    await set('held');
    await set('out_for_delivery');

    const tracking = (status: string, previousStatus?: string): Told => ({
      type: 'tracking.status_changed',
      data: { shipmentId, orderId, direction: 'outbound', status, ...(previousStatus ? { previousStatus } : {}) },
    });
    expect(await told()).toEqual([
      tracking('in_transit'),
      tracking('held', 'in_transit'),
      {
        type: 'shipment.held',
        data: { shipmentId, orderId, direction: 'outbound', status: 'held', previousStatus: 'in_transit' },
      },
      tracking('out_for_delivery', 'held'),
    ]);
  });

  it('skip intermediate steps, and a step that led back', async () => {
    const { shipmentId } = await bookOrder(test);
    await database(test).execute('truncate events');
    for (const status of ['transmitting', 'created', 'cancelling', 'cancelling', 'created']) {
      await database(test).execute('update shipments set process_status = ? where id = ?', [status, shipmentId]);
    }
    await database(test).execute('update shipments set next_poll_at = now(), attempt = attempt + 1');

    expect(await told()).toEqual([]);
  });

  it('tell that a held parcel was released, and how', async () => {
    const { orderId, shipmentId } = await bookOrder(test);
    await database(test).execute('truncate events');
    const { body } = await test.call('POST', `/shipment/${shipmentId}/release-held`, {
      action: 'REDISPATCH_SAME_ADDRESS',
    });
    expect(body.blockingError).not.toBeNull();
    const release = `insert into operation_items (company_id, operation_id, kind, order_id, shipment_id)
      select ?, o.id, 'release', ?, ? from operations o where o.id = ? returning operation_id`;
    const [operation] = await database(test).execute<{ id: number }[]>(
      `insert into operations (company_id, kind, input) values (?, 'release', '{"action": "DESTROY", "newAddress": {"name": "Rossi"}}')
       returning id`,
      [companyId],
    );
    await database(test).execute(release, [companyId, orderId, shipmentId, operation?.id ?? 0]);
    await database(test).execute(`update operation_items set status = 'succeeded' where operation_id = ?`, [
      operation?.id ?? 0,
    ]);

    expect(await told()).toEqual([
      { type: 'shipment.released', data: { orderId, shipmentId, operationId: operation?.id, action: 'DESTROY' } },
    ]);
  });

  it('tell that a marketplace was told, or could not be', async () => {
    const linked = await bookOrder(test, { marketplace: { connection_id: test.connectionId, order_id: 'nowhere-1' } });
    const own = await bookOrder(test);
    await database(test).execute('truncate events');
    await test.call('POST', `/orders/${own.orderId}/send-to-marketplace`);
    await test.call('POST', `/orders/${linked.orderId}/send-to-marketplace`);
    await database(test).execute('update orders set sent_to_marketplace_at = now() where id = ?', [linked.orderId]);
    await database(test).execute('update orders set sent_to_marketplace_at = now() where id = ?', [linked.orderId]);

    expect(await told()).toMatchObject([
      { type: 'order.marketplace_failed', data: { orderId: own.orderId, errorType: 'configuration' } },
      { type: 'order.marketplace_failed', data: { orderId: linked.orderId, errorType: 'order_not_found' } },
      { type: 'order.sent_to_marketplace', data: { orderId: linked.orderId, connectionId: test.connectionId } },
    ]);
  });

  it('hold no personal data', async () => {
    await transmitOrder(test);
    await createOrder(test, { note: 'suonare due volte' });
    const rows = await database(test).execute<{ keys: string }[]>(
      'select distinct jsonb_object_keys(data) as keys from events order by 1',
    );

    expect(rows.map((row) => row.keys)).toEqual(['direction', 'orderId', 'previousStatus', 'shipmentId', 'status']);
  });

  it('have one entry per row of a statement that moves a thousand', async () => {
    const [first] = await database(test).execute<{ orders: string }[]>('select count(*) as orders from orders');
    await database(test).execute(`update orders set status = case status when 'error' then 'pending' else 'error' end`);

    expect(await told()).toHaveLength(Number(first?.orders));
  });
});

describe('the numbers of events', () => {
  const write = 'insert into events (company_id, type, data) values (?, ?, ?)';

  it('have no gap and are never seen before a smaller one, however many write and number at once', async () => {
    const seen: number[][] = [];
    let isOver = false;
    const reading = (async () => {
      while (!isOver) seen.push(await sequences());
    })();
    const transactions = fc.array(
      fc.record({ events: fc.integer({ min: 0, max: 4 }), fails: fc.boolean(), numbers: fc.boolean() }),
      { minLength: 50, maxLength: 50 },
    );
    await fc.assert(
      fc.asyncProperty(transactions, async (wanted) => {
        await database(test).execute('truncate events, event_counters');
        await Promise.all(
          wanted.map(async ({ events, fails, numbers }) => {
            const em = database(test);
            await em
              .transactional(async (tx) => {
                for (let count = 0; count < events; count++) {
                  await tx.execute(write, [companyId, 'order.created', '{}']);
                }
                if (fails) throw new Error('rolled back');
              })
              .catch(() => undefined);
            if (numbers) await numberEvents(em, companyId);
          }),
        );
        const last = await numberEvents(database(test), companyId);
        const committed = wanted.reduce((sum, { events, fails }) => sum + (fails ? 0 : events), 0);

        expect(last).toBe(committed);
        expect(await sequences()).toEqual(upTo(committed));
      }),
      { numRuns: 5 },
    );
    isOver = true;
    await reading;

    for (const numbers of seen) {
      const given = numbers.filter((number) => number > 0);
      expect(given).toEqual(upTo(given.length));
    }
  });

  it('are given once when many give them at the same moment', async () => {
    const em = database(test);
    await em.execute(write, [companyId, 'order.created', '{}']);
    await numberEvents(em, companyId);
    await em.execute(
      `insert into events (company_id, type, data) select ?, 'order.created', '{}' from generate_series(1, 2000)`,
      [companyId],
    );
    await Promise.all(Array.from({ length: 8 }, () => numberEvents(database(test), companyId)));

    expect(await numberEvents(em, companyId)).toBe(2001);
    expect(await sequences()).toEqual(upTo(2001));
  });

  it('leave out what was rolled back', async () => {
    const em = database(test);
    await em
      .transactional(async (tx) => {
        await tx.execute(write, [companyId, 'order.created', '{}']);
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    await em.execute(write, [companyId, 'order.created', '{}']);

    expect(await numberEvents(em, companyId)).toBe(1);
    expect(await sequences()).toEqual([1]);
  });

  it('are given late to a transaction that stays open, and leave no place free for it', async () => {
    const em = database(test);
    const open = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const slow = em.transactional(async (tx) => {
      await tx.execute(write, [companyId, 'order.created', '{"who": "slow"}']);
      written.resolve();
      await open.promise;
    });
    await written.promise;
    await database(test).execute(write, [companyId, 'order.created', '{"who": "quick"}']);
    expect(await numberEvents(database(test), companyId)).toBe(1);
    open.resolve();
    await slow;

    expect(await numberEvents(database(test), companyId)).toBe(2);
    expect((await told()).map(({ data }) => data.who)).toEqual(['quick', 'slow']);
  });

  it('go on after the events were deleted', async () => {
    const em = database(test);
    await em.execute(write, [companyId, 'order.created', '{}']);
    await numberEvents(em, companyId);
    await em.execute('delete from events');
    await em.execute(write, [companyId, 'order.created', '{}']);

    expect(await numberEvents(em, companyId)).toBe(2);
  });

  it('are those of each company by itself', async () => {
    const em = database(test);
    const [other] = await em.execute<{ id: number }[]>(
      `insert into companies (key, name, settings) values ('altra', 'Altra', '{}') returning id`,
    );
    for (const id of [companyId, other?.id ?? 0, companyId]) await em.execute(write, [id, 'order.created', '{}']);

    expect(await numberEvents(em, companyId)).toBe(2);
    expect(await numberEvents(em, other?.id ?? 0)).toBe(1);
  });
});
