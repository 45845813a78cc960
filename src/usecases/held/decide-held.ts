import { HeldCase, OperationItem, type Shipment, ShipmentAttempt } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { lockShipment } from '../../db/queries/move-shipments.ts';
import { HELD_ACTIONS, type HeldAction, isHeldAction } from '../../domain/held-actions.ts';
import { isConfirmedBy } from '../../domain/held-case.ts';
import { offeredActions, UNKNOWN_POLICY } from '../../domain/held-policy.ts';
import { carrierOf } from '../../engine/call-contract.ts';
import type { Deps } from '../../engine/deps.ts';
import { conflict, notFound, unprocessable } from '../../engine/find.ts';
import { markMade, type Origin } from '../../engine/idempotency.ts';
import type { Problem } from '../../lib/errors.ts';

export interface PortalDecision extends Origin {
  shipmentId: number;
  action: string;
  note: string;
}

/**
 * Records a decision that a person made in the carrier's portal. A repeat is a no-op, and another action corrects the first one.
 * Returns the id of the case.
 */
export async function decideInPortal(deps: Deps, decision: PortalDecision): Promise<number> {
  const { companyId, shipmentId, requestId } = decision;
  const caseId = await companyEm(deps.orm, companyId).transactional(async (tx) => {
    const shipment = await lockShipment(tx, shipmentId);
    const held = shipment && (await tx.findOne(HeldCase, { companyId, shipmentId, closedAt: null }));
    if (!shipment || !held) throw notFound('held shipment');
    const action = await checkedAction(deps, shipment, decision.action);
    if (await isReleaseOpen(tx, shipment)) throw releaseInProgress();
    const isKnown = held.decidedVia === 'portal' && held.decidedAction === action && held.decidedNote === decision.note;
    if (!isKnown) {
      held.decidedAction = action;
      held.decidedVia = 'portal';
      held.decidedAt = deps.now();
      held.decidedNote = decision.note;
      held.decidedRequestId = requestId;
      held.isDecisionCertain = true;
      await tx.flush();
      await record(tx, shipment, { action, requestId, note: decision.note });
    }
    await markMade(tx, decision.once, held.id);
    return held.id;
  });
  deps.log.info({ shipmentId, action: decision.action }, 'a person decided in the portal');
  return caseId;
}

/** Tells whether a release of this shipment still waits for the carrier's answer. Hold the shipment's lock, or the answer may change. */
export async function isReleaseOpen(tx: Em, { companyId, id }: Shipment): Promise<boolean> {
  const open = { companyId, shipmentId: id, kind: 'release', status: { $in: ['pending', 'running'] } } as const;
  return (await tx.count(OperationItem, open)) > 0;
}

async function checkedAction(deps: Deps, shipment: Shipment, action: string): Promise<HeldAction> {
  const carrier = await carrierOf(deps, shipment.carrierId);
  const offered = offeredActions(carrier.heldActions ?? [], carrier.held ?? UNKNOWN_POLICY);
  // When the offers of the portal are unknown, the person knows best.
  const isKnown = offered !== null && carrier.held?.portalActions != null;
  const allowed = isKnown ? offered.map((one) => one.action) : HELD_ACTIONS;
  if (isHeldAction(action) && allowed.includes(action)) return action;
  throw unprocessable(`${action} is no decision about a parcel held by ${carrier.label}`, [
    { pointer: '/action', message: `must be one of ${allowed.join(', ')}` },
  ]);
}

function releaseInProgress(): Problem {
  return conflict('shipment-in-progress', 'A release of this shipment is still in progress', { retryable: true });
}

async function record(
  tx: Em,
  shipment: Shipment,
  { action, requestId, note }: { action: HeldAction; requestId: string; note: string },
): Promise<void> {
  await tx.insert(ShipmentAttempt, {
    companyId: shipment.companyId,
    shipmentId: shipment.id,
    operation: 'resolve',
    number: shipment.fence,
    reference: shipment.reference ?? '',
    requestId,
    outcome: 'succeeded',
    code: action,
    message: ['done in the portal', note].filter(Boolean).join(': '),
    endedAt: new Date(),
  });
}

/**
 * Records a release through the carrier's API, as uncertain when its answer was lost. The parcel may have left in the meantime, so
 * the case is the one that the release was requested for.
 */
export async function recordRelease(
  em: Em,
  { itemId, isCertain, at }: { itemId: number; isCertain: boolean; at: Date },
): Promise<void> {
  const [row] = await em.execute<
    { id: number; decided_action: HeldAction; closed_at: string | null; outcome: HeldCase['outcome'] }[]
  >(
    `update held_cases h set decided_action = o.input ->> 'action', decided_via = 'api', decided_at = ?, decided_request_id = o.request_id,
            decided_note = coalesce(o.input ->> 'note', ''), is_decision_certain = ?, updated_at = now()
       from operation_items i join operations o on o.id = i.operation_id
      where i.id = ? and i.kind = 'release' and h.company_id = i.company_id and h.shipment_id = i.shipment_id
        and (h.id = (o.input ->> 'caseId')::int or (o.input ->> 'caseId' is null and h.closed_at is null))
     returning h.id, h.decided_action, h.closed_at, h.outcome`,
    [at, isCertain, itemId],
  );
  if (row?.closed_at && row.outcome && isConfirmedBy(row.decided_action, row.outcome)) {
    await em.execute('update held_cases set confirmed_at = closed_at where id = ?', [row.id]);
  }
}
