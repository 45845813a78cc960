import type { CarrierEvent, TrackingReport } from '../../carriers/adapter.ts';
import type { Shipment } from '../../db/entities/index.ts';
import { type Em, systemEm } from '../../db/orm.ts';
import { stayQuiet } from '../../db/queries/stay-quiet.ts';
import { nextPollMs } from '../../domain/tracking-cadence.ts';
import { afterEvents, isFinal, type TrackingState, type TrackingStatus } from '../../domain/tracking-status.ts';
import type { Deps } from '../../engine/deps.ts';
import { sha256 } from '../../lib/crypto.ts';
import { followHeld } from '../held/follow-held.ts';
import { followParcel } from './follow-parcel.ts';

function fingerprintOf(event: CarrierEvent): string {
  return sha256([event.code, event.at.toISOString(), event.location, event.text].join('\u0000'));
}

/**
 * Sets the next poll of a parcel whose report says nothing more than was known when `shipment` was read, as most reports do. Returns
 * false, and changes nothing, for any other report.
 */
export async function saysNothingNew(deps: Deps, shipment: Shipment, report: TrackingReport): Promise<boolean> {
  const { id: shipmentId, companyId, trackingStatus, lastEventAt } = shipment;
  const pause = pauseAfter(deps, shipment, { status: trackingStatus, lastEventAt: lastEventAt?.getTime() ?? 0 });
  if (pause === null) return false;
  const now = deps.now();
  return stayQuiet(deps.orm, {
    shipmentId,
    companyId,
    trackingStatus,
    lastEventAt,
    fingerprints: report.events.map(fingerprintOf),
    numbers: report.related.map(({ trackingNumber }) => trackingNumber),
    polledAt: now,
    nextPollAt: new Date(now.getTime() + pause),
  });
}

/**
 * Stores each event once, mapped by the given version of the carrier's code table. Updates shipment, order and manifest by the rules
 * of `domain/tracking-status.ts`.
 */
export async function applyReport(deps: Deps, shipment: Shipment, report: TrackingReport, version = 1): Promise<void> {
  await systemEm(deps.orm).transactional(async (tx) => {
    // Without this lock, two concurrent polls would both start from the same old status.
    const [row] = await tx.execute<
      { tracking_status: TrackingStatus | null; last_event_at: string | null; is_delayed: boolean }[]
    >('select tracking_status, last_event_at, is_delayed from shipments where id = ? for update', [shipment.id]);
    if (!row) return;
    const fresh = await insertEvents(tx, shipment, { events: report.events, version });
    const lastEventAt = row.last_event_at === null ? 0 : new Date(row.last_event_at).getTime();
    const before = { status: row.tracking_status, lastEventAt, isDelayed: row.is_delayed };
    const after = afterEvents(before, fresh);
    await insertRelated(tx, shipment, report);
    await saveState(deps, tx, shipment, { ...after, fresh });
    await followHeld(deps, tx, shipment, after.counted);
    if (after.status !== before.status) await followParcel(tx, shipment.id);
  });
}

/** Inserts events that are not stored yet, and returns them. */
async function insertEvents(
  tx: Em,
  shipment: Shipment,
  { events, version }: { events: readonly CarrierEvent[]; version: number },
): Promise<CarrierEvent[]> {
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
      context: event.context ?? '',
      held_reason: event.heldReason ?? null,
    }));
  const inserted = await tx.execute<{ fingerprint: string }[]>(
    `insert into tracking_events (company_id, shipment_id, fingerprint, occurred_at, code, description, location, note,
                                  status, is_delayed, context, held_reason, mapping_version)
     select ?, ?, fingerprint, occurred_at, code, description, location, note, status, is_delayed, context, held_reason, ?
       from jsonb_to_recordset(?::jsonb) as event (fingerprint text, occurred_at timestamptz, code text, description text,
            location text, note text, status text, is_delayed boolean, context text, held_reason text)
     on conflict (shipment_id, fingerprint) do nothing returning fingerprint`,
    [shipment.companyId, shipment.id, version, JSON.stringify(rows)],
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

/** Stores the status of a parcel and the time of the next poll. */
export async function saveState(
  deps: Deps,
  tx: Em,
  shipment: Pick<Shipment, 'id' | 'bookedAt'>,
  next: TrackingState & { fresh: readonly Pick<CarrierEvent, 'at' | 'status'>[] },
): Promise<void> {
  const now = deps.now();
  const pause = pauseAfter(deps, shipment, next);
  const isExpired = pause === null && !isFinal(next.status);
  const firstAt = (wanted: (event: Pick<CarrierEvent, 'status'>) => boolean): Date | null =>
    next.fresh.find(wanted)?.at ?? null;
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
      pause === null ? null : new Date(now.getTime() + pause),
      isExpired ? now : null,
      next.status === 'delivered' ? firstAt((event) => event.status === 'delivered') : null,
      firstAt((event) => event.status !== 'unrecognised' && event.status !== 'awaiting_pickup'),
      next.status,
      firstAt((event) => event.status === 'held') ?? now,
      shipment.id,
    ],
  );
}

/** Returns the milliseconds until the next poll; null: there is none. */
function pauseAfter(
  deps: Deps,
  { bookedAt }: Pick<Shipment, 'bookedAt'>,
  { status, lastEventAt }: Pick<TrackingState, 'status' | 'lastEventAt'>,
): number | null {
  const now = deps.now().getTime();
  const pause = nextPollMs({
    status,
    silentMs: now - Math.max(lastEventAt, bookedAt?.getTime() ?? now),
    baseMs: deps.settings.trackingIntervalMs,
    expireMs: deps.settings.trackingExpireMs,
  });
  return pause === null ? null : spread(pause);
}

/** Adds jitter of ten percent, so that parcels booked together are not polled together for ever. */
function spread(ms: number): number {
  return Math.round(ms * (0.9 + Math.random() / 5));
}
