import { systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';

/** Lists the adapter ids of partners with a contract or connection, and tells whether any event endpoint and any printer exists. */
export async function listPartners(
  deps: Pick<Deps, 'orm'>,
): Promise<{ carrierCodes: string[]; marketplaceCodes: string[]; hasEventEndpoints: boolean; hasPrinters: boolean }> {
  const rows = await systemEm(deps.orm).execute<
    { kind: 'carrier' | 'marketplace' | 'events' | 'printers'; code: string }[]
  >(
    `select distinct 'carrier' as kind, c.code from contracts k join carriers c on c.id = k.carrier_id
      union select distinct 'marketplace', m.code from connections k join marketplaces m on m.id = k.marketplace_id
      union select 'events', 'events' where exists (select 1 from event_endpoints)
      union select 'printers', 'printers' where exists (select 1 from printers)
      order by 1, 2`,
  );
  const codes = (kind: string): string[] => rows.filter((row) => row.kind === kind).map((row) => row.code);
  return {
    carrierCodes: codes('carrier'),
    marketplaceCodes: codes('marketplace'),
    hasEventEndpoints: codes('events').length > 0,
    hasPrinters: codes('printers').length > 0,
  };
}

/** Counts open work by kind, for /metrics. */
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
      union all select 'contract_outages', count(*)::int from contract_outages where since is not null
      union all select 'needs_person', count(*)::int from shipments where surplus is not null
             or ((exhausted_at is not null or label_missing_since is not null) and process_status not in ('cancelled', 'rejected'))
      union all select 'held', count(*)::int from shipments
       where tracking_status = 'held' and process_status not in ('cancelled', 'rejected')
      union all select 'event_endpoints_failing', count(*)::int from event_endpoints where failures > 0 and disabled_at is null
      union all select 'event_endpoints_disabled', count(*)::int from event_endpoints where disabled_reason in ('failing', 'gone')
      union all select 'events_undelivered', coalesce(sum(c.last_sequence - e.delivered_sequence), 0)::int
             from event_endpoints e join event_counters c on c.company_id = e.company_id where e.disabled_at is null
      union all select 'unrecognised_events', count(*)::int from tracking_events where status = 'unrecognised'
      union all select 'audit_waiting', count(*)::int from audit_waiting
      union all select 'database_connections', count(*)::int from pg_stat_activity where datname = current_database()`,
  );
  const zero = { shipment_queued: 0, shipment_submitting: 0, shipment_unknown_outcome: 0 };
  return { ...zero, ...Object.fromEntries([...shipments, ...rest].map(({ kind, count }) => [kind, count])) };
}
