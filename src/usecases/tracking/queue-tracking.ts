import { CarrierRow, Shipment } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { trackingQueue } from '../../queue/jobs.ts';
import { applyTrackingInterval } from './apply-interval.ts';

/** Maximum rows that one statement locks; a tick runs a few of them. */
const CLAIM_ROWS = 1000;
const MAX_PER_TICK = 20_000;
/** Parcels per job, for carriers that answer about one parcel per call. */
const CHUNK = 20;

interface Due {
  id: number;
  company_id: number;
  contract_id: number;
  code: string;
}

/**
 * Queues the due shipments by contract. Until an answer sets the next poll, they are due at the next interval, so a lost job only delays
 * a poll. Safe with concurrent schedulers.
 */
export async function queueDueTracking(deps: Deps): Promise<number> {
  await applyTrackingInterval(deps);
  let count = 0;
  while (count < MAX_PER_TICK) {
    const due = await claimDue(deps);
    await enqueue(deps, due);
    count += due.length;
    if (due.length < CLAIM_ROWS) break;
  }
  return count;
}

function claimDue(deps: Deps): Promise<Due[]> {
  const next = new Date(deps.now().getTime() + deps.settings.trackingIntervalMs);
  return systemEm(deps.orm).execute<Due[]>(
    `update shipments s set next_poll_at = ?
       from (select id, carrier_id from shipments where next_poll_at <= ? order by next_poll_at limit ? for update skip locked) d
       join carriers c on c.id = d.carrier_id
      where s.id = d.id returning s.id, s.company_id, s.contract_id, c.code`,
    [next, deps.now(), CLAIM_ROWS],
  );
}

async function enqueue(deps: Deps, due: readonly Due[]): Promise<void> {
  for (const [code, ofCarrier] of Map.groupBy(due, (row) => row.code)) {
    const size = deps.carriers.get(code)?.trackMany?.max ?? CHUNK;
    const jobs = [...Map.groupBy(ofCarrier, (row) => row.contract_id).values()].flatMap((rows) =>
      Array.from({ length: Math.ceil(rows.length / size) }, (_each, at) => {
        const shipmentIds = rows.slice(at * size, (at + 1) * size).map((row) => row.id);
        const id = `track-${shipmentIds[0]}-${deps.now().getTime()}`;
        const companyId = rows[0]?.company_id ?? 0;
        return { name: 'track' as const, id, companyId, payload: { shipmentIds, requestId: '' } };
      }),
    );
    // A poll that was not enqueued is due again at the next interval.
    await deps.queues
      .add(trackingQueue(code), jobs)
      .catch((err) => deps.log.warn({ err }, 'enqueue of polls failed; the next interval will retry'));
  }
}

/** Makes shipments due now. */
export async function trackNow(deps: Deps, shipmentIds: readonly number[]): Promise<void> {
  const em = systemEm(deps.orm);
  const shipments = await em.find(Shipment, { id: { $in: [...shipmentIds] } });
  const codes = new Map((await em.find(CarrierRow, {})).map((row) => [row.id, row.code]));
  const due = shipments.map(({ id, companyId, contractId, carrierId }) => ({
    id,
    company_id: companyId,
    contract_id: contractId,
    code: codes.get(carrierId) ?? '',
  }));
  await enqueue(deps, due);
}
