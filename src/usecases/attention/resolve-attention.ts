import type { LabelFile } from '../../carriers/adapter.ts';
import { Contract, Shipment, ShipmentAttempt } from '../../db/entities/index.ts';
import { companyEm, type Em, systemEm } from '../../db/orm.ts';
import { lockShipment, moveShipments } from '../../db/queries/move-shipments.ts';
import type { AttentionChoice, AttentionReason } from '../../domain/attention.ts';
import { lastAttempt } from '../../engine/attempts.ts';
import { carrierOf } from '../../engine/call-contract.ts';
import type { Deps } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { conflict, unprocessable } from '../../engine/find.ts';
import { type Origin, originOf } from '../../engine/idempotency.ts';
import { type OpenedBatch, openOperation } from '../../engine/open-operation.ts';
import { bookJobId, carrierQueue, type JobRequest, labelsJobId, reconcileJobId } from '../../queue/jobs.ts';
import { requestSend } from '../marketplaces/send-to-marketplace.ts';
import { recordTold, untoldOrder } from '../marketplaces/told-numbers.ts';
import { cancelUnsold } from '../orders/cancel-unsold.ts';
import { requestCancel, statusBefore } from '../shipments/cancel-shipment.ts';
import { requestReturns } from '../shipments/request-returns.ts';
import { requestShipments } from '../shipments/request-shipments.ts';
import { markTransmitted, requestTransmit } from '../shipments/request-transmit.ts';
import { settleBooked, settleMissingLabels, storeMissingLabels } from '../shipments/settle-booked.ts';
import { followParcel } from '../tracking/follow-parcel.ts';
import { type AttentionView, readAttention } from './attention.ts';

export interface Decision extends Origin {
  shipmentId: number;
  choice: AttentionChoice;
  /** Needed to adopt the carrier's shipment. */
  trackingNumber: string;
  label: LabelFile | null;
  note: string;
}

/** Operation that carries out the decision; null: it is done already. */
export interface Resolved {
  operationId: number | null;
}

/** Carries out a person's decision about a shipment, and records it among the attempts. */
export async function resolveAttention(deps: Deps, decision: Decision): Promise<Resolved> {
  const view = await readAttention(deps, decision);
  const { shipment } = view;
  const reason = reasonFor(view, decision.choice);
  const resolved = await carryOut(deps, { view, reason, decision });
  deps.log.info({ shipmentId: shipment.id, reason, choice: decision.choice }, 'a person decided');
  return resolved;
}

function reasonFor(view: AttentionView, choice: AttentionChoice): AttentionReason {
  const chosen = view.choices.find((one) => one.choice === choice);
  if (chosen) return chosen.reason;
  const offered = view.choices.map((one) => one.choice);
  const held = view.notes.some(({ reason }) => reason === 'held' || reason === 'release-unconfirmed')
    ? '; use release-held for a held parcel'
    : '';
  throw unprocessable(`${choice} cannot be chosen here`, [
    { pointer: '/choice', message: `must be ${offered.length > 0 ? offered.join(' or ') : 'left'}${held}` },
  ]);
}

/** A shipment with exhausted retries starts again when a client requests it again. */
function bookAnew(deps: Deps, { orderId, partId, direction }: Shipment, origin: Origin): Promise<OpenedBatch> {
  const request = direction === 'return' ? requestReturns : requestShipments;
  return request(deps, { ...origin, requests: [{ orderId, partId, contractId: null }] });
}

interface Case {
  view: AttentionView;
  reason: AttentionReason;
  decision: Decision;
}

async function carryOut(deps: Deps, one: Case): Promise<Resolved> {
  const { decision, view } = one;
  const { shipment } = view;
  const origin = originOf(decision);
  const orderIds = [shipment.orderId];
  switch (`${one.reason} ${decision.choice}` as const) {
    case 'outcome-unknown adopt':
      return adopt(deps, one);
    case 'outcome-unknown resubmit':
      return askOrBookAgain(deps, one);
    case 'outcome-unknown cancel':
    case 'booking-used-up cancel':
    case 'cancel-unknown cancel':
      return done(deps, one, (tx, { id, companyId }) =>
        cancelUnsold(tx, { companyId, shipmentIds: [id], at: deps.now() }),
      );
    case 'booking-used-up resubmit':
      return queued(deps, one, bookAnew(deps, shipment, origin));
    case 'confirmation-used-up adopt':
      return done(deps, one, async (tx, row) => {
        await markTransmitted(deps, tx, {
          claims: [{ shipment: row, fence: row.fence }],
          requestId: origin.requestId,
        });
        await followParcel(tx, row.id);
      });
    case 'confirmation-used-up resubmit':
      return queued(deps, one, requestTransmit(deps, { ...origin, orderIds, shipmentId: shipment.id }));
    case 'confirmation-used-up cancel':
    case 'label-missing cancel':
    case 'cancel-unknown resubmit':
    case 'surplus-label cancel':
      return queued(deps, one, requestCancel(deps, { ...origin, shipmentId: shipment.id }));
    case 'cancel-unknown adopt':
      return done(deps, one, async (tx, row) => {
        const set = { exhausted_at: null, failure: null };
        await moveShipments(tx, { ids: [row.id], from: ['cancelling'], to: statusBefore(row), claim: true, set });
        await followParcel(tx, row.id);
      });
    case 'surplus-label adopt':
      return done(deps, one, async (tx, row) => {
        await tx.nativeUpdate(Shipment, { id: row.id, companyId: row.companyId }, { surplus: null });
      });
    case 'label-missing adopt': {
      const missing = await storeMissingLabels(deps, shipment, decision.label ? [decision.label] : []);
      return done(deps, one, (tx) => settleMissingLabels(tx, missing));
    }
    case 'marketplace-not-told resubmit':
    case 'marketplace-told-another-number resubmit':
      return queued(
        deps,
        one,
        requestSend(deps, { ...origin, orderId: await untoldOrder(systemEm(deps.orm), shipment) }),
      );
    case 'marketplace-not-told adopt':
    case 'marketplace-told-another-number adopt':
      return done(deps, one, async (tx, row) => {
        const isLive = row.processStatus !== 'cancelled' && row.processStatus !== 'rejected';
        const shipments = [{ id: row.id, number: isLive ? row.trackingNumber : null }];
        const { companyId } = row;
        const orderId = await untoldOrder(tx, row);
        return recordTold(tx, { orderId, companyId, shipments, places: [row.id], at: deps.now(), isReadBack: false });
      });
    default:
      throw new Error(`Unknown choice ${decision.choice} for ${one.reason}`);
  }
}

/** Changes only the row, under its lock, and only while it still has the state that the person saw. */
async function done(deps: Deps, one: Case, write: (tx: Em, row: Shipment) => Promise<unknown>): Promise<Resolved> {
  await companyEm(deps.orm, one.decision.companyId).transactional(async (tx) => {
    const row = await lockUnchanged(tx, one);
    await write(tx, row);
    await record(tx, one);
  });
  return { operationId: null };
}

/** Lets another use case queue the work. */
async function queued(
  deps: Deps,
  one: Case,
  request: Promise<{ operationId: number | null } | null>,
): Promise<Resolved> {
  const opened = await request;
  await record(companyEm(deps.orm, one.decision.companyId), one);
  return { operationId: opened?.operationId ?? null };
}

async function lockUnchanged(tx: Em, { view }: Case): Promise<Shipment> {
  const row = await lockShipment(tx, view.shipment.id);
  const isSame = row?.processStatus === view.shipment.processStatus && row.fence === view.shipment.fence;
  if (row && isSame) return row;
  throw conflict('shipment-in-progress', 'The shipment changed in the meantime: read it again', { retryable: true });
}

async function record(em: Em, { view, decision }: Case): Promise<void> {
  const { id: shipmentId, companyId, fence: number, reference } = view.shipment;
  await em.insert(ShipmentAttempt, {
    companyId,
    shipmentId,
    operation: 'resolve',
    number,
    reference: reference ?? '',
    requestId: decision.requestId,
    outcome: 'succeeded',
    code: decision.choice,
    message: [decision.trackingNumber, decision.note].filter(Boolean).join(': '),
    endedAt: new Date(),
  });
}

/** Adopts the shipment that the person has seen in the carrier's system. */
async function adopt(deps: Deps, one: Case): Promise<Resolved> {
  const { decision } = one;
  const { trackingNumber } = decision;
  if (trackingNumber === '') {
    throw unprocessable('The tracking number is missing', [
      { pointer: '/trackingNumber', message: "must be the carrier's tracking number" },
    ]);
  }
  const em = companyEm(deps.orm, decision.companyId);
  const claim = await em.transactional(async (tx) => {
    const row = await lockUnchanged(tx, one);
    const twin = await tx.findOne(Shipment, {
      id: { $ne: row.id },
      contractId: row.contractId,
      trackingNumber,
      processStatus: { $nin: ['cancelled', 'rejected'] },
    });
    if (twin) {
      throw unprocessable('That is the label of another order', [
        { pointer: '/trackingNumber', message: `belongs to order ${twin.orderId}` },
      ]);
    }
    const [moved] = await moveShipments(tx, {
      ids: [row.id],
      from: ['unknown_outcome'],
      to: 'unknown_outcome',
      claim: true,
    });
    await record(tx, one);
    const attempt = await lastAttempt(tx, row.id, 'create');
    return { shipment: row, fence: moved?.fence ?? 0, attemptId: attempt?.id ?? 0 };
  });
  const { shipment } = claim;
  const carrier = await carrierOf(deps, shipment.carrierId);
  const isLabelElsewhere = !decision.label && !carrier.fetchLabels;
  const isSettled = await settleBooked(deps, {
    ...claim,
    booked: {
      trackingNumber,
      carrierReference: carrier.carrierReferenceOf?.(trackingNumber) ?? trackingNumber,
      parcelCount: shipment.parcelCount,
      labels: decision.label ? [decision.label] : [],
      warnings: isLabelElsewhere ? [`Adopted by hand: print its label in the portal of ${carrier.label}`] : [],
    },
    hasLabelElsewhere: isLabelElsewhere,
  });
  if (isSettled && !decision.label && carrier.fetchLabels) {
    const { id: shipmentId, companyId } = shipment;
    const payload = { shipmentId, requestId: decision.requestId };
    // The sweep asks again while the label is missing.
    await enqueue(deps, carrierQueue(carrier.id), [
      { name: 'labels', id: labelsJobId(shipmentId), companyId, payload },
    ]);
  }
  return { operationId: null };
}

/** Looks the shipment up again if the carrier supports that. Otherwise the person's word decides. */
async function askOrBookAgain(deps: Deps, one: Case): Promise<Resolved> {
  const { decision } = one;
  const { requestId } = decision;
  const em = companyEm(deps.orm, decision.companyId);
  const contract = await em.findOneOrFail(Contract, one.view.shipment.contractId);
  const carrier = await carrierOf(deps, contract.carrierId);
  const opened = await em.transactional(async (tx) => {
    const row = await lockUnchanged(tx, one);
    const [moved] = await moveShipments(tx, {
      ids: [row.id],
      from: ['unknown_outcome'],
      to: carrier.findByReference ? 'unknown_outcome' : 'queued',
      claim: true,
      set: { exhausted_at: null, generation: row.generation + 1 },
    });
    await record(tx, one);
    const attempt = await lastAttempt(tx, row.id, 'create');
    const operation = await openOperation(tx, { ...originOf(decision), kind: 'create', input: {} }, [
      { orderId: row.orderId, shipmentId: row.id },
    ]);
    const generation = moved?.generation ?? 0;
    const payload = { shipmentId: row.id, requestId };
    // The failed look-up job may still be in the queue for inspection, so the new job needs another id.
    const { companyId } = row;
    const job: JobRequest = carrier.findByReference
      ? { name: 'reconcile', id: `${reconcileJobId(row.id, attempt?.id ?? 0)}-${generation}`, companyId, payload }
      : { name: 'book', id: bookJobId(row.id, generation), companyId, payload };
    return { ...operation, job };
  });
  await enqueue(deps, carrierQueue(carrier.id), [opened.job]);
  return { operationId: opened.operationId };
}
