import type { Request, Response } from 'express';
import { sha256 } from '../lib/crypto.ts';
import { Problem } from '../lib/errors.ts';
import type { Reply } from './route.ts';

/** Where answers are remembered; see `usecases/idempotency.ts`. */
export interface IdempotencyStore {
  /** `fresh`: run it; `running`: the first request is still at work; else the remembered answer. */
  begin(
    companyId: number,
    key: string,
    requestHash: string,
  ): Promise<'fresh' | 'running' | 'other-request' | StoredReply>;
  finish(companyId: number, key: string, reply: StoredReply): Promise<void>;
  forget(companyId: number, key: string): Promise<void>;
}

export interface StoredReply {
  status: number;
  body: string;
  location: string | null;
}

const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Runs a POST or DELETE once per `Idempotency-Key`. Only what succeeded is remembered: after a refusal or a failure of ours
 * the same key may be used again.
 */
export async function once(
  store: IdempotencyStore,
  call: { request: Request; response: Response; raw: Buffer; companyId: number },
  run: () => Promise<Reply>,
): Promise<Reply | StoredReply> {
  const key = call.request.get('Idempotency-Key');
  if (key === undefined || call.request.method === 'GET') return run();
  if (!KEY.test(key)) {
    throw new Problem('Idempotency-Key must be 1 to 255 visible ASCII characters', {
      status: 400,
      code: 'invalid-request',
      title: 'Bad request',
      violations: [{ in: 'header', pointer: '/Idempotency-Key', message: 'must be 1 to 255 visible ASCII characters' }],
    });
  }
  const { method, originalUrl } = call.request;
  const hash = sha256(Buffer.concat([Buffer.from(`${method} ${originalUrl}\n`), call.raw]));
  const begun = await store.begin(call.companyId, key, hash);
  if (begun === 'running') {
    throw new Problem('A request with this Idempotency-Key is still running', {
      status: 409,
      code: 'idempotency-in-flight',
      title: 'Conflict',
      retryable: true,
      headers: { 'Retry-After': '1' },
    });
  }
  if (begun === 'other-request') {
    throw new Problem('This Idempotency-Key was used for another request', {
      status: 422,
      code: 'idempotency-key-reused',
      title: 'Idempotency key reused',
    });
  }
  if (begun !== 'fresh') {
    call.response.set('Idempotency-Replayed', 'true');
    return begun;
  }
  try {
    const reply = await run();
    await store.finish(call.companyId, key, {
      status: reply.status,
      body: JSON.stringify(reply.body ?? null),
      location: reply.headers?.Location ?? null,
    });
    return reply;
  } catch (error) {
    await store.forget(call.companyId, key);
    throw error;
  }
}
