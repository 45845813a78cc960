import { IdempotencyKey } from '../db/entities/index.ts';
import { companyEm, type Orm } from '../db/orm.ts';
import type { Runner } from '../db/queries/prepared.ts';
import type { Problem } from '../lib/errors.ts';
import { conflict } from './find.ts';

/** One run of a request that carried an `Idempotency-Key`. */
export interface OnceClaim {
  companyId: number;
  key: string;
  /** Fence: a run that counts as lost may not write any more. */
  claim: number;
}

/** The request that a use case works for. */
export interface Origin {
  companyId: number;
  requestId: string;
  once?: OnceClaim | null;
}

/** Returns only the origin of an input that has more fields. */
export function originOf({ companyId, requestId, once }: Origin): Origin {
  return { companyId, requestId, ...(once ? { once } : {}) };
}

interface StoredReply {
  status: number;
  body: string;
  location: string | null;
}

/** State of a key: new, running, the result of a lost run, or a stored answer. */
export type KeyState =
  | 'running'
  | 'other-request'
  | { fresh: OnceClaim }
  | { made: number; claim: OnceClaim }
  | { reply: StoredReply };

/** Stores the answers of requests with an `Idempotency-Key`. A run older than `abandonedSeconds` has lost its process. */
export function createIdempotencyStore(orm: Orm, options: { abandonedSeconds: number }) {
  return {
    async begin(companyId: number, key: string, requestHash: string): Promise<KeyState> {
      const em = companyEm(orm, companyId);
      const taken = await em.execute<{ claim: number; result_id: number | null }[]>(
        `insert into idempotency_keys (company_id, key, request_hash) values (?, ?, ?)
         on conflict (company_id, key) do update set created_at = now(), claim = idempotency_keys.claim + 1
           where idempotency_keys.status is null and idempotency_keys.request_hash = excluded.request_hash
             and idempotency_keys.created_at < now() - make_interval(secs => ?) returning claim, result_id`,
        [companyId, key, requestHash, options.abandonedSeconds],
      );
      const [row] = taken;
      if (row) {
        const claim = { companyId, key, claim: row.claim };
        return row.result_id === null ? { fresh: claim } : { made: row.result_id, claim };
      }
      const known = await em.findOne(IdempotencyKey, { key });
      if (!known) return 'running'; // deleted just now: the client retries
      if (known.requestHash !== requestHash) return 'other-request';
      if (known.status === null) return 'running';
      return { reply: { status: known.status, body: known.body ?? 'null', location: known.location } };
    },
    async finish({ companyId, key, claim }: OnceClaim, reply: StoredReply): Promise<void> {
      await companyEm(orm, companyId).nativeUpdate(IdempotencyKey, { key, claim }, { ...reply });
    },
    /** Frees the key after an answer that is not stored, so that the client may retry. */
    async forget({ companyId, key, claim }: OnceClaim): Promise<void> {
      await companyEm(orm, companyId).nativeDelete(IdempotencyKey, { key, claim, status: null });
    },
    /**
     * Handles an internal error, which may have come after the commit (a lost connection, or no time to store the answer).
     * A key without a result becomes free again. For a key with a result, the next run returns that result.
     */
    async release({ companyId, key, claim }: OnceClaim): Promise<void> {
      const em = companyEm(orm, companyId);
      await em.nativeDelete(IdempotencyKey, { key, claim, status: null, resultId: null });
      await em.execute(
        `update idempotency_keys set created_at = now() - make_interval(secs => ?)
          where company_id = ? and key = ? and claim = ? and status is null`,
        [options.abandonedSeconds + 1, companyId, key, claim],
      );
    },
  };
}

/**
 * Stores the result of a request under its key, in the transaction that creates it: both exist or neither does. If the process
 * then dies before it answers, a retry gets that result, and never creates a second order.
 */
export async function markMade(tx: Runner, once: OnceClaim | null | undefined, resultId: number): Promise<void> {
  if (!once) return;
  const marked = await tx.execute(
    'update idempotency_keys set result_id = ? where company_id = ? and key = ? and claim = ? and result_id is null returning key',
    [resultId, once.companyId, once.key, once.claim],
  );
  if (marked.length === 0) throw overtaken();
}

/** Returns the error of a run that counted as lost and came back. */
export function overtaken(): Problem {
  return inFlight('Another run of this request took over');
}

export function inFlight(detail: string): Problem {
  return conflict('idempotency-in-flight', detail, { retryable: true, headers: { 'Retry-After': '1' } });
}
