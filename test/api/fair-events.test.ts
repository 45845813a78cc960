import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVENTS_QUEUE } from '../../src/queue/jobs.ts';
import { type EventReceiver, startEventReceiver } from '../support/event-receiver.ts';
import { backends, startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany } from './second-company.ts';
import { createOrder } from './ship-orders.ts';

const ENDPOINTS = 20;
const ENABLED_EVERY_MS = 2000;

describe.each(backends())('beside twenty endpoints that hang, with the queue in %s', (backend) => {
  let test: TestApp;
  let hanging: EventReceiver;
  let healthy: EventReceiver;
  const open = new Set<ServerResponse>();
  let mostOpen = 0;

  beforeAll(async () => {
    [hanging, healthy] = await Promise.all([startEventReceiver(), startEventReceiver()]);
    hanging.answer((response) => {
      open.add(response);
      mostOpen = Math.max(mostOpen, open.size);
      response.on('close', () => open.delete(response));
    });
    test = await startTestApp({
      backend,
      roles: ['api', 'worker', 'scheduler'],
      queues: [EVENTS_QUEUE],
      env: { EVENTS_ALLOW_PRIVATE: 'true' },
    });
  });
  afterAll(async () => {
    await hanging.close();
    await test.stop();
    await healthy.close();
  });

  it('an event of another company is told within five seconds, also while they are enabled again and again', async () => {
    const neighbour = await addCompany(test, 'vicina');
    await test.call('POST', '/event-endpoints', { url: healthy.url }, neighbour.headers);
    const ids: number[] = [];
    for (let count = 0; count < ENDPOINTS; count++) {
      ids.push((await test.call('POST', '/event-endpoints', { url: hanging.url })).body.id);
    }
    await test.app.workers?.refresh();
    const tell = async (): Promise<number> => {
      const seen = healthy.received.length;
      await createOrder(test, {}, neighbour.headers);
      const started = performance.now();
      await test.until(
        async () => healthy.received.length,
        (count) => count > seen,
      );
      return performance.now() - started;
    };

    await createOrder(test);
    await test.until(
      async () => open.size,
      (size) => size > 0,
    );
    const took = [await tell()];
    let enabled: Promise<unknown> = Promise.resolve();
    const enableAll = (): void => {
      enabled = Promise.all(ids.map((id) => test.call('POST', `/event-endpoints/${id}/enable`, {})));
    };
    const timer = setInterval(enableAll, ENABLED_EVERY_MS);
    enableAll();
    for (let event = 0; event < 3; event++) took.push(await tell());
    clearInterval(timer);
    await enabled;

    expect(Math.max(...took)).toBeLessThan(5000);
    expect(mostOpen).toBe(1);
  });
});

describe.each(backends())('beside hanging endpoints of five companies, with the queue in %s', (backend) => {
  it('half of a worker is left to endpoints that answer', async () => {
    const [hanging, healthy] = await Promise.all([startEventReceiver(), startEventReceiver()]);
    const open = new Set<ServerResponse>();
    let mostOpen = 0;
    hanging.answer((response) => {
      open.add(response);
      mostOpen = Math.max(mostOpen, open.size);
      response.on('close', () => open.delete(response));
    });
    const test = await startTestApp({
      backend,
      roles: ['api', 'worker', 'scheduler'],
      queues: [EVENTS_QUEUE],
      env: { EVENTS_ALLOW_PRIVATE: 'true', EVENTS_TIMEOUT_SECONDS: '60', WORKER_CONCURRENCY: '4' },
    });
    const told = (count: number) =>
      test.until(
        async () => healthy.received.length,
        (received) => received >= count,
      );
    try {
      await test.call('POST', '/event-endpoints', { url: healthy.url });
      await test.app.workers?.refresh();
      await createOrder(test);
      await told(1);
      for (const name of ['uno', 'due', 'tre', 'quattro', 'cinque']) {
        const { headers } = await addCompany(test, name);
        for (let count = 0; count < 3; count++) {
          await test.call('POST', '/event-endpoints', { url: hanging.url }, headers);
        }
        await createOrder(test, {}, headers);
      }
      await test.until(
        async () => open.size,
        (size) => size >= 2,
      );
      await createOrder(test);
      await told(2);

      expect([open.size, mostOpen]).toEqual([2, 2]);
    } finally {
      await hanging.close();
      await test.stop();
      await healthy.close();
    }
  });
});
