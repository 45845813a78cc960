import type { BookedShipment, LabelFile } from '../carriers/contract.ts';
import { Document, Shipment, type Surplus } from '../db/entities/index.ts';
import { type Em, systemEm } from '../db/orm.ts';
import { moveShipments, moveShipmentsSql } from '../db/queries/move-shipments.ts';
import { settleShipmentItems } from '../db/queries/operations.ts';
import { moveOrders } from '../db/queries/statuses.ts';
import { nextPollMs } from '../domain/tracking-cadence.ts';
import { sha256 } from '../lib/crypto.ts';
import { endAttempt } from './attempts.ts';
import type { Deps } from './deps.ts';

/** A shipment that a run holds. */
export interface BookingClaim {
  /** Fencing number. */
  attempt: number;
  attemptId: number;
}

/** One statement: the row is ours and the attempt is on record, or neither. Committed before any byte leaves. */
export async function claimQueued(em: Em, shipment: Shipment, requestId: string): Promise<BookingClaim | null> {
  const claimed = moveShipmentsSql({
    ids: [shipment.id],
    from: ['queued'],
    to: 'submitting',
    claim: true,
    set: { exhausted_at: null },
  });
  const rows = await em.execute<{ id: number; number: number }[]>(
    `with claimed as (${claimed.sql})
     insert into shipment_attempts (company_id, shipment_id, operation, number, reference, request_id)
     select company_id, id, 'create', attempt, reference, ? from claimed returning id, number`,
    [...claimed.params, requestId],
  );
  const row = rows[0];
  return row ? { attempt: row.number, attemptId: row.id } : null;
}

/** Writes down what the carrier sold, if this run still holds the shipment. */
export async function settleBooked(
  deps: Deps,
  outcome: BookingClaim & { shipment: Shipment; booked: BookedShipment; hasLabelElsewhere?: boolean },
): Promise<boolean> {
  const { shipment, booked, hasLabelElsewhere = false } = outcome;
  const extra = booked.parcelCount - shipment.parcelCount;
  return systemEm(deps.orm).transactional(async (em) => {
    await endAttempt(em, outcome.attemptId, { outcome: 'yes' });
    const moved = await moveShipments(em, {
      ids: [shipment.id],
      attempts: [outcome.attempt],
      from: ['submitting', 'unknown_outcome'],
      to: 'created',
      set: {
        tracking_number: booked.trackingNumber,
        carrier_reference: booked.carrierReference,
        warnings: booked.warnings,
        ...(extra > 0 ? { surplus: surplusParcels(extra) } : {}),
        failure: null,
        exhausted_at: null,
        label_missing_since: booked.labels.length > 0 || hasLabelElsewhere ? null : deps.now(),
        booked_at: deps.now(),
        next_poll_at: firstPollAt(deps),
      },
    });
    if (moved.length === 0) return false;
    await insertLabels(em, shipment, booked.labels);
    await moveOrders(em, { companyId: shipment.companyId, orderIds: [shipment.orderId] }, 'shipment_created');
    await settleShipmentItems(em, { shipmentIds: [shipment.id], kind: 'create' }, { status: 'succeeded', message: '' });
    return true;
  });
}

/** Nothing happens to a parcel in the first hours: it waits for the courier. */
function firstPollAt({ now, settings }: Pick<Deps, 'now' | 'settings'>): Date {
  const { trackingIntervalMs: baseMs, trackingExpireMs: expireMs } = settings;
  const pause = nextPollMs({ status: null, silentMs: 0, baseMs, expireMs }) ?? baseMs;
  return new Date(now().getTime() + pause);
}

async function insertLabels(em: Em, shipment: Shipment, labels: readonly LabelFile[]): Promise<void> {
  await em.insertMany(
    Document,
    labels.map((label, index) => ({
      companyId: shipment.companyId,
      shipmentId: shipment.id,
      kind: 'label' as const,
      position: index + 1,
      contentType: label.contentType,
      sha256: sha256(label.bytes),
      bytes: label.bytes,
    })),
  );
}

/** Labels that came after their shipment, or none where the person has them already. False when they were there by now. */
export async function settleMissingLabel(em: Em, shipment: Shipment, labels: readonly LabelFile[]): Promise<boolean> {
  const { id, companyId } = shipment;
  const where = { id, companyId, labelMissingSince: { $ne: null } };
  if ((await em.nativeUpdate(Shipment, where, { labelMissingSince: null })) === 0) return false;
  await insertLabels(em, shipment, labels);
  return true;
}

/** The carrier counts more parcels than there are, and could not be made to forget them. */
export function surplusParcels(count: number): Surplus {
  return { message: `The carrier counts ${count} ${count === 1 ? 'parcel' : 'parcels'} too many`, trackingNumbers: [] };
}
