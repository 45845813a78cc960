import { Connection, MarketplaceRow } from '../../db/entities/index.ts';
import { type Em, systemEm } from '../../db/orm.ts';
import { callConnection } from '../../engine/call-connection.ts';
import type { Deps } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { sha256 } from '../../lib/crypto.ts';
import { IntegrationError, Problem } from '../../lib/errors.ts';
import type { WebhookDelivery as Delivery, Marketplace } from '../../marketplaces/adapter.ts';
import { marketplaceQueue } from '../../queue/jobs.ts';

/** A sender waits for us, and some of them not for long. */
const LIMIT_MS = 4_000;
const RETRY_MS = 60_000;

interface Listening {
  connection: Connection;
  marketplace: Marketplace;
}

/**
 * Takes a hint of a marketplace: the order it names is read now, by our own call. False for what is not genuine, and for
 * connections that nobody listens for: both look the same from outside.
 */
export async function receiveWebhook(
  deps: Deps,
  input: { connectionId: number; delivery: Delivery; requestId: string },
): Promise<boolean> {
  const listening = await listen(deps, input.connectionId);
  if (!listening) return false;
  const { connection, marketplace } = listening;
  const call = { requestId: input.requestId, signal: AbortSignal.timeout(LIMIT_MS) };
  const hint = await callConnection(
    deps,
    { connection, shipmentId: null },
    call,
    async (spec, context) => (await spec.webhook?.read(context, input.delivery)) ?? null,
  ).catch((error: unknown) => {
    throw error instanceof IntegrationError ? unchecked(error) : error;
  });
  if (!hint) return false;
  const { deliveryId, externalOrderId: externalId } = hint;
  if (externalId === null || !(await isNew(systemEm(deps.orm), connection, deliveryId))) return true;
  const payload = { connectionId: connection.id, externalId, requestId: input.requestId };
  const id = `import-order-${connection.id}-${sha256(deliveryId).slice(0, 16)}`;
  // Lost with the queue, it is no more than a hint: the next import finds the change.
  await enqueue(deps, marketplaceQueue(marketplace.id), [{ name: 'import-order', id, payload }]);
  return true;
}

/** Some signatures are checked with what the marketplace has to be asked for: its sender should come back later. */
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

/** The answer to the question whether the address is ours; null when nobody may ask it. */
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

async function listen(deps: Deps, connectionId: number): Promise<Listening | null> {
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
