import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { EVENTS_QUEUE } from '../../src/queue/jobs.ts';
import { examine } from '../../src/usecases/setup/doctor.ts';
import { type EventReceiver, startEventReceiver } from '../support/event-receiver.ts';
import { backends, startTestApp, type TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';
import { createOrder, transmitOrder } from './ship-orders.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe.each(backends())('events with the queue in %s', (backend) => {
  let test: TestApp;
  let receiver: EventReceiver;

  beforeAll(async () => {
    receiver = await startEventReceiver();
    test = await startTestApp({
      backend,
      roles: ['api', 'worker', 'scheduler'],
      queues: ['carrier-gls-it', EVENTS_QUEUE],
      env: { EVENTS_ALLOW_PRIVATE: 'true' },
    });
  });
  afterAll(async () => {
    await test.stop();
    await receiver.close();
  });

  it('reach their receiver by themselves, in the order in which they can be asked for', async () => {
    const { body: endpoint } = await test.call('POST', '/event-endpoints', { url: receiver.url });
    await test.app.workers?.refresh();
    const { orderId } = await transmitOrder(test);
    const own = () => receiver.received.filter(({ body }) => body.data.orderId === orderId);
    await test.until(
      async () => own(),
      (events) => events.length === 5,
    );

    const asked = await test.call('GET', '/events');
    const pushed = receiver.received.map((one) => ({
      id: one.id,
      ...(new Webhook(endpoint.secret).verify(one.raw, one.headers as Record<string, string>) as object),
    }));
    expect(pushed).toEqual(asked.body);
    expect(asked.body.map((event: { data: { sequence: number } }) => event.data.sequence)).toEqual(
      asked.body.map((_: unknown, index: number) => index + 1),
    );
    const [after] = await test.until(
      async () => (await test.call('GET', '/event-endpoints')).body,
      ([shown]) => shown.deliveredSequence === shown.lastSequence,
    );
    expect(after).toMatchObject({ status: 'active', deliveredSequence: asked.body.length });
  });

  it('reach it again after the queue was emptied', async () => {
    await test.app.deps.queues.queue(EVENTS_QUEUE).obliterate({ force: true });
    const orderId = await createOrder(test);

    await test.until(
      async () => receiver.received.map(({ body }) => body.data.orderId),
      (ids) => ids.includes(orderId),
    );
  });
});

describe('private addresses', () => {
  const allowed = (environment: Record<string, string>): boolean => readConfig(environment).eventsAllowPrivate;

  it('get events only in development, or with the setting', () => {
    const own = { DATABASE_URL: 'postgres://127.0.0.1/smista' };

    expect(allowed({})).toBe(true);
    expect(allowed({ SANDBOX: 'false' })).toBe(false);
    expect(allowed(own)).toBe(false);
    expect(allowed({ ...own, SANDBOX: 'true' })).toBe(false);
    expect(allowed({ EVENTS_ALLOW_PRIVATE: 'false' })).toBe(false);
    expect(allowed({ ...own, EVENTS_ALLOW_PRIVATE: 'true' })).toBe(true);
  });
});

describe('the events of a company', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ roles: ['api'], env: { EVENTS_ALLOW_PRIVATE: 'false' } });
  });
  beforeEach(() => database(test).execute('truncate events, event_counters'));
  afterAll(() => test.stop());

  it('can be asked for page by page, and by type', async () => {
    for (let count = 0; count < 5; count++) await createOrder(test);
    await database(test).execute(`update orders set status = 'error' where status = 'pending'`);

    const first = await test.call('GET', '/events?limit=3&types=order.created');
    const link = /<\/api\/v1\/external(.*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await test.call('GET', link);
    const rest = await test.call('GET', '/events?after=5');

    const numbers = (events: { data: { sequence: number } }[]) => events.map(({ data }) => data.sequence);
    expect([numbers(first.body), numbers(second.body)]).toEqual([
      [1, 2, 3],
      [4, 5],
    ]);
    expect(link).toBe('/events?limit=3&types=order.created&after=3');
    expect(second.headers.get('link')).toBeNull();
    expect(new Set(rest.body.map((event: { type: string }) => event.type))).toEqual(new Set(['order.status_changed']));
    expect(numbers(rest.body)[0]).toBe(6);
  });

  it('are asked for with a number and with types that there are', async () => {
    const { status, body } = await test.call('GET', '/events?after=-1&types=order.eaten&limit=0');

    expect(status).toBe(400);
    expect(body.violations.map((fault: { pointer: string }) => fault.pointer).toSorted()).toEqual([
      '/after',
      '/limit',
      '/types',
    ]);
  });

  it('that are asked for beyond the last one are none', async () => {
    expect((await test.call('GET', '/events?after=999999999999999')).body).toEqual([]);
  });
});

describe('an event endpoint', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ roles: ['api'], env: { EVENTS_ALLOW_PRIVATE: 'false' } });
  });
  afterEach(() => database(test).execute('delete from event_endpoints'));
  afterAll(() => test.stop());

  const declare = (body: unknown = { url: 'https://receiver.example/events' }, headers = {}) =>
    test.call('POST', '/event-endpoints', body, headers);

  it('shows its secret once, and masked ever after', async () => {
    const made = await declare();
    const listed = await test.call('GET', '/event-endpoints');

    expect(made.status).toBe(201);
    expect(made.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(listed.body).toMatchObject([
      { key: `endpoint-${made.body.id}`, types: null, secrets: ['whsec_********'], status: 'active', disabled: null },
    ]);
    expect(listed.body[0]).not.toHaveProperty('secret');
  });

  it('shows a secret once also under an Idempotency-Key, which remembers all but that', async () => {
    const key = { 'Idempotency-Key': `events-${Math.random()}` };
    const made = await declare(undefined, key);
    const again = await declare(undefined, key);
    const rotated = await test.call('POST', `/event-endpoints/${made.body.id}/rotate-secret`, undefined, {
      'Idempotency-Key': `rotate-${Math.random()}`,
    });

    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(again.body).toEqual({ ...made.body, secret: null });
    expect((await test.call('GET', '/event-endpoints')).body).toHaveLength(1);
    const [kept] = await database(test).execute<{ all: string }[]>(
      `select string_agg(to_jsonb(k)::text, ' ') || (select string_agg(to_jsonb(e)::text, ' ') from event_endpoints e) as all
         from idempotency_keys k`,
    );
    for (const secret of [made.body.secret, rotated.body.secret]) {
      expect(secret).toMatch(/^whsec_/);
      expect(kept?.all).not.toContain(secret);
    }
  });

  it('gets a new secret beside the old one, for a day', async () => {
    const made = await declare();
    const rotated = await test.call('POST', `/event-endpoints/${made.body.id}/rotate-secret`);

    expect(rotated.status).toBe(200);
    expect(rotated.body.secret).not.toBe(made.body.secret);
    expect(rotated.body.secrets).toHaveLength(2);
    const hours = (Date.parse(rotated.body.previousSecretUntil) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24);
  });

  it.each([
    'http://receiver.example/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/',
    'https://user:password@receiver.example/',
  ])('is not declared for %s', async (url) => {
    const { status, body } = await declare({ url });

    expect(status).toBe(422);
    expect(body.violations).toMatchObject([{ pointer: '/url' }]);
  });

  it('gets all faults at once', async () => {
    const { status, body } = await declare({
      url: 'nowhere',
      key: 'A B',
      types: ['order.eaten'],
      secret: 'whsec_YQ==',
    });

    expect(status).toBe(400);
    expect(body.violations.map((fault: { pointer: string }) => fault.pointer)).toEqual([
      '/url',
      '/key',
      '/types/0',
      '/secret',
    ]);
  });

  it('has a key of its own, and not more than nineteen others beside it', async () => {
    const url = 'https://receiver.example/';
    await declare({ url, key: 'erp' });
    const twice = await declare({ url, key: 'erp' });
    for (let count = 0; count < 19; count++) await declare({ url });
    const tooMany = await declare({ url });

    expect(twice.body.violations).toMatchObject([{ pointer: '/key' }]);
    expect(tooMany.status).toBe(422);
  });

  it('gets no events once it is deleted', async () => {
    const { body } = await declare();

    expect(await test.call('DELETE', `/event-endpoints/${body.id}`)).toMatchObject({ status: 200, body: true });
    expect((await test.call('DELETE', `/event-endpoints/${body.id}`)).status).toBe(404);
  });

  it('that was disabled says why and since when, to its owner, to the doctor and in the metrics', async () => {
    const { body } = await declare();
    await database(test).execute(
      `update event_endpoints set disabled_at = now(), disabled_reason = 'failing', failures = 30,
              failing_since = now() - interval '72 hours', last_error = 'timed-out'`,
    );
    const [shown] = (await test.call('GET', '/event-endpoints')).body;
    const findings = await examine(test.app.deps);
    const metrics = await (await fetch(`${test.app.url}/metrics`)).text();

    expect(shown).toMatchObject({
      status: 'disabled',
      disabled: { reason: 'failing' },
      failing: { tries: 30, error: 'timed-out' },
    });
    expect(findings.find(({ what }) => what === `event endpoint ${body.id} ${body.key}`)).toMatchObject({ ok: false });
    expect(metrics).toContain('smista_rows{kind="event_endpoints_disabled"} 1');

    const enabled = await test.call('POST', `/event-endpoints/${body.id}/enable`, {});
    expect(enabled.body).toMatchObject({ status: 'active', disabled: null, failing: null });
    expect((await test.call('POST', `/event-endpoints/${body.id}/enable`, { after: 1e9 })).status).toBe(422);
  });

  it("takes a secret of one's own", async () => {
    const { status, body } = await declare({ url: 'https://receiver.example/', secret: SECRET });

    expect([status, body.secret]).toEqual([201, SECRET]);
  });

  it('lists what it was told, newest first, page by page', async () => {
    const { body } = await declare();
    await database(test).execute(
      `insert into event_deliveries (company_id, endpoint_id, event_id, sequence, type, number, http_status, error, duration_ms, started_at)
       select company_id, id, n, n, 'order.created', 1, 200, null, 5, now() from event_endpoints, generate_series(1, 3) n`,
    );
    const first = await test.call('GET', `/event-endpoints/${body.id}/deliveries?limit=2`);
    const link = /<\/api\/v1\/external(.*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const second = await test.call('GET', link);

    expect([...first.body, ...second.body].map(({ sequence, status }) => [sequence, status])).toEqual([
      [3, 'delivered'],
      [2, 'delivered'],
      [1, 'delivered'],
    ]);
  });
});
