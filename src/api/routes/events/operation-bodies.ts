import type { OperationView } from '../../../engine/read-operation.ts';
import type { TestOutcome } from '../../../usecases/events/test-endpoint.ts';
import type { ApiDeps, OperationBody } from '../../http/route.ts';

function testBody(_deps: ApiDeps, { operation, items: [item] }: OperationView) {
  const { endpointId } = operation.input as { endpointId: number };
  const outcome = (item?.result ?? {}) as Partial<TestOutcome>;
  const { eventId = null, url, body, httpStatus = null, durationMs = null } = outcome;
  const isFailed = item?.status === 'failed';
  return {
    endpointId,
    status: isFailed ? 'failed' : item?.status === 'succeeded' ? 'delivered' : 'pending',
    eventId,
    request: url === undefined || body === undefined ? null : { url, body },
    httpStatus,
    error: isFailed ? item.message : null,
    durationMs,
  };
}

export const eventBodies = { 'test-endpoint': testBody } satisfies Record<string, OperationBody>;
