import { errorOf, type Schema } from './client.ts';
import { company } from './company.ts';
import { persist } from './persist.ts';

type BatchResult = Schema['BatchResult'];

const MAX_TOGETHER = 25;

/** How far a batch has come. */
export interface Progress {
  done: number;
  total: number;
  /** Refusals, with their orders. */
  errors: { orderId: number; message: string }[];
}

/**
 * Sends a request for many orders in small batches, so that progress is visible and a lost connection leaves few in doubt. Each
 * batch has an Idempotency-Key, so its repetition does nothing twice.
 */
export async function sendInBatches(
  path: string,
  orderIds: readonly number[],
  onProgress: (progress: Progress) => void,
): Promise<Progress> {
  const progress: Progress = { done: 0, total: orderIds.length, errors: [] };
  for (let at = 0; at < orderIds.length; at += MAX_TOGETHER) {
    const together = orderIds.slice(at, at + MAX_TOGETHER);
    const result = await sendBatch(
      path,
      together.map((orderId) => ({ orderId })),
    );
    for (const { id, message } of result.details.errors) progress.errors.push({ orderId: id, message });
    progress.done += together.length;
    onProgress({ ...progress, errors: [...progress.errors] });
  }
  return progress;
}

interface BatchOptions {
  /** The same key again gets the first answer. Default: a new one. */
  key?: string;
  /** Is told whether the network is away now. */
  onLost?: (isLost: boolean) => void;
  /** Is told the id of the request. */
  onRequest?: (requestId: string) => void;
}

/** Sends one request for orders and waits until every one of them is settled. Throws an `ApiError` for a refusal of the whole. */
export async function sendBatch(path: string, body: unknown, options: BatchOptions = {}): Promise<BatchResult> {
  const { key = crypto.randomUUID(), onLost, onRequest } = options;
  // The same key: a repetition after a lost answer gets the first answer.
  let response = await persist(
    () =>
      fetch(`/api/v1/external${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key, Prefer: 'wait=25', ...asCompany() },
        body: JSON.stringify(body),
      }),
    onLost,
  );
  onRequest?.(response.headers.get('X-Request-Id') ?? '');
  while (response.status === 202) {
    const location = response.headers.get('Location');
    if (location === null) break;
    response = await persist(() => fetch(location, { headers: { Prefer: 'wait=25', ...asCompany() } }), onLost);
    const operation = await response.clone().json();
    if (response.ok && operation.result) return operation.result as BatchResult;
  }
  if (!response.ok) throw await errorOf(response);
  return (await response.json()) as BatchResult;
}

/** Names the company for people of the whole installation. */
export function asCompany(): Record<string, string> {
  return company.value === null ? {} : { 'X-Company': company.value };
}
