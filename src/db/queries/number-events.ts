import type { Em } from '../orm.ts';

/** Limits how many rows one numbering locks. */
const MAX_PER_TURN = 5000;

/**
 * Numbers a company's new events and returns the last number. Runs wait for each other and then see every event
 * committed before. So numbers have no gap, and never appear before a smaller one.
 */
export async function numberEvents(em: Em, companyId: number): Promise<number> {
  for (;;) {
    const [head] = await em.execute<{ last: string; waiting: boolean }[]>(
      `select coalesce((select last_sequence from event_counters where company_id = ?), 0) as last,
              exists (select 1 from events where company_id = ? and sequence is null) as waiting`,
      [companyId, companyId],
    );
    if (!head?.waiting) return Number(head?.last ?? 0);
    await em.transactional((tx) => takeTurn(tx, companyId));
  }
}

async function takeTurn(tx: Em, companyId: number): Promise<void> {
  await tx.execute('insert into event_counters (company_id) values (?) on conflict (company_id) do nothing', [
    companyId,
  ]);
  // A separate statement: the next one then sees the work of the run before.
  await tx.execute('select id from event_counters where company_id = ? for no key update', [companyId]);
  await tx.execute(
    `with fresh as (select id, row_number() over (order by id) as step
                      from (select id from events where company_id = ? and sequence is null order by id limit ?) as waiting),
          numbered as (update events e set sequence = c.last_sequence + fresh.step
                         from fresh, event_counters c where e.id = fresh.id and c.company_id = ? returning e.id)
     update event_counters set last_sequence = last_sequence + (select count(*) from numbered) where company_id = ?`,
    [companyId, MAX_PER_TURN, companyId, companyId],
  );
}

/** Returns companies with events that have no number yet. */
export async function companiesWithNewEvents(em: Em): Promise<number[]> {
  // Each company costs one step in the index, however many of its events wait.
  const rows = await em.execute<{ id: number }[]>(
    'select id from companies c where exists (select 1 from events where company_id = c.id and sequence is null) order by id',
  );
  return rows.map((row) => row.id);
}
