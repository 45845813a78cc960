import { IdempotencyKey } from '../db/entities/index.ts';
import { companyEm, type Orm } from '../db/orm.ts';

interface StoredReply {
  status: number;
  body: string;
  location: string | null;
}

/** After this a request that never finished has lost its process. */
const ABANDONED_SECONDS = 300;

/** Remembers the answers of requests that carried an `Idempotency-Key`. */
export function createIdempotencyStore(orm: Orm) {
  return {
    async begin(
      companyId: number,
      key: string,
      requestHash: string,
    ): Promise<'fresh' | 'running' | 'other-request' | StoredReply> {
      const em = companyEm(orm, companyId);
      const taken = await em.execute<{ id: number }[]>(
        `insert into idempotency_keys (company_id, key, request_hash) values (?, ?, ?)
         on conflict (company_id, key) do update set created_at = now()
           where idempotency_keys.status is null and idempotency_keys.request_hash = excluded.request_hash
             and idempotency_keys.created_at < now() - make_interval(secs => ?) returning id`,
        [companyId, key, requestHash, ABANDONED_SECONDS],
      );
      if (taken.length > 0) return 'fresh';
      const known = await em.findOne(IdempotencyKey, { key });
      if (!known) return 'running'; // forgotten this very moment: the client asks again
      if (known.requestHash !== requestHash) return 'other-request';
      if (known.status === null) return 'running';
      return { status: known.status, body: known.body ?? 'null', location: known.location };
    },
    async finish(companyId: number, key: string, reply: StoredReply): Promise<void> {
      await companyEm(orm, companyId).nativeUpdate(IdempotencyKey, { key }, { ...reply });
    },
    async forget(companyId: number, key: string): Promise<void> {
      await companyEm(orm, companyId).nativeDelete(IdempotencyKey, { key, status: null });
    },
  };
}
