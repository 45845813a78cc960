import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';

const BORDEROS = 1200;

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
  await database(test).execute(
    `insert into manifests (company_id, carrier_id, contract_id, number, manifest_date, total_shipments, total_parcels,
                            total_weight_grams, cod_cents)
     select ?, ?, ?, 'GLS-2026-' || n, '2026-03-01T10:00:00Z', 0, 0, 0, 0 from generate_series(1, ?::int) n`,
    [test.demo.companyId, test.carrierId, test.contractId, BORDEROS],
  );
});
afterAll(() => test.stop());

it('GET /bordero sends all borderos of years as a stream, the same as page by page', async () => {
  const all = await test.call('GET', '/bordero');
  const pages = [];
  for (let path = '/bordero?limit=700'; path !== ''; ) {
    const page = await test.call('GET', path);
    pages.push(...page.body);
    path = /<\/api\/v1\/external(.*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
  }
  const year = await test.call('GET', '/bordero?anno=2025');

  expect(all.status).toBe(200);
  expect(all.body).toHaveLength(BORDEROS);
  expect(all.body).toEqual(pages);
  expect(all.headers.get('transfer-encoding')).toBe('chunked');
  expect(all.headers.get('content-disposition')).toBeNull();
  expect(year.body).toEqual([]);
});
