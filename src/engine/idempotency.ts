import { IdempotencyKey } from '../db/entities/index.ts';
import { companyEm, type Em, type Orm } from '../db/orm.ts';
import { Problem } from '../lib/errors.ts';

/** One run of a request that carried an `Idempotency-Key`. */
export interface OnceClaim {
  companyId: number;
  key: string;
  /** Fencing number: a run that was taken for lost may write nothing any more. */
  claim: number;
}

/** Whose request a use-case carries out. */
export interface Origin {
  companyId: number;
  requestId: string;
  once?: OnceClaim | null;
}

/** Of an input that holds more. */
export function originOf({ companyId, requestId, once }: Origin): Origin {
  return { companyId, requestId, ...(once ? { once } : {}) };
}

interface StoredReply {
  status: number;
  body: string;
  location: string | null;
}

/** What is known of a key: nothing yet, at work, what its lost run had made, or its answer. */
export type KeyState =
  | 'running'
  | 'other-request'
  | { fresh: OnceClaim }
  | { made: number; claim: OnceClaim }
  | { reply: StoredReply };

/** Remembers the answers of requests that carried an `Idempotency-Key`; a run that is silent for longer lost its process. */
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
      if (!known) return 'running'; // forgotten this very moment: the client asks again
      if (known.requestHash !== requestHash) return 'other-request';
      if (known.status === null) return 'running';
      return { reply: { status: known.status, body: known.body ?? 'null', location: known.location } };
    },
    async finish({ companyId, key, claim }: OnceClaim, reply: StoredReply): Promise<void> {
      await companyEm(orm, companyId).nativeUpdate(IdempotencyKey, { key, claim }, { ...reply });
    },
    /** After an answer that is none to remember: a true retry may follow, whatever the request had made. */
    async forget({ companyId, key, claim }: OnceClaim): Promise<void> {
      await companyEm(orm, companyId).nativeDelete(IdempotencyKey, { key, claim, status: null });
    },
    /**
     * After a failure of ours, which may have come when the thing was made already (the connection broke on the commit, or before
     * the answer was remembered): a key under which nothing was made is free again, another is answered for by the next run.
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
 * Writes what a request made beside its key, in the transaction that makes it: both are there or neither, so a process that
 * dies before it answers leaves an answer that can be given again, and never a second order.
 */
export async function markMade(tx: Em, once: OnceClaim | null | undefined, resultId: number): Promise<void> {
  if (!once) return;
  const marked = await tx.nativeUpdate(
    IdempotencyKey,
    { companyId: once.companyId, key: once.key, claim: once.claim, resultId: null },
    { resultId },
  );
  if (marked === 0) throw overtaken();
}

/** A run that was taken for lost, and came back. */
export function overtaken(): Problem {
  return inFlight('Another run of this request took over');
}

export function inFlight(detail: string): Problem {
  return new Problem(detail, {
    status: 409,
    code: 'idempotency-in-flight',
    title: 'Conflict',
    retryable: true,
    headers: { 'Retry-After': '1' },
  });
}
