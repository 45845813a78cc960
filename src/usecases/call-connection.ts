import { type Connection, MarketplaceRow } from '../db/entities/index.ts';
import { systemEm } from '../db/orm.ts';
import { callPartner, secretsOf } from '../lib/call-partner.ts';
import { IntegrationError } from '../lib/errors.ts';
import type { RecordedExchange } from '../lib/http.ts';
import type { Marketplace, MarketplaceContext } from '../marketplaces/contract.ts';
import type { Deps, JobContext } from './deps.ts';
import { storeExchanges } from './exchange-log.ts';

/** What a connection's credentials are sealed with. */
export function connectionSeal(connectionId: number): string {
  return `connection:${connectionId}`;
}

/** Calls a marketplace under a company's connection and keeps the exchange. */
export async function callConnection<Result>(
  deps: Deps,
  target: { connection: Connection; shipmentId: number | null },
  input: Pick<JobContext, 'requestId' | 'signal'>,
  run: (marketplace: Marketplace, context: MarketplaceContext<unknown>) => Promise<Result>,
): Promise<Result> {
  const { connection } = target;
  const row = await systemEm(deps.orm).findOneOrFail(MarketplaceRow, connection.marketplaceId);
  const marketplace = deps.marketplaces.get(row.code);
  if (!marketplace) {
    throw new IntegrationError(`No adapter for marketplace ${row.code}`, {
      kind: 'permanent',
      provider: row.code,
      code: 'not-supported',
    });
  }
  const account = deps.vault.open(connection.credentials, connectionSeal(connection.id));
  const exchanges: RecordedExchange[] = [];
  try {
    return await callPartner(
      marketplace,
      {
        account,
        signal: input.signal,
        log: deps.log.child({ marketplace: row.code, requestId: input.requestId }),
        now: deps.now,
        record: (exchange) => exchanges.push(exchange),
      },
      (context) => run(marketplace, context),
    );
  } finally {
    const owner = {
      companyId: connection.companyId,
      shipmentId: target.shipmentId,
      attemptId: null,
      requestId: input.requestId,
      provider: row.code,
    };
    await storeExchanges(systemEm(deps.orm), owner, exchanges, secretsOf(marketplace.account, account)).catch((err) =>
      deps.log.error({ err, provider: row.code }, 'exchange not stored'),
    );
  }
}
