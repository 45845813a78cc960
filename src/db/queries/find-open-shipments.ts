import type { ProcessStatus } from '../../domain/shipment-status.ts';
import type { Em } from '../orm.ts';

/** A shipment whose next step is due. */
export interface OpenShipment {
  id: number;
  company_id: number;
  generation: number;
  process_status: ProcessStatus;
  /** Code of its carrier. */
  code: string;
  /** The last try to book it; null: there was none. */
  attempt_id: number | null;
  /** The confirmation that waits for it; null: none does. */
  item_id: number | null;
}

/**
 * Finds bookings, confirmations and unknown outcomes that nothing works on, the oldest first. `graceSeconds` is how long a
 * row may wait for its job, `stuckSeconds` how long a call may take.
 */
export function findOpenShipments(
  em: Em,
  { graceSeconds, stuckSeconds, limit }: { graceSeconds: number; stuckSeconds: number; limit: number },
): Promise<OpenShipment[]> {
  // Each half reads a partial index of what is open. With both conditions in one WHERE, no index would serve.
  return em.execute<OpenShipment[]>(
    `with open as (
       select s.id, s.updated_at, null::int as item_id from shipments s
        where s.process_status in ('queued', 'submitting', 'unknown_outcome')
          and s.updated_at < now() - make_interval(secs => case s.process_status when 'submitting' then ?::float else ?::float end)
          and (s.process_status = 'submitting' or s.exhausted_at is null
               or s.process_status = 'unknown_outcome' and s.failure->>'retryable' = 'true')
       union all
       select s.id, s.updated_at, min(i.id) from operation_items i join shipments s on s.id = i.shipment_id
        where i.status in ('pending', 'running') and i.kind = 'transmit' and s.process_status = 'created'
          and i.updated_at < now() - make_interval(secs => ?)
        group by s.id
     )
     select s.id, s.company_id, s.generation, s.process_status, c.code, open.item_id,
            (select max(id) from shipment_attempts a where a.shipment_id = s.id and a.operation = 'create') as attempt_id
       from (select * from open order by updated_at limit ?) open
       join shipments s on s.id = open.id join carriers c on c.id = s.carrier_id
      order by open.updated_at`,
    [stuckSeconds, graceSeconds, graceSeconds, limit],
  );
}
