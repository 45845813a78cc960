import { z } from 'zod';
import { ATTEMPT_OUTCOMES } from '../../../domain/attempt.ts';
import { ATTENTION_CHOICES, ATTENTION_REASONS } from '../../../domain/attention.ts';
import { DIRECTIONS } from '../../../domain/direction.ts';
import type { AttentionView } from '../../../usecases/attention/attention.ts';
import { iso, isoOrNull } from '../../http/format.ts';
import { DateTime, Id } from '../../http/schemas.ts';
import { ExchangeFields, exchangeBody } from '../exchanges/exchange-body.ts';
import { HeldStay, PlainWords, stayBody } from '../held/held-body.ts';

export const AttemptFields = z
  .object({
    id: Id,
    operation: z.string().describe('create, transmit, cancel, release or send; resolve is the decision of a person'),
    outcome: z.enum(ATTEMPT_OUTCOMES).describe('The outcome of the call as far as it is known'),
    code: z.string().nullable(),
    message: z.string().nullable(),
    requestId: z.string(),
    startedAt: DateTime,
    endedAt: DateTime.nullable(),
  })
  .meta({ id: 'Attempt' });

export const AttentionFields = z
  .object({
    id: Id.describe("The shipment's id"),
    orderId: Id,
    orderNumber: z.string(),
    carrier: z.object({ id: Id, name: z.string() }),
    reference: z.string().describe("Our reference in the carrier's system"),
    trackingNumber: z.string(),
    direction: z.enum(DIRECTIONS),
    processStatus: z.string(),
    trackingStatus: z.string().nullable(),
    reasons: z.array(z.object({ reason: z.enum(ATTENTION_REASONS), message: z.string(), since: DateTime })),
    choices: z.array(
      z.object({
        choice: z.enum(ATTENTION_CHOICES),
        reason: z.enum(ATTENTION_REASONS).describe('The most urgent reason that offers this choice'),
        effect: z.string(),
        explanation: PlainWords,
      }),
    ),
    releaseActions: z
      .array(z.string())
      .describe('Allowed actions of POST /shipment/{id}/release-held; empty unless the parcel is held'),
    held: HeldStay.nullable().describe('The current giacenza'),
    attempts: z.array(AttemptFields).describe('Oldest first, the last twenty'),
    exchanges: z
      .array(ExchangeFields)
      .describe('Requests and answers of these attempts; GET /exchanges/{id} has the texts'),
  })
  .meta({ id: 'Attention' });

export function attentionBody(view: AttentionView) {
  const { shipment, order, carrier } = view;
  return {
    id: shipment.id,
    orderId: order.id,
    orderNumber: order.orderNumber,
    carrier: { id: carrier.id, name: carrier.name },
    reference: shipment.reference ?? '',
    trackingNumber: shipment.trackingNumber ?? '',
    direction: shipment.direction,
    processStatus: shipment.processStatus,
    trackingStatus: shipment.trackingStatus,
    reasons: view.notes.map(({ reason, message, since }) => ({ reason, message, since: iso(since) })),
    choices: view.choices.map((choice) => ({ ...choice, effect: choice.explanation.en })),
    releaseActions: view.releaseActions,
    held: view.stay && stayBody(view.stay),
    attempts: view.attempts.map(attemptBody),
    exchanges: view.exchanges.map(exchangeBody),
  };
}

export function attemptBody(attempt: AttentionView['attempts'][number]) {
  return {
    id: attempt.id,
    operation: attempt.operation,
    outcome: attempt.outcome,
    code: attempt.code,
    message: attempt.message,
    requestId: attempt.requestId,
    startedAt: iso(attempt.startedAt),
    endedAt: isoOrNull(attempt.endedAt),
  };
}
