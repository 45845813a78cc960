import { systemEm } from '../db/orm.ts';
import type { Deps } from './deps.ts';

/** The partners that somebody has a contract or a connection with, by adapter id. */
export async function listPartners(
  deps: Pick<Deps, 'orm'>,
): Promise<{ carrierCodes: string[]; marketplaceCodes: string[] }> {
  const rows = await systemEm(deps.orm).execute<{ kind: 'carrier' | 'marketplace'; code: string }[]>(
    `select distinct 'carrier' as kind, c.code from contracts k join carriers c on c.id = k.carrier_id
      union select distinct 'marketplace', m.code from connections k join marketplaces m on m.id = k.marketplace_id
      order by 1, 2`,
  );
  const codes = (kind: string): string[] => rows.filter((row) => row.kind === kind).map((row) => row.code);
  return { carrierCodes: codes('carrier'), marketplaceCodes: codes('marketplace') };
}

/** Open work by kind, for /metrics. */
export async function countOpenWork(deps: Pick<Deps, 'orm'>): Promise<Record<string, number>> {
  const em = systemEm(deps.orm);
  const shipments = await em.execute<{ kind: string; count: number }[]>(
    `select 'shipment_' || process_status as kind, count(*)::int as count from shipments
      where process_status in ('queued', 'submitting', 'transmitting', 'unknown_outcome', 'cancelling') group by 1`,
  );
  const rest = await em.execute<{ kind: string; count: number }[]>(
    `select 'operation_items_open' as kind, count(*)::int as count from operation_items where status in ('pending', 'running')
      union all select 'tracking_due', count(*)::int from shipments where next_poll_at <= now()
      union all select 'tracking_lag_seconds', greatest(0, extract(epoch from now() - min(next_poll_at)))::int
        from shipments where next_poll_at is not null
      union all select 'carrier_outages', count(*)::int from carrier_outages where since is not null
      union all select 'needs_person', count(*)::int from shipments where surplus is not null
             or ((exhausted_at is not null or label_missing_since is not null) and process_status not in ('cancelled', 'rejected'))
      union all select 'held', count(*)::int from shipments
       where tracking_status = 'held' and process_status not in ('cancelled', 'rejected')
      union all select 'unrecognised_events', count(*)::int from tracking_events where status = 'unrecognised'
      union all select 'database_connections', count(*)::int from pg_stat_activity where datname = current_database()`,
  );
  const zero = { shipment_queued: 0, shipment_submitting: 0, shipment_unknown_outcome: 0 };
  return { ...zero, ...Object.fromEntries([...shipments, ...rest].map(({ kind, count }) => [kind, count])) };
}
