import type { Em } from '../orm.ts';
import { intArray } from './sql.ts';

/** Limits how many rows one numbering locks. */
const MAX_PER_TURN = 5000;

/**
 * The first company, from a given one, with an event that waits for its number. Only the partial index has this order. After
 * a bulk load the statistics say that all events wait. The planner then reads the whole table for an `exists` or an
 * `order by id`.
 */
const FIRST_WAITING = (from: string): string =>
  `select company_id from events where sequence is null and company_id >= ${from} order by company_id, id limit 1`;

/**
 * Numbers a company's new events and returns the last number. Runs wait for each other and then see every event
 * committed before. So numbers have no gap, and never appear before a smaller one.
 */
export async function numberEvents(em: Em, companyId: number): Promise<number> {
  for (;;) {
    const [head] = await em.execute<{ last: string; waiting: number | null }[]>(
      `select coalesce((select last_sequence from event_counters where company_id = ?), 0) as last,
              (${FIRST_WAITING('?')}) as waiting`,
      [companyId, companyId],
    );
    if (head?.waiting !== companyId) return Number(head?.last ?? 0);
    await em.transactional((tx) => takeTurn(tx, companyId));
  }
}

async function takeTurn(tx: Em, companyId: number): Promise<void> {
  await tx.execute('insert into event_counters (company_id) values (?) on conflict (company_id) do nothing', [
    companyId,
  ]);
  // A separate statement: the next one then sees the work of the run before.
  await tx.execute('select id from event_counters where company_id = ? for no key update', [companyId]);
  const waiting = await tx.execute<{ id: string }[]>(
    `select id from events where sequence is null and company_id >= ? and company_id <= ? order by company_id, id limit ?`,
    [companyId, companyId, MAX_PER_TURN],
  );
  // Ids instead of a subquery: the planner then knows how few they are.
  await tx.execute(
    `with numbered as (update events e set sequence = c.last_sequence + fresh.step
                         from unnest(?::bigint[]) with ordinality as fresh (id, step), event_counters c
                        where e.id = fresh.id and e.company_id = c.company_id and c.company_id = ? returning e.id)
     update event_counters set last_sequence = last_sequence + (select count(*) from numbered) where company_id = ?`,
    [intArray(waiting.map(({ id }) => Number(id))), companyId, companyId],
  );
}

/** Returns companies with events that have no number yet. */
export async function companiesWithNewEvents(em: Em): Promise<number[]> {
  // Each company costs one step in the index, however many of its events wait.
  const rows = await em.execute<{ id: number }[]>(
    `select c.id from companies c cross join lateral (${FIRST_WAITING('c.id')}) first
      where first.company_id = c.id order by c.id`,
  );
  return rows.map((row) => row.id);
}
