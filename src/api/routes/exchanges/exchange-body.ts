import { z } from 'zod';
import type { ExchangeHead } from '../../../usecases/exchanges/read-exchanges.ts';
import { iso } from '../../http/format.ts';
import { DateTime, Id } from '../../http/schemas.ts';

export const ExchangeFields = z
  .object({
    id: Id,
    attemptId: Id.nullable().describe('The attempt that made this request; null for polls and look-ups'),
    operation: z.string().describe("The partner's name for it"),
    effect: z.enum(['read', 'write']),
    method: z.string(),
    url: z.string().describe('Without its query, which is in the request'),
    status: z.number().int().nullable().describe('Null when no answer arrived'),
    error: z.string().nullable().describe('The network failure; null for a complete answer'),
    durationMs: z.number().int(),
    startedAt: DateTime,
    requestId: z.string(),
  })
  .meta({ id: 'Exchange' });

export const ExchangeDetail = ExchangeFields.extend({
  request: z
    .string()
    .nullable()
    .describe('Without credentials and labels; null after its retention, and for a poll that brought nothing new'),
  response: z.string().nullable().describe('The part that arrived and is still stored'),
}).meta({ id: 'ExchangeDetail' });

export function exchangeBody(exchange: ExchangeHead) {
  return {
    id: exchange.id,
    attemptId: exchange.attemptId,
    operation: exchange.operation,
    effect: exchange.effect,
    method: exchange.method,
    url: exchange.url,
    status: exchange.status,
    error: exchange.error,
    durationMs: exchange.durationMs,
    startedAt: iso(exchange.startedAt),
    requestId: exchange.requestId,
  };
}
