import type { Request, Response } from 'express';
import { type createIdempotencyStore, inFlight, type OnceClaim } from '../../engine/idempotency.ts';
import { sha256 } from '../../lib/crypto.ts';
import { Problem } from '../../lib/errors.ts';
import type { Reply } from './route.ts';

/** Where answers are remembered; see `usecases/idempotency.ts`. */
export type IdempotencyStore = ReturnType<typeof createIdempotencyStore>;

export interface StoredReply {
  status: number;
  body: string;
  location: string | null;
}

/** How a route runs a request, and how it answers for a run whose process died. */
export interface OnceRun {
  run(once: OnceClaim | null): Promise<Reply>;
  recover(resultId: number): Promise<Reply>;
}

const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Runs a POST, PATCH or DELETE once per `Idempotency-Key`. Only successful answers are stored: after a refusal or an internal error
 * the client may use the same key again.
 */
export async function once(
  store: IdempotencyStore,
  call: { request: Request; response: Response; raw: Buffer; companyId: number },
  { run, recover }: OnceRun,
): Promise<Reply | StoredReply> {
  const key = call.request.get('Idempotency-Key');
  if (key === undefined || call.request.method === 'GET') return run(null);
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
  if (begun === 'running') throw inFlight('A request with this Idempotency-Key is still running');
  if (begun === 'other-request') {
    throw new Problem('This Idempotency-Key was used for another request', {
      status: 422,
      code: 'idempotency-key-reused',
      title: 'Idempotency key reused',
    });
  }
  if ('reply' in begun) {
    call.response.set('Idempotency-Replayed', 'true');
    return begun.reply;
  }
  const claim = 'made' in begun ? begun.claim : begun.fresh;
  try {
    if ('made' in begun) call.response.set('Idempotency-Replayed', 'true');
    const reply = 'made' in begun ? await recover(begun.made) : await run(claim);
    await store.finish(claim, {
      status: reply.status,
      body: JSON.stringify(reply.remembered ?? reply.body ?? null),
      location: reply.headers?.Location ?? null,
    });
    return reply;
  } catch (error) {
    // If the database is unavailable, the key stays claimed until it counts as abandoned.
    const freed = error instanceof Problem ? store.forget(claim) : store.release(claim);
    await freed.catch(() => undefined);
    throw error;
  }
}
