import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EventEndpoint } from '../../src/db/entities/index.ts';
import { silentLog } from '../../src/lib/log.ts';
import { deliverEvents } from '../../src/usecases/deliver-events.ts';
import type { Deps } from '../../src/usecases/deps.ts';
import {
  createEndpoint,
  enableEndpoint,
  listDeliveries,
  replayEvents,
  rotateSecret,
} from '../../src/usecases/event-endpoints.ts';
import { queueDueEvents } from '../../src/usecases/queue-due-events.ts';
import { listEvents } from '../../src/usecases/read-events.ts';
import { type EventReceiver, type Received, startEventReceiver } from '../support/event-receiver.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database, jobContext, recordingDeps } from './engine.ts';

const HOUR_MS = 3_600_000;

let test: TestApp;
let companyId: number;
let receiver: EventReceiver;
/** The clock of the deliveries. */
let now: Date;
let deps: Deps;

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'], env: { EVENTS_ALLOW_PRIVATE: 'true', EVENTS_TIMEOUT_SECONDS: '1' } });
  companyId = test.demo.companyId;
});
beforeEach(async () => {
  await database(test).execute('truncate events, event_counters, event_endpoints cascade');
  receiver = await startEventReceiver();
  now = new Date();
  deps = { ...recordingDeps(test).deps, now: () => now };
});
afterEach(() => receiver.close());
afterAll(() => test.stop());

async function happen(count: number, type = 'order.created'): Promise<void> {
  await database(test).execute(
    `insert into events (company_id, type, data) select ?, ?, jsonb_build_object('orderId', n) from generate_series(1, ?) n`,
    [companyId, type, count],
  );
}

async function declare(wish: { url?: string; types?: 'order.created'[] | null } = {}) {
  const origin = { companyId, requestId: 'test' };
  const { endpoint, secret } = await createEndpoint(deps, {
    ...origin,
    wish: { url: wish.url ?? receiver.url, key: null, types: wish.types ?? null, secret: null },
  });
  return { id: endpoint.id, secret };
}

const deliver = (endpointId: number): Promise<void> => deliverEvents(deps, { endpointId, ...jobContext() });
const told = (): number[] => receiver.received.map(({ body }) => body.data.sequence);
const row = (id: number): Promise<EventEndpoint> => database(test).findOneOrFail(EventEndpoint, id);

function later(ms: number): void {
  now = new Date(now.getTime() + ms);
}

/** As Standard Webhooks verifies it; throws when it is not signed with the secret. */
function verified(one: Received | undefined, secret: string): unknown {
  return new Webhook(secret).verify(one?.raw ?? '', one?.headers as Record<string, string>);
}

describe('an event that is told', () => {
  it('is signed, timed, and the same as GET /events shows', async () => {
    const { id, secret } = await declare();
    await happen(2);
    await deliver(id);

    const pulled = await listEvents(deps, { companyId, after: 0, types: null, limit: 10 });
    expect(receiver.received.map((one) => ({ id: one.id, ...(verified(one, secret) as object) }))).toEqual(pulled);
    expect(pulled).toMatchObject([
      { type: 'order.created', data: { sequence: 1, orderId: 1 } },
      { data: { sequence: 2 } },
    ]);
    expect(receiver.received[0]?.headers['content-type']).toBe('application/json');
  });

  it('is signed with both secrets for a day after a rotation, and then with the new one', async () => {
    const { id, secret: old } = await declare();
    const { secret } = await rotateSecret(deps, { companyId, requestId: 'test', endpointId: id });
    await happen(1);
    await deliver(id);
    later(25 * HOUR_MS);
    await happen(1);
    await deliver(id);

    const [first, second] = receiver.received;
    expect(verified(first, old)).toEqual(verified(first, secret));
    expect(String(first?.headers['webhook-signature']).split(' ')).toHaveLength(2);
    expect(String(second?.headers['webhook-signature']).split(' ')).toHaveLength(1);
    expect(new Webhook(secret).sign(second?.id ?? '', now, second?.raw ?? '')).toBe(
      second?.headers['webhook-signature'],
    );
  });

  it('comes in its order, once, with everything of many batches', async () => {
    const { id } = await declare();
    await happen(250);
    await deliver(id);
    await deliver(id);

    expect(told()).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
  });

  it('is told once by two workers at a time', async () => {
    const { id } = await declare();
    await happen(30);
    await Promise.all([deliver(id), deliver(id), deliver(id)]);

    expect(told()).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
  });

  it('is one of the types that were asked for', async () => {
    const { id } = await declare({ types: ['order.created'] });
    await happen(1, 'shipment.held');
    await happen(1);
    await happen(1, 'shipment.held');
    await deliver(id);

    expect(told()).toEqual([2]);
    expect(await row(id)).toMatchObject({ deliveredSequence: 3 });
    expect(await queueDueEvents(deps)).toBe(0);
  });

  it('is none that happened before the endpoint was there', async () => {
    await happen(3);
    const { id } = await declare();
    await happen(1);
    await deliver(id);

    expect(told()).toEqual([4]);
  });

  it('is told again under the same id when the worker died before it wrote down that it was taken', async () => {
    const { id } = await declare();
    await happen(2);
    await deliver(id);
    // As the row stood when the second one was taken and nobody lived to say so.
    await database(test).execute('update event_endpoints set delivered_sequence = 1, running_until = ? where id = ?', [
      new Date(now.getTime() + 10_000),
      id,
    ]);
    await deliver(id);
    expect(told()).toEqual([1, 2]);
    later(60_000);
    await deliver(id);

    expect(told()).toEqual([1, 2, 2]);
    expect(receiver.received[2]?.id).toBe(receiver.received[1]?.id);
  });
});

describe('a receiver that does not take an event', () => {
  it('is told nothing else before it does', async () => {
    const { id, secret } = await declare();
    await happen(3);
    receiver.answer((response, { body }) => response.writeHead(body.data.sequence === 2 ? 500 : 200).end());
    await deliver(id);
    expect(told()).toEqual([1, 2]);
    expect(await row(id)).toMatchObject({ deliveredSequence: 1, failures: 1, lastError: 'refused' });
    await deliver(id);
    expect(told()).toEqual([1, 2]);
    receiver.answer(200);
    later(20_000);
    await deliver(id);

    expect(told()).toEqual([1, 2, 2, 3]);
    expect(await row(id)).toMatchObject({ failures: 0, failingSince: null, nextTryAt: null, lastError: null });
    expect(secret).toMatch(/^whsec_/);
    const ledger = await listDeliveries(deps, { companyId, endpointId: id, limit: 10, beforeId: null });
    expect(ledger.toReversed().map((one) => [one.sequence, one.number, one.httpStatus, one.error])).toEqual([
      [1, 1, 200, null],
      [2, 1, 500, 'refused'],
      [2, 2, 200, null],
      [3, 1, 200, null],
    ]);
  });

  it('is tried after pauses that grow from ten seconds to four hours, for 72 hours, and then disabled', async () => {
    const { id } = await declare();
    await happen(1);
    receiver.answer(503);
    const began = now.getTime();
    const pauses: number[] = [];
    for (let tries = 0; (await row(id)).disabledAt === null && tries < 100; tries++) {
      await deliver(id);
      const { nextTryAt } = await row(id);
      if (!nextTryAt) continue;
      pauses.push(nextTryAt.getTime() - now.getTime());
      now = nextTryAt;
    }

    expect(pauses[0]).toBeGreaterThanOrEqual(5000);
    expect(pauses[0]).toBeLessThanOrEqual(10_000);
    expect(Math.max(...pauses)).toBeGreaterThan(2 * HOUR_MS);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(4 * HOUR_MS);
    expect(pauses.length).toBeGreaterThan(20);
    const endpoint = await row(id);
    expect(endpoint).toMatchObject({ disabledReason: 'failing', lastError: 'refused' });
    expect((endpoint.disabledAt?.getTime() ?? 0) - began).toBe(72 * HOUR_MS);
    expect(await queueDueEvents(deps)).toBe(0);
  });

  it('is tried for 72 hours from its last success on', async () => {
    const { id } = await declare();
    await happen(2);
    receiver.answer(500);
    await deliver(id);
    later(71 * HOUR_MS);
    receiver.answer((response, { body }) => response.writeHead(body.data.sequence === 1 ? 200 : 500).end());
    await deliver(id);
    later(2 * HOUR_MS);
    await deliver(id);

    expect(await row(id)).toMatchObject({ disabledAt: null, deliveredSequence: 1, failures: 2 });
  });

  it('is given the pause that it asks for', async () => {
    const { id } = await declare();
    await happen(1);
    receiver.answer((response) => response.writeHead(429, { 'retry-after': '3600' }).end());
    await deliver(id);

    expect((await row(id)).nextTryAt).toEqual(new Date(now.getTime() + HOUR_MS));
  });

  it('is disabled at once when it answers 410, and goes on where it stopped once it is enabled', async () => {
    const { id } = await declare();
    await happen(2);
    receiver.answer(410);
    await deliver(id);
    await deliver(id);
    expect(told()).toEqual([1]);
    expect(await row(id)).toMatchObject({ disabledReason: 'gone', disabledAt: now });
    receiver.answer(200);
    await enableEndpoint(deps, { companyId, endpointId: id, after: null });
    await deliver(id);

    expect(told()).toEqual([1, 1, 2]);
  });

  it('can be told to leave one event out', async () => {
    const { id } = await declare();
    await happen(3);
    receiver.answer((response, { body }) => response.writeHead(body.data.sequence === 1 ? 400 : 200).end());
    await deliver(id);
    await enableEndpoint(deps, { companyId, endpointId: id, after: 1 });
    await deliver(id);

    expect(told()).toEqual([1, 2, 3]);
  });

  it('costs a worker at most the limit, and one try', async () => {
    const { id } = await declare();
    await happen(5);
    receiver.answer(() => undefined);
    const started = performance.now();
    await deliver(id);

    expect(performance.now() - started).toBeLessThan(3000);
    expect(told()).toEqual([1]);
    expect(await row(id)).toMatchObject({ lastError: 'timed-out', runningUntil: null });
  });

  it('keeps no worker that stops', async () => {
    const { id } = await declare();
    await happen(1);
    const stop = new AbortController();
    receiver.answer(() => stop.abort());
    await deliverEvents(deps, { endpointId: id, ...jobContext({ signal: stop.signal }) });

    expect(await row(id)).toMatchObject({ failures: 0, deliveredSequence: 0, runningUntil: null });
  });

  it('whose name means a private address is not asked', async () => {
    const { id } = await declare({ url: `https://receiver.example:${receiver.port}/` });
    await happen(1);
    deps = {
      ...deps,
      settings: { ...deps.settings, eventsAllowPrivate: false },
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    };
    await deliver(id);

    expect(await row(id)).toMatchObject({ lastError: 'address-refused', failures: 1 });
    expect(receiver.received).toEqual([]);
  });

  it('whose secrets cannot be opened is told nothing that is not signed', async () => {
    const { id } = await declare();
    await happen(1);
    await database(test).execute(`update event_endpoints set credentials = 'AAAA'`);
    await deliver(id);

    expect(receiver.received).toEqual([]);
    expect(await row(id)).toMatchObject({ lastError: 'account-unreadable', failures: 1 });
  });
});

describe('a range of events', () => {
  it('is told again on demand, with what is new before it', async () => {
    const { id } = await declare();
    await happen(5);
    await deliver(id);
    await replayEvents(deps, { companyId, endpointId: id, from: 2, to: 4 });
    await happen(1);
    expect(await queueDueEvents(deps)).toBe(1);
    await deliver(id);

    expect(told()).toEqual([1, 2, 3, 4, 5, 6, 2, 3, 4]);
    expect(receiver.received[6]?.id).toBe(receiver.received[1]?.id);
    expect(await row(id)).toMatchObject({ deliveredSequence: 6, replayFrom: null, replayTo: null });
    const [last] = await listDeliveries(deps, { companyId, endpointId: id, limit: 1, beforeId: null });
    expect(last).toMatchObject({ sequence: 4, isReplay: true });
    expect(await queueDueEvents(deps)).toBe(0);
  });

  it('goes on where it failed', async () => {
    const { id } = await declare();
    await happen(3);
    await deliver(id);
    await replayEvents(deps, { companyId, endpointId: id, from: 1, to: null });
    receiver.answer((response, { body }) => response.writeHead(body.data.sequence === 2 ? 500 : 200).end());
    await deliver(id);
    receiver.answer(200);
    later(20_000);
    await deliver(id);

    expect(told()).toEqual([1, 2, 3, 1, 2, 2, 3]);
  });

  it('that is only partly there ends all the same', async () => {
    const { id } = await declare({ types: ['order.created'] });
    await happen(2);
    await happen(2, 'shipment.held');
    await deliver(id);
    await replayEvents(deps, { companyId, endpointId: id, from: 2, to: 4 });
    await deliver(id);

    expect(told()).toEqual([1, 2, 2]);
    expect(await row(id)).toMatchObject({ replayFrom: null });
  });

  it('is refused while another is told again, of what was not told yet, and of a disabled endpoint', async () => {
    const { id } = await declare();
    await happen(2);
    await deliver(id);
    const replay = (from: number) => replayEvents(deps, { companyId, endpointId: id, from, to: null });

    await expect(replay(3)).rejects.toMatchObject({ status: 422 });
    await replay(1);
    await expect(replay(1)).rejects.toMatchObject({ code: 'replay-running' });
    await deliver(id);
    receiver.answer(410);
    await happen(1);
    await deliver(id);
    await expect(replay(1)).rejects.toMatchObject({ code: 'endpoint-disabled' });
  });
});

describe('the tick', () => {
  it('queues each endpoint that has something to be told, with a payload of ids only', async () => {
    const { deps: recording, jobs } = recordingDeps(test);
    const first = await declare();
    const second = await declare();
    await queueDueEvents(recording);
    expect(jobs).toEqual([]);
    await happen(1);
    await queueDueEvents(recording);
    await queueDueEvents(recording);

    expect(jobs.map(({ payload }) => payload)).toEqual([
      { endpointId: first.id },
      { endpointId: second.id },
      { endpointId: first.id },
      { endpointId: second.id },
    ]);
    expect(new Set(jobs.map((job) => job.id)).size).toBe(2);
  });

  it('writes no address and no secret into the log', async () => {
    const lines: unknown[] = [];
    const keep = (...line: unknown[]): void => void lines.push(line);
    const log = Object.assign(Object.create(silentLog), { info: keep, warn: keep, error: keep, debug: keep });
    const { id, secret } = await declare();
    deps = { ...deps, log };
    await happen(1);
    receiver.answer(410);
    await deliver(id);

    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(lines)).not.toContain(secret);
    expect(JSON.stringify(lines)).not.toContain(receiver.url);
  });
});
