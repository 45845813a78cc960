import { type Connection, MarketplaceRow } from '../db/entities/index.ts';
import { systemEm } from '../db/orm.ts';
import { IntegrationError } from '../lib/errors.ts';
import type { Marketplace, MarketplaceContext } from '../marketplaces/adapter.ts';
import { callRecorded } from './call-recorded.ts';
import type { Deps, JobContext } from './deps.ts';

export interface ConnectionTarget {
  connection: Connection;
  shipmentId: number | null;
  attemptId?: number | null;
  /** See `RecordedCall`. */
  claimedAt?: number;
}

/** Returns the context that a connection's credentials are encrypted with. */
export function connectionSeal(connectionId: number): string {
  return `connection:${connectionId}`;
}

/** Calls a marketplace under a company's connection and stores the exchange. Throws only `IntegrationError`s. */
export async function callConnection<Result>(
  deps: Deps,
  target: ConnectionTarget,
  input: Pick<JobContext, 'requestId' | 'signal'>,
  run: (marketplace: Marketplace, context: MarketplaceContext<unknown>) => Promise<Result>,
): Promise<Result> {
  const { connection, shipmentId, attemptId = null, claimedAt } = target;
  const marketplace = await marketplaceOf(deps, connection.marketplaceId);
  const sealed = { credentials: connection.credentials, seal: connectionSeal(connection.id) };
  const { requestId, signal } = input;
  const call = { companyId: connection.companyId, shipmentId, attemptId, requestId, signal, claimedAt };
  return callRecorded(deps, { partner: marketplace, sealed, call }, (context) => run(marketplace, context));
}

/** Returns the adapter of a catalogue row. */
async function marketplaceOf(deps: Pick<Deps, 'orm' | 'marketplaces'>, marketplaceId: number): Promise<Marketplace> {
  const row = await systemEm(deps.orm).findOneOrFail(MarketplaceRow, marketplaceId);
  const marketplace = deps.marketplaces.get(row.code);
  if (!marketplace) {
    throw new IntegrationError(`No adapter for marketplace ${row.code}`, {
      kind: 'permanent',
      provider: row.code,
      code: 'not-supported',
    });
  }
  return marketplace;
}
