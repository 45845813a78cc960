import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Document, Shipment } from '../../src/db/entities/index.ts';
import { batched } from '../../src/db/queries/batched.ts';
import { type BookingClaim, claimBooking } from '../../src/db/queries/claim-booking.ts';
import { runBuilt } from '../../src/db/queries/prepared.ts';
import { readOrderRows, readTrackingRows } from '../../src/db/queries/read-order.ts';
import { type SoldBooking, settleBooking } from '../../src/db/queries/settle-booking.ts';
import { conflict } from '../../src/engine/find.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { attemptsOf, database, lastItem, orderShipment, readOrderRow, readShipment } from '../usecases/engine.ts';

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
});
afterAll(() => test.stop());

describe('a question of many callers at the same moment', () => {
  /** A hundred divided by each, by PostgreSQL, and how many were asked for together. */
  function divisions() {
    const together: number[] = [];
    const divide = batched(async (orm, by: readonly number[]) => {
      together.push(by.length);
      const sql =
        'select 100 / divisor as result from unnest(?::int[]) with ordinality as one (divisor, at) order by at';
      return (await runBuilt<{ result: number }>(orm, { sql, params: [by] })).map(({ result }) => result);
    });
    return { together, divide: (by: number) => divide(test.app.deps.orm, by) };
  }

  /** Each item itself, and how many were asked for together. */
  function counts(options: { pauseMs?: number; bytesOf?: (item: number) => number }) {
    const together: number[] = [];
    const count = batched(async (_orm, items: readonly number[]) => {
      together.push(items.length);
      return items;
    }, options);
    return { together, count: (item: number) => count(test.app.deps.orm, item) };
  }

  it('goes at once when it is alone, and together when it came while others were under way', async () => {
    const { together, divide } = divisions();

    expect(await Promise.all([1, 2, 4, 5].map(divide))).toEqual([100, 50, 25, 20]);

    expect(together).toEqual([1, 3]);
  });

  it('joins the first one where that waits for a batch, unless it came alone', async () => {
    const { together, count } = counts({ pauseMs: 1 });

    await Promise.all([1, 2, 3].map(count));
    await Promise.all([4, 5, 6, 7].map(count));

    expect(together).toEqual([1, 2, 4]);
  });

  it('fails for its own caller alone, and goes by key', async () => {
    const together: string[] = [];
    const ask = batched(
      async (_orm, items: readonly number[]) => {
        together.push(items.join());
        if (items.includes(3)) throw conflict('refused', 'Three is refused');
        return items;
      },
      { keyOf: (item) => item % 2 },
    );
    const answers = await Promise.allSettled([0, 1, 2, 3, 4, 5].map((item) => ask(test.app.deps.orm, item)));

    expect(answers.map((answer) => ('value' in answer ? answer.value : answer.reason.code))).toEqual([
      ...[0, 1, 2],
      'refused',
      ...[4, 5],
    ]);
    expect(together).toEqual(['0', '1', '2,4', '3,5', '3', '5']);
  });

  it('has at most fifty rows and some megabytes', async () => {
    const { together, count } = counts({ bytesOf: (megabytes) => megabytes * 1024 * 1024 });
    const ask = (items: number[]) => Promise.all(items.map(count));

    expect(await ask([0, 9, 2, 1, 1, 1, 9])).toEqual([0, 9, 2, 1, 1, 1, 9]);
    await ask(Array.from({ length: 102 }, () => 0));

    expect(together).toEqual([1, 1, 3, 1, 1, 1, 50, 50, 1]);
  });

  it('fails only for the caller whose row was refused', async () => {
    const { together, divide } = divisions();

    const answers = await Promise.allSettled([1, 2, 0, 4].map(divide));

    expect(answers.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message))).toEqual([
      100,
      50,
      'division by zero',
      25,
    ]);
    expect(together).toEqual([1, 3, 1, 1, 1]);
  });

  it('is not asked again when the server ended the connection', async () => {
    let runs = 0;
    const end = batched(
      async (orm, items: readonly number[]) => {
        runs += 1;
        if (items.includes(0)) return items;
        await runBuilt(orm, { sql: 'select pg_terminate_backend(pg_backend_pid())', params: [] });
        return items;
      },
      { pauseMs: 1 },
    );

    await end(test.app.deps.orm, 0);

    const answers = await Promise.allSettled([1, 2].map((item) => end(test.app.deps.orm, item)));

    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(runs).toBe(2);
  });

  it('fails for all callers, without a retry, when its outcome is unknown', async () => {
    let runs = 0;
    const lose = batched(async (_orm, _items: readonly number[]): Promise<number[]> => {
      runs += 1;
      throw new Error('Connection terminated unexpectedly');
    });

    const answers = await Promise.allSettled([1, 2, 3].map((item) => lose(test.app.deps.orm, item)));

    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(runs).toBe(2);
  });
});

describe('orders and shipments that several companies ask for at the same moment', () => {
  it('are given to their own company alone', async () => {
    const { orm } = test.app.deps;
    const { orderId, shipmentId } = await orderShipment(test);
    const { companyId } = await readOrderRow(test, orderId);
    const owners = [companyId, companyId + 1, companyId, companyId + 1];

    const orders = await Promise.all(owners.map((owner) => readOrderRows(orm, { companyId: owner, id: orderId })));
    const parcels = await Promise.all(
      owners.map((owner) => readTrackingRows(orm, { companyId: owner, id: shipmentId })),
    );

    expect(orders.map((one) => one?.order.id)).toEqual([orderId, undefined, orderId, undefined]);
    expect(parcels.map((one) => one?.shipment.id)).toEqual([shipmentId, undefined, shipmentId, undefined]);
  });
});

describe('bookings that are taken and settled together', () => {
  const claim = (shipmentId: number, requestId = 'test') => claimBooking(test.app.deps.orm, { shipmentId, requestId });

  /** Queued shipments, each held by a run. */
  async function held(count: number): Promise<{ shipment: Shipment; claim: BookingClaim; orderId: number }[]> {
    const ordered = await Promise.all(Array.from({ length: count }, () => orderShipment(test)));
    return Promise.all(
      ordered.map(async ({ shipmentId, orderId }) => {
        const taken = await claim(shipmentId);
        if (!taken) throw new Error('Somebody else has it');
        return { shipment: await readShipment(test, shipmentId), claim: taken, orderId };
      }),
    );
  }

  function soldAs(
    number: string,
    { shipment, claim: { fence, attemptId } }: { shipment: Shipment; claim: BookingClaim },
  ) {
    const bytes = Buffer.from(`^XA${number}^XZ`);
    const file = {
      kind: 'label' as const,
      position: 1,
      contentType: 'application/zpl',
      sha256: number,
      size: bytes.length,
    };
    const sold: SoldBooking = {
      shipment,
      fence,
      attemptId,
      columns: {
        tracking_number: number,
        carrier_reference: `R${number}`,
        warnings: [{ text: number }],
        booked_at: new Date(),
      },
      documents: [{ ...file, store: 'database', bucketKey: '', bytes }],
    };
    return sold;
  }
  const settle = (sold: SoldBooking) => settleBooking(test.app.deps.orm, sold);

  it('are each taken by one of two runs that want it at the same moment', async () => {
    const [first, wanted] = [await orderShipment(test), await orderShipment(test)];

    const [, ...claims] = await Promise.all([
      claim(first.shipmentId),
      claim(wanted.shipmentId, 'one'),
      claim(wanted.shipmentId, 'other'),
    ]);

    expect(claims.filter((one) => one !== null)).toEqual([{ fence: 1, attemptId: expect.any(Number) }]);
    expect(await attemptsOf(test, wanted.shipmentId)).toEqual(['create running']);
  });

  it('get their own number, warnings and label, and their own order and client are told', async () => {
    const all = await held(4);

    const settled = await Promise.all(all.map((one, at) => settle(soldAs(`N${at}`, one))));

    expect(settled).toEqual([true, true, true, true]);
    for (const [at, { shipment, orderId }] of all.entries()) {
      expect(await readShipment(test, shipment.id)).toMatchObject({
        processStatus: 'created',
        trackingNumber: `N${at}`,
        carrierReference: `RN${at}`,
        warnings: [{ text: `N${at}` }],
      });
      const labels = await database(test).find(Document, { shipmentId: shipment.id }, { populate: ['bytes'] });
      expect(labels.map(({ bytes }) => String(bytes))).toEqual([`^XAN${at}^XZ`]);
      expect((await readOrderRow(test, orderId)).status).toBe('shipment_created');
      expect((await lastItem(test, orderId)).status).toBe('succeeded');
      expect(await attemptsOf(test, shipment.id)).toEqual(['create succeeded']);
    }
  });

  it('are settled, except the one that the run no longer holds', async () => {
    const [first, lost, other] = await held(3);
    if (!first || !lost || !other) throw new Error('There are three');
    const taken = { ...lost, claim: { ...lost.claim, fence: lost.claim.fence - 1 } };

    const settled = await Promise.all([first, taken, other].map((one, at) => settle(soldAs(`L${at}`, one))));

    expect(settled).toEqual([true, false, true]);
    expect(await readShipment(test, lost.shipment.id)).toMatchObject({
      processStatus: 'submitting',
      trackingNumber: null,
    });
    expect(await database(test).count(Document, { shipmentId: lost.shipment.id })).toBe(0);
    expect((await lastItem(test, lost.orderId)).status).toBe('pending');
    expect(await attemptsOf(test, lost.shipment.id)).toEqual(['create succeeded']);
  });

  it.each(['before', 'after'])(
    'take nothing of a run that lost its shipment and settles it just %s the one that has it',
    async (when) => {
      const [first, one] = await held(2);
      if (!first || !one) throw new Error('There are two');
      const stale = soldAs('OLD', { ...one, claim: { ...one.claim, fence: one.claim.fence - 1 } });
      const [page] = stale.documents;
      if (!page) throw new Error('There is a label');
      const lost = { ...stale, documents: [stale.documents, { ...page, position: 2 }].flat() };
      const own = { ...soldAs('NEW', one), documents: [] };

      const settled = await Promise.all(
        [soldAs('F', first), ...(when === 'before' ? [lost, own] : [own, lost])].map(settle),
      );

      expect(settled).toEqual(when === 'before' ? [true, false, true] : [true, true, false]);
      expect((await readShipment(test, one.shipment.id)).trackingNumber).toBe('NEW');
      expect(await database(test).count(Document, { shipmentId: one.shipment.id })).toBe(0);
    },
  );

  it('keep a surplus that was reported meanwhile, despite the results of other rows', async () => {
    const [first, reported, merged] = await held(3);
    if (!first || !reported || !merged) throw new Error('There are three');
    const surplus = { message: 'The carrier sold a second label, X1', trackingNumbers: ['X1'] };
    const more = { message: 'The carrier counts 1 parcel too many', trackingNumbers: [] };
    await database(test).nativeUpdate(Shipment, { id: reported.shipment.id }, { surplus });
    const soldMerged = soldAs('S2', merged);
    const together = [
      soldAs('S0', first),
      soldAs('S1', reported),
      { ...soldMerged, columns: { ...soldMerged.columns, surplus: more } },
    ];

    await Promise.all(together.map(settle));

    expect((await readShipment(test, reported.shipment.id)).surplus).toEqual(surplus);
    expect((await readShipment(test, merged.shipment.id)).surplus).toEqual(more);
    expect((await readShipment(test, first.shipment.id)).surplus).toBeNull();
  });
});
