import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { EventEndpoint } from '../../../src/db/entities/index.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { deliverEvents } from '../../../src/usecases/events/deliver-events.ts';
import { enableEndpoint, rotateSecret } from '../../../src/usecases/events/event-endpoints.ts';
import { queueDueEvents } from '../../../src/usecases/events/queue-due-events.ts';
import { listEvents } from '../../../src/usecases/events/read-events.ts';
import { database, jobContext, recordingDeps } from '../engine.ts';
import {
  changeDeps,
  companyId,
  declare,
  deliver,
  deps,
  HOUR_MS,
  happen,
  later,
  now,
  receiver,
  row,
  test,
  told,
  useEvents,
  verified,
} from './event-world.ts';

useEvents();

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

describe('a long run', () => {
  it('makes place for other endpoints, and the tick continues it', async () => {
    const { deps: recording, jobs } = recordingDeps(test);
    const { id } = await declare();
    await happen(3);
    await deliverEvents(recording, { endpointId: id, ...jobContext() }, { runMs: 0.001 });
    const first = told().length;
    await queueDueEvents(recording);
    await deliverEvents(recording, { endpointId: id, ...jobContext() });

    expect(first).toBeLessThan(3);
    expect(jobs).toEqual([{ name: 'deliver', id: `deliver-${id}-1`, payload: { endpointId: id } }]);
    expect(told()).toEqual([1, 2, 3]);
  });
});

describe('the endpoints of a company', () => {
  const accepted = (id: number) => database(test).nativeUpdate(EventEndpoint, { id }, { isReliable: true });
  const queued = async (): Promise<unknown[]> => {
    const { deps: recording, jobs } = recordingDeps(test);
    await queueDueEvents({ ...recording, now: () => now });
    return jobs.map(({ payload }) => payload);
  };

  it('run two at a time, and the one that waits longest is next', async () => {
    const [first, second, third] = [await declare(), await declare(), await declare()];
    for (const { id } of [first, second, third]) await accepted(id);
    await happen(1);
    const waiting = Promise.withResolvers<void>();
    receiver.answer((response) => void waiting.promise.then(() => response.writeHead(204).end()));
    const one = deliver(first.id);
    await test.until(
      async () => told().length,
      (count) => count === 1,
    );
    expect(await queued()).toEqual([{ endpointId: second.id }]);
    const other = deliver(second.id);
    await test.until(
      async () => told().length,
      (count) => count === 2,
    );
    expect(await queued()).toEqual([]);
    await deliver(third.id);
    expect(told()).toHaveLength(2);
    waiting.resolve();
    await Promise.all([one, other]);

    expect(await queued()).toEqual([{ endpointId: third.id }]);
  });

  it('leave a place to those that accept their events', async () => {
    const doubtful = [await declare(), await declare(), await declare()];
    const reliable = await declare();
    await accepted(reliable.id);
    await happen(1);

    expect(await queued()).toEqual([{ endpointId: doubtful[0]?.id }, { endpointId: reliable.id }]);
  });
});

describe('an endpoint that is enabled during a delivery', () => {
  it('keeps its lease, and gets no second run beside it', async () => {
    const { id } = await declare();
    await happen(1);
    const waiting = Promise.withResolvers<void>();
    receiver.answer((response) => void waiting.promise.then(() => response.writeHead(204).end()));
    const run = deliver(id);
    await test.until(
      async () => told().length,
      (count) => count === 1,
    );
    await enableEndpoint(deps, { companyId, endpointId: id, after: null });
    await deliver(id);
    await enableEndpoint(deps, { companyId, endpointId: id, after: 0 });
    await deliver(id);
    expect(told()).toEqual([1]);
    waiting.resolve();
    await run;
    await deliver(id);

    expect(told()).toEqual([1, 1]);
    expect(await row(id)).toMatchObject({ deliveredSequence: 1, runningUntil: null });
  });
});

describe('the tick', () => {
  it('queues each endpoint that has something to be told, with a payload of ids only', async () => {
    const { deps: recording, jobs } = recordingDeps(test);
    const first = await declare();
    const second = await declare();
    await database(test).execute('update event_endpoints set is_reliable = true');
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
    changeDeps({ log });
    await happen(1);
    receiver.answer(410);
    await deliver(id);

    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(lines)).not.toContain(secret);
    expect(JSON.stringify(lines)).not.toContain(receiver.url);
  });
});

describe('two endpoints that were slow', () => {
  it('share one run for a hundred times as long, also when they accept again', async () => {
    const [one, other] = [await declare(), await declare()];
    const both = async (): Promise<void> => {
      await happen(1);
      await deliver(one.id);
      await deliver(other.id);
    };
    await both();
    receiver.answer(() => undefined);
    await both();
    receiver.answer(204);
    later(HOUR_MS / 100);
    await both();
    await happen(1);

    const doubted = await queueDueEvents(deps);
    later(HOUR_MS / 10);

    expect([(await row(one.id)).isReliable, (await row(other.id)).failures]).toEqual([true, 0]);
    expect([doubted, await queueDueEvents(deps)]).toEqual([1, 2]);
  });
});
