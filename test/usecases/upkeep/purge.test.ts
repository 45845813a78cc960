import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { purge } from '../../../src/usecases/upkeep/purge.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';
import { database } from '../engine.ts';

interface Row {
  name: string;
  days: number;
  effect?: string;
  status?: number | null;
  error?: string | null;
  bodies?: string | null;
}

describe('the nightly deletion', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await startTestApp({ roles: ['api'], env: { RETENTION_DAYS: '90', EXCHANGE_BODY_DAYS: '30' } });
    const em = database(test);
    // What each statement changed, written down by the database itself.
    await em.execute('create table statements (kind text, rows int)');
    await em.execute(`create function note_statement() returns trigger language plpgsql as $$
      begin insert into statements select tg_op || ' ' || tg_table_name, count(*) from changed; return null; end $$`);
    for (const [table, event] of [
      ['exchanges', 'delete'],
      ['exchanges', 'update'],
      ['idempotency_keys', 'delete'],
      ['operations', 'update'],
    ]) {
      await em.execute(
        `create trigger note_${event} after ${event} on ${table} referencing old table as changed
           for each statement execute function note_statement()`,
      );
    }
  });
  beforeEach(async () => {
    await database(test).execute('truncate exchanges, idempotency_keys, operations, statements cascade');
  });
  afterAll(() => test.stop());

  async function store(
    { name, days, effect = 'write', status = 200, error = null, bodies = '\\x00' }: Row,
    count = 1,
  ): Promise<void> {
    await database(test).execute(
      `insert into exchanges (company_id, request_id, provider, operation, effect, method, url, status, error, duration_ms, bodies, started_at)
       select ?, ?, 'gls-it', 'x', ?, 'GET', '', ?, ?, 1, ?::bytea, now() - make_interval(days => ?) from generate_series(1, ?)`,
      [test.demo.companyId, name, effect, status, error, bodies, days, count],
    );
  }

  /** Name of every exchange that is left, and whether it still has its bodies. */
  async function left(): Promise<Record<string, 'whole' | 'bare'>> {
    const rows = await database(test).execute<{ name: string; bare: boolean }[]>(
      'select request_id as name, bodies is null as bare from exchanges order by id',
    );
    return Object.fromEntries(rows.map(({ name, bare }) => [name, bare ? 'bare' : 'whole']));
  }

  it('removes exchanges by age, their bodies sooner, and successful reads soonest', async () => {
    await store({ name: 'write of last month', days: 29 });
    await store({ name: 'write before', days: 31 });
    await store({ name: 'write of last season', days: 91 });
    await store({ name: 'read of this week', days: 6, effect: 'read' });
    await store({ name: 'read before', days: 8, effect: 'read' });
    await store({ name: 'poll without news of yesterday', days: 2, effect: 'read', bodies: null });
    await store({ name: 'poll without news of today', days: 0, effect: 'read', bodies: null });
    await store({ name: 'read that was refused', days: 8, effect: 'read', status: 404 });
    await store({ name: 'read that broke', days: 8, effect: 'read', error: 'UND_ERR_SOCKET' });
    await store({ name: 'read that was never answered', days: 31, effect: 'read', status: null, error: 'ECONNRESET' });

    const count = await purge(test.app.deps);

    expect(await left()).toEqual({
      'write of last month': 'whole',
      'write before': 'bare',
      'read of this week': 'whole',
      'poll without news of today': 'bare',
      'read that was refused': 'whole',
      'read that broke': 'whole',
      'read that was never answered': 'bare',
    });
    expect(count).toBe(5);
  });

  it('removes a few thousand rows at a time, until none is left', async () => {
    const em = database(test);
    await store({ name: 'old', days: 91 }, 10_001);
    await store({ name: 'read', days: 8, effect: 'read' }, 5001);
    await store({ name: 'bare', days: 31 }, 5001);
    const company = test.demo.companyId;
    await em.execute(
      `insert into idempotency_keys (company_id, key, request_hash, created_at)
       select ?, 'key' || i, '', now() - interval '91 days' from generate_series(1, 5001) i`,
      [company],
    );
    await em.execute(
      `insert into operations (company_id, kind, input, created_at)
       select ?, 'create', '{"a":1}', now() - interval '91 days' from generate_series(1, 5001) i`,
      [company],
    );

    await purge(test.app.deps);

    const statements = await em.execute<{ kind: string; rows: number; most: number }[]>(
      `select kind, sum(rows)::int as rows, max(rows)::int as most from statements group by 1 order by 1`,
    );
    expect(await left()).toEqual({ bare: 'bare' });
    expect(statements).toEqual([
      { kind: 'DELETE exchanges', rows: 15_002, most: 5000 },
      { kind: 'DELETE idempotency_keys', rows: 5001, most: 5000 },
      { kind: 'UPDATE exchanges', rows: 5001, most: 5000 },
      { kind: 'UPDATE operations', rows: 5001, most: 5000 },
    ]);
  });

  it('removes events and their deliveries by age, and never an event without a number', async () => {
    const em = database(test);
    await em.execute(`insert into event_endpoints (company_id, key, url) values (?, 'erp', 'https://erp.example/')`, [
      test.demo.companyId,
    ]);
    const [last] = await em.execute<{ sequence: string }[]>(
      'select coalesce(max(sequence), 0) as sequence from events',
    );
    const before = Number(last?.sequence);
    await em.execute('update events set sequence = null');
    await em.execute(
      `insert into events (company_id, sequence, type, occurred_at, data)
       select ?, nullif(? + n, ? + 3), 'order.created', now() - make_interval(days => days), '{}'
         from (values (1, 91), (2, 89), (3, 91)) as row (n, days)`,
      [test.demo.companyId, before, before],
    );
    await em.execute(
      `insert into event_deliveries (company_id, endpoint_id, event_id, sequence, type, number, duration_ms, started_at)
       select company_id, id, 1, 1, 'order.created', 1, 1, now() - make_interval(days => days)
         from event_endpoints, unnest('{89, 91}'::int[]) as days`,
    );

    expect(await purge(test.app.deps)).toBe(2);
    const [left] = await em.execute<{ events: string[]; deliveries: string }[]>(
      `select (select array_agg(sequence - ? order by id) from events where data = '{}') as events,
              (select count(*) from event_deliveries) as deliveries`,
      [before],
    );
    expect(left).toMatchObject({ events: ['2', null], deliveries: '1' });
  });

  it('removes nothing on the next day', async () => {
    await store({ name: 'old', days: 91 });
    await store({ name: 'bare', days: 31 });

    const counts = [await purge(test.app.deps), await purge(test.app.deps)];

    expect(counts).toEqual([2, 0]);
  });
});
