import { conflict } from '../../engine/find.ts';
import type { OpenedBatch } from '../../engine/open-operation.ts';
import { type OperationView, readOperation } from '../../engine/read-operation.ts';
import { withUnknownOrders } from '../../engine/unknown-orders.ts';
import { Problem } from '../../lib/errors.ts';
import { BASE_PATH } from './base-path.ts';
import type { ApiDeps, Reply, RouteRequest } from './route.ts';
import { ProblemBody } from './schemas.ts';

type Asker = Pick<RouteRequest<unknown, unknown, unknown>, 'companyId' | 'waitMs'>;

/** Waits as long as the client allows. Answers 200 when everything is settled, else 202 with a `Location`. */
export async function replyWhenSettled(deps: ApiDeps, asker: Asker, operationId: number): Promise<Reply> {
  await deps.waitForOperation(operationId, asker.waitMs);
  return operationReply(deps, asker, operationId);
}

/** Answers a batch like `replyWhenSettled`, at once when none of its orders exists. */
export async function replyToBatch(deps: ApiDeps, asker: Asker, batch: OpenedBatch): Promise<Reply> {
  const { kind, operationId, open, unknownOrders } = batch;
  if (operationId !== null) {
    if (open > 0) await deps.waitForOperation(operationId, asker.waitMs, { isSingle: open === 1 });
    return operationReply(deps, asker, operationId);
  }
  const view = { operation: { id: 0, kind, input: {} }, items: withUnknownOrders(kind, [], unknownOrders), open: 0 };
  return { status: 200, body: await deps.operationBodies[kind](deps, view, asker.companyId) };
}

/** Returns the current answer of an operation, without waiting. */
export async function operationReply(deps: ApiDeps, asker: Asker, operationId: number): Promise<Reply> {
  const view = await readOperation(deps, { companyId: asker.companyId, operationId });
  const body = await deps.operationBodies[view.operation.kind](deps, view, asker.companyId);
  if (view.open === 0) return { status: 200, body };
  const location = `${BASE_PATH}/operations/${operationId}`;
  return { status: 202, body, headers: { Location: location, 'Retry-After': '2' } };
}

/** OpenAPI responses for the statuses of `carrierProblem`. */
export const CARRIER_PROBLEMS = {
  424: { description: 'The carrier refused', schema: ProblemBody },
  502: { description: 'The carrier is not working', schema: ProblemBody },
  504: { description: "The carrier's answer was lost: the outcome is unknown", schema: ProblemBody },
} as const;

/** Returns a `Problem` for a carrier failure, for routes whose contract has no body for failures. */
export function carrierProblem({
  message,
  failureKind: kind,
}: Pick<OperationView['items'][number], 'message' | 'failureKind'>): Problem {
  const base = { source: 'carrier' as const };
  if (kind === 'retryable') {
    return new Problem(message, {
      ...base,
      status: 502,
      code: 'partner-broken',
      title: 'The carrier is not working',
      retryable: true,
    });
  }
  if (kind === 'unknown-outcome') {
    return new Problem(message, { ...base, status: 504, code: 'outcome-unknown', title: 'The carrier did not answer' });
  }
  return new Problem(message, { ...base, status: 424, code: 'carrier-refused', title: 'The carrier refused' });
}

/** Returns the `Problem` of a failed cancellation. Without a kind no partner refused: another request has the shipment. */
export function refusedCancellation(item: Pick<OperationView['items'][number], 'message' | 'failureKind'>): Problem {
  if (item.failureKind !== null) return carrierProblem(item);
  return conflict('shipment-in-progress', item.message, { retryable: true });
}

/** Returns the carrier's answer, null while there is none. Throws a `Problem` when the call failed. */
export function answerTo({ items }: OperationView): Record<string, unknown> | null {
  const item = items[0];
  if (item?.status === 'failed') throw carrierProblem(item);
  return item?.result ?? null;
}
