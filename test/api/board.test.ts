import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoContracts } from '../../src/demo/demo-contracts.ts';
import { backends, startTestApp, type TestApp } from '../support/test-app.ts';
import { createOrder, readOrder } from './ship-orders.ts';

function login(user: string, password: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

/** The part of the board's own answer that is looked at. */
interface Queue {
  name: string;
  allowRetries: boolean;
  jobs: { id: string; name: string; data: { shipmentId: number } }[];
}

describe.each(backends())('the board of queues on %s', (backend) => {
  let test: TestApp;
  const board = (method: string, path: string, headers: Record<string, string> = {}) => {
    const { user, password } = test.demo.admin;
    const own = { ...login(user, password), origin: test.app.url };
    return fetch(`${test.app.url}/admin/queues${path}`, { method, headers: { ...own, ...headers } });
  };
  const queues = async (): Promise<Queue[]> => {
    const answer = await board('GET', '/api/queues?activeQueue=carrier-gls-it&status=failed&page=1');
    return ((await answer.json()) as { queues: Queue[] }).queues;
  };

  beforeAll(async () => {
    test = await startTestApp({ backend });
  });
  afterAll(() => test.stop());

  it('is shown after a login only', async () => {
    const without = await fetch(`${test.app.url}/admin/queues`);
    const withKey = await fetch(`${test.app.url}/admin/queues`, { headers: { 'x-api-key': test.demo.apiKey } });
    const inside = await board('GET', '/');

    expect([without.status, withKey.status]).toEqual([401, 401]);
    expect(without.headers.get('WWW-Authenticate')).toMatch(/^Basic /);
    expect(inside.status).toBe(200);
    expect(await inside.text()).toContain('smista');
  });

  it('guards what it can do, and not only its page', async () => {
    const list = await fetch(`${test.app.url}/admin/queues/api/queues`);
    const retry = await fetch(`${test.app.url}/admin/queues/api/queues/carrier-gls-it/retry/failed`, { method: 'PUT' });
    const fromElsewhere = await board('PUT', '/api/queues/carrier-gls-it/retry/failed', {
      'Sec-Fetch-Site': 'cross-site',
    });

    const fromUnknown = await board('PUT', '/api/queues/carrier-gls-it/retry/failed', { origin: '' });

    expect([list.status, retry.status, fromElsewhere.status, fromUnknown.status]).toEqual([401, 403, 403, 403]);
  });

  it('lists a queue for every partner there is work for', async () => {
    const names = (await queues()).map((queue) => queue.name).toSorted();

    expect(names).toHaveLength(2 * demoContracts('').length + 1);
    expect(names).toEqual(
      expect.arrayContaining(['carrier-brt', 'carrier-gls-it', 'marketplace-woocommerce', 'tracking-gls-it']),
    );
  });

  it('loads nothing from elsewhere', async () => {
    const page = await board('GET', '/');
    const html = await page.text();

    expect(html).toContain('static/js/');
    expect([...html.matchAll(/(?:href|src)="(?:https?:)?\/\/[^"]*"/g)].map(([link]) => link)).toEqual([]);
    expect(page.headers.get('Content-Security-Policy')).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(page.headers.get('Content-Security-Policy')).not.toContain('https:');
  });

  it('offers a retry where it does something, and lets no job be made by hand', async () => {
    const offered = (await queues()).filter((queue) => queue.allowRetries).map((queue) => queue.name);
    const { user, password } = test.demo.admin;
    const added = await fetch(`${test.app.url}/admin/queues/api/queues/carrier-gls-it/add`, {
      method: 'POST',
      headers: { ...login(user, password), origin: test.app.url, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'book', data: { shipmentId: 1 }, options: {} }),
    });

    expect(offered).toContain('carrier-gls-it');
    expect(offered.filter((name) => name.startsWith('tracking-'))).toEqual([]);
    expect(added.status).toBe(403);
  });

  it.each(['one job', 'all of a queue'])('retries %s whose tries were used up', async (which) => {
    const orderId = await createOrder(test);
    await test.fault('gls-it', 'AddParcel', 'status-503', 3);
    const failed = await test.call('POST', '/shipment/create', [{ orderId }]);
    const [shipment] = (await readOrder(test, orderId)).shipments;
    const isFailed = async () => {
      const queue = (await queues()).find((one) => one.name === 'carrier-gls-it');
      return queue?.jobs.find((job) => job.data.shipmentId === shipment.id);
    };
    const job = await test.until(isFailed, (found) => found !== undefined);
    expect(job?.name).toBe(`book shipment ${shipment.id}, GLS Italy`);
    const inError = await readOrder(test, orderId);
    await test.clearFaults();

    const path = which === 'one job' ? `${job?.id}/retry` : 'retry/failed';
    const retried = await board('PUT', `/api/queues/carrier-gls-it/${path}`);
    const booked = await test.until(
      () => readOrder(test, orderId),
      (detail) => detail.order.status === 'shipment_created',
    );

    expect(failed.body.details.errors).toEqual([
      { id: orderId, message: expect.stringMatching(/503.*all retries are exhausted/) },
    ]);
    expect(inError.order.status).toBe('error');
    expect(inError.error).toMatch(/all retries are exhausted/);
    expect(retried.ok).toBe(true);
    expect(booked.error).toBeNull();
    expect(booked.shipments).toHaveLength(1);
    expect(booked.shipments[0]).toMatchObject({ id: shipment.id, status: 'created', error: null });
    expect(await test.ledger('gls-it', shipment.reference)).toMatchObject({ labelsSold: 1 });
    await test.until(isFailed, (found) => found === undefined);
  });
});

describe("a client that guesses the board's password", () => {
  it('waits after five wrong ones even with the right one, and not at another address', async () => {
    const test = await startTestApp({ roles: ['api'] });
    const { user, password } = test.demo.admin;
    const enter = async (name: string, word: string, from = '198.51.100.7') => {
      const headers = { ...login(name, word), 'x-forwarded-for': from };
      return (await fetch(`${test.app.url}/admin/queues/`, { headers })).status;
    };

    const right = await enter(user, password);
    const wrong = [];
    for (let guess = 0; guess < 7; guess++) wrong.push(await enter(user, `guess-${guess}`));
    const tooLate = await enter(user, password);
    const elsewhere = await enter(user, password, '203.0.113.9');
    await test.stop();

    expect(right).toBe(200);
    expect(wrong).toEqual([...Array(5).fill(401), 429, 429]);
    expect([tooLate, elsewhere]).toEqual([429, 200]);
  });
});
