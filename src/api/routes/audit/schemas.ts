import { z } from 'zod';
import { AUDIT_CHANNELS } from '../../../domain/audit.ts';
import type { AuditFilter, AuditLine } from '../../../usecases/audit/read-audit.ts';
import { DayOrInstant } from '../../http/filters.ts';
import { iso } from '../../http/format.ts';
import { PageLimit } from '../../http/paging.ts';
import { DateTime, IdText, NullableText, Text } from '../../http/schemas.ts';

export const AUDIT_LIMIT = 100;

export const AuditFields = z
  .object({
    id: z.number().int().min(1),
    at: DateTime.describe('When the outcome was known'),
    actor: Text.describe('key:3, user:7, cli, or board for the login of the settings'),
    channel: z.enum(AUDIT_CHANNELS).describe('console: a person who is logged in; board: the board of queues'),
    address: NullableText.describe('The network address; null: the command line'),
    operation: Text.describe('The operationId of the endpoint, the command, or what was done at the board'),
    targets: z.array(Text).describe('The first 100 of the ids that it named, such as order:12'),
    targetCount: z.number().int().min(0),
    outcome: z.enum(['ok', 'failed']),
    status: z.number().int().nullable().describe('HTTP; null: the command line'),
    code: NullableText.describe('Why it failed; null: it succeeded'),
    requestId: Text,
    replay: z.boolean().describe('true: the answer to an earlier Idempotency-Key, and nothing was done again'),
  })
  .meta({ id: 'AuditEntry' });

/** The parameters of the lists. */
export const AuditQuery = z.object({
  from: DayOrInstant,
  to: DayOrInstant,
  actor: z.string().min(1).max(100).optional().describe('Such as key:3, user:7, cli or board'),
  operation: z.string().min(1).max(100).optional(),
  target: z
    .string()
    .regex(/^[\w-]{1,40}:[\w.:-]{1,200}$/, 'must be a noun and an id, such as order:12')
    .optional(),
  limit: PageLimit.optional(),
  cursor: IdText.optional(),
});

/** Converts the parameters to a filter. `at` is the period between `from` and `to`. */
export function auditFilter(
  { actor, operation, target }: z.infer<typeof AuditQuery>,
  at: AuditFilter['at'],
): AuditFilter {
  return { at, actor: actor ?? null, operation: operation ?? null, target: target ?? null };
}

export function auditBody(line: AuditLine) {
  const { id, at, actor, channel, address, operation, targets, targetCount, status, code, requestId, isReplay } = line;
  return {
    id,
    at: iso(at),
    ...{ actor, channel, address, operation, targets, targetCount },
    outcome: code === null ? ('ok' as const) : ('failed' as const),
    ...{ status, code, requestId },
    replay: isReplay,
  };
}
