import { ApiError, api, type Schema } from '../../api/client.ts';
import type { Case } from './cases.ts';
import type { Option } from './options.ts';

/** The values of the dialog. */
export interface Decision {
  about: Case;
  option: Option;
  /** True: a person did it in the portal, and it is only written down. */
  isDoneInPortal: boolean;
  /** True: the portal's work is left as a task. */
  isTask: boolean;
  trackingNumber: string;
  /** A PDF in base64; null: none. */
  label: string | null;
  pickupPointId: string;
  newAddress: NonNullable<Schema['ReleaseRequest']['newAddress']> | null;
  note: string;
  /** One per press of the button: a repetition after a lost answer does nothing twice. */
  key: string;
}

export interface Decided {
  state: 'done' | 'pending' | 'task';
  requestId: string;
  /** While the answer of the partner is not there. */
  operationId: number | null;
}

/** Carries out a decision. Throws an `ApiError` when the API or the partner refuses it. */
export function decide(decision: Decision): Promise<Decided> {
  if (decision.option.kind === 'choice') return resolve(decision, decision.option);
  return decision.isDoneInPortal ? writeDown(decision, decision.option) : release(decision, decision.option);
}

async function resolve(decision: Decision, { choice }: Option & { kind: 'choice' }): Promise<Decided> {
  const { about, trackingNumber, label, note, key } = decision;
  const { data, response } = await api.POST('/api/v1/external/attention/{id}/resolve', {
    params: { path: { id: about.id }, header: { 'Idempotency-Key': key } },
    body: { choice, trackingNumber, label, note },
  });
  const requestId = requestIdOf(response);
  if (!data || data.status === 'failed') throw refusal(data?.message ?? '', requestId);
  return { state: data.status === 'done' ? 'done' : 'pending', requestId, operationId: data.operationId };
}

async function release(decision: Decision, { action }: Option & { kind: 'action' }): Promise<Decided> {
  const { about, newAddress, pickupPointId, note, isTask, key } = decision;
  const { data, response } = await api.POST('/api/v1/external/shipment/{id}/release-held', {
    params: { path: { id: about.id }, header: { 'Idempotency-Key': key } },
    body: { action, newAddress, pickupPointId, note },
  });
  const requestId = requestIdOf(response);
  if (response.status === 202) return { state: 'pending', requestId, operationId: operationOf(response) };
  if (isTask && (await hasTask(about, action))) return { state: 'task', requestId, operationId: null };
  if (!data?.success) throw refusal(data?.blockingError ?? data?.items[0]?.message ?? '', requestId);
  return { state: 'done', requestId, operationId: null };
}

/** The API refuses what only the portal can do, and keeps it as the task of the case. */
async function hasTask({ id }: Case, action: string): Promise<boolean> {
  const { data } = await api.GET('/api/v1/external/attention/{id}', { params: { path: { id } } });
  return data?.held?.task?.action === action;
}

async function writeDown(decision: Decision, { action }: Option & { kind: 'action' }): Promise<Decided> {
  const { about, note, key } = decision;
  const { response } = await api.POST('/api/v1/external/shipments/held/{shipmentId}/done-in-portal', {
    params: { path: { shipmentId: about.id }, header: { 'Idempotency-Key': key } },
    body: { action, note },
  });
  return { state: 'done', requestId: requestIdOf(response), operationId: null };
}

/** The partner's answer to a decision that was pending. */
export interface Settled {
  isSettled: boolean;
  /** The refusal; null: it succeeded, or it is not settled. */
  refusal: string | null;
}

/** Waits for the answer of an operation, at most as long as the API does. Throws an `ApiError` for a partner's failure. */
export async function readSettled(operationId: number): Promise<Settled> {
  const { data, response } = await api.GET('/api/v1/external/operations/{id}', {
    params: { path: { id: operationId } },
  });
  return { isSettled: response.status === 200, refusal: response.status === 200 ? refusalIn(data) : null };
}

function refusalIn(result: unknown): string | null {
  if (typeof result !== 'object' || result === null) return null;
  const { success, message, details, items } = result as Partial<Schema['BatchResult'] & Schema['ReleaseResult']>;
  if (success !== false) return null;
  return details?.errors[0]?.message ?? items?.[0]?.message ?? message ?? '';
}

/** A 200 may carry a refusal; people see it like any other. */
function refusal(detail: string, requestId: string): ApiError {
  return new ApiError(200, { detail }, requestId);
}

function requestIdOf(response: Response): string {
  return response.headers.get('X-Request-Id') ?? '';
}

function operationOf(response: Response): number | null {
  const id = response.headers.get('Location')?.split('/').at(-1);
  return id === undefined ? null : Number(id);
}
