import { companyEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import type { FindCompany } from '../../engine/find.ts';
import type { OnceClaim, Origin } from '../../engine/idempotency.ts';
import { sha256 } from '../../lib/crypto.ts';
import { Problem } from '../../lib/errors.ts';
import { createOrder, type NewOrder } from './create-order.ts';

/** Each may wait for a connection of the pool: a thousand at once would make the requests of other companies wait. */
const CREATED_AT_ONCE = 50;

/** The truth about one order of a batch. */
export type Created = { orderId: number } | { problem: Problem };

/**
 * Creates orders independently of each other; a refused one does not fail the others. Under an idempotency key, each
 * order has a key of its own. A repeated batch whose process died thus creates only what is missing.
 */
export async function createOrders(
  deps: Deps & { company: FindCompany },
  { companyId, once, orders }: Pick<Origin, 'companyId' | 'once'> & { orders: readonly NewOrder[] },
): Promise<Created[]> {
  const claims = once ? await claimEach(deps, once, orders) : null;
  const createOne = async (order: NewOrder, index: number): Promise<Created> => {
    const claim = claims?.[index];
    if (claim && claim.madeId !== null) return { orderId: claim.madeId };
    const created = await createOrder(deps, { companyId, once: claim?.once ?? null, order });
    return { orderId: created.order.id };
  };
  const results: PromiseSettledResult<Created>[] = [];
  for (let at = 0; at < orders.length; at += CREATED_AT_ONCE) {
    const group = orders.slice(at, at + CREATED_AT_ONCE);
    results.push(...(await Promise.allSettled(group.map((order, index) => createOne(order, at + index)))));
  }
  return results.map((result) => {
    if (result.status === 'fulfilled') return result.value;
    if (result.reason instanceof Problem) return { problem: result.reason };
    throw result.reason;
  });
}

interface Claimed {
  once: OnceClaim;
  /** The order that an earlier run of the batch created; null: none. */
  madeId: number | null;
}

/** Only one run of a batch is alive at a time, since it holds the key of the whole request. */
async function claimEach(
  { orm }: Pick<Deps, 'orm'>,
  { companyId, key }: OnceClaim,
  orders: readonly NewOrder[],
): Promise<Claimed[]> {
  const keys = orders.map((order, index) => `${key} ${index} ${sha256(JSON.stringify(order))}`);
  const rows = await companyEm(orm, companyId).execute<{ key: string; claim: number; result_id: number | null }[]>(
    `insert into idempotency_keys (company_id, key, request_hash)
     select ?, key, '' from jsonb_array_elements_text(?::jsonb) as key
     on conflict (company_id, key) do update set claim = idempotency_keys.claim + 1 returning key, claim, result_id`,
    [companyId, JSON.stringify(keys)],
  );
  const byKey = new Map(rows.map((row) => [row.key, row]));
  return keys.flatMap((own) => {
    const row = byKey.get(own);
    return row ? [{ once: { companyId, key: own, claim: row.claim }, madeId: row.result_id }] : [];
  });
}
