import { Connection, MarketplaceRow } from '../../db/entities/index.ts';
import { type Em, systemEm } from '../../db/orm.ts';
import { callConnection } from '../../engine/call-connection.ts';
import type { Deps } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { sha256 } from '../../lib/crypto.ts';
import { IntegrationError, Problem } from '../../lib/errors.ts';
import type { WebhookDelivery as Delivery, Marketplace } from '../../marketplaces/adapter.ts';
import { marketplaceQueue } from '../../queue/jobs.ts';

/** Time limit, because senders wait for the answer, some of them only briefly. */
const LIMIT_MS = 4_000;
const RETRY_MS = 60_000;

interface Listening {
  connection: Connection;
  marketplace: Marketplace;
}

/**
 * Takes a webhook of a marketplace as a hint: queues our own read of the order that it names. Returns false for a wrong signature and
 * for a connection without webhooks, so that both look the same from outside.
 */
export async function receiveWebhook(
  deps: Deps,
  input: { connectionId: number; readDelivery: () => Promise<Delivery>; requestId: string },
): Promise<boolean> {
  const listening = await listen(deps, input.connectionId);
  if (!listening) return false;
  const { connection, marketplace } = listening;
  // A stranger's body is not read: ids are small numbers and easily guessed.
  const delivery = await input.readDelivery();
  const call = { requestId: input.requestId, signal: AbortSignal.timeout(LIMIT_MS) };
  const hint = await callConnection(
    deps,
    { connection, shipmentId: null },
    call,
    async (spec, context) => (await spec.webhook?.read(context, delivery)) ?? null,
  ).catch((error: unknown) => {
    throw error instanceof IntegrationError ? unchecked(error) : error;
  });
  if (!hint) return false;
  const { deliveryId, externalOrderId: externalId } = hint;
  if (externalId === null || !(await isNew(systemEm(deps.orm), connection, deliveryId))) return true;
  const payload = { connectionId: connection.id, externalId, requestId: input.requestId };
  const id = `import-order-${connection.id}-${sha256(deliveryId).slice(0, 16)}`;
  // A hint may get lost with the queue: the next import finds the change.
  const { companyId } = connection;
  await enqueue(deps, marketplaceQueue(marketplace.id), [{ name: 'import-order', id, companyId, payload }]);
  return true;
}

/** Returns a 503 when the marketplace must be called to check a signature and does not answer; its sender retries later. */
function unchecked(error: IntegrationError): Problem {
  return new Problem(`The signature cannot be checked now: ${error.message}`, {
    status: 503,
    code: 'partner-broken',
    title: 'Try again later',
    source: 'marketplace',
    retryable: true,
    headers: { 'Retry-After': String(Math.ceil((error.retryAfterMs ?? RETRY_MS) / 1000)) },
  });
}

/** Returns the answer that proves our ownership of the URL, null for a request that may not ask for it. */
export async function answerChallenge(
  deps: Deps,
  input: { connectionId: number; query: Record<string, string>; url: string; requestId: string },
): Promise<object | null> {
  const listening = await listen(deps, input.connectionId);
  if (!listening?.marketplace.webhook?.challenge) return null;
  const { connection } = listening;
  const call = { requestId: input.requestId, signal: AbortSignal.timeout(LIMIT_MS) };
  return callConnection(
    deps,
    { connection, shipmentId: null },
    call,
    async (spec, { account }) => spec.webhook?.challenge?.(account, { query: input.query, url: input.url }) ?? null,
  );
}

async function listen(deps: Pick<Deps, 'orm' | 'marketplaces'>, connectionId: number): Promise<Listening | null> {
  const em = systemEm(deps.orm);
  const connection = await em.findOne(Connection, { id: connectionId, deleteFlag: false, isConnected: true });
  if (!connection?.importEnabled) return null;
  const row = await em.findOneOrFail(MarketplaceRow, connection.marketplaceId);
  const marketplace = deps.marketplaces.get(row.code);
  return marketplace?.webhook ? { connection, marketplace } : null;
}

async function isNew(em: Em, { id: connectionId, companyId }: Connection, deliveryId: string): Promise<boolean> {
  const rows = await em.execute<object[]>(
    `insert into webhook_deliveries (company_id, connection_id, delivery_id) values (?, ?, ?)
     on conflict (connection_id, delivery_id) do nothing returning id`,
    [companyId, connectionId, deliveryId],
  );
  return rows.length > 0;
}
