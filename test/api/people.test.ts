import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Login } from '../../src/api/http/login.ts';
import { ROUTES } from '../../src/api/routes/index.ts';
import type { UserRole } from '../../src/domain/roles.ts';
import { createUser, disableUser, listUsers, resetUser } from '../../src/usecases/people/users.ts';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { pathOf } from './path-of.ts';
import { addCompany } from './second-company.ts';

type Headers = Record<string, string>;

let test: TestApp;
let now = new Date('2026-11-23T08:00:00Z');
let made = 0;

/** Creates a person; returns the credentials. */
async function person(
  role: UserRole,
  companyKey: string | null = 'demo',
): Promise<{ email: string; password: string }> {
  const email = `person${made++}@example.com`;
  const { password } = await createUser(test.app.deps, { email, name: 'Ada', role, companyKey });
  return { email, password };
}

function login(credentials: object, headers: Headers = {}): Promise<Response> {
  return fetch(`${test.app.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: test.app.url, ...headers },
    body: JSON.stringify(credentials),
  });
}

/** Logs a person in; returns the headers of a browser. */
async function browserOf(credentials: object): Promise<Headers> {
  const answer = await login(credentials);
  const cookie = answer.headers.get('set-cookie') ?? '';
  return { 'x-api-key': '', cookie: cookie.split(';')[0] ?? '', origin: test.app.url };
}

async function whoAmI(headers: Headers): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`${test.app.url}/api/v1/session`, { headers });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'], env: { WAIT_SECONDS: '0' }, now: () => now });
});
afterAll(() => test.stop());

describe('a person', () => {
  it('logs in with a cookie that no script and no other site can use, works without a key, and logs out', async () => {
    const credentials = await person('operator');
    const answer = await login(credentials);
    const browser = await browserOf(credentials);

    const made = await test.call('POST', '/orders', buildOrder(), browser);
    const me = await whoAmI(browser);
    const out = await fetch(`${test.app.url}/api/v1/session`, { method: 'DELETE', headers: browser });
    const after = await test.call('GET', '/orders', undefined, browser);

    expect(answer.status).toBe(200);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^smista_session=session_[\w-]{43}; Max-Age=604800; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(made.status).toBe(201);
    expect(me.body).toMatchObject({
      email: credentials.email,
      name: 'Ada',
      role: 'operator',
      companies: [{ key: 'demo', name: expect.any(String) }],
      ofInstallation: false,
    });
    expect([out.status, after.status]).toEqual([204, 401]);
  });

  it('is refused in the same words with a wrong password, without an account, and when disabled', async () => {
    const [known, disabled] = [await person('viewer'), await person('viewer')];
    await disableUser(test.app.deps, disabled.email);

    const answers = await Promise.all(
      [{ ...known, password: 'wrong' }, { email: 'noone@example.com', password: 'wrong' }, disabled].map((one) =>
        login(one),
      ),
    );

    const told = await Promise.all(
      answers.map(async (answer) => [answer.status, { ...((await answer.json()) as object), requestId: '' }]),
    );
    expect(told[0]).toMatchObject([
      401,
      { code: 'login-refused', detail: 'The e-mail address or the password is wrong' },
    ]);
    expect(told[1]).toEqual(told[0]);
    expect(told[2]).toEqual(told[0]);
  });

  it('waits after wrong passwords from one address, and never at another one', async () => {
    const credentials = await person('viewer');
    const from = (address: string) => ({ 'x-forwarded-for': address });
    for (let tries = 0; tries < 5; tries++) await login({ ...credentials, password: 'wrong' }, from('198.51.100.7'));

    const [there, elsewhere] = [
      await login(credentials, from('198.51.100.7')),
      await login(credentials, from('203.0.113.9')),
    ];

    expect([there.status, elsewhere.status]).toEqual([429, 200]);
    expect(there.headers.get('retry-after')).toMatch(/^[1-9]$/);
    expect(await there.json()).toMatchObject({ code: 'too-many-logins', retryable: true });
  });

  it('does not wait for tries that its address was too early for', async () => {
    let clock = 0;
    const guard = new Login({ ...test.app.deps, now: () => new Date(clock) });
    const credentials = await person('viewer');
    const open = (email: string, password: string) => guard.open({ email, password }, '198.51.100.9');
    const guess = (who: number) => open(`guess${who}@example.com`, 'x').catch(() => undefined);
    for (let who = 0; who < 30; who++) await guess(who);
    for (const seconds of [1, 2, 4, 8, 16]) {
      clock += seconds * 1000;
      await guess(30 + seconds);
    }
    const blockedAt = clock;

    const early: unknown[] = [];
    for (const afterMs of [0, 0, 0, 0, 0, 1100, 3200, 7300, 15_400, 31_500]) {
      clock = blockedAt + afterMs;
      early.push(await open(credentials.email, credentials.password).catch(({ code }) => code));
    }
    clock = blockedAt + 32_000;
    const token = await open(credentials.email, credentials.password);

    expect(early).toEqual(Array(10).fill('too-many-logins'));
    expect(token).toMatch(/^session_/);
  });

  it('is not found by guessing: an address waits after thirty wrong cookies, and one that is logged in does not', async () => {
    const browser = await browserOf(await person('viewer'));
    const from = { 'x-forwarded-for': '198.51.100.30' };
    const guess = (token: string) => whoAmI({ cookie: `smista_session=${token}`, ...from });
    await whoAmI({ ...browser, ...from });

    const guesses = await Promise.all(Array.from({ length: 100 }, (_, at) => guess(`session_${at % 30}`)));
    const [next, known] = [await guess('session_next'), await whoAmI({ ...browser, ...from })];
    const elsewhere = await whoAmI({ cookie: 'smista_session=session_next' });
    now = new Date(now.getTime() + 1000);
    const waited = await guess('session_next');

    expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([401]));
    expect(next).toMatchObject({ status: 429, body: { code: 'too-many-wrong-sessions', retryable: true } });
    expect([known.status, elsewhere.status, waited.status]).toEqual([200, 401, 401]);
  });

  it('spends the points of the company by asking who is logged in', async () => {
    await addCompany(test, 'misurata', { settings: { limits: { points_per_minute: 2 } } });
    const browser = await browserOf(await person('viewer', 'misurata'));

    const asked = [await whoAmI(browser), await whoAmI(browser), await whoAmI(browser)];

    expect(asked.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(asked[2]?.body.code).toBe('too-many-requests');
  });

  it('is not used by other sites', async () => {
    const credentials = await person('admin');
    const browser = await browserOf(credentials);
    const post = (headers: Headers) => test.call('POST', '/orders', buildOrder(), { ...browser, ...headers });

    const forged = [
      await post({ origin: 'https://evil.example' }),
      await post({ origin: '' }),
      await post({ 'sec-fetch-site': 'cross-site' }),
      await post({ 'sec-fetch-site': 'same-site' }),
    ];
    const own = await post({ 'sec-fetch-site': 'same-origin' });

    expect(forged.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([403, 'wrong-origin']));
    expect(own.status).toBe(201);
    expect((await login(credentials, { origin: 'https://evil.example' })).status).toBe(403);
  });

  it('is logged out by disabling and by a new password, which lets a disabled person in again', async () => {
    const credentials = await person('viewer');
    const first = await browserOf(credentials);
    const password = await resetUser(test.app.deps, credentials.email);
    const second = await browserOf({ ...credentials, password });
    const afterReset = [(await whoAmI(first)).status, (await whoAmI(second)).status];
    await disableUser(test.app.deps, credentials.email);
    const afterDisabling = (await whoAmI(second)).status;
    const again = await resetUser(test.app.deps, credentials.email);

    expect(afterReset).toEqual([401, 200]);
    expect(afterDisabling).toBe(401);
    expect((await login({ ...credentials, password })).status).toBe(401);
    expect((await login({ ...credentials, password: again })).status).toBe(200);
  });

  it('is logged out twelve hours after the last request, and a week after the login', async () => {
    const browser = await browserOf(await person('viewer'));
    const start = now.getTime();
    const at = async (hours: number): Promise<number> => {
      now = new Date(start + hours * 3_600_000);
      return (await whoAmI(browser)).status;
    };

    const busy: number[] = [];
    for (let hours = 0; hours <= 7 * 24; hours += 11) busy.push(await at(hours));
    const late = await at(7 * 24 + 1);
    now = new Date(start);
    const other = await browserOf(await person('viewer'));
    now = new Date(start + 13 * 3_600_000);
    const idle = (await whoAmI(other)).status;
    now = new Date(start);

    expect(new Set(busy)).toEqual(new Set([200]));
    expect([late, idle]).toEqual([401, 401]);
  });

  it('sees the own company only, and one of the installation names a company', async () => {
    const other = await addCompany(test, 'altra');
    await test.call('POST', '/orders', buildOrder({ order_number: 'ALTRA-1' }), other.headers);
    const [own, every] = [await browserOf(await person('viewer')), await browserOf(await person('admin', null))];
    const read = (headers: Headers, company?: string) =>
      test.call('GET', '/orders?orderNumber=ALTRA-1', undefined, {
        ...headers,
        ...(company === undefined ? {} : { 'x-company': company }),
      });

    const answers = [
      await read(own),
      await read(own, 'altra'),
      await read(own, 'nowhere'),
      await read(every),
      await read(every, 'altra'),
      await read(every, 'demo'),
    ];

    expect(answers.map(({ status, body }) => [status, body.code ?? body.length])).toEqual([
      [200, 0],
      [403, 'company-missing'],
      [403, 'company-missing'],
      [403, 'company-missing'],
      [200, 1],
      [200, 0],
    ]);
    expect(answers[1]?.body.detail).toBe('You have no company altra');
  });
});

describe('the roles', () => {
  const OF_ADMINS = new Set(['audit:read', 'events:write', 'rules:write', 'tariffs:write']);

  it.each([
    { role: 'viewer', may: (scope: string) => scope.endsWith(':read') && !OF_ADMINS.has(scope) },
    { role: 'operator', may: (scope: string) => !OF_ADMINS.has(scope) },
    { role: 'admin', may: () => true },
  ] as const)('$role may use just the endpoints of the role', async ({ role, may }) => {
    const browser = await browserOf(await person(role));
    const keyed = ROUTES.filter(({ access }) => access === undefined);

    const answers: Record<string, boolean> = {};
    const refusals = new Set<string>();
    for (const route of keyed) {
      const { method, path } = route;
      const { body } = await test.call(method.toUpperCase(), pathOf(route), undefined, browser);
      const isRefused = body?.code === 'missing-scope';
      if (isRefused) refusals.add(body.detail.replace(body.scope, 'SCOPE'));
      answers[`${method} ${path}`] = !isRefused;
    }

    const wanted = keyed.map(({ method, path, scope }) => [`${method} ${path}`, scope === null || may(scope)]);
    expect(answers).toEqual(Object.fromEntries(wanted));
    expect([...refusals]).toEqual(role === 'admin' ? [] : ['Your role does not include SCOPE: ask an admin']);
  });

  it('let only admins of the installation see the board of queues', async () => {
    const people = [await person('admin', null), await person('operator', null), await person('admin')];

    const answers = await Promise.all(
      people.map(async (one) => {
        const { cookie = '' } = await browserOf(one);
        return (await fetch(`${test.app.url}/admin/queues/`, { headers: { cookie } })).status;
      }),
    );

    expect(answers).toEqual([200, 401, 401]);
  });
});

describe('smista user', () => {
  it('refuses what does not fit by name', async () => {
    const { email } = await person('viewer');
    const create = (input: object) =>
      createUser(test.app.deps, { email: 'new@example.com', name: '', role: 'viewer', companyKey: 'demo', ...input });

    await expect(create({ email: email.toUpperCase() })).rejects.toThrow(`There is already a user ${email}`);
    await expect(create({ email: 'ada' })).rejects.toThrow('ada is no e-mail address');
    await expect(create({ role: 'boss' })).rejects.toThrow('There is no role boss: use viewer, operator, admin');
    await expect(create({ companyKey: 'nowhere' })).rejects.toThrow('There is no company nowhere');
    await expect(disableUser(test.app.deps, 'new@example.com')).rejects.toThrow('There is no user new@example.com');
    expect(await listUsers(test.app.deps, 'nowhere')).toEqual([]);
  });
});
