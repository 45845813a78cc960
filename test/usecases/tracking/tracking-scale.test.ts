import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Carrier, TrackingReport } from '../../../src/carriers/adapter.ts';
import { trackingCommands } from '../../../src/cli/tracking.ts';
import { CarrierOutage, Contract, ContractOutage, TrackingEvent } from '../../../src/db/entities/index.ts';
import { bookShipment } from '../../../src/usecases/shipments/book-shipment.ts';
import { askLeave } from '../../../src/usecases/tracking/outages.ts';
import { queueDueTracking } from '../../../src/usecases/tracking/queue-tracking.ts';
import { applyReport } from '../../../src/usecases/tracking/take-report.ts';
import { trackShipments } from '../../../src/usecases/tracking/track-shipments.ts';
import { runInProcess } from '../../support/run-in-process.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import {
  type Deps,
  database,
  jobContext,
  orderShipment,
  readOrderRow,
  readShipment,
  recordingDeps,
} from '../engine.ts';

let test: TestApp;
let deps: Deps;

beforeAll(async () => {
  // No worker: each test is the worker.
  test = await startTestApp({ roles: ['api'] });
});
beforeEach(() => {
  ({ deps } = recordingDeps(test));
});
afterEach(async () => {
  await test.clearFaults();
  await database(test).nativeDelete(CarrierOutage, {});
  await database(test).nativeDelete(ContractOutage, {});
});
afterAll(() => test.stop());

async function booked(): Promise<{ shipmentId: number; orderId: number }> {
  const shipment = await orderShipment(test);
  await bookShipment(deps, { shipmentId: shipment.shipmentId, ...jobContext() });
  return shipment;
}

const look = (shipmentId: number, on = deps) => trackShipments(on, { shipmentIds: [shipmentId], ...jobContext() });

async function polls(): Promise<number> {
  const [row] = await database(test).execute<{ n: number }[]>(
    `select count(*)::int as n from exchanges where operation = 'Tracking'`,
  );
  return row?.n ?? 0;
}

/** The same carrier, changed. */
function withCarrier(change: (carrier: Carrier) => Carrier): Deps {
  const carriers = new Map(deps.carriers);
  const gls = carriers.get('gls-it');
  if (gls) carriers.set('gls-it', change(gls));
  return { ...deps, carriers };
}

describe('a carrier that does not answer polls', () => {
  it('is left alone after some of them, looked at by one worker when the pause is over, and polled again when it answers', async () => {
    const { shipmentId } = await booked();
    const { shipmentId: other } = await booked();
    await test.fault('gls-it', 'Tracking', 'status-503', 5);
    for (let at = 0; at < 4; at++) await expect(look(shipmentId)).rejects.toMatchObject({ name: 'RetryLater' });
    await look(shipmentId); // the fifth makes it an outage: the parcel waits, the job is no failure
    const during = await polls();
    const outage = (await database(test).find(ContractOutage, {}))[0] as ContractOutage;
    const contract = await database(test).findOneOrFail(Contract, test.contractId);

    await look(other);
    const waiting = await readShipment(test, other);
    const status = await runInProcess(test.app, trackingCommands, ['tracking', 'status']);
    await database(test).execute(`update contract_outages set next_probe_at = now() - interval '1 second'`);
    const leaves = [await askLeave(database(test), contract), await askLeave(database(test), contract)];
    await database(test).execute(`update contract_outages set next_probe_at = now() - interval '1 second'`);
    await look(shipmentId);

    expect(outage).toMatchObject({ failures: 5, since: expect.any(Date) });
    expect(waiting.nextPollAt?.getTime()).toBeGreaterThanOrEqual(outage.nextProbeAt.getTime());
    expect(status.stdout).toMatch(/gls-it .* does not answer since /);
    expect(leaves).toEqual([null, { until: expect.any(Date) }]);
    expect(await polls()).toBe(during + 1);
    expect(await database(test).count(CarrierOutage, {})).toBe(0);
    expect(await database(test).count(ContractOutage, {})).toBe(0);
  });

  it('is believed when it only asks to slow down', async () => {
    const { shipmentId } = await booked();
    await test.fault('gls-it', 'Tracking', 'status-429', 6);

    for (let at = 0; at < 6; at++) await expect(look(shipmentId)).rejects.toMatchObject({ name: 'RetryLater' });

    expect(await database(test).count(ContractOutage, {})).toBe(0);
  });
});

describe('the budget of a contract', () => {
  it('limits the polls, and the rest waits', async () => {
    const { shipmentId } = await booked();
    const { shipmentId: other } = await booked();
    const poor = withCarrier((gls) => ({ ...gls, pollBudget: { capacity: 1, perSecond: 0.001 } }));
    await database(test).execute(`delete from partner_budgets where key like 'poll:%'`);
    const before = await polls();

    await look(shipmentId, poor);
    await look(other, poor);

    expect(await polls()).toBe(before + 1);
    expect((await readShipment(test, other)).nextPollAt?.getTime()).toBeGreaterThan(Date.now() + 600_000);
    await database(test).execute(`delete from partner_budgets where key like 'poll:%'`);
  });
});

describe('parcels that are due', () => {
  it('are queued by contract, as many to a job as the carrier takes in one question', async () => {
    const ids = [];
    for (let at = 0; at < 5; at++) ids.push((await booked()).shipmentId);
    await database(test).execute('update shipments set next_poll_at = null');
    await database(test).execute(
      `update shipments set next_poll_at = now() - interval '1 minute' where id in (${ids.join(',')})`,
    );
    const many = withCarrier((gls) => ({ ...gls, trackMany: { max: 2, track: async () => [] } }));
    const { jobs } = recordingDeps(test);
    const queues = {
      add: async (_queue: string, added: readonly (typeof jobs)[number][]) => void jobs.push(...added),
      revive: async () => undefined,
    };

    await queueDueTracking({ ...many, queues });

    const chunks = jobs.flatMap((job) => (job.name === 'track' ? [job.payload.shipmentIds] : []));
    expect(chunks.map((chunk) => chunk.length)).toEqual([2, 2, 1]);
    expect(chunks.flat().toSorted((a, b) => a - b)).toEqual(ids);
  });
});

describe('a parcel that goes back under another number', () => {
  it('is followed there, and what is delivered there is returned', async () => {
    const { shipmentId, orderId } = await booked();
    const { trackingNumber } = await readShipment(test, shipmentId);
    const at = (hour: number) => new Date(Date.UTC(2026, 10, 1, hour));
    const event = (hour: number, status: 'returning' | 'delivered' | 'in_transit') =>
      ({
        code: { returning: '29', in_transit: '903', delivered: '906' }[status],
        text: status,
        at: at(hour),
        location: '',
        note: '',
        status,
      }) as const;
    const reports: Record<string, TrackingReport> = {
      [trackingNumber ?? '']: {
        found: true,
        events: [event(1, 'returning')],
        related: [{ type: 'return', trackingNumber: 'BACK1', date: null }],
      },
      BACK1: { found: true, events: [event(5, 'in_transit'), event(9, 'delivered')], related: [] },
    };
    const asked: string[] = [];
    const returning = withCarrier((gls) => ({
      ...gls,
      track: async (_context, handle) => {
        asked.push(handle.trackingNumber);
        return reports[handle.trackingNumber] ?? { found: false, events: [], related: [] };
      },
    }));

    await look(shipmentId, returning);

    expect(asked).toEqual([trackingNumber, 'BACK1']);
    expect((await readShipment(test, shipmentId)).trackingStatus).toBe('returned');
    expect((await readOrderRow(test, orderId)).status).toBe('returned');
    const kept = await database(test).find(TrackingEvent, { shipmentId }, { orderBy: { occurredAt: 'asc' } });
    expect(kept.map(({ status, context }) => [status, context])).toEqual([
      ['returning', ''],
      ['returning', 'return'],
      ['returned', 'return'],
    ]);
  });
});

describe('a table of codes that becomes better', () => {
  it('is used on what was kept, and shipments follow, once', async () => {
    const { shipmentId, orderId } = await booked();
    const event = { text: 'Nuovo', at: new Date('2026-11-20T10:00:00Z'), location: '', note: '' };
    const events = [
      { ...event, code: '903', status: 'in_transit' as const },
      { ...event, code: '4711', at: new Date('2026-11-20T12:00:00Z'), status: 'unrecognised' as const },
      {
        ...event,
        code: '4711',
        at: new Date('2026-11-20T11:00:00Z'),
        status: 'held' as const,
        context: 'list' as const,
      },
    ];
    await applyReport(
      deps,
      await readShipment(test, shipmentId),
      { events: events.slice(0, 2), related: [], found: true },
      1,
    );
    const before = (await readShipment(test, shipmentId)).trackingStatus;
    const better = withCarrier((gls) => ({
      ...gls,
      trackingCodes: {
        version: 2,
        read: (raw) =>
          raw.code === '4711' ? { status: 'delivered' } : (gls.trackingCodes?.read(raw) ?? { status: 'unrecognised' }),
      },
    }));
    const remap = async () =>
      (
        await runInProcess({ ...test.app, deps: { ...test.app.deps, ...better } } as never, trackingCommands, [
          'tracking',
          'remap',
          '--carrier',
          'gls-it',
        ])
      ).stdout;

    const first = await remap();
    const again = await remap();

    expect(before).toBe('in_transit');
    expect(first).toMatch(/^gls-it \(codes 2\): \d+ events read, 1 changed, 1 shipments moved$/m);
    expect(again).toBe('gls-it (codes 2): 0 events read, 0 changed, 0 shipments moved\n');
    expect(await readShipment(test, shipmentId)).toMatchObject({ trackingStatus: 'delivered', nextPollAt: null });
    expect((await readOrderRow(test, orderId)).status).toBe('delivered');
  });

  it('needs a carrier that is there', async () => {
    const { code, stderr } = await runInProcess(test.app, trackingCommands, [
      'tracking',
      'remap',
      '--carrier',
      'nobody',
    ]);

    expect([code, stderr]).toEqual([2, 'There is no carrier nobody\n']);
  });
});

describe('a parcel that was given up', () => {
  it('is polled again on request', async () => {
    const { shipmentId } = await booked();
    await database(test).execute(`update shipments set expired_at = now(), next_poll_at = null where id = ?`, [
      shipmentId,
    ]);

    const { stdout } = await runInProcess(test.app, trackingCommands, ['tracking', 'reopen', String(shipmentId)]);
    const missing = await runInProcess(test.app, trackingCommands, ['tracking', 'reopen', '2000000000']);

    expect(stdout).toBe(`Shipment ${shipmentId} is looked at again.\n`);
    expect(missing).toMatchObject({ code: 2, stderr: 'There is no shipment 2000000000 that can be polled\n' });
    expect(await readShipment(test, shipmentId)).toMatchObject({ expiredAt: null, nextPollAt: expect.any(Date) });
  });
});

it('labels are Italian, or English where the client prefers it', async () => {
  const { shipmentId } = await booked();
  const event = { code: '905', text: 'In consegna', at: new Date('2026-11-20T10:00:00Z'), location: '', note: '' };
  await applyReport(deps, await readShipment(test, shipmentId), {
    events: [{ ...event, status: 'out_for_delivery' }],
    related: [],
    found: true,
  });

  const label = async (language?: string) => {
    const headers: Record<string, string> = language ? { 'accept-language': language } : {};
    const answer = await test.call('GET', `/shipment/${shipmentId}/tracking`, undefined, headers);
    return [answer.headers.get('content-language'), answer.body.trackingEvents[0].label];
  };

  expect(await label()).toEqual(['it', 'In consegna']);
  expect(await label('en-GB,en;q=0.9,it;q=0.5')).toEqual(['en', 'Out for delivery']);
  expect(await label('de')).toEqual(['it', 'In consegna']);
});
