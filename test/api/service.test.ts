import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createKey } from '../../src/usecases/setup/api-keys.ts';
import { backends, startTestApp, type TestApp } from '../support/test-app.ts';
import { addCompany } from './second-company.ts';

/** The contract's endpoints, copied from its table. */
const CONTRACT = [
  'post /orders',
  'get /orders/{id}',
  'post /orders/{id}/send-to-marketplace',
  'get /shipment/quote',
  'post /shipment/check-address',
  'post /shipment/create',
  'post /shipment/transmit',
  'get /shipment/{id}/tracking',
  'post /shipment/{id}/release-held',
  'delete /shipment/{id}',
  'post /bordero',
  'get /bordero',
  'get /bordero/{id}',
  'delete /bordero/{id}',
  'get /carriers/contracts',
  'get /carriers/{carrierId}/services',
  'get /marketplace/connected',
];

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is read as it is
type Json = any;

/** Every `$ref` of a document. */
function refsOf(value: Json): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => (name === '$ref' ? [String(child)] : refsOf(child)));
}

describe('around the api', () => {
  let test: TestApp;
  const get = (path: string) => fetch(`${test.app.url}${path}`);

  beforeAll(async () => {
    test = await startTestApp();
  });
  afterAll(() => test.stop());

  it('says that it lives and is ready, without a key', async () => {
    const live = await get('/health/live');
    const ready = await get('/health/ready');

    expect([live.status, await live.json()]).toEqual([200, { status: 'ok' }]);
    expect([ready.status, await ready.json()]).toEqual([200, { status: 'ready' }]);
  });

  it('counts requests by route, never by id, and open work by kind', async () => {
    await test.call('GET', '/orders/123456789');
    await test.call('GET', '/what/is/this');

    const metrics = await (await get('/metrics')).text();

    expect(metrics).toMatch(
      /smista_http_request_seconds_bucket\{[^}]*method="GET",route="\/orders\/\{id\}",status="404"\} \d/,
    );
    expect(metrics).toMatch(/route="other",status="404"/);
    expect(metrics).toMatch(/smista_rows\{kind="shipment_queued"\} 0/);
    expect(metrics).toMatch(/smista_rows\{kind="database_connections"\} [1-9]/);
    expect(metrics).not.toContain('123456789');
    expect(metrics).not.toContain('what/is');
  });

  it('describes every endpoint of the contract in OpenAPI', async () => {
    const document: Json = await (await get('/openapi.json')).json();

    const described = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
      Object.entries<Json>(methods).map(([method, operation]) => ({
        name: `${method} ${path.replace('/api/v1/external', '')}`,
        path,
        operation,
      })),
    );
    const ofContract = described.filter(({ operation }) => operation['x-addition'] === undefined);
    expect(document.openapi).toBe('3.1.0');
    expect(ofContract.map(({ name }) => name).toSorted()).toEqual(CONTRACT.toSorted());
    expect(new Set(described.map(({ operation }) => operation.operationId)).size).toBe(described.length);
    for (const { path, operation } of described) {
      const inPath = (operation.parameters ?? []).filter((one: Json) => one.in === 'path').map((one: Json) => one.name);
      expect(inPath).toEqual([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name));
      expect(Object.keys(operation.responses).some((status) => status.startsWith('2'))).toBe(true);
      expect(operation.responses['401']).toBeDefined();
    }
    for (const ref of refsOf(document)) {
      const found = ref
        .replace('#/', '')
        .split('/')
        .reduce((at: Json, name) => at?.[name], document);
      expect(found, ref).toBeDefined();
    }
    expect(document.components.securitySchemes.apiKey).toEqual({ type: 'apiKey', in: 'header', name: 'x-api-key' });
  });

  it('shows its reference from files of its own', async () => {
    const page = await get('/docs');
    const html = await page.text();

    const linked = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '');
    const files = await Promise.all(linked.map((url) => get(url)));
    const texts = await Promise.all(files.map((file) => file.text()));
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(linked).toHaveLength(4);
    for (const url of linked) expect(url).toMatch(/^\/docs\/[\w.-]+$/);
    expect(files.map((file) => file.status)).toEqual([200, 200, 200, 200]);
    expect(texts.join('\n')).toContain("url: '/openapi.json'");
    expect(texts[linked.indexOf('/docs/swagger-ui.css')]).not.toMatch(/url\(["']?https?:/);
  });

  it('draws the logos it links to', async () => {
    const [contract] = (await test.call('GET', '/carriers/contracts')).body;

    const logo = await fetch(contract.carrier.logoUrl);
    const unknown = await get('/logos/nobody.svg');

    expect(logo.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    expect(unknown.status).toBe(404);
  });
});

describe('when the database goes away', () => {
  it('the api lives, is not ready, says so, and recovers by itself', async () => {
    const test = await startTestApp({ roles: ['api'] });
    const name = new URL(test.app.config.databaseUrl ?? '').pathname.slice(1);
    const server = new pg.Client({ connectionString: inject('postgresUrl') });
    await server.connect();
    const status = async (path: string) => (await fetch(`${test.app.url}${path}`)).status;

    await server.query(`alter database ${name} with allow_connections false`);
    await server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    const away = await fetch(`${test.app.url}/health/ready`);
    const problem = await away.json();
    const request = await test.call('GET', '/carriers/contracts');
    const live = await status('/health/live');
    const metrics = await status('/metrics');
    await server.query(`alter database ${name} with allow_connections true`);
    await test.until(
      () => status('/health/ready'),
      (ready) => ready === 200,
    );
    const answer = await test.call('GET', '/carriers/contracts');
    await server.end();
    await test.stop();

    expect(away.status).toBe(503);
    expect(away.headers.get('Retry-After')).toBe('5');
    expect(problem).toMatchObject({
      code: 'not-ready',
      source: 'platform',
      retryable: true,
      detail: 'The database cannot be reached',
    });
    expect(request.status).toBe(503);
    expect(request.body).toMatchObject({ code: 'not-ready', source: 'platform', retryable: true });
    expect([live, metrics]).toEqual([200, 200]);
    expect(answer.status).toBe(200);
  });
});

describe.each(backends())('the rate limit, counted with the %s backend', (backend) => {
  it('limits the points per company and minute, whichever key asks, and then answers 429', async () => {
    const test = await startTestApp({ backend, env: { RATE_LIMIT_PER_MINUTE: '5' } });
    const one = await addCompany(test, 'contata');
    const two = await createKey(test.app.deps, { companyKey: 'contata', name: 'second', expiresAt: null });
    const neighbour = await addCompany(test, 'vicina');
    const read = (key: string) => test.call('GET', '/carriers/contracts', undefined, { 'x-api-key': key });

    const allowed = [];
    for (let request = 0; request < 5; request++) allowed.push(await read(one.key));
    const refused = await read(one.key);
    const sameCompany = await read(two.key);
    const other = await read(neighbour.key);
    const health = await fetch(`${test.app.url}/health/live`);
    await test.stop();

    const seconds = Number(refused.headers.get('Retry-After'));
    expect(allowed.map((answer) => answer.status)).toEqual([200, 200, 200, 200, 200]);
    expect(allowed.map((answer) => answer.headers.get('RateLimit')?.match(/r=(\d+)/)?.[1])).toEqual([
      '4',
      '3',
      '2',
      '1',
      '0',
    ]);
    expect(allowed[0]?.headers.get('RateLimit-Policy')).toBe('"default";q=5;qu="points";w=60');
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ code: 'too-many-requests', source: 'client', retryable: true });
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(refused.headers.get('RateLimit')).toBe(`"default";r=0;t=${seconds}`);
    expect([sameCompany.status, other.status, health.status]).toEqual([429, 200, 200]);
  });
});
