import type { Orm } from '../orm.ts';
import { AMONG_JOBS, batched } from './batched.ts';
import { runPrepared, type Statement } from './prepared.ts';

/** A carrier's report about a parcel, beside what was known when it was asked. */
export interface PollReport {
  shipmentId: number;
  companyId: number;
  /** The known state. */
  trackingStatus: string | null;
  lastEventAt: Date | null;
  /** The events of the report. */
  fingerprints: readonly string[];
  /** The further numbers of the parcel in the report. */
  numbers: readonly string[];
  polledAt: Date;
  nextPollAt: Date;
}

const STAY_QUIET: Statement = {
  name: 'stay-quiet',
  text: `
    with report as (
      select * from unnest($1::int[], $2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[], $8::int[])
             as r(shipment_id, tracking_status, last_event_at, fingerprints, numbers, polled_at, next_poll_at, company_id)
    ), quiet as (
      select s.id, r.polled_at, r.next_poll_at
        from report r join shipments s on s.id = r.shipment_id and s.company_id = r.company_id
       where s.tracking_status is not distinct from r.tracking_status and s.last_event_at is not distinct from r.last_event_at
         and s.expired_at is null
         and not exists (select 1 from jsonb_array_elements_text(r.fingerprints::jsonb) as f(fingerprint)
                          where not exists (select 1 from tracking_events e
                                             where e.shipment_id = s.id and e.fingerprint = f.fingerprint))
         and not exists (select 1 from jsonb_array_elements_text(r.numbers::jsonb) as n(number)
                          where not exists (select 1 from related_shipments o
                                             where o.shipment_id = s.id and o.tracking_number = n.number))
       order by s.id for no key update of s
    )
    update shipments s
       set polled_at = q.polled_at,
           next_poll_at = case when s.process_status in ('cancelled', 'rejected') then null else q.next_poll_at end
      from quiet q where s.id = q.id returning s.id`,
};

/**
 * Sets the next poll of a parcel whose report says nothing new. Returns false, and changes nothing, when there is news or when another
 * poll changed the parcel meanwhile. Nearly all polls end here, many in one statement.
 */
export const stayQuiet = batched(async (orm: Orm, reports: readonly PollReport[]): Promise<boolean[]> => {
  const rows = await runPrepared<{ id: number }>(orm, STAY_QUIET, [
    reports.map(({ shipmentId }) => shipmentId),
    reports.map(({ trackingStatus }) => trackingStatus),
    reports.map(({ lastEventAt }) => lastEventAt),
    reports.map(({ fingerprints }) => JSON.stringify(fingerprints)),
    reports.map(({ numbers }) => JSON.stringify(numbers)),
    reports.map(({ polledAt }) => polledAt),
    reports.map(({ nextPollAt }) => nextPollAt),
    reports.map(({ companyId }) => companyId),
  ]);
  const quiet = new Set(rows.map(({ id }) => id));
  return reports.map(({ shipmentId }) => quiet.has(shipmentId));
}, AMONG_JOBS);
