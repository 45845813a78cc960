import { afterAll, beforeAll, expect, it } from 'vitest';
import { forgetOldOrders } from '../../../src/usecases/persons/forget-old.ts';
import { addCompany } from '../../api/second-company.ts';
import { createOrder } from '../../api/ship-orders.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { database } from '../engine.ts';

const DAY_MS = 86_400_000;

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
});
afterAll(() => test.stop());

it('erases an order of one company before the backlog of another is done', async () => {
  const other = await addCompany(test, 'fair-erasure');
  const large = await createOrder(test);
  const small = await createOrder(test, {}, other.headers);
  const em = database(test);
  await em.execute(
    `insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', nextval('orders_id_seq')))).*
       from orders o, generate_series(1, 129) where o.id = ?`,
    [large],
  );
  await em.execute(`update orders set status = 'cancelled'`);
  let ticks = 0;
  const deps = {
    ...test.app.deps,
    now: () => new Date(Date.now() + 31 * DAY_MS + ++ticks * 60_000),
    settings: { ...test.app.deps.settings, personalDataMs: 30 * DAY_MS },
  };

  const count = await forgetOldOrders(deps);

  const rows = await em.execute<{ later: number; all: number }[]>(
    `select count(*) filter (where o.forgotten_at > s.forgotten_at)::int as later, count(*)::int as all
       from orders o join orders s on s.id = ? where o.company_id <> s.company_id and o.forgotten_at is not null`,
    [small],
  );
  expect(count).toBe(131);
  expect(rows).toEqual([{ later: 80, all: 130 }]);
});
