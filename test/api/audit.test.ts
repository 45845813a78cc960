import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { ADMIN_ROUTES } from '../../src/api/admin/routes.ts';
import { isWrite, operationIdOf } from '../../src/api/http/route.ts';
import { ROUTES } from '../../src/api/routes/index.ts';
import { systemEm } from '../../src/db/orm.ts';
import { createLog } from '../../src/lib/log.ts';
import { sealAudit } from '../../src/usecases/audit/seal-audit.ts';
import { createUser } from '../../src/usecases/people/users.ts';
import { createKey } from '../../src/usecases/setup/api-keys.ts';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { pathOf } from './path-of.ts';
import { addCompany } from './second-company.ts';

type Headers = Record<string, string>;

/** A row, with the names of its columns. */
interface Row {
  company_id: number | null;
  actor: string;
  channel: string;
  address: string | null;
  operation: string;
  targets: string[];
  target_count: number;
  status: number | null;
  code: string | null;
  request_id: string;
  is_replay: boolean;
}

const NOWHERE = '987654321';
const LOGGED: string[] = [];

let test: TestApp;
let made = 0;
let seen = 0;

/** Returns the rows since the last time. */
async function newRows(): Promise<Row[]> {
  const rows = await systemEm(test.app.deps.orm).execute<(Row & { id: string })[]>(
    'select * from audit_log where id > ? order by id',
    [seen],
  );
  seen = Number(rows.at(-1)?.id ?? seen);
  return rows;
}

async function person(role: string, companyKey: string | null = 'demo') {
  const email = `audited${made++}@example.com`;
  const { id, password } = await createUser(test.app.deps, { email, name: 'Ada Lovelace', role, companyKey });
  return { id, email, password };
}

function login(credentials: object): Promise<Response> {
  return fetch(`${test.app.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: test.app.url },
    body: JSON.stringify(credentials),
  });
}

async function browserOf(credentials: object): Promise<Headers> {
  const cookie = (await login(credentials)).headers.get('set-cookie') ?? '';
  return { 'x-api-key': '', cookie: cookie.split(';')[0] ?? '', origin: test.app.url };
}

async function admin(method: string, path: string, headers: Headers, body?: unknown) {
  const answer = await fetch(`${test.app.url}/api/v1/admin${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  return { status: answer.status, body: (await answer.json()) as any };
}

async function adminKey(companyKey = 'demo'): Promise<Headers> {
  const { key } = await createKey(test.app.deps, { companyKey, name: 'admin', expiresAt: null, scopes: ['admin'] });
  return { 'x-api-key': key };
}

beforeAll(async () => {
  const log = createLog({ level: 'error', destination: { write: (line) => void LOGGED.push(line) } });
  test = await startTestApp({ roles: ['api'], env: { WAIT_SECONDS: '0' }, log });
});
afterAll(() => test.stop());
beforeEach(async () => void (await newRows()));

describe('a write', () => {
  it('by a key leaves who, what, from where and how it ended, and nothing of what was sent', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.5', 'x-request-id': 'erp-7' };
    const created = await test.call('POST', '/orders', buildOrder(), headers);
    const { id } = created.body.order;
    await test.call('GET', `/orders/${id}`);
    await test.call('POST', `/orders/${id}/cancel`);
    await test.call('POST', '/orders/join', { orderIds: [id, 77] });
    await test.call('PATCH', `/orders/${NOWHERE}`, { note: 'x' });

    const rows = await newRows();

    expect(rows[0]).toMatchObject({
      company_id: test.demo.companyId,
      actor: expect.stringMatching(/^key:\d+$/),
      channel: 'api',
      address: '203.0.113.5',
      operation: 'postOrders',
      targets: [`order:${id}`],
      target_count: 1,
      status: 201,
      code: null,
      request_id: 'erp-7',
      is_replay: false,
    });
    expect(rows.slice(1).map((row) => [row.operation, row.targets, row.status, row.code])).toEqual([
      ['postOrdersIdCancel', [`order:${id}`], 200, null],
      ['postOrdersJoin', [`order:${id}`, 'order:77'], 422, expect.any(String)],
      ['patchOrdersId', [`order:${NOWHERE}`], 404, 'not-found'],
    ]);
    const { customer, shipping } = buildOrder() as Record<string, Record<string, string>>;
    const text = JSON.stringify(rows);
    for (const word of [customer?.email, customer?.full_name, shipping?.address, test.demo.apiKey]) {
      expect(word).toBeTruthy();
      expect(text).not.toContain(word);
    }
  });

  it('that is a batch leaves one row, with the first hundred ids and the number of all', async () => {
    const { body } = await test.call('POST', '/orders/batch', Array(130).fill(buildOrder()));

    const rows = await newRows();

    const ids = body.map(({ orderId }: { orderId: number }) => `order:${orderId}`);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ operation: 'postOrdersBatch', target_count: 130, targets: ids.slice(0, 100) });
  });

  it('names no ids that fields with the names of JavaScript itself hold', async () => {
    const element = JSON.parse('{"constructor": 5, "__proto__": 6, "toString": [{"id": 7}], "orderId": 8}');
    await test.call('POST', '/orders/batch', [element]);

    expect(await newRows()).toMatchObject([{ operation: 'postOrdersBatch', targets: ['order:8'], target_count: 1 }]);
  });

  it('that waits for a carrier names its orders, shipments and operation', async () => {
    const { body } = await test.call('POST', '/orders', buildOrder());
    const orderId = body.order.id;
    await newRows();

    const asked = await test.call('POST', '/shipment/create', [{ orderId }]);

    const operation = asked.headers.get('location')?.split('/').at(-1);
    expect(await newRows()).toMatchObject([
      { operation: 'postShipmentCreate', status: 202, targets: [`order:${orderId}`, `operation:${operation}`] },
    ]);
  });

  it('that is repeated with its Idempotency-Key is a replay', async () => {
    const headers = { 'idempotency-key': 'audit-1' };
    const order = buildOrder();
    const [first, second] = [
      await test.call('POST', '/orders', order, headers),
      await test.call('POST', '/orders', order, headers),
    ];

    const rows = await newRows();

    expect(second.body).toEqual(first.body);
    const targets = [`order:${first.body.order.id}`];
    expect(rows).toMatchObject([
      { is_replay: false, targets },
      { is_replay: true, targets, status: 201 },
    ]);
  });

  it('that only shows what it would do leaves no row', async () => {
    const sheet = 'order_number\n1\n';
    await test.call('POST', '/orders/import?dryRun=true', sheet, { 'content-type': 'text/csv' });
    await test.call('DELETE', `/bordero/${NOWHERE}`);
    await admin('PUT', '/companies/demo?dryRun=true', await adminKey(), { name: 'Other' });
    await test.call('POST', '/shipment/check-address', { carrierCompanyId: 1 });

    expect(await newRows()).toEqual([]);
  });

  it('that the rate limit turned away leaves no row', async () => {
    const limits = { concurrent_requests: 1, points_per_minute: 2 };
    const other = await addCompany(test, 'knapp', { settings: { limits } });
    const statuses = [];
    for (let tries = 0; tries < 4; tries++) {
      statuses.push((await test.call('POST', `/orders/${NOWHERE}/cancel`, undefined, other.headers)).status);
    }

    expect(statuses).toEqual([404, 404, 429, 429]);
    expect((await newRows()).map(({ status }) => status)).toEqual([404, 404]);
  });

  it('leaves a row when the client has gone away', async () => {
    await systemEm(test.app.deps.orm).transactional(async (tx) => {
      await tx.execute('lock table orders in access exclusive mode');
      const { port } = new URL(test.app.url);
      const headers = { 'x-api-key': test.demo.apiKey, 'x-request-id': 'gone' };
      const path = `/api/v1/external/orders/${NOWHERE}/cancel`;
      const sent = httpRequest({ port, method: 'POST', path, headers });
      const closed = new Promise((resolve) => sent.once('close', resolve));
      sent.on('error', () => undefined).end();
      await waitForLock();
      sent.destroy();
      await closed;
      expect(await newRows()).toEqual([]);
    });

    await vi.waitFor(async () =>
      expect(await newRows()).toMatchObject([{ operation: 'postOrdersIdCancel', status: 404, request_id: 'gone' }]),
    );
  });

  it('that fails by our own fault leaves a row with its status', async () => {
    const em = systemEm(test.app.deps.orm);
    await em.execute(
      `create function broken() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$;
       create trigger broken before insert on event_endpoints for each row execute function broken()`,
    );
    const answer = await test.call('POST', '/event-endpoints', { url: 'https://erp.example.com/x' });
    await em.execute('drop trigger broken on event_endpoints');

    expect(answer.status).toBe(500);
    expect(await newRows()).toMatchObject([{ operation: 'postEventEndpoints', status: 500, code: 'internal' }]);
  });

  it('is answered truthfully when its row cannot be written, and the log says so', async () => {
    const em = systemEm(test.app.deps.orm);
    await em.execute('alter table audit_waiting rename to audit_away');
    const answer = await test.call('POST', '/orders', buildOrder(), { 'x-request-id': 'unaudited' });
    await em.execute('alter table audit_away rename to audit_waiting');

    expect(answer.status).toBe(201);
    expect(await newRows()).toEqual([]);
    expect(LOGGED.filter((line) => /audit row not written/.test(line) && /unaudited/.test(line))).toHaveLength(1);
  });
});

async function waitForLock(): Promise<void> {
  await vi.waitFor(async () => {
    const [row] = await systemEm(test.app.deps.orm).execute<{ count: number }[]>(
      `select count(*)::int as count from pg_locks where not granted and relation = 'orders'::regclass`,
    );
    expect(row?.count).toBeGreaterThan(0);
  });
}

describe('people', () => {
  it('leave rows of logins, refused logins, writes and logouts', async () => {
    const ada = await person('operator');
    await newRows();
    await login({ ...ada, password: 'wrong' });
    const actor = `user:${ada.id}`;
    await vi.waitFor(async () =>
      expect(await newRows()).toMatchObject([
        { actor, company_id: test.demo.companyId, operation: 'login', status: 401, code: 'login-refused' },
      ]),
    );
    const browser = await browserOf(ada);
    await test.call('POST', '/orders', buildOrder(), browser);
    await test.call('PUT', '/rules', { rules: [] }, browser);
    await fetch(`${test.app.url}/api/v1/session`, { method: 'DELETE', headers: browser });

    const rows = await newRows();

    expect(rows.map((row) => [row.operation, row.status, row.code])).toEqual([
      ['login', 200, null],
      ['postOrders', 201, null],
      ['putRules', 403, 'missing-scope'],
      ['logout', 204, null],
    ]);
    const { companyId } = test.demo;
    expect(rows.map(({ company_id, channel, actor }) => ({ company_id, channel, actor }))).toEqual(
      Array(4).fill({ company_id: companyId, channel: 'console', actor }),
    );
    expect(JSON.stringify(rows)).not.toMatch(/example\.com|Ada/);
  });

  it('leave nothing when the e-mail address has no account', async () => {
    await login({ email: 'noone@example.com', password: 'wrong' });
    const ada = await person('viewer');
    await login({ ...ada, password: 'wrong' });

    await vi.waitFor(async () => expect(await newRows()).toMatchObject([{ actor: `user:${ada.id}` }]));
  });

  it('who work with every company leave their rows with the company that they work with', async () => {
    const other = await addCompany(test, 'altra');
    const ops = await person('admin', null);
    const browser = await browserOf(ops);
    await test.call('POST', '/orders', buildOrder(), { ...browser, 'x-company': 'altra' });
    await test.call('GET', '/orders', undefined, { ...browser, 'x-company': 'nowhere' });
    const made = await admin('POST', '/companies/altra/keys', browser, { name: 'Geheim' });
    await admin('DELETE', `/companies/altra/keys/${made.body.id}`, browser);
    await admin('PUT', '/companies/nuova', browser, { key: 'wrong' });

    const rows = await newRows();

    expect(rows.map((row) => [row.operation, row.company_id, row.status, row.targets.at(-1)])).toEqual([
      ['login', null, 200, undefined],
      ['postOrders', other.companyId, 201, expect.stringMatching(/^order:/)],
      ['access', null, 403, undefined],
      ['postCompaniesCompanyKeys', other.companyId, 201, `key:${made.body.id}`],
      ['deleteCompaniesCompanyKeysId', other.companyId, 200, `key:${made.body.id}`],
      ['putCompaniesCompany', null, 422, undefined],
    ]);
    expect(new Set(rows.map((row) => row.actor))).toEqual(new Set([`user:${ops.id}`]));
    expect(JSON.stringify(rows)).not.toMatch(/Geheim|smista_/);
  });
});

describe('refusals', () => {
  it('for lack of a scope or from a wrong address leave a row, also of a read', async () => {
    const limited = { companyKey: 'demo', name: 'limited', expiresAt: null };
    const reader = await createKey(test.app.deps, { ...limited, scopes: ['orders:read'] });
    const inside = await createKey(test.app.deps, { ...limited, addressRanges: ['10.0.0.0/8'] });
    await test.call('GET', '/rules', undefined, { 'x-api-key': reader.key });
    await test.call('POST', '/orders', buildOrder(), { 'x-api-key': reader.key });
    await test.call('GET', '/orders', undefined, { 'x-api-key': inside.key });
    await test.call('GET', '/orders', undefined, { 'x-api-key': 'smista_unknown' });
    await admin('GET', '/companies', { 'x-api-key': reader.key });

    expect((await newRows()).map((row) => [row.actor, row.operation, row.status, row.code])).toEqual([
      [`key:${reader.id}`, 'getRules', 403, 'missing-scope'],
      [`key:${reader.id}`, 'postOrders', 403, 'missing-scope'],
      [`key:${inside.id}`, 'access', 403, 'address-not-allowed'],
      [`key:${reader.id}`, 'administration', 403, 'missing-scope'],
    ]);
  });
});

describe('the board of queues', () => {
  it('leaves a row per action, with the person or the login of the settings', async () => {
    const ops = await person('admin', null);
    const { cookie = '' } = await browserOf(ops);
    const { user, password } = test.demo.admin;
    const basic = (word: string) => ({ authorization: `Basic ${Buffer.from(`${user}:${word}`).toString('base64')}` });
    const board = (method: string, path: string, headers: Headers) =>
      fetch(`${test.app.url}/admin/queues${path}`, { method, headers: { origin: test.app.url, ...headers } });
    await newRows();

    await board('GET', '/', { cookie });
    await board('GET', '/api/queues', { cookie });
    await board('PUT', '/api/queues/carrier-gls-it/retry/failed', { cookie });
    await board('PUT', '/api/queues/carrier-gls-it/book-987654321-0/clean', basic(password));
    await board('POST', '/api/queues/carrier-gls-it/add', basic(password));
    await board('GET', '/', basic('wrong'));
    await board('GET', '/', {});

    const rows = await newRows();

    expect(rows.map((row) => [row.actor, row.operation, row.targets.join(' '), row.status])).toEqual([
      [`user:${ops.id}`, 'queue retry', 'queue:carrier-gls-it', 200],
      ['board', 'job clean', 'queue:carrier-gls-it job:book-987654321-0', 404],
      ['board', 'queue add', 'queue:carrier-gls-it', 403],
      ['board', 'openBoard', '', 401],
    ]);
    expect(rows.map((row) => [row.channel, row.company_id])).toEqual(Array(4).fill(['board', null]));
  });
});

describe('every endpoint', () => {
  const keyed = ROUTES.filter(({ access }) => access === undefined);

  it.each(keyed.map((route) => ({ route, name: operationIdOf(route) })))(
    '$name leaves exactly one row when it writes, and none when it reads',
    async ({ route, name }) => {
      const url = pathOf(route, NOWHERE) + (route.path === '/bordero/{id}' ? '?confirm=true' : '');
      const query = route.method === 'get' ? url.replace('?confirm=true', '') : url;
      const body = route.method === 'get' || !route.body ? undefined : {};
      await test.call(route.method.toUpperCase(), query, body);

      const rows = await newRows();

      expect(rows.map((row) => [row.operation, row.channel])).toEqual(isWrite(route) ? [[name, 'api']] : []);
    },
  );

  it.each(ADMIN_ROUTES.map((route) => ({ route, name: operationIdOf(route) })))(
    '$name for admins leaves exactly one row when it writes, and none when it reads',
    async ({ route, name }) => {
      const url = route.path.replaceAll('{company}', 'demo').replaceAll(/\{\w+\}/g, NOWHERE);
      await admin(route.method.toUpperCase(), url, await adminKey(), route.method === 'get' ? undefined : {});

      const rows = await newRows();

      expect(rows.map((row) => row.operation)).toEqual(route.method === 'get' ? [] : [name]);
      expect(rows.map((row) => row.company_id)).toEqual(route.method === 'get' ? [] : [test.demo.companyId]);
    },
  );
});

describe('the metrics', () => {
  it('count the rows that are not sealed yet', async () => {
    const waiting = async () =>
      Number(
        /^smista_rows\{kind="audit_waiting"\} (\d+)$/m.exec(await (await fetch(`${test.app.url}/metrics`)).text())?.[1],
      );
    const before = await waiting();
    await test.call('POST', `/orders/${NOWHERE}/cancel`);
    const after = await waiting();
    await sealAudit(test.app.deps);

    expect([after, await waiting()]).toEqual([before + 1, 0]);
  });
});

describe('GET /audit', () => {
  it('lists the rows of the company, newest first, by pages and filters', async () => {
    const headers = { 'x-request-id': 'listed' };
    const ids: number[] = [];
    for (let count = 0; count < 3; count++)
      ids.push((await test.call('POST', '/orders', buildOrder(), headers)).body.order.id);
    await test.call('POST', `/orders/${ids[0]}/cancel`, undefined, headers);
    const list = (query: string) => test.call('GET', `/audit?${query}`);

    const first = await list('limit=2');
    const next = first.headers.get('link')?.match(/<\/api\/v1\/external(.*)>/)?.[1] ?? '';
    const second = await test.call('GET', next);
    const target = await list(`target=order:${ids[0]}`);
    const actor = first.body[0].actor;
    const [operation, other, today, later] = [
      await list('operation=postOrdersIdCancel&limit=1'),
      await list('actor=user:987654'),
      await list(`actor=${actor}&from=2020-01-01&limit=1`),
      await list('from=2999-01-01'),
    ];

    const operations = (answer: { body: { operation: string }[] }) => answer.body.map((row) => row.operation);
    expect(first.body[0]).toEqual({
      id: expect.any(Number),
      at: expect.any(String),
      actor: expect.stringMatching(/^key:/),
      channel: 'api',
      address: '127.0.0.1',
      operation: 'postOrdersIdCancel',
      targets: [`order:${ids[0]}`],
      targetCount: 1,
      outcome: 'ok',
      status: 200,
      code: null,
      requestId: 'listed',
      replay: false,
    });
    expect(operations(first)).toEqual(['postOrdersIdCancel', 'postOrders']);
    expect(operations(second)).toEqual(['postOrders', 'postOrders']);
    expect(operations(target)).toEqual(['postOrdersIdCancel', 'postOrders']);
    expect(operations(operation)).toEqual(['postOrdersIdCancel']);
    expect([other.body, later.body, today.body.length]).toEqual([[], [], 1]);
  });

  it('shows nothing of another company or of the installation', async () => {
    const other = await addCompany(test, 'fremd');
    const ops = await person('admin', null);
    const browser = await browserOf(ops);
    await test.call('POST', '/orders', buildOrder(), other.headers);

    const theirs = await test.call('GET', '/audit', undefined, other.headers);
    const own = await test.call('GET', '/audit?limit=1000');
    const installation = await admin('GET', '/audit?limit=1000', browser);
    const companys = await admin('GET', '/audit', await adminKey('fremd'));

    expect(theirs.body).toMatchObject([{ operation: 'postOrders' }]);
    expect(companys.body).toEqual(theirs.body);
    const ofOwn = new Set(own.body.map(({ id }: { id: number }) => id));
    expect(ofOwn.has(theirs.body[0].id)).toBe(false);
    expect(installation.body[0]).toMatchObject({ actor: `user:${ops.id}`, operation: 'login' });
    expect(installation.body.some(({ id }: { id: number }) => ofOwn.has(id) || id === theirs.body[0].id)).toBe(false);
  });
});
