import { z } from 'zod';
import type { ExchangeHead } from '../../../usecases/exchanges/read-exchanges.ts';
import { iso } from '../../http/format.ts';
import { DateTime, Id } from '../../http/schemas.ts';

export const ExchangeFields = z
  .object({
    id: Id,
    attemptId: Id.nullable().describe('The attempt it was made for; null for polls and questions'),
    operation: z.string().describe("The partner's name for it"),
    effect: z.enum(['read', 'write']),
    method: z.string(),
    url: z.string().describe('Without its query, which is in the request'),
    status: z.number().int().nullable().describe('Null when no answer began'),
    error: z.string().nullable().describe('What broke on the wire; null for an answer that is whole'),
    durationMs: z.number().int(),
    startedAt: DateTime,
    requestId: z.string(),
  })
  .meta({ id: 'Exchange' });

export const ExchangeDetail = ExchangeFields.extend({
  request: z.string().nullable().describe('Without credentials and labels; null when not kept any more'),
  response: z.string().nullable().describe('As far as it came and was kept'),
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
