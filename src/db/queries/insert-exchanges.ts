import type { Exchange } from '../entities/index.ts';
import type { Orm } from '../orm.ts';
import { runPrepared, type Statement } from './prepared.ts';

export type NewExchange = Omit<Exchange, 'id'>;

const INSERT_EXCHANGE: Statement = {
  name: 'insert-exchange',
  text: `insert into exchanges (company_id, shipment_id, attempt_id, request_id, provider, operation, effect, method, url, status,
                                error, duration_ms, started_at, bodies)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
};

/** One after the other: a call has one exchange, or a few. */
export async function insertExchanges(orm: Orm, exchanges: readonly NewExchange[]): Promise<void> {
  for (const one of exchanges) {
    await runPrepared(orm, INSERT_EXCHANGE, [
      one.companyId,
      one.shipmentId,
      one.attemptId,
      one.requestId,
      one.provider,
      one.operation,
      one.effect,
      one.method,
      one.url,
      one.status,
      one.error,
      one.durationMs,
      one.startedAt,
      one.bodies,
    ]);
  }
}
