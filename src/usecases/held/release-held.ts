import type { Carrier, Party, ReleaseResult } from '../../carriers/adapter.ts';
import {
  CarrierRow,
  Company,
  Contract,
  Customer,
  HeldCase,
  Operation,
  OperationItem,
  Order,
  Shipment,
} from '../../db/entities/index.ts';
import { companyEm, type Em, systemEm } from '../../db/orm.ts';
import { lockShipment } from '../../db/queries/move-shipments.ts';
import { claimItem, releaseItem, type Settlement, settleItem } from '../../db/queries/operations.ts';
import { HELD_ACTIONS, type HeldAction, isHeldAction, isToPoint } from '../../domain/held-actions.ts';
import { UNKNOWN_POLICY } from '../../domain/held-policy.ts';
import { type Attempt, attempted } from '../../engine/attempted.ts';
import { callContract, supported } from '../../engine/call-contract.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { notFound } from '../../engine/find.ts';
import { type Origin, originOf } from '../../engine/idempotency.ts';
import { type OpenedOperation, openOperation } from '../../engine/open-operation.ts';
import { handleOf } from '../../engine/shipment-draft.ts';
import { wallClock } from '../../lib/clock.ts';
import { carrierQueue } from '../../queue/jobs.ts';
import { isReleaseOpen, recordRelease } from './decide-held.ts';

export interface HeldRelease extends Origin {
  shipmentId: number;
  action: string;
  newAddress: Party | null;
  /** Needed for the actions that send the parcel to a pick-up point; else empty. */
  pickupPointId: string;
  note: string;
}

export type ReleaseRequested = { blocked: string } | { opened: OpenedOperation };

/** Queues a decision about a parcel in giacenza. A decision that cannot be sent settles at once, with the reason. */
export async function requestRelease(deps: Deps, input: HeldRelease): Promise<ReleaseRequested> {
  const em = companyEm(deps.orm, input.companyId);
  const found = await em.findOne(Shipment, input.shipmentId);
  if (!found) throw notFound('shipment');
  const carrierRow = await em.findOneOrFail(CarrierRow, found.carrierId);
  const { action, newAddress, pickupPointId, note } = input;
  if (!isHeldAction(action)) return { blocked: `Unknown action ${action}: use one of ${HELD_ACTIONS.join(', ')}` };
  const carrier = deps.carriers.get(carrierRow.code);
  const requested = await em.transactional(async (tx): Promise<ReleaseRequested> => {
    // Two simultaneous decisions would contradict each other at the carrier.
    const shipment = await lockShipment(tx, found.id);
    if (!shipment) throw notFound('shipment');
    const held = await tx.findOne(HeldCase, { companyId: input.companyId, shipmentId: shipment.id, closedAt: null });
    const isOffered = carrier?.releaseHeld !== undefined && (carrier.heldActions ?? []).includes(action);
    const obstacle =
      obstacleOf(deps, { shipment, held }) ??
      ((await isReleaseOpen(tx, shipment)) ? 'Another release of this shipment is still in progress' : null) ??
      (isOffered ? lackOf(input) : becomeTask(deps, { carrier, name: carrierRow.name, held, action, note }));
    if (obstacle !== null) return { blocked: obstacle };
    const wish = { action, newAddress, pickupPointId, note, caseId: held?.id ?? null };
    const opened = await openOperation(tx, { ...originOf(input), kind: 'release', input: wish }, [
      { orderId: shipment.orderId, shipmentId: shipment.id, contractId: shipment.contractId },
    ]);
    return { opened };
  });
  if ('blocked' in requested) return requested;
  const itemId = requested.opened.firstItemId;
  const { companyId, requestId } = input;
  const job = { name: 'release' as const, id: `release-${itemId}`, companyId, payload: { itemId, requestId } };
  await enqueue(deps, carrierQueue(carrierRow.code), [job]);
  return requested;
}

/** Returns why the parcel accepts no decision now, null when it does. */
function obstacleOf(deps: Deps, { shipment, held }: { shipment: Shipment; held: HeldCase | null }): string | null {
  if (shipment.trackingStatus !== 'held' && !held?.openedAt) {
    return held
      ? 'The shipment is not held by the carrier yet: giacenza is only announced'
      : 'The shipment is not held by the carrier';
  }
  if (held?.isReleasable === false) return 'The carrier no longer releases the parcel';
  if (!held?.decidedAt || !held.isDecisionCertain) return null;
  // The carrier would bill a second decision, which contradicts the first one.
  const isFresh = deps.now().getTime() - held.decidedAt.getTime() < deps.settings.heldConfirmMs;
  const since = held.decidedAt.toISOString();
  return isFresh
    ? `${held.decidedAction} was decided at ${since}, and tracking has not shown it yet: wait for it`
    : null;
}

function lackOf({ action, newAddress, pickupPointId }: HeldRelease): string | null {
  if (action === 'REDISPATCH_NEW_ADDRESS' && !newAddress) return 'REDISPATCH_NEW_ADDRESS needs newAddress in the body';
  if (isToPoint(action) && pickupPointId === '') return `${action} needs pickupPointId in the body`;
  return null;
}

interface Task {
  carrier: Carrier | undefined;
  name: string;
  held: HeldCase | null;
  action: HeldAction;
  note: string;
}

/** Handles an action that the carrier's API lacks: stores the request, and returns the steps for a person in the portal. */
function becomeTask(deps: Deps, task: Task): string {
  const { held, action } = task;
  const { portalActions, portalSteps } = task.carrier?.held ?? UNKNOWN_POLICY;
  const cannot = `${task.name} has no API for ${action}`;
  if (portalActions && !portalActions.includes(action)) {
    return `${cannot}, nor in its portal: use one of ${portalActions.join(', ')}`;
  }
  if (!held) return `${cannot}: use the carrier's portal`;
  Object.assign(held, { askedAction: action, askedAt: deps.now(), askedNote: task.note });
  const steps = portalSteps ?? ['The offers of its portal are unknown.'];
  const end = `Then POST /shipments/held/${held.shipmentId}/done-in-portal`;
  return [`${cannot}: use the carrier's portal.`, ...steps, end].join(' ');
}

/** Sends a release to the carrier. After a lost answer there is no retry: a release is billed, and tracking will show it. */
export async function releaseHeld(deps: Deps, input: { itemId: number } & JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const item = await em.findOne(OperationItem, input.itemId);
  if (!item?.shipmentId) return;
  const { id: itemId, shipmentId, operationId } = item;
  const settle = async (tx: Em, fence: number, settlement: Settlement): Promise<void> => {
    const isCertain = settlement.status === 'succeeded';
    const isDecided = isCertain || settlement.failureKind === 'unknown-outcome';
    const isSettled = await settleItem(tx, { itemId, fence }, settlement);
    if (isSettled && isDecided) await recordRelease(tx, { itemId, isCertain, at: deps.now() });
  };
  await attempted<Attempt, ReleaseResult>(deps, input, {
    operation: 'release',
    async claim(tx, begin) {
      // Before the item, as where its answer is settled.
      const shipment = await lockShipment(tx, shipmentId);
      const claim = shipment && (await claimItem(tx, itemId));
      return claim && begin(shipment, claim.fence);
    },
    async call({ shipment, attemptId }, claimedAt) {
      const contract = await em.findOneOrFail(Contract, shipment.contractId);
      const operation = await em.findOneOrFail(Operation, operationId);
      const order = await em.findOneOrFail(Order, shipment.orderId);
      const customer = await em.findOneOrFail(Customer, order.customerId);
      const company = await em.findOneOrFail(Company, shipment.companyId);
      const { action, newAddress, note, pickupPointId = '' } = operation.input as unknown as Wish;
      return callContract(deps, { ...input, contract, shipmentId, attemptId, claimedAt }, (carrier, context) =>
        supported(
          carrier.releaseHeld?.bind(carrier),
          carrier,
          'release of held shipments',
        )(context, {
          shipment: handleOf(shipment),
          ...{ action, newAddress, note, pickupPointId },
          recipientPhone: customer.phone,
          redeliveryDate: nextWorkingDay(deps.now(), company.settings.timeZone),
        }),
      );
    },
    endOf: ({ ok, message }) => ({ outcome: ok ? 'succeeded' : 'failed', message }),
    settle: (tx, { fence }, { ok, message, raw }) =>
      settle(tx, fence, { status: ok ? 'succeeded' : 'failed', message, result: raw }),
    async fail(tx, { fence }, { end, message, failureKind }) {
      if (end === 'again') return releaseItem(tx, itemId, fence);
      await settle(tx, fence, { status: 'failed', message, failureKind });
    },
  });
}

/** The input that `openOperation` stored. Operations of an older release have no pick-up point. */
export interface Wish {
  action: HeldAction;
  newAddress: Party | null;
  pickupPointId?: string;
  note: string;
}

const DAY_MS = 86_400_000;

/** Returns the next day that is neither Saturday nor Sunday, as YYYY-MM-DD. */
export function nextWorkingDay(now: Date, timeZone: string): string {
  for (let days = 1; ; days++) {
    const { date } = wallClock(new Date(now.getTime() + days * DAY_MS), timeZone);
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
    if (weekday !== 0 && weekday !== 6) return date;
  }
}
