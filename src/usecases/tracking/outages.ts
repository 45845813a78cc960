import type { Contract } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { seeingEveryCompany } from '../../lib/visible-companies.ts';

/** Number of unanswered polls in a row that count as an outage of a contract. */
const FAILURES = 5;
/** Seconds of the first and of the longest pause. */
const FIRST = 60;
const LONGEST = 900;
/** Seconds. An older silence says nothing about the carrier: that contract has no parcels left to poll. */
const WINDOW = 2 * LONGEST;

type Polled = Pick<Contract, 'id' | 'companyId' | 'carrierId'>;

/**
 * Tells whether a contract may be polled now. During an outage, one worker at a time may probe the carrier after each pause; the others
 * get the time of the next probe.
 */
export async function askLeave(em: Em, contract: Polled): Promise<{ until: Date } | null> {
  const [outage] = await em.execute<{ id: number; until: string }[]>(
    `select id, next_probe_at as until from contract_outages where contract_id = ? and since is not null`,
    [contract.id],
  );
  if (!outage) return null;
  const probing = await em.execute<{ id: number }[]>(
    `update contract_outages set next_probe_at = now() + make_interval(secs => ?)
      where id = ? and next_probe_at <= now() returning id`,
    [FIRST, outage.id],
  );
  if (probing.length > 0) return null;
  return { until: new Date(outage.until) };
}

/**
 * Records an unanswered poll. Returns how long to pause, null while it is no outage. One such poll is enough while the
 * carrier itself is believed away. A contract is never paused for the polls of others alone.
 */
export async function noteSilence(em: Em, contract: Polled, error: string): Promise<{ until: Date } | null> {
  const { id, companyId, carrierId } = contract;
  const [row] = await em.execute<{ since: string | null; until: string }[]>(
    `with limits as (select case when exists (select 1 from carrier_outages where carrier_id = ? and since is not null)
                                 then 1 else ? end as failures)
     insert into contract_outages as o (contract_id, company_id, carrier_id, failures, last_error, failed_at, next_probe_at, since)
     select ?, ?, ?, 1, ?, now(), now() + make_interval(secs => ?), case when l.failures <= 1 then now() end from limits l
     on conflict (contract_id) do update
       set failures = o.failures + 1, last_error = excluded.last_error, failed_at = now(),
           since = coalesce(o.since, case when o.failures + 1 >= (select failures from limits) then now() end),
           next_probe_at = now() + make_interval(secs => least(? * 2 ^ least(greatest(o.failures + 1 - ?, 0), 10), ?))
     returning since, next_probe_at as until`,
    [carrierId, FAILURES, id, companyId, carrierId, error, FIRST, FIRST, FAILURES, LONGEST],
  );
  if (!row?.since) return null;
  // A carrier is that of all companies.
  await seeingEveryCompany(() => judgeCarrier(em, carrierId));
  return { until: new Date(row.until) };
}

/**
 * Believes the carrier away when two of its polled contracts are silent, and of two companies if two have such contracts. One
 * company's wrong account or proxy is no evidence about the carrier.
 */
async function judgeCarrier(em: Em, carrierId: number): Promise<void> {
  await em.execute(
    `insert into carrier_outages (carrier_id, failures, since, last_error, next_probe_at)
     select ?, sum(silent.failures), min(silent.since), max(silent.last_error), min(silent.next_probe_at)
       from contracts k left join contract_outages silent on silent.contract_id = k.id
            and silent.since is not null and silent.failed_at > now() - make_interval(secs => ?)
      where k.carrier_id = ? and exists (select 1 from shipments s where s.contract_id = k.id and s.next_poll_at is not null)
     having count(silent.id) >= least(2, count(*))
        and count(distinct silent.company_id) >= least(2, count(distinct k.company_id))
        and count(silent.id) > 0
     on conflict (carrier_id) do update
       set failures = excluded.failures, since = coalesce(carrier_outages.since, excluded.since),
           last_error = excluded.last_error, next_probe_at = excluded.next_probe_at`,
    [carrierId, WINDOW, carrierId],
  );
}

/** Ends the outage of a contract and of its carrier, because the carrier answered. */
export async function noteAnswer(em: Em, { id, carrierId }: Polled): Promise<void> {
  const [own] = await em.execute<{ since: string | null }[]>(
    'delete from contract_outages where contract_id = ? returning since',
    [id],
  );
  const away = await em.execute<{ id: number }[]>('delete from carrier_outages where carrier_id = ? returning id', [
    carrierId,
  ]);
  // The first contract that gets through wakes the others. One that was never silent says nothing about them.
  if (!own?.since || away.length === 0) return;
  await seeingEveryCompany(() =>
    em.execute(
      'update contract_outages set next_probe_at = now() where carrier_id = ? and since is not null and next_probe_at > now()',
      [carrierId],
    ),
  );
}
