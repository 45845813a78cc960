import { z } from 'zod';
import { DISABLED_REASONS, EVENT_TYPES } from '../../../domain/event-types.ts';
import type { EndpointView, EndpointWithSecret } from '../../../usecases/events/event-endpoints.ts';
import { maskedSecrets } from '../../../usecases/events/event-secrets.ts';
import { isoOrNull } from '../../http/format.ts';
import type { Reply } from '../../http/route.ts';
import { DateTime, Id } from '../../http/schemas.ts';
import { Sequence } from './schemas.ts';

export const EventTypeName = z.enum(EVENT_TYPES);

export const EndpointUrl = z
  .string()
  .max(2000)
  .refine((text) => URL.canParse(text), 'must be a URL');

export const EventEndpointTest = z
  .object({
    endpointId: Id,
    status: z.enum(['pending', 'delivered', 'failed']),
    eventId: z.string().nullable().describe('The webhook-id; null until it is sent'),
    request: z.object({ url: z.string(), body: z.string() }).nullable(),
    httpStatus: z.number().int().nullable(),
    error: z.string().nullable().describe('A code of docs/events.md'),
    durationMs: z.number().int().nullable(),
  })
  .meta({ id: 'EventEndpointTest' });

export const EventEndpointFields = z
  .object({
    id: Id,
    key: z.string(),
    url: z.string(),
    types: z.array(EventTypeName).nullable().describe('null: all types'),
    secrets: z.array(z.string()).describe('The current secrets, masked'),
    previousSecretUntil: DateTime.nullable().describe('When the second secret stops signing; null: never'),
    status: z.enum(['active', 'failing', 'disabled']),
    disabled: z.object({ reason: z.enum(DISABLED_REASONS), since: DateTime }).nullable(),
    failing: z
      .object({ since: DateTime, tries: z.number().int(), error: z.string(), nextTryAt: DateTime.nullable() })
      .nullable()
      .describe('Failures since the last success; kept when the endpoint was disabled for them'),
    deliveredSequence: Sequence.describe('Every event up to here was delivered, or is of another type'),
    lastSequence: Sequence.describe('The last event of the company'),
    replay: z
      .object({ from: Sequence, to: Sequence })
      .nullable()
      .describe('Events that the running replay has not delivered yet'),
    createdAt: DateTime,
  })
  .meta({ id: 'EventEndpoint' });

export const EventEndpointWithSecret = EventEndpointFields.extend({
  secret: z.string().nullable().describe('Shown once: null in a repeated answer'),
}).meta({ id: 'EventEndpointWithSecret' });

export function endpointBody({ endpoint, secretCount, lastSequence }: EndpointView) {
  const { disabledAt, disabledReason, failures, failingSince, replayFrom, replayTo } = endpoint;
  return {
    id: endpoint.id,
    key: endpoint.key,
    url: endpoint.url,
    types: endpoint.types,
    secrets: maskedSecrets(secretCount),
    previousSecretUntil: secretCount > 1 ? isoOrNull(endpoint.previousSecretUntil) : null,
    status: disabledAt ? 'disabled' : failures > 0 ? 'failing' : 'active',
    disabled: disabledAt && { reason: disabledReason ?? 'switched-off', since: disabledAt.toISOString() },
    failing: failingSince && {
      since: failingSince.toISOString(),
      tries: failures,
      error: endpoint.lastError ?? '',
      nextTryAt: isoOrNull(endpoint.nextTryAt),
    },
    deliveredSequence: endpoint.deliveredSequence,
    lastSequence,
    replay: replayFrom === null || replayTo === null ? null : { from: replayFrom, to: replayTo },
    createdAt: endpoint.createdAt.toISOString(),
  };
}

/** Returns the only answer that holds the secret. The stored answer does not. */
export function replyWithSecret(status: number, { secret, ...view }: EndpointWithSecret): Reply {
  const body = endpointBody(view);
  return { status, body: { ...body, secret }, remembered: { ...body, secret: null } };
}
