import { Company, ForgottenPerson } from '../../db/entities/index.ts';
import { type Em, systemEm } from '../../db/orm.ts';
import { intArray } from '../../db/queries/sql.ts';
import type { Deps } from '../../engine/deps.ts';
import { UsageError } from '../../lib/errors.ts';
import { seeingEveryCompany } from '../../lib/visible-companies.ts';
import { type Erased, eraseOrders } from './erase-orders.ts';
import { findPerson, type Wanted } from './find-person.ts';

/**
 * Erases the data of a person from all orders that are over. The others are marked, and follow within a minute of their
 * end. The wish is remembered as keyed hashes. Someone unknown leaves nothing behind.
 */
export async function forgetPerson(
  deps: Deps,
  { companyId, wanted }: { companyId: number; wanted: Wanted },
): Promise<Erased> {
  const orders = await findPerson(deps, { companyId, wanted });
  const orderIds = orders.map(({ orderId }) => orderId);
  // Only what was named: others may share the phone of someone who is found by e-mail address.
  const hashes = deps.vault.fingerprints(nameOf(wanted)).slice(0, 1);
  return forgetOrders(deps, { companyId, orderIds, hashes, askedAt: deps.now() });
}

/** A remembered wish, as a file carries it past the restore of a backup. */
export interface Wish {
  company: string;
  orderIds: number[];
  hashes: string[];
  askedAt: string;
}

/** Lists the wishes of all companies, oldest first. */
export async function listWishes({ orm }: Pick<Deps, 'orm'>): Promise<Wish[]> {
  const em = systemEm(orm);
  const companies = new Map((await em.find(Company, {})).map(({ id, key }) => [id, key]));
  const rows = await em.find(ForgottenPerson, {}, { orderBy: { id: 'asc' } });
  return rows.map(({ companyId, orderIds, hashes, askedAt }) => ({
    company: companies.get(companyId) ?? '',
    orderIds,
    hashes,
    askedAt: askedAt.toISOString(),
  }));
}

/**
 * Erases again what a restored backup brought back: orders that were there when their person asked, by id or by hash.
 * An order that was made since is another one, also when it got the number of an order that the backup lacks.
 */
export async function forgetAgain(deps: Deps, wishes: readonly Wish[]): Promise<Erased> {
  const all: Erased = { erased: [], held: [] };
  for (const [key, own] of Map.groupBy(wishes, ({ company }) => company)) {
    const company = await systemEm(deps.orm).findOne(Company, { key });
    if (!company) throw new UsageError(`There is no company ${key}`);
    const rows = await readPersons(systemEm(deps.orm), company.id);
    for (const { orderIds, hashes, askedAt } of own) {
      const at = new Date(askedAt);
      const again = rows.filter(
        (row) =>
          new Date(row.created_at) <= at &&
          (orderIds.includes(row.id) ||
            namesOf(row).some((name) => deps.vault.fingerprints(name).some((hash) => hashes.includes(hash)))),
      );
      const ids = again.map(({ id }) => id);
      const { erased, held } = await forgetOrders(deps, { companyId: company.id, orderIds: ids, hashes, askedAt: at });
      all.erased.push(...erased);
      all.held.push(...held);
    }
  }
  return all;
}

async function forgetOrders(
  deps: Deps,
  {
    companyId,
    orderIds,
    hashes,
    askedAt,
  }: { companyId: number; orderIds: readonly number[]; hashes: string[]; askedAt: Date },
): Promise<Erased> {
  if (orderIds.length === 0) return { erased: [], held: [] };
  return seeingEveryCompany(async () => {
    await systemEm(deps.orm).transactional(async (tx) => {
      await tx.insert(ForgottenPerson, { companyId, orderIds: [...orderIds], hashes, askedAt });
      await tx.execute(
        `update orders set forget_asked_at = ? where company_id = ? and id in (
           select id from orders where company_id = ? and id = any(?::int[]) order by id for update)`,
        [askedAt, companyId, companyId, intArray(orderIds)],
      );
    });
    return eraseOrders(deps, { companyId, orderIds, endedBefore: null, alsoTexts: true });
  });
}

interface PersonRow {
  id: number;
  created_at: string;
  email: string;
  phones: string[];
  names: { fullName: string; postalCode: string }[];
}

/** Reads who the orders of a company are for, as far as they hold it. */
function readPersons(em: Em, companyId: number): Promise<PersonRow[]> {
  return em.execute<PersonRow[]>(
    `select o.id, o.created_at, c.email, jsonb_build_array(c.phone, a.phone) as phones,
            jsonb_build_array(jsonb_build_object('fullName', c.full_name, 'postalCode', c.billing_zip),
                              jsonb_build_object('fullName', a.full_name, 'postalCode', a.zip)) as names
       from orders o join customers c on c.id = o.customer_id and c.company_id = o.company_id
       join customer_addresses a on a.id = o.customer_address_id and a.company_id = o.company_id
      where o.company_id = ? and o.forgotten_at is null order by o.id`,
    [companyId],
  );
}

/** Returns each way to name the person of an order. */
function namesOf({ email, phones, names }: PersonRow): string[] {
  const ways: Wanted[] = [
    ...(email ? [{ email }] : []),
    ...phones.flatMap((phone) => (phone ? [{ phone }] : [])),
    ...names.filter(({ fullName }) => fullName),
  ];
  return ways.map(nameOf);
}

/** Returns the text that is hashed: one spelling for all that find the same orders. */
function nameOf(wanted: Wanted): string {
  if ('email' in wanted) return `email ${wanted.email.trim().toLowerCase()}`;
  if ('phone' in wanted) return `phone ${wanted.phone.replaceAll(/\D/g, '').slice(-9)}`;
  const words = wanted.fullName.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return `name ${words.toSorted().join(' ')} ${wanted.postalCode.replaceAll(/\s/g, '')}`;
}
