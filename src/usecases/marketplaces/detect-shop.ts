import { Connection } from '../../db/entities/index.ts';
import { companyEm, systemEm } from '../../db/orm.ts';
import { callConnection } from '../../engine/call-connection.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { notFound } from '../../engine/find.ts';

/** Detects the capabilities of a shop, and stores them for all later confirmations. */
export async function detectShop(
  deps: Deps,
  connection: Connection,
  input: Pick<JobContext, 'requestId' | 'signal'>,
): Promise<Record<string, unknown>> {
  const target = { connection, shipmentId: null };
  const detected = await callConnection(
    deps,
    target,
    input,
    async (marketplace, context) => (await marketplace.detect?.(context)) ?? {},
  );
  const { id, companyId } = connection;
  await systemEm(deps.orm).nativeUpdate(Connection, { id, companyId }, { detected });
  return detected;
}

/** Deletes the stored capabilities, so that a worker detects them before the next confirmation. */
export async function forgetShop(deps: Deps, input: { companyId: number; connectionId: number }): Promise<void> {
  const { companyId, connectionId: id } = input;
  const em = companyEm(deps.orm, companyId);
  const changed = await em.nativeUpdate(Connection, { id, companyId, deleteFlag: false }, { detected: null });
  if (changed === 0) throw notFound('marketplace connection');
}

/** Reads a connection of any company by its id. */
export async function findConnection(deps: Deps, connectionId: number): Promise<Connection> {
  const connection = await systemEm(deps.orm).findOne(Connection, { id: connectionId, deleteFlag: false });
  if (!connection) throw notFound('marketplace connection');
  return connection;
}
