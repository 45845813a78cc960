import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProblemBody } from '../../src/api/http/schemas.ts';
import { ROUTES } from '../../src/api/routes/index.ts';
import { systemEm } from '../../src/db/orm.ts';
import { createKey, revokeKey } from '../../src/usecases/setup/api-keys.ts';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { rawRequester } from './raw-request.ts';
import { bookOrder, createOrder } from './ship-orders.ts';

const HOUR_MS = 3_600_000;

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp();
});
afterAll(() => test.stop());

describe('the api key', () => {
  const withKey = (key: string) => test.call('GET', '/carriers/contracts', undefined, { 'x-api-key': key });
  const keyUntil = (expiresAt: Date | null) =>
    createKey(test.app.deps, { companyKey: 'demo', name: 'test', expiresAt });

  it.each([
    '',
    'smista_',
    'smista_nobody-ever-made-this-one',
    'Bearer smista_x',
    `smista_${'x'.repeat(200)}`,
    "' or 1=1 --",
  ])('is refused when it is %j', async (key) => {
    const answer = await withKey(key);

    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ code: 'key-refused', source: 'client', retryable: false });
  });

  it('is required: a call without one is a 401', async () => {
    const answer = await fetch(`${test.app.url}/api/v1/external/carriers/contracts`);

    expect(answer.status).toBe(401);
    expect(ProblemBody.parse(await answer.json()).requestId).toBe(answer.headers.get('x-request-id'));
  });

  it('stops working as soon as it is revoked', async () => {
    const { id, key } = await keyUntil(null);

    const before = await withKey(key);
    await revokeKey(test.app.deps, { id });
    const revokedAt = Date.now();
    await test.until(
      () => withKey(key),
      ({ status }) => status === 401,
    );

    expect(before.status).toBe(200);
    // A key is remembered for a minute: what is quicker was told.
    expect(Date.now() - revokedAt).toBeLessThan(5000);
  });

  it('stops working when it expires', async () => {
    const valid = await keyUntil(new Date(Date.now() + HOUR_MS));
    const expired = await keyUntil(new Date(Date.now() - 1));

    const answers = [await withKey(valid.key), await withKey(expired.key)];

    expect(answers.map((answer) => answer.status)).toEqual([200, 401]);
  });

  it('is asked for before anything else is said', async () => {
    const answer = await test.call('POST', '/nothing', '{', { 'x-api-key': 'smista_no' });

    expect(answer.status).toBe(401);
  });
});

describe('a body that cannot be read', () => {
  it.each([
    ['GET', '/api/v1/external/nothing'],
    ['GET', '/api/v2/external/orders'],
    ['GET', '/nothing'],
  ])('%s %s is answered with a problem', async (method, path) => {
    const answer = await fetch(`${test.app.url}${path}`, { method, headers: { 'x-api-key': test.demo.apiKey } });

    expect(answer.status).toBe(404);
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(ProblemBody.parse(await answer.json())).toMatchObject({ code: 'not-found', status: 404 });
  });

  it.each([
    ['PUT', '/orders', 'POST'],
    ['GET', '/shipment/create', 'POST'],
    ['PATCH', '/shipment/7', 'DELETE'],
    ['DELETE', '/bordero', 'GET'],
  ])('%s %s names the methods that the path has', async (method, path, allowed) => {
    const answer = await test.call(method, path);

    expect(answer).toMatchObject({ status: 405, body: { code: 'method-not-allowed' } });
    expect(answer.headers.get('allow')?.split(', ')).toContain(allowed);
    expect(answer.headers.get('allow')?.split(', ')).not.toContain(method);
  });

  it('each fault is said in words', async () => {
    const items = [
      { name: 'x', price: 'much' },
      { name: 'y', quantity: 1.5, price: 1 },
    ];
    const answer = await test.call('POST', '/orders', buildOrder({ items, warehouse_id: true }));

    const said = answer.body.violations.map(({ pointer, message }: Record<string, string>) => `${pointer} ${message}`);
    expect(said.toSorted()).toEqual([
      '/items/0/price must be a number, not text',
      '/items/0/quantity is missing',
      '/items/1/quantity must be a whole number, not a number with decimals',
      '/warehouse_id must be the id or the key of a warehouse',
    ]);
    expect(answer.body.detail).toMatch(/^4 invalid fields: \/\S+ /);
  });

  it('a body above two megabytes is too large, also when it was packed small', async () => {
    const large = JSON.stringify(buildOrder({ note: 'x'.repeat(2 * 1024 * 1024) }));

    const plain = await test.call('POST', '/orders', large);
    const packed = await fetch(`${test.app.url}/api/v1/external/orders`, {
      method: 'POST',
      headers: { 'x-api-key': test.demo.apiKey, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(large),
    });

    expect(plain.status).toBe(413);
    expect(plain.body.code).toBe('too-large');
    expect(packed.status).toBe(413);
  });

  it('a packed body of ordinary size is read', async () => {
    const answer = await fetch(`${test.app.url}/api/v1/external/orders`, {
      method: 'POST',
      headers: { 'x-api-key': test.demo.apiKey, 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify(buildOrder())),
    });

    expect(answer.status).toBe(201);
  });

  it.each([
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { 'content-type': 'application/json', 'content-encoding': 'compress' },
  ])('%j is an unsupported type', async (headers) => {
    const answer = await test.call('POST', '/orders', buildOrder(), headers as Record<string, string>);

    expect(answer.status).toBe(415);
    expect(answer.body.code).toBe('unsupported-type');
  });

  it.each(['{', '', '\ufeff[', '{"a":1}{"b":2}'])('the body %j is not JSON', async (body) => {
    const answer = await test.call('POST', '/orders', body, { 'content-type': 'application/json' });

    expect(answer.status).toBe(400);
    expect(answer.body.violations).toEqual([{ in: 'body', pointer: '', message: expect.any(String) }]);
  });

  it('every fault of path, query and body is named at once, by its pointer', async () => {
    const order = buildOrder({
      customer: { full_name: ' ', email: 7 },
      shipping: { address: 'Via Po, 1', province: 'Nowhere', zip: '2012', city: '', country_code: 'it' },
      items: [
        { name: 'ok', quantity: 1, price: 1 },
        { quantity: 0, price: '1' },
      ],
      parcels: [{ weight_kg: 0 }],
      marketplace: { connection_id: '1' },
      warehouse_id: 1.5,
    });

    const body = await test.call('POST', '/orders', order);
    const rest = await test.call('DELETE', '/bordero/abc?confirm=yes');

    expect(body.status).toBe(400);
    expect(new Set(body.body.violations.map((one: { pointer: string }) => one.pointer))).toEqual(
      new Set([
        '/customer/full_name',
        '/customer/email',
        '/shipping/full_name',
        '/shipping/province',
        '/shipping/zip',
        '/shipping/city',
        '/items/1',
        '/items/1/quantity',
        '/items/1/price',
        '/parcels/0/weight_kg',
        '/marketplace/connection_id',
        '/marketplace/order_id',
        '/warehouse_id',
      ]),
    );
    expect(rest.body.violations).toEqual([
      { in: 'path', pointer: '/id', message: 'must be a number' },
      { in: 'query', pointer: '/confirm', message: expect.any(String) },
    ]);
  });

  it('text that no database can hold is refused by name', async () => {
    const nul = await test.call('POST', '/orders', buildOrder({ note: 'a\u0000b', payment_method: '\ud800' }));
    const query = await test.call('GET', '/orders?orderNumber=a%00');

    expect(nul.body.violations.map((one: { pointer: string }) => one.pointer).toSorted()).toEqual([
      '/note',
      '/payment_method',
    ]);
    expect(query.body.violations).toEqual([
      { in: 'query', pointer: '/orderNumber', message: 'must be text without NUL characters' },
    ]);
  });

  it('a body full of faults is refused without naming them for ever', async () => {
    const answer = await test.call('POST', '/bordero', { carrierId: 1, orderIds: Array(200_000).fill('\u0000') });

    expect(answer.status).toBe(400);
    expect(answer.body.violations).toHaveLength(1000);
  });

  it('a path that is no UTF-8 is refused by name', async () => {
    const answer = await test.call('GET', '/orders/%ff');

    expect(answer.status).toBe(400);
    expect(answer.body.violations).toEqual([{ in: 'path', pointer: '', message: expect.any(String) }]);
  });
});

describe('unknown fields', () => {
  it('are ignored and named, also when nested or oddly spelt', async () => {
    const order = buildOrder({
      'a/b~c': 1,
      'più, giù': 1,
      '\ud800': 1,
      customer: { full_name: 'Anna', fullname: 'Anna' },
      items: [{ name: 'x', quantity: 1, price: 1, colour: 'red' }],
    });
    const body = JSON.stringify(order).replace(/\}$/, ',"__proto__":{"status":"delivered"}}');

    const created = await test.call('POST', '/orders?dryRun=1', body, { 'content-type': 'application/json' });

    expect(created.status).toBe(201);
    expect(created.body.order.status).toBe('pending');
    const named = (created.headers.get('X-Ignored-Fields') ?? '').split(', ').map(decodeURI);
    expect(new Set(named)).toEqual(
      new Set(['/dryRun', '/a~1b~0c', '/più, giù', '/\ufffd', '/customer/fullname', '/items/0/colour', '/__proto__']),
    );
  });

  it('of the query are refused by lists of ours, since the answer would be everything', async () => {
    const lists = ROUTES.filter((route) => route.isQueryStrict);
    const orders = await test.call('GET', '/orders?trackingNumber=M161');
    const pickups = await test.call('GET', '/pickups?carrier=gls');
    const ofContract = await test.call('GET', '/bordero?anno=2026&colour=red');

    expect(lists.length).toBeGreaterThan(8);
    expect(orders.status).toBe(400);
    expect(orders.body.violations).toEqual([
      {
        in: 'query',
        pointer: '/trackingNumber',
        message: expect.stringMatching(
          /^is not a parameter of this endpoint: use status, orderNumber, .*, limit, cursor$/,
        ),
      },
    ]);
    expect(pickups.status).toBe(400);
    expect(ofContract.status).toBe(200);
    expect(ofContract.headers.get('X-Ignored-Fields')).toBe('/colour');
  });

  it('are not mentioned when there are none', async () => {
    const created = await test.call('POST', '/orders', buildOrder());

    expect(created.headers.get('X-Ignored-Fields')).toBeNull();
  });
});

describe('the request id', () => {
  it('is kept when it is usable, and follows the work through operation, attempt and exchange', async () => {
    const orderId = await createOrder(test);
    const requestId = 'negozio.42:a-b_c';

    const booked = await test.call('POST', '/shipment/create', [{ orderId }], { 'X-Request-Id': requestId });

    const [found] = await systemEm(test.app.deps.orm).execute<Record<string, number>[]>(
      `select (select count(*)::int from operations where request_id = ?) as operations,
              (select count(*)::int from shipment_attempts where request_id = ?) as attempts,
              (select count(*)::int from exchanges where request_id = ? and operation = 'AddParcel') as exchanges`,
      [requestId, requestId, requestId],
    );
    expect(booked.headers.get('X-Request-Id')).toBe(requestId);
    expect(found).toEqual({ operations: 1, attempts: 1, exchanges: 1 });
  });

  it('is made when there is none or it is unusable', async () => {
    const none = await test.call('GET', '/orders/0');
    const long = await test.call('GET', '/orders/0', undefined, { 'X-Request-Id': 'x'.repeat(101) });
    const odd = await test.call('GET', '/orders/0', undefined, { 'X-Request-Id': 'a b' });

    for (const answer of [none, long, odd]) {
      expect(answer.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(answer.body.requestId).toBe(answer.headers.get('X-Request-Id'));
    }
  });
});

describe('a repeated read', () => {
  it('is not sent again while it is the same', async () => {
    const { orderId, shipmentId } = await bookOrder(test);
    // `fetch` asks for a fresh answer whenever it is given a validator, so it can never be told "not modified".
    const http = rawRequester(test.app.url);
    const read = (path: string, etag?: string) =>
      http.send({
        method: 'GET',
        path: `/api/v1/external${path}`,
        headers: { 'x-api-key': test.demo.apiKey, ...(etag ? { 'if-none-match': etag } : {}) },
      });
    const paths = [
      `/orders/${orderId}`,
      `/shipment/${shipmentId}/tracking`,
      `/shipment/${shipmentId}/label`,
      `/labels?shipmentIds=${shipmentId}&layout=a4-4`,
      '/bordero',
    ];

    const first = await Promise.all(paths.map((path) => read(path)));
    const second = await Promise.all(paths.map((path, at) => read(path, first[at]?.headers.etag)));
    await test.call('DELETE', `/shipment/${shipmentId}`);
    const changed = await read(paths[0] ?? '', first[0]?.headers.etag);
    http.close();

    expect(first.map((answer) => answer.status)).toEqual(paths.map(() => 200));
    expect(second.map((answer) => [answer.status, answer.text])).toEqual(paths.map(() => [304, '']));
    expect(changed.status).toBe(200);
  });
});
