import { Customer, CustomerAddress } from '../../db/entities/index.ts';
import { type Em, systemEm } from '../../db/orm.ts';
import { erasureOf, PERSONAL_DATA } from '../../db/personal-data.ts';
import { intArray, quotedArray } from '../../db/queries/sql.ts';
import { addressHash } from '../../domain/addresses/address-hash.ts';
import type { ErasureHold } from '../../domain/erasure-holds.ts';
import type { Deps } from '../../engine/deps.ts';
import { askedAddress } from '../addresses/address-verdicts.ts';
import { eraseTexts } from './erase-texts.ts';
import { readHolds } from './read-holds.ts';

export interface Erased {
  erased: number[];
  held: { orderId: number; reason: ErasureHold }[];
}

interface Erasure {
  companyId: number;
  orderIds: readonly number[];
  /** Leaves an order alone that changed since; null: erases whatever is over. */
  endedBefore: Date | null;
  /** True: also texts that name no order, such as a list of a shop. It reads all of them that the company has. */
  alsoTexts: boolean;
}

/**
 * Erases the data of the persons of these orders, in place. Numbers, places, amounts and statuses stay. An order that is
 * not over is left as it is, with its reason. Documents go first: only their rows find the objects in a bucket.
 */
export async function eraseOrders(
  deps: Deps,
  { companyId, orderIds, endedBefore, alsoTexts }: Erasure,
): Promise<Erased> {
  const em = systemEm(deps.orm);
  const before = await readHolds(deps, em, { companyId, orderIds });
  const isDue = ({ hold, endedAt }: (typeof before)[number]): boolean =>
    hold === null && (endedBefore === null || endedAt < endedBefore);
  const due = before.filter(isDue).map(({ id }) => id);
  const held = before.flatMap(({ id, hold }) => (hold === null ? [] : [{ orderId: id, reason: hold }]));
  if (due.length === 0) return { erased: [], held };
  const shipments = await em.execute<{ id: number }[]>(
    `select s.id from shipments s join orders o on o.company_id = s.company_id and s.order_id in (o.id, o.joined_into)
      where o.company_id = ? and o.id = any(?::int[])`,
    [companyId, intArray(due)],
  );
  const shipmentIds = [...new Set(shipments.map(({ id }) => id))].toSorted((one, other) => one - other);
  if (!(await deps.documents.deleteOf(companyId, shipmentIds))) {
    return { erased: [], held: [...held, ...due.map((orderId) => ({ orderId, reason: 'documents-away' as const }))] };
  }
  const erased = await systemEm(deps.orm).transactional(async (tx) => {
    await tx.execute('select id from shipments where company_id = ? and id = any(?::int[]) order by id for update', [
      companyId,
      intArray(shipmentIds),
    ]);
    await tx.execute('select id from orders where company_id = ? and id = any(?::int[]) order by id for update', [
      companyId,
      intArray(due),
    ]);
    // One of them may have been reopened, or sent back, before the locks.
    const still = (await readHolds(deps, tx, { companyId, orderIds: due })).filter(isDue).map(({ id }) => id);
    if (still.length > 0) await eraseRows(deps, tx, { companyId, orderIds: still, shipmentIds, alsoTexts });
    return still;
  });
  return { erased, held };
}

interface Rows {
  companyId: number;
  orderIds: readonly number[];
  shipmentIds: readonly number[];
  alsoTexts: boolean;
}

async function eraseRows(deps: Deps, tx: Em, { companyId, orderIds, shipmentIds, alsoTexts }: Rows): Promise<void> {
  const named = await tx.execute<{ customer_id: number; customer_address_id: number }[]>(
    'select customer_id, customer_address_id from orders where company_id = ? and id = any(?::int[])',
    [companyId, intArray(orderIds)],
  );
  const customers = await tx.find(Customer, { companyId, id: { $in: named.map((row) => row.customer_id) } });
  const addresses = await tx.find(CustomerAddress, {
    companyId,
    id: { $in: named.map((row) => row.customer_address_id) },
  });
  const words = await tx.execute<{ word: string }[]>(
    `select distinct w.word from (
       select search_words_of(full_name || ' ' || billing_company) as all_of from customers where company_id = ? and id = any(?::int[])
       union all
       select search_words_of(full_name || ' ' || company) from customer_addresses where company_id = ? and id = any(?::int[])
     ) n cross join lateral unnest(n.all_of) as w (word)`,
    [
      ...[companyId, intArray(named.map((row) => row.customer_id))],
      ...[companyId, intArray(named.map((row) => row.customer_address_id))],
    ],
  );
  if (alsoTexts) await eraseTexts(tx, { companyId, orderIds, customers, addresses });
  for (const [table, fates] of Object.entries(PERSONAL_DATA)) {
    const statement = erasureOf(table, fates);
    if (statement) await tx.execute(statement, [companyId, intArray(orderIds), intArray(shipmentIds)]);
  }
  await tx.execute('update orders set forgotten_at = ? where company_id = ? and id = any(?::int[])', [
    deps.now(),
    companyId,
    intArray(orderIds),
  ]);
  await forgetWords(
    tx,
    companyId,
    words.map(({ word }) => word),
  );
  await tx.execute('delete from address_verdicts where company_id = ? and address_hash = any(?::text[])', [
    companyId,
    quotedArray(addresses.flatMap((address) => askedAddress(address) ?? []).map(addressHash)),
  ]);
}

/** Deletes the words of names that no other name of the company has. */
async function forgetWords(tx: Em, companyId: number, words: readonly string[]): Promise<void> {
  await tx.execute(
    `delete from search_words w where w.company_id = ? and w.word = any(?::text[])
        and not exists (select from customers c where c.company_id = w.company_id
              and search_words_of(c.full_name || ' ' || c.billing_company) @> array[w.word])
        and not exists (select from customer_addresses d where d.company_id = w.company_id
              and search_words_of(d.full_name || ' ' || d.company) @> array[w.word])`,
    [companyId, quotedArray(words)],
  );
}
