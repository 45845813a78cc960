import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminDocument } from '../../src/api/openapi/admin-document.ts';
import { createUser } from '../../src/usecases/people/users.ts';
import { createKey } from '../../src/usecases/setup/api-keys.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany } from './second-company.ts';

type Headers = Record<string, string>;
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
type Answer = { status: number; body: any };

const document = adminDocument('0.0.0');
const ajv = new Ajv2020({ strict: false }).addSchema(document, 'admin');
formats.default(ajv);

let test: TestApp;
/** An admin of the demo company by key, one by session, one of the installation, and a person who is none. */
let admins: { key: Headers; person: Headers; installation: Headers; operator: Headers };

/** Calls an endpoint for admins; throws when its answer is not what the document says. */
async function call(method: string, path: string, headers: Headers, body?: unknown): Promise<Answer> {
  const response = await fetch(`${test.app.url}/api/v1/admin${path}`, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = { status: response.status, body: await response.json() };
  const template = Object.keys(document.paths ?? {}).find((known) =>
    new RegExp(`^${known.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(`/api/v1/admin${path.replace(/\?.*/, '')}`),
  );
  if (template) expectDocumented(template, method, answer);
  return answer;
}

function expectDocumented(template: string, method: string, { status, body }: Answer): void {
  type Operations = Record<string, { responses: Record<string, { $ref?: string; content?: object }> }>;
  const operation = ((document.paths?.[template] ?? {}) as Operations)[method.toLowerCase()];
  if (!operation) return;
  const stated = operation.responses[String(status)];
  if (!stated) throw new Error(`${method} ${template} answered ${status}, which is not documented`);
  if (stated.$ref || status >= 400) return;
  const content = ['responses', String(status), 'content', 'application/json', 'schema'];
  const pointer = ['paths', template, method.toLowerCase(), ...content]
    .map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'))
    .join('/');
  const validate = ajv.compile({ $ref: `admin#/${pointer}` });
  if (!validate(body)) throw new Error(`${method} ${template}: ${ajv.errorsText(validate.errors)}`);
}

async function sessionOf(role: string, companyKey: string | null): Promise<Headers> {
  const email = `${role}-${companyKey ?? 'all'}@example.com`;
  const { password } = await createUser(test.app.deps, { email, name: '', role, companyKey });
  const answer = await fetch(`${test.app.url}/api/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: test.app.url },
    body: JSON.stringify({ email, password }),
  });
  return { cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '', origin: test.app.url };
}

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
  const { key } = await createKey(test.app.deps, {
    companyKey: 'demo',
    name: 'setup',
    expiresAt: null,
    scopes: ['admin'],
  });
  admins = {
    key: { 'x-api-key': key },
    person: await sessionOf('admin', 'demo'),
    installation: await sessionOf('admin', null),
    operator: await sessionOf('operator', 'demo'),
  };
  await addCompany(test, 'altra');
});
afterAll(() => test.stop());

describe('administration', () => {
  it('is for keys with its scope and people with its role; a key that may do everything else does not suffice', async () => {
    const asked = [
      admins.key,
      admins.person,
      admins.installation,
      admins.operator,
      { 'x-api-key': test.demo.apiKey },
      {},
    ];

    const answers = await Promise.all(asked.map((headers) => call('GET', '/companies', headers)));

    expect(
      answers.map(({ status, body }) => [status, body.code ?? body.map((one: { key: string }) => one.key)]),
    ).toEqual([
      [200, ['demo']],
      [200, ['demo']],
      [200, ['altra', 'demo']],
      [403, 'missing-scope'],
      [403, 'missing-scope'],
      [401, 'key-refused'],
    ]);
    const orders = await test.call('GET', '/orders', undefined, admins.key);
    expect([orders.status, orders.body.scope]).toEqual([403, 'orders:read']);
  });

  it('answers for another company as for none', async () => {
    const attempts: [string, string, unknown?][] = [
      ['GET', ''],
      ['PUT', '', { name: 'Mine now' }],
      ['GET', '/keys'],
      ['POST', '/keys', { name: 'till' }],
      ['DELETE', '/keys/1'],
      ['GET', '/users'],
      ['POST', '/users', { email: 'new@example.com', role: 'admin' }],
      ['POST', '/users/1/reset'],
      ['DELETE', '/users/1'],
    ];

    for (const [method, path, body] of attempts) {
      const [foreign, missing] = await Promise.all(
        ['altra', 'nowhere'].map((company) => call(method, `/companies/${company}${path}`, admins.person, body)),
      );
      const { requestId: _one, ...told } = foreign?.body ?? {};
      const { requestId: _other, ...toldOfNone } = missing?.body ?? {};
      expect([method, path, foreign?.status, told]).toEqual([method, path, 404, toldOfNone]);
    }
  });

  it('reads a setup, takes it back as unchanged, and reports a dry run of a change, which writes nothing', async () => {
    const { body: setup } = await call('GET', '/companies/demo', admins.key);
    const again = await call('PUT', '/companies/demo', admins.key, setup);
    const tried = await call('PUT', '/companies/demo?dryRun=true', admins.key, { ...setup, phone: '0517770001' });
    const unchanged = await call('PUT', '/companies/demo?dryRun=true', admins.key, setup);

    expect(setup).toMatchObject({ key: 'demo', contracts: expect.any(Array) });
    expect(JSON.stringify(setup)).not.toMatch(/passwordClienteGls":"(?!keep)/);
    expect(again.body.changes.every(({ change }: { change: string }) => change === 'unchanged')).toBe(true);
    expect(tried.body.changes[0]).toMatchObject({ what: 'company demo', change: 'changed', fields: ['phone'] });
    expect(unchanged.body.changes[0]).toMatchObject({ change: 'unchanged' });
  });

  it('exports a declaration as YAML, which apply takes back as unchanged', async () => {
    const exported = await fetch(`${test.app.url}/api/v1/admin/export?company=demo&format=yaml`, {
      headers: admins.person,
    });
    const text = await exported.text();
    const applied = await fetch(`${test.app.url}/api/v1/admin/apply`, {
      method: 'POST',
      headers: { ...admins.person, 'content-type': 'application/yaml' },
      body: text,
    });
    const { changes } = (await applied.json()) as { changes: { change: string }[] };

    expect(exported.headers.get('content-type')).toContain('application/yaml');
    expect(text).toMatch(/^companies:\n {2}- key: demo\n[\s\S]*: keep\n/);
    expect([...new Set(changes.map(({ change }) => change))]).toEqual(['unchanged']);
  });

  it('keeps the limits of a company, which only an admin of the installation changes', async () => {
    const setup = (limits: object | undefined) => ({ name: 'Altra', ...(limits ? { settings: { limits } } : {}) });
    await call('PUT', '/companies/altra', admins.installation, setup({ points_per_minute: 100 }));
    const admin = await sessionOf('admin', 'altra');

    const more = await call('PUT', '/companies/altra', admin, setup({ points_per_minute: 9999 }));
    const silent = await call('PUT', '/companies/altra', admin, setup(undefined));
    const same = await call('PUT', '/companies/altra', admin, setup({ points_per_minute: 100 }));
    const { body } = await call('GET', '/companies/altra', admin);

    expect([more.status, silent.status, same.status]).toEqual([422, 200, 200]);
    expect(more.body.violations).toEqual([
      { in: 'body', pointer: '/settings/limits', message: 'are up to an admin of the installation' },
    ]);
    expect(body.settings.limits).toEqual({ points_per_minute: 100 });
  });

  it('costs the points of its company, and makes no other company wait', async () => {
    await addCompany(test, 'piccola', { settings: { limits: { points_per_minute: 2 } } });
    const input = { companyKey: 'piccola', name: 'setup', expiresAt: null, scopes: ['admin'] };
    const small = { 'x-api-key': (await createKey(test.app.deps, input)).key };

    const own = [];
    for (let asked = 0; asked < 3; asked++) own.push((await call('GET', '/companies', small)).status);
    const other = await call('GET', '/companies', admins.key);

    expect(own).toEqual([200, 200, 429]);
    expect(other.status).toBe(200);
  });

  it('names every fault of a declaration with its pointer', async () => {
    const { status, body } = await call('PUT', '/companies/demo', admins.key, {
      key: 'demo',
      name: 7,
      contracts: [{ key: 'x', label: 'X', carrier: 'nowhere', account: {} }],
    });
    const renamed = await call('PUT', '/companies/demo', admins.key, { key: 'other', name: 'Demo' });

    expect([status, body.code]).toEqual([422, 'rule-broken']);
    expect(body.violations.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/name',
      '/contracts/0/carrier',
    ]);
    expect(renamed.body.violations).toEqual([{ in: 'body', pointer: '/key', message: 'must be demo, as in the path' }]);
  });

  it('applies a declaration in YAML, and names the place of every fault in it', async () => {
    const apply = async (text: string, type = 'application/yaml'): Promise<Answer> => {
      const response = await fetch(`${test.app.url}/api/v1/admin/apply?dryRun=true`, {
        method: 'POST',
        headers: { ...admins.installation, 'content-type': type },
        body: text,
      });
      return { status: response.status, body: await response.json() };
    };
    const text = 'companies:\n  - key: nuova\n    nmae: Nuova\n    name: Nuova\n    postal_code: 00123';

    const answers = [
      await apply(text),
      await apply('companies: [{ key: "nuova }'),
      await apply('companies: [*nowhere]'),
      await apply('companies: [{ key: nuova, name: "a\\0b" }]'),
      await apply(`companies: []${' '.repeat(256 * 1024)}`),
      await apply(text, 'text/plain'),
      await apply('companies: [{ key: nuova, name: Nuova }]'),
      await call('POST', '/apply?dryRun=true', admins.installation, { companies: [{ key: 'x', nmae: 'X', name: 7 }] }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([422, 400, 400, 400, 413, 415, 200, 422]);
    expect(answers[0]?.body.violations).toEqual([
      {
        ...{ in: 'body', pointer: '/companies/0/nmae', kind: 'unknown-field', line: 3, column: 5 },
        message: 'is not a known field; did you mean name?',
      },
      {
        ...{ in: 'body', pointer: '/companies/0/postal_code', kind: 'text-wanted', line: 5, column: 18 },
        message: 'must be text, not a number; quote it: "00123"',
      },
    ]);
    expect(answers[1]?.body.violations[0]).toMatchObject({ pointer: '', line: 1, column: expect.any(Number) });
    expect(answers[5]?.body.detail).toBe(
      'The body must be application/json or application/yaml or application/x-yaml or text/yaml',
    );
    expect(answers[6]?.body.changes).toMatchObject([{ what: 'company nuova', change: 'created' }]);
    expect(answers[7]?.body.violations).toEqual([
      { in: 'body', pointer: '/companies/0/name', message: 'must be text, not a number', kind: 'text-wanted' },
      {
        ...{ in: 'body', pointer: '/companies/0/nmae', kind: 'unknown-field' },
        message: 'is not a known field; did you mean name?',
      },
    ]);
  });

  it('keeps the settings of a company whose own declaration has none', async () => {
    await addCompany(test, 'ferma', { settings: { vat_rate: '10' } });

    const { status } = await call('PUT', '/companies/ferma', await sessionOf('admin', 'ferma'), { name: 'Ferma' });
    const { body } = await call('GET', '/export?company=ferma', admins.installation);

    expect([status, body.companies[0].settings.vat_rate]).toEqual([200, '10']);
  });

  it('lets an admin of the installation declare a company, with keys and people of its own', async () => {
    const made = await call('PUT', '/companies/nuova', admins.installation, { name: 'Nuova S.r.l.' });
    const key = await call('POST', '/companies/nuova/keys', admins.installation, {
      name: 'erp',
      scopes: ['orders:read'],
      addressRanges: ['127.0.0.1'],
      expiresAt: '2030-01-01T00:00:00Z',
    });
    const person = await call('POST', '/companies/nuova/users', admins.installation, {
      email: 'ada@nuova.example',
      role: 'operator',
    });
    const twin = await call('POST', '/companies/nuova/users', admins.installation, {
      email: 'ADA@nuova.example',
      role: 'viewer',
    });
    const orders = await test.call('GET', '/orders', undefined, { 'x-api-key': key.body.key });
    const [keys, users] = [
      await call('GET', '/companies/nuova/keys', admins.installation),
      await call('GET', '/companies/nuova/users', admins.installation),
    ];

    expect([made.status, key.status, person.status, orders.status]).toEqual([200, 201, 201, 200]);
    expect(made.body.changes).toMatchObject([{ what: 'company nuova', change: 'created' }]);
    expect([twin.status, twin.body.detail]).toEqual([422, 'There is already a user ada@nuova.example']);
    expect(keys.body).toMatchObject([{ name: 'erp', scopes: ['orders:read'], addressRanges: ['127.0.0.1'] }]);
    expect(JSON.stringify(keys.body)).not.toContain(key.body.key);
    expect(users.body).toMatchObject([{ email: 'ada@nuova.example', role: 'operator', disabledAt: null }]);
  });

  it('revokes keys and disables people, and only those of the company', async () => {
    const { body: key } = await call('POST', '/companies/demo/keys', admins.person, { name: 'till' });
    const { body: user } = await call('POST', '/companies/demo/users', admins.person, {
      email: 'u@example.com',
      role: 'viewer',
    });
    const foreign = [
      await call('DELETE', `/companies/altra/keys/${key.id}`, admins.installation),
      await call('DELETE', `/companies/altra/users/${user.id}`, admins.installation),
      await call('POST', `/companies/altra/users/${user.id}/reset`, admins.installation),
    ];
    const reset = await call('POST', `/companies/demo/users/${user.id}/reset`, admins.person);
    const own = [
      await call('DELETE', `/companies/demo/keys/${key.id}`, admins.person),
      await call('DELETE', `/companies/demo/users/${user.id}`, admins.person),
    ];

    await test.until(
      () => test.call('GET', '/limits', undefined, { 'x-api-key': key.key }),
      ({ status }) => status === 401,
    );
    const { body: users } = await call('GET', '/companies/demo/users', admins.person);

    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(own.map(({ status, body }) => [status, body])).toEqual([
      [200, true],
      [200, true],
    ]);
    expect(reset.body.password).not.toBe(user.password);
    expect(users.find(({ id }: { id: number }) => id === user.id).disabledAt).not.toBeNull();
  });

  it('refuses scopes and ranges that do not exist, and unreadable bodies', async () => {
    const make = (body: unknown) =>
      call('POST', '/companies/demo/keys', admins.person, { name: 'x', ...(body as object) });

    const answers = [
      await make({ scopes: ['orders:delete'] }),
      await make({ addressRanges: ['everywhere'] }),
      await make({ name: '' }),
      await make({ expiresAt: 'soon' }),
    ];

    expect(
      answers.map(({ status, body }) => [status, body.violations?.[0]?.pointer ?? body.detail.slice(0, 33)]),
    ).toEqual([
      [422, 'There is no scope orders:delete: '],
      [422, 'everywhere is no address and no r'],
      [400, '/name'],
      [400, '/expiresAt'],
    ]);
  });
});
