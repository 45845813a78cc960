import { Connection, MarketplaceRow, Operation } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { renewItem } from '../../db/queries/operations.ts';
import type { MarketplaceErrorType } from '../../domain/marketplace-error.ts';
import { answerItem } from '../../engine/answer-item.ts';
import { callConnection } from '../../engine/call-connection.ts';
import { switchedOff } from '../../engine/contracts.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { notFound, unprocessable } from '../../engine/find.ts';
import { markMade, type Origin, originOf } from '../../engine/idempotency.ts';
import { openOperation } from '../../engine/open-operation.ts';
import { marketplaceQueue } from '../../queue/jobs.ts';
import { errorTypeOf } from './error-type.ts';
import { readImportFailure } from './import-failures.ts';
import { type ImportCount, importChanges, importOrder } from './import-orders.ts';

/** A person's question to a shop. */
export type ShopQuestion =
  | { kind: 'verify' }
  /** Null: everything that changed since the last import. */
  | { kind: 'import'; externalId: string | null };

/** The result of an import on demand, as the operation item stores it. */
export interface ImportOutcome extends ImportCount {
  /** Another import of the connection was running, so this one did nothing. */
  wasRunning: boolean;
}

/** The result of a failed question, as the operation item stores it. */
export interface ShopFailure {
  errorType: MarketplaceErrorType | null;
}

const BEAT_MS = 30_000;

/** Queues a question to a shop. Returns the id of the operation; equal questions that are still open share it. */
export async function requestFromShop(
  deps: Deps,
  input: Origin & { connectionId: number; question: ShopQuestion },
): Promise<number> {
  const { companyId, connectionId, requestId, question } = input;
  const em = companyEm(deps.orm, companyId);
  const connection = await em.findOne(Connection, { id: connectionId, deleteFlag: false });
  if (!connection) throw notFound('marketplace connection');
  if (question.kind === 'import') checkImports(connection);
  const { code } = await em.findOneOrFail(MarketplaceRow, connection.marketplaceId);
  const { kind, ...details } = question;
  const open = await findOpen(em, connection, { kind, details });
  if (open !== null) {
    await markMade(em, input.once, open);
    return open;
  }
  const { operationId, firstItemId: itemId } = await em.transactional((tx) =>
    openOperation(tx, { ...originOf(input), kind, input: details }, [{ connectionId }]),
  );
  const name = kind === 'import' ? 'import-now' : kind;
  await enqueue(deps, marketplaceQueue(code), [
    { name, id: `${name}-${itemId}`, companyId, payload: { itemId, requestId } },
  ]);
  return operationId;
}

function checkImports(connection: Connection): void {
  if (!connection.isConnected) throw unprocessable(switchedOff('Connection', connection));
  if (connection.importEnabled) return;
  throw unprocessable(`Imports of connection ${connection.label} (id ${connection.id}) are switched off`);
}

async function findOpen(
  em: Em,
  { id, companyId }: Connection,
  { kind, details }: { kind: ShopQuestion['kind']; details: object },
): Promise<number | null> {
  const [row] = await em.execute<{ id: number }[]>(
    `select o.id from operation_items i join operations o on o.company_id = i.company_id and o.id = i.operation_id
      where i.company_id = ? and i.kind = ? and i.connection_id = ? and i.status in ('pending', 'running') and o.input = ?::jsonb
      order by o.id limit 1`,
    [companyId, kind, id, JSON.stringify(details)],
  );
  return row?.id ?? null;
}

/** Asks the shop. An import that fails runs again by its schedule. */
export async function askShop(deps: Deps, input: { itemId: number } & JobContext): Promise<void> {
  await answerItem(deps, input, {
    async ask({ item, held, em }) {
      // An import of many orders takes longer than a call may.
      const beat = setInterval(() => {
        renewItem(em, held).catch((err) => deps.log.warn({ err }, 'operation item not renewed'));
      }, BEAT_MS);
      try {
        const connection = await em.findOneOrFail(Connection, item.connectionId ?? 0);
        const { input: asked } = await em.findOneOrFail(Operation, item.operationId);
        const { message, ...result } =
          item.kind === 'verify'
            ? await verify(deps, input, connection)
            : await importNow(deps, input, connection, asked);
        return { message, result };
      } finally {
        clearInterval(beat);
      }
    },
    resultOf: (error): ShopFailure => ({ errorType: errorTypeOf(error) }),
  });
}

async function verify(deps: Deps, input: JobContext, connection: Connection): Promise<{ message: '' }> {
  await callConnection(deps, { connection, shipmentId: null }, input, (marketplace, context) =>
    marketplace.verifyAccount(context),
  );
  return { message: '' };
}

/** Imports all changes, or the order that was asked for. `message` says why that one could not be imported. */
async function importNow(
  deps: Deps,
  input: JobContext,
  connection: Connection,
  asked: Record<string, unknown>,
): Promise<ImportOutcome & { message: string }> {
  const { id: connectionId } = connection;
  const { externalId } = asked as { externalId: string | null };
  if (externalId === null) {
    const count = await importChanges(deps, { ...input, connectionId });
    const nothing = { created: 0, updated: 0, unchanged: 0, failed: 0 };
    return { ...(count ?? nothing), wasRunning: count === null, message: '' };
  }
  const count = await importOrder(deps, { ...input, connectionId, externalId });
  const message = count.failed > 0 ? await readImportFailure(deps, connection, externalId) : null;
  return { ...count, wasRunning: false, message: message ?? '' };
}
