import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Em, systemEm } from '../../src/db/orm.ts';
import { findOpenShipments } from '../../src/db/queries/find-open-shipments.ts';
import { companiesWithNewEvents, numberEvents } from '../../src/db/queries/number-events.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { createOrder } from '../usecases/engine.ts';

const ROWS = 200_000;

let test: TestApp;

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'] });
});
afterAll(() => test.stop());

/** Runs in a transaction of its own. Returns how many rows of a table it read, whatever the plan was. */
async function rowsRead(table: string, run: (tx: Em) => Promise<unknown>): Promise<number> {
  return systemEm(test.app.deps.orm).transactional(async (tx) => {
    await run(tx);
    const [read] = await tx.execute<{ rows: number }[]>(
      'select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables where relname = ?',
      [table],
    );
    return read?.rows ?? 0;
  });
}

const INSERT = `insert into events (company_id, type, data, sequence)
  select ?, 'order.created', '{}', n from generate_series(?::int, ?::int) n`;

describe.each([
  { name: 'that was never analyzed', analyzedWith: 0 },
  { name: 'whose statistics are of the time when all events waited', analyzedWith: 1000 },
])('a table of events $name', ({ analyzedWith }) => {
  beforeAll(async () => {
    const em = systemEm(test.app.deps.orm);
    const { companyId } = test.demo;
    await em.execute('truncate events, event_counters');
    await em.execute('alter table events set (autovacuum_enabled = off)');
    if (analyzedWith > 0) {
      await em.execute(INSERT.replace(', n from', ', null from'), [companyId, 1, analyzedWith]);
      await em.execute('analyze events');
      await em.execute('update events set sequence = id');
    }
    await em.execute(INSERT, [companyId, 1_000_000, 1_000_000 + ROWS]);
    await em.execute('insert into event_counters (company_id, last_sequence) values (?, ?)', [
      companyId,
      1_000_000 + ROWS,
    ]);
  });

  it('is not read to learn that none waits', async () => {
    expect(await rowsRead('events', (tx) => numberEvents(tx, test.demo.companyId))).toBe(0);
    expect(await rowsRead('events', companiesWithNewEvents)).toBe(0);
  });

  it('is not read to number one that waits', async () => {
    const { companyId } = test.demo;
    await systemEm(test.app.deps.orm).execute(INSERT.replace(', n from', ', null from'), [companyId, 1, 1]);
    const companies: number[][] = [];

    const asked = await rowsRead('events', async (tx) => void companies.push(await companiesWithNewEvents(tx)));
    const numbered = await rowsRead('events', (tx) => numberEvents(tx, companyId));

    expect(companies).toEqual([[companyId]]);
    expect(asked + numbered).toBeLessThan(20);
  });
});

describe('a table of shipments that are all done', () => {
  it('is not read to find open work', async () => {
    const em = systemEm(test.app.deps.orm);
    await em.execute('alter table shipments set (autovacuum_enabled = off)');
    const orderId = await createOrder(test);
    await em.execute(
      `insert into shipments (company_id, order_id, contract_id, carrier_id, direction, reference, process_status, parcel_count,
                              weight_grams, options, warnings, updated_at)
       select o.company_id, o.id, k.id, k.carrier_id, 'outbound', 'DONE' || n, 'cancelled', 1, 1000, '[]', '[]', now() - interval '1 day'
         from orders o join contracts k on k.company_id = o.company_id and k.key = 'gls', generate_series(1, ?::int) n where o.id = ?`,
      [ROWS, orderId],
    );

    const limits = { graceSeconds: 30, stuckSeconds: 60, limit: 500 };
    const read = await rowsRead('shipments', async (tx) => expect(await findOpenShipments(tx, limits)).toEqual([]));

    expect(read).toBeLessThan(20);
  });
});
