import type { Orm } from '../orm.ts';
import { AMONG_JOBS, batched } from './batched.ts';
import { moveShipmentsSql } from './move-shipments.ts';
import { runBuilt } from './prepared.ts';

/** A shipment that a run holds. */
export interface BookingClaim {
  /** Fencing number. */
  fence: number;
  attemptId: number;
}

interface Wanted {
  shipmentId: number;
  requestId: string;
}

/**
 * Claims a queued shipment for one run and records the attempt, both or neither. Commits before any byte leaves. Null
 * when it is not queued, or another run has it.
 */
export const claimBooking = batched(async (orm: Orm, wanted: readonly Wanted[]): Promise<(BookingClaim | null)[]> => {
  // Two runs may claim the same shipment at the same moment: one of them gets it.
  const firsts = new Map(wanted.toReversed().map((one) => [one.shipmentId, one]));
  const claimed = moveShipmentsSql({
    ids: [...firsts.keys()],
    from: ['queued'],
    to: 'submitting',
    claim: true,
    set: { exhausted_at: null },
  });
  const rows = await runBuilt<{ shipment_id: number; fence: number; attemptId: number }>(orm, {
    sql: `with claimed as (${claimed.sql})
     insert into shipment_attempts (company_id, shipment_id, operation, number, reference, request_id)
     select company_id, id, 'create', fence, reference, request_id
       from claimed join unnest(?::int[], ?::text[]) as asked (shipment_id, request_id) on shipment_id = id
     returning shipment_id, number as fence, id as "attemptId"`,
    params: [...claimed.params, [...firsts.keys()], [...firsts.values()].map(({ requestId }) => requestId)],
  });
  const claims = new Map(rows.map(({ shipment_id, ...claim }) => [shipment_id, claim]));
  return wanted.map((one) => (firsts.get(one.shipmentId) === one ? (claims.get(one.shipmentId) ?? null) : null));
}, AMONG_JOBS);
