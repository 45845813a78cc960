import { z } from 'zod';
import { HELD_ACTIONS } from '../../../domain/held-actions.ts';
import { HELD_STATUSES } from '../../../domain/held-case.ts';
import { HELD_DEFAULTS } from '../../../domain/held-policy.ts';
import { HELD_REASON_NAMES, HELD_REASONS, type HeldReason } from '../../../domain/held-reasons.ts';
import type { HeldView } from '../../../usecases/held/read-held.ts';
import { iso, isoOrNull } from '../../http/format.ts';
import { DateTime, Id } from '../../http/schemas.ts';

export const PlainWords = z.object({ it: z.string(), en: z.string() }).meta({ id: 'PlainWords' });

export const HeldStay = z
  .object({
    status: z.enum(HELD_STATUSES),
    reason: z.object({
      code: z.string().describe("The carrier's code"),
      text: z.string().describe("The carrier's words"),
      cause: z.enum(HELD_REASON_NAMES),
      explanation: PlainWords,
      advice: PlainWords,
    }),
    warnedAt: DateTime.nullable().describe('When the carrier announced it'),
    opensAt: DateTime.nullable().describe('The announced opening'),
    since: DateTime.nullable().describe('When giacenza opened; null while it is only announced'),
    deadline: DateTime.nullable().describe('When the carrier decides by itself; null: unknown'),
    deadlineSource: z.enum(['carrier', 'rule']).nullable(),
    byDefault: z.enum(HELD_DEFAULTS).nullable().describe("The carrier's own decision at the deadline; null: unknown"),
    isReleasable: z.boolean().nullable().describe('Null: the carrier does not say'),
    allowedActions: z
      .array(
        z.object({
          action: z.enum(HELD_ACTIONS),
          via: z.enum(['api', 'portal']),
          billed: z.boolean().nullable().describe('True when the carrier charges for it; null: unknown'),
        }),
      )
      .nullable()
      .describe('Null: unknown'),
    portalSteps: z.array(z.string()).nullable().describe("What to do in the carrier's portal; null: unknown"),
    task: z
      .object({ action: z.enum(HELD_ACTIONS), note: z.string(), askedAt: DateTime })
      .nullable()
      .describe('A requested decision that only a person can carry out in the portal'),
    decision: z
      .object({
        action: z.enum(HELD_ACTIONS),
        via: z.enum(['api', 'portal']),
        note: z.string(),
        requestId: z.string(),
        decidedAt: DateTime,
        isCertain: z.boolean().describe("False: the carrier's answer was lost"),
        isOverdue: z.boolean().describe('Tracking should have shown it by now'),
      })
      .nullable()
      .describe('Until tracking shows it'),
  })
  .meta({ id: 'HeldStay' });

export const HeldFields = z
  .object({
    shipmentId: Id,
    orderId: Id,
    orderNumber: z.string(),
    reference: z.string(),
    trackingNumber: z.string(),
    carrier: z.object({ id: Id, name: z.string() }),
    ...HeldStay.shape,
  })
  .meta({ id: 'HeldShipment' });

export function heldBody({ held, facts, shipment, order, carrier }: HeldView) {
  return {
    shipmentId: shipment.id,
    orderId: order.id,
    orderNumber: order.orderNumber,
    reference: shipment.reference ?? '',
    trackingNumber: shipment.trackingNumber ?? '',
    carrier: { id: carrier.id, name: carrier.name },
    ...stayBody({ held, facts }),
  };
}

export function stayBody({ held, facts }: Pick<HeldView, 'held' | 'facts'>) {
  const { explanation, advice } = HELD_REASONS[held.cause as HeldReason];
  return {
    status: facts.status,
    reason: { code: held.reasonCode, text: held.reasonText, cause: held.cause, explanation, advice },
    warnedAt: isoOrNull(held.warnedAt),
    opensAt: isoOrNull(held.opensAt),
    since: isoOrNull(held.openedAt),
    deadline: isoOrNull(facts.deadline),
    deadlineSource: facts.deadlineSource,
    byDefault: facts.byDefault,
    isReleasable: held.isReleasable,
    allowedActions: facts.actions,
    portalSteps: facts.portalSteps,
    task:
      held.askedAction && held.askedAt
        ? { action: held.askedAction, note: held.askedNote, askedAt: iso(held.askedAt) }
        : null,
    decision:
      held.decidedAction && held.decidedAt
        ? {
            action: held.decidedAction,
            via: held.decidedVia,
            note: held.decidedNote,
            requestId: held.decidedRequestId,
            decidedAt: iso(held.decidedAt),
            isCertain: held.isDecisionCertain,
            isOverdue: facts.isOverdue,
          }
        : null,
  };
}
