import { describe, expect, it } from 'vitest';
import { deliverEvents } from '../../../src/usecases/events/deliver-events.ts';
import { enableEndpoint, listDeliveries } from '../../../src/usecases/events/event-endpoints.ts';
import { queueDueEvents } from '../../../src/usecases/events/queue-due-events.ts';
import { database, jobContext } from '../engine.ts';
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
  setNow,
  test,
  told,
  useEvents,
} from './event-world.ts';

useEvents();

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
      setNow(nextTryAt);
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
    changeDeps({
      settings: { ...deps.settings, eventsAllowPrivate: false },
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    });
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
