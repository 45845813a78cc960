import type { CarrierEvent, TrackingReport } from '../carriers/contract.ts';
import { CarrierRow, Contract, Shipment } from '../db/entities/index.ts';
import { type Em, systemEm } from '../db/orm.ts';
import { isFinal, nextTrackingStatus, TRACKING_STATUSES, type TrackingStatus } from '../domain/tracking-status.ts';
import { sha256 } from '../lib/crypto.ts';
import { IntegrationError } from '../lib/errors.ts';
import { trackingQueue } from '../queue/jobs.ts';
import { giveUp, RetryLater } from '../queue/queue-system.ts';
import { callContract, supported } from './call-contract.ts';
import type { Deps, JobContext } from './deps.ts';
import { followParcel } from './follow-parcel.ts';
import { handleOf } from './shipment-draft.ts';

const MAX_PER_TICK = 5000;
const CHUNK = 20;
/** Raised when a code table changes, so that stored raw events can be read again. */
const MAPPING_VERSION = 1;

/** Picks the shipments that are due, moves their next poll ahead, and queues them. Any number of schedulers may call it. */
export async function queueDueTracking(deps: Deps): Promise<number> {
  const due = await systemEm(deps.orm).execute<{ id: number; code: string }[]>(
    `update shipments s set next_poll_at = ?
       from (select id, carrier_id from shipments where next_poll_at <= ? order by next_poll_at limit ? for update skip locked) d
       join carriers c on c.id = d.carrier_id
      where s.id = d.id returning s.id, c.code`,
    [new Date(deps.now().getTime() + deps.settings.trackingIntervalMs), deps.now(), MAX_PER_TICK],
  );
  for (const [code, rows] of Map.groupBy(due, (row) => row.code)) {
    const jobs = [];
    for (let at = 0; at < rows.length; at += CHUNK) {
      const shipmentIds = rows.slice(at, at + CHUNK).map((row) => row.id);
      const id = `track-${shipmentIds[0]}-${deps.now().getTime()}`;
      jobs.push({ name: 'track' as const, id, payload: { shipmentIds, requestId: '' } });
    }
    // A poll that was not queued is simply due again at the next interval.
    await deps.queues.add(trackingQueue(code), jobs).catch((err) => deps.log.warn({ err }, 'polls not queued'));
  }
  return due.length;
}

/** Asks the carrier where parcels are and writes down what is new. */
export async function trackShipments(deps: Deps, input: { shipmentIds: number[] } & JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const shipments = await em.find(Shipment, { id: { $in: input.shipmentIds } });
  let failure: IntegrationError | null = null;
  for (const shipment of shipments) {
    if (shipment.trackingNumber === null || isFinal(shipment.trackingStatus)) continue;
    if (input.signal.aborted) throw new RetryLater('The worker is stopping');
    const contract = await em.findOneOrFail(Contract, shipment.contractId);
    try {
      const report = await callContract(
        deps,
        { ...input, contract, shipmentId: shipment.id, attemptId: null },
        (carrier, context) => supported(carrier.track?.bind(carrier), carrier, 'tracking')(context, handleOf(shipment)),
      );
      await applyReport(deps, shipment, report);
    } catch (error) {
      if (!(error instanceof IntegrationError)) throw error;
      failure = error;
      if (error.kind === 'retryable') break; // the partner is unwell or asked to slow down: the rest waits too
    }
  }
  if (failure) {
    throw failure.kind === 'permanent'
      ? giveUp(failure.message)
      : new RetryLater(failure.message, failure.retryAfterMs);
  }
}

function fingerprintOf(event: CarrierEvent): string {
  return sha256([event.code, event.at.toISOString(), event.location, event.text].join('\u0000'));
}

/** Keeps each event once and moves shipment, order and manifest by the rules of `domain/tracking-status.ts`. */
export async function applyReport(deps: Deps, shipment: Shipment, report: TrackingReport): Promise<void> {
  await systemEm(deps.orm).transactional(async (tx) => {
    // Two polls of one shipment at a time would both move it from what they read.
    const [row] = await tx.execute<
      { tracking_status: TrackingStatus | null; last_event_at: string | null; is_delayed: boolean }[]
    >('select tracking_status, last_event_at, is_delayed from shipments where id = ? for update', [shipment.id]);
    if (!row) return;
    const fresh = await insertEvents(tx, shipment, report.events);
    let status = row.tracking_status;
    let lastEventAt = row.last_event_at === null ? 0 : new Date(row.last_event_at).getTime();
    let isDelayed = row.is_delayed;
    for (const event of fresh.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
      const isLate = event.at.getTime() < lastEventAt;
      const next = nextTrackingStatus(status, event.status);
      const raisesRank = next !== null && (status === null || TRACKING_STATUSES[next] > TRACKING_STATUSES[status]);
      if (!isLate || raisesRank) {
        status = next;
        if (event.status !== 'unrecognised') isDelayed = event.delayed ?? false;
      }
      lastEventAt = Math.max(lastEventAt, event.at.getTime());
    }
    await insertRelated(tx, shipment, report);
    await saveStatus(deps, tx, shipment, { status, lastEventAt, isDelayed, fresh });
    if (status !== row.tracking_status) await followParcel(tx, shipment.id);
  });
}

/** Stores what is not there yet; answers the events that were new. */
async function insertEvents(tx: Em, shipment: Shipment, events: readonly CarrierEvent[]): Promise<CarrierEvent[]> {
  if (events.length === 0) return [];
  const byFingerprint = new Map(events.map((event) => [fingerprintOf(event), event]));
  const rows = [...byFingerprint]
    .toSorted(([, a], [, b]) => a.at.getTime() - b.at.getTime())
    .map(([fingerprint, event]) => ({
      fingerprint,
      occurred_at: event.at.toISOString(),
      code: event.code,
      description: event.text,
      location: event.location,
      note: event.note,
      status: event.status,
      is_delayed: event.delayed ?? false,
    }));
  const inserted = await tx.execute<{ fingerprint: string }[]>(
    `insert into tracking_events (company_id, shipment_id, fingerprint, occurred_at, code, description, location, note,
                                  status, is_delayed, mapping_version)
     select ?, ?, fingerprint, occurred_at, code, description, location, note, status, is_delayed, ?
       from jsonb_to_recordset(?::jsonb) as event (fingerprint text, occurred_at timestamptz, code text, description text,
            location text, note text, status text, is_delayed boolean)
     on conflict (shipment_id, fingerprint) do nothing returning fingerprint`,
    [shipment.companyId, shipment.id, MAPPING_VERSION, JSON.stringify(rows)],
  );
  return inserted.flatMap((row) => byFingerprint.get(row.fingerprint) ?? []);
}

async function insertRelated(tx: Em, shipment: Shipment, report: TrackingReport): Promise<void> {
  for (const related of report.related) {
    await tx.execute(
      `insert into related_shipments (company_id, shipment_id, type, tracking_number, date) values (?, ?, ?, ?, ?)
       on conflict (shipment_id, tracking_number) do nothing`,
      [shipment.companyId, shipment.id, related.type, related.trackingNumber, related.date],
    );
  }
}

async function saveStatus(
  deps: Deps,
  tx: Em,
  shipment: Shipment,
  next: { status: TrackingStatus | null; lastEventAt: number; isDelayed: boolean; fresh: readonly CarrierEvent[] },
): Promise<void> {
  const now = deps.now();
  const since = Math.max(next.lastEventAt, shipment.bookedAt?.getTime() ?? now.getTime());
  const isOver = isFinal(next.status);
  const isExpired = !isOver && now.getTime() - since > deps.settings.trackingExpireMs;
  const firstAt = (wanted: (event: CarrierEvent) => boolean): Date | null => next.fresh.find(wanted)?.at ?? null;
  await tx.execute(
    `update shipments set tracking_status = ?, is_delayed = ?, last_event_at = ?, polled_at = ?,
            next_poll_at = case when process_status in ('cancelled', 'rejected') then null else ?::timestamptz end,
            expired_at = ?, delivered_at = coalesce(delivered_at, ?), picked_up_at = coalesce(picked_up_at, ?),
            held_since = case when ? = 'held' then coalesce(held_since, ?) else null end, updated_at = now()
      where id = ?`,
    [
      next.status,
      next.isDelayed,
      next.lastEventAt === 0 ? null : new Date(next.lastEventAt),
      now,
      isOver || isExpired ? null : new Date(now.getTime() + deps.settings.trackingIntervalMs),
      isExpired ? now : null,
      next.status === 'delivered' ? firstAt((event) => event.status === 'delivered') : null,
      firstAt((event) => event.status !== 'unrecognised' && event.status !== 'awaiting_pickup'),
      next.status,
      firstAt((event) => event.status === 'held') ?? now,
      shipment.id,
    ],
  );
}

/** Polls a company's shipments now instead of when they are due. */
export async function trackNow(deps: Deps, shipmentIds: readonly number[]): Promise<void> {
  const em = systemEm(deps.orm);
  const shipments = await em.find(Shipment, { id: { $in: [...shipmentIds] } });
  const codes = new Map((await em.find(CarrierRow, {})).map((row) => [row.id, row.code]));
  for (const [carrierId, own] of Map.groupBy(shipments, (shipment) => shipment.carrierId)) {
    const ids = own.map((shipment) => shipment.id);
    const id = `track-${ids[0]}-${deps.now().getTime()}`;
    await deps.queues.add(trackingQueue(codes.get(carrierId) ?? ''), [
      { name: 'track', id, payload: { shipmentIds: ids, requestId: '' } },
    ]);
  }
}
