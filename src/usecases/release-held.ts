import type { Party } from '../carriers/contract.ts';
import {
  CarrierRow,
  Company,
  Contract,
  Customer,
  Operation,
  OperationItem,
  Order,
  Shipment,
} from '../db/entities/index.ts';
import { companyEm, systemEm } from '../db/orm.ts';
import { claimItem, releaseItem, settleItem } from '../db/queries/operations.ts';
import { HELD_ACTIONS, type HeldAction, isHeldAction } from '../domain/held-actions.ts';
import { wallClock } from '../lib/clock.ts';
import { IntegrationError } from '../lib/errors.ts';
import { carrierQueue } from '../queue/jobs.ts';
import { giveUp, RetryLater } from '../queue/queue-system.ts';
import { beginAttempt, endAttempt } from './attempts.ts';
import { callContract, supported } from './call-contract.ts';
import type { Deps, JobContext } from './deps.ts';
import { enqueue } from './enqueue.ts';
import { notFound } from './find.ts';
import { type Origin, originOf } from './idempotency.ts';
import { type OpenedOperation, openOperation } from './open-operation.ts';
import { handleOf } from './shipment-draft.ts';

export interface HeldRelease extends Origin {
  shipmentId: number;
  action: string;
  newAddress: Party | null;
  note: string;
}

export type ReleaseRequested = { blocked: string } | { opened: OpenedOperation };

/** Queues a decision about a parcel in giacenza, or says why it cannot be carried out. */
export async function requestRelease(deps: Deps, input: HeldRelease): Promise<ReleaseRequested> {
  const em = companyEm(deps.orm, input.companyId);
  const shipment = await em.findOne(Shipment, input.shipmentId);
  if (!shipment) throw notFound('shipment');
  const carrierRow = await em.findOneOrFail(CarrierRow, shipment.carrierId);
  const carrier = deps.carriers.get(carrierRow.code);
  const { action } = input;
  if (!isHeldAction(action)) return { blocked: `Unknown action ${action}: use one of ${HELD_ACTIONS.join(', ')}` };
  if (shipment.trackingStatus !== 'held') return { blocked: 'The shipment is not held by the carrier' };
  if (!carrier?.releaseHeld || !carrier.heldActions?.includes(action)) {
    return { blocked: `${carrierRow.name} cannot do ${action} by its interface: use the carrier's portal` };
  }
  if (action === 'REDISPATCH_NEW_ADDRESS' && !input.newAddress) {
    return { blocked: 'REDISPATCH_NEW_ADDRESS needs newAddress in the body' };
  }
  const opened = await em.transactional(async (tx) => {
    // Two decisions that come at the same moment would contradict each other at the carrier.
    await tx.execute('select id from shipments where id = ? for update', [shipment.id]);
    const open = await tx.findOne(OperationItem, {
      shipmentId: shipment.id,
      kind: 'release',
      status: { $in: ['pending', 'running'] },
    });
    if (open) return null;
    return openOperation(
      tx,
      { ...originOf(input), kind: 'release', input: { action, newAddress: input.newAddress, note: input.note } },
      [{ orderId: shipment.orderId, shipmentId: shipment.id, contractId: shipment.contractId }],
    );
  });
  if (!opened) return { blocked: 'Another release of this shipment is still in progress' };
  const itemId = opened.firstItemId;
  const payload = { itemId, requestId: input.requestId };
  await enqueue(deps, carrierQueue(carrierRow.code), [{ name: 'release', id: `release-${itemId}`, payload }]);
  return { opened };
}

/** Tells the carrier what to do with a held parcel. A lost answer is not repeated: a release is billed, and tracking will show it. */
export async function releaseHeld(deps: Deps, input: { itemId: number } & JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const item = await em.findOne(OperationItem, input.itemId);
  if (!item?.shipmentId) return;
  const claimedAt = Date.now();
  const claim = await claimItem(em, item.id);
  if (!claim) return;
  const shipment = await em.findOneOrFail(Shipment, item.shipmentId);
  const contract = await em.findOneOrFail(Contract, shipment.contractId);
  const operation = await em.findOneOrFail(Operation, item.operationId);
  const order = await em.findOneOrFail(Order, shipment.orderId);
  const customer = await em.findOneOrFail(Customer, order.customerId);
  const company = await em.findOneOrFail(Company, shipment.companyId);
  const wish = operation.input as { action: HeldAction; newAddress: Party | null; note: string };
  const attemptId = await beginAttempt(em, shipment, {
    operation: 'release',
    number: claim.attempt,
    requestId: input.requestId,
  });
  try {
    const result = await callContract(
      deps,
      { ...input, contract, shipmentId: shipment.id, attemptId, claimedAt },
      (carrier, context) =>
        supported(
          carrier.releaseHeld?.bind(carrier),
          carrier,
          'release of held shipments',
        )(context, {
          shipment: handleOf(shipment),
          ...wish,
          recipientPhone: customer.phone,
          redeliveryDate: nextWorkingDay(deps.now(), company.settings.timeZone),
        }),
    );
    await endAttempt(em, attemptId, { outcome: result.ok ? 'yes' : 'no', message: result.message });
    await settleItem(
      em,
      { itemId: item.id, attempt: claim.attempt },
      { status: result.ok ? 'succeeded' : 'failed', message: result.message, result: result.raw },
    );
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    const isOver = error.kind !== 'retryable' || input.isLastTry;
    const unknown = error.kind === 'unknown-outcome';
    const message = unknown
      ? `${error.message}: nobody knows whether it was carried out, watch the tracking before repeating it`
      : error.message;
    await endAttempt(em, attemptId, { outcome: unknown ? 'nobody_knows' : 'no', code: error.code, message });
    if (isOver)
      await settleItem(
        em,
        { itemId: item.id, attempt: claim.attempt },
        { status: 'failed', message, failureKind: error.kind },
      );
    else await releaseItem(em, item.id, claim.attempt);
    throw isOver ? giveUp(message) : new RetryLater(error.message, error.retryAfterMs);
  }
}

const DAY_MS = 86_400_000;

/** YYYY-MM-DD of the next day that is neither Saturday nor Sunday. */
export function nextWorkingDay(now: Date, timeZone: string): string {
  for (let days = 1; ; days++) {
    const { date } = wallClock(new Date(now.getTime() + days * DAY_MS), timeZone);
    const weekday = new Date(`${date}T00:00:00Z`).getUTCDay();
    if (weekday !== 0 && weekday !== 6) return date;
  }
}
