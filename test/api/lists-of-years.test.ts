import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { COMPANY_ROLE } from '../../src/db/row-security.ts';
import { noteStatements } from '../support/statement-plans.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { WEEKS_OF_ORDERS } from '../support/weeks-of-orders.ts';

const ORDERS = 20_000;
/** A page of a hundred, with what each row needs. */
const FEW = ORDERS / 5;

let test: TestApp;
let client: pg.Client;
let statements: ReadonlySet<string>;
let companyId: number;

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
  client = new pg.Client({ connectionString: test.app.config.databaseUrl });
  await client.connect();
  ({ companyId } = test.demo);
  await client.query(WEEKS_OF_ORDERS, [companyId, test.contractId, ORDERS, 1]);
  await client.query(`
    insert into documents (company_id, shipment_id, kind, position, content_type, sha256, bytes)
      select company_id, id, 'label', 0, 'application/pdf', 'none', 'x' from shipments;
    insert into manifests (company_id, carrier_id, contract_id, number, manifest_date, total_shipments, total_parcels, total_weight_grams, cod_cents)
      select company_id, carrier_id, contract_id, 'GLS-1', now(), 1, 1, 1, 0 from shipments limit 1;
    insert into manifest_items (company_id, manifest_id, shipment_id, order_id)
      select s.company_id, m.id, s.id, s.order_id from shipments s, manifests m where s.id % 10 > 0;
    insert into operations (company_id, kind, input) select company_id, 'create', '{}' from shipments;
    insert into operation_items (company_id, operation_id, kind, status) select company_id, id, 'create', 'succeeded' from operations;
    insert into audit_log (company_id, at, actor, channel, operation, targets)
      select company_id, now(), 'key:1', 'api', 'POST /orders', array['order:' || id] from orders;
    update shipments set picked_up_at = now(), transmitted_at = now(), told_number = tracking_number;
    update orders set connection_id = ${test.connectionId}, external_order_id = id::text, sent_to_marketplace_at = now(), status = 'shipped';
  `);
  await client.query('vacuum analyze');
  statements = await noteStatements(test.app.deps.orm);
});
afterAll(async () => {
  await client.end();
  await test.stop();
});

interface Plan {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Plan[];
}

/** Returns how many rows a plan looked at. */
function rowsOf(plan: Plan): number {
  const removed = (plan['Rows Removed by Filter'] ?? 0) + (plan['Rows Removed by Join Filter'] ?? 0);
  const own = (plan['Actual Rows'] + removed) * plan['Actual Loops'];
  return own + (plan.Plans ?? []).reduce((sum, inner) => sum + rowsOf(inner), 0);
}

/** Runs the statements of a request again, as the company. Returns those that look at more rows than a page has. */
async function greedy(path: string): Promise<string[]> {
  const before = new Set(statements);
  await test.call('GET', path);
  const own = [...statements].filter(
    (text) => !before.has(text) && /^\s*(select|with)/i.test(text) && !text.includes('$1'),
  );
  await client.query(`set role ${COMPANY_ROLE}; set smista.companies = '{${companyId}}'`);
  const found: string[] = [];
  for (const text of own) {
    const { rows } = await client.query(`explain (analyze, timing off, format json) ${text}`);
    const count = rowsOf(rows[0]['QUERY PLAN'][0].Plan);
    if (count > FEW) found.push(`${count} rows: ${text}`);
  }
  await client.query('reset role');
  return found;
}

it.each([
  '/orders',
  '/orders?status=error',
  '/orders?problem=true',
  '/orders?hasLabel=true',
  '/shipments',
  '/shipments?manifest=none',
  '/shipments?direction=return',
  '/shipments?deliveredFrom=2020-01-01',
  '/shipment/7',
  '/bordero/open',
  '/operations',
  '/operations?open=true',
  '/audit?target=order:7',
  '/marketplace/state',
  '/marketplace/connected/1/import-failures',
  '/marketplace/connected/1/confirmations',
  '/marketplace/connected/1/confirmations?state=told',
  '/marketplace/connected/1/confirmations?state=read_back',
  '/marketplace/connected/1/confirmations?state=missing',
  '/marketplace/connected/1/confirmations?state=told_another',
])('GET %s reads its page, and not the orders of years', async (path) => {
  expect(await greedy(path)).toEqual([]);
});
