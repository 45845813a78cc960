import { afterEach, expect, it } from 'vitest';
import { createOrder } from '../api/ship-orders.ts';
import { startTestApp, type TestApp, type TestAppOptions } from '../support/test-app.ts';

let test: TestApp | undefined;

afterEach(() => test?.stop());

async function start(options: TestAppOptions) {
  const started = await startTestApp({ ...options, env: { HEALTH_PORT: '0' } });
  test = started;
  const get = (path: string) => fetch(`${started.app.healthUrl}${path}`);
  return { test: started, get };
}

it('shows how jobs ended and who leads, and nothing else of the service', async () => {
  const { test, get } = await start({ roles: ['api', 'worker', 'scheduler'] });
  const orderId = await createOrder(test);
  await test.fault('gls-it', 'AddParcel', 'status-503', 1);
  await test.call('POST', '/shipment/create', [{ orderId }]);
  const live = await get('/health/live');
  const ready = await get('/health/ready');
  const metrics = await (await get('/metrics')).text();
  const orders = await get('/api/v1/external/orders');

  expect([live.status, ready.status, orders.status]).toEqual([200, 200, 404]);
  expect(metrics).toMatch(/smista_job_seconds_count\{queue="carrier-gls-it",outcome="completed"\} [1-9]/);
  expect(metrics).toMatch(/smista_job_seconds_count\{queue="carrier-gls-it",outcome="retried"\} 1/);
  expect(metrics).toMatch(/smista_scheduler_leader [01]/);
  expect(new URL(test.app.healthUrl ?? '').port).not.toBe(new URL(test.app.url).port);
});

it('is not ready while the process stops', async () => {
  const { test: stopping, get } = await start({ roles: ['api', 'worker'] });
  const orderId = await createOrder(stopping);
  await stopping.fault('gls-it', 'AddParcel', 'delay', 1);
  await stopping.call('POST', '/shipment/create', [{ orderId }], { prefer: 'respond-async' });
  await stopping.until(
    () => stopping.call('GET', `/orders/${orderId}`),
    ({ body }) => body.shipments[0].status === 'submitting',
  );
  test = undefined;
  const stopped = stopping.stop();
  const answer = await get('/health/ready');
  const problem = (await answer.json()) as { detail: string };
  await stopped;

  expect(answer.status).toBe(503);
  expect(problem.detail).toBe('smista is stopping');
});
