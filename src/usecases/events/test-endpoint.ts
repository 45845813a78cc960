import { EventEndpoint, Operation, OperationItem } from '../../db/entities/index.ts';
import { companyEm, systemEm } from '../../db/orm.ts';
import { claimItem, releaseItem, settleItem } from '../../db/queries/operations.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { conflict, notFound } from '../../engine/find.ts';
import { markMade, type Origin, originOf } from '../../engine/idempotency.ts';
import { openOperation } from '../../engine/open-operation.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { openPoster, type PostResult } from '../../lib/guarded-post.ts';
import { EVENTS_QUEUE } from '../../queue/jobs.ts';
import { activeSecrets } from './event-secrets.ts';
import { signedHeaders } from './signed-headers.ts';

/** Type of the event that a person sends to try an endpoint. It has no number, and no list shows it. */
export const TEST_EVENT = 'endpoint.test';

/** The result of a test, as the operation item stores it. */
export interface TestOutcome {
  eventId: string;
  url: string;
  body: string;
  httpStatus: number | null;
  durationMs: number;
}

const DELETED = 'The endpoint was deleted in the meantime';

/**
 * Queues a test event for an endpoint, also for a disabled one. Returns the id of the operation. A company has one test at a time,
 * because a receiver that hangs keeps a worker waiting.
 */
export async function requestTest(deps: Deps, input: Origin & { endpointId: number }): Promise<number> {
  const { companyId, endpointId, requestId } = input;
  const em = companyEm(deps.orm, companyId);
  if (!(await em.findOne(EventEndpoint, endpointId))) throw notFound('event endpoint');
  const [open] = await em.execute<{ id: number; endpointId: number }[]>(
    `select o.id, (o.input ->> 'endpointId')::int as "endpointId" from operation_items i
       join operations o on o.company_id = i.company_id and o.id = i.operation_id
      where i.company_id = ? and i.kind = 'test-endpoint' and i.status in ('pending', 'running') order by o.id limit 1`,
    [companyId],
  );
  if (open && open.endpointId !== endpointId) {
    const message = 'Another endpoint is being tested: try again in some seconds';
    throw conflict('test-running', message, { retryable: true, headers: { 'Retry-After': '5' } });
  }
  if (open) {
    await markMade(em, input.once, open.id);
    return open.id;
  }
  const { operationId, firstItemId: itemId } = await em.transactional((tx) =>
    openOperation(tx, { ...originOf(input), kind: 'test-endpoint', input: { endpointId } }, [{}]),
  );
  const name = 'test-endpoint';
  await enqueue(deps, EVENTS_QUEUE, [{ name, id: `${name}-${itemId}`, companyId, payload: { itemId, requestId } }]);
  return operationId;
}

/** Sends the test event once. A failure is reported without a retry, and changes nothing about the endpoint. */
export async function testEndpoint(deps: Deps, input: { itemId: number } & JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const item = await em.findOne(OperationItem, input.itemId);
  const claim = item && (await claimItem(em, item.id));
  if (!claim) return;
  const held = { itemId: item.id, fence: claim.fence };
  const { input: asked } = await em.findOneOrFail(Operation, item.operationId);
  const { endpointId: id } = asked as { endpointId: number };
  const endpoint = await em.findOne(EventEndpoint, { id, companyId: item.companyId });
  if (!endpoint) return void (await settleItem(em, held, { status: 'failed', message: DELETED }));
  const eventId = `evt_${deps.vault.installationCode}_test_${item.id}`;
  const body = JSON.stringify({ type: TEST_EVENT, timestamp: deps.now().toISOString(), data: { endpointId: id } });
  const sent = { eventId, url: endpoint.url, body };
  try {
    const { status: httpStatus, error, durationMs } = await post(deps, endpoint, { eventId, body }, input.signal);
    const result: TestOutcome = { ...sent, httpStatus, durationMs };
    const status = error === null ? 'succeeded' : 'failed';
    await settleItem(em, held, { status, message: error ?? '', result: { ...result } });
  } catch (error) {
    if (input.signal.aborted) return releaseItem(em, item.id, claim.fence);
    if (!(error instanceof IntegrationError)) throw error;
    const result: TestOutcome = { ...sent, httpStatus: null, durationMs: 0 };
    await settleItem(em, held, { status: 'failed', message: error.code, result: { ...result } });
  }
}

async function post(
  deps: Deps,
  endpoint: EventEndpoint,
  { eventId, body }: { eventId: string; body: string },
  signal: AbortSignal,
): Promise<PostResult> {
  const { eventsAllowPrivate: allowPrivate, eventTimeoutMs: timeoutMs } = deps.settings;
  const secrets = activeSecrets(deps.vault, endpoint, deps.now());
  const poster = openPoster({ resolve: deps.resolve, allowPrivate, timeoutMs });
  try {
    const headers = signedHeaders(secrets, { id: eventId, body, now: deps.now() });
    return await poster.post({ url: endpoint.url, headers, body, signal });
  } finally {
    await poster.close();
  }
}
