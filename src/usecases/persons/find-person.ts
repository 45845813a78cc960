import { type Em, systemEm } from '../../db/orm.ts';
import { quotedArray } from '../../db/queries/sql.ts';
import type { ErasureHold } from '../../domain/erasure-holds.ts';
import type { Deps } from '../../engine/deps.ts';
import { seeingEveryCompany } from '../../lib/visible-companies.ts';
import { readHolds } from './read-holds.ts';

/** One way to name a person. */
export type Wanted = { email: string } | { phone: string } | { fullName: string; postalCode: string };

/** An order of the person, and whether its data may be erased. */
export interface PersonOrder {
  orderId: number;
  orderNumber: string;
  status: string;
  createdAt: Date;
  /** Null: nothing holds its data. */
  hold: ErasureHold | null;
}

/** Lists the orders of a person that hold data, by rising id. A forgotten order holds none. */
export async function findPerson(
  deps: Deps,
  { companyId, wanted }: { companyId: number; wanted: Wanted },
): Promise<PersonOrder[]> {
  // Row-level security would keep the comparison from its index. The statements name the company.
  return seeingEveryCompany(async () => {
    const em = systemEm(deps.orm);
    const orderIds = await orderIdsOf(em, companyId, wanted);
    if (orderIds.length === 0) return [];
    const holds = await readHolds(deps, em, { companyId, orderIds });
    const rows = await em.execute<{ id: number; order_number: string; status: string; created_at: string }[]>(
      'select id, order_number, status, created_at from orders where company_id = ? and id = any(?::int[])',
      [companyId, `{${orderIds.join(',')}}`],
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    return holds.flatMap(({ id, hold }) => {
      const row = byId.get(id);
      if (!row) return [];
      const { order_number: orderNumber, status, created_at } = row;
      return [{ orderId: id, orderNumber, status, createdAt: new Date(created_at), hold }];
    });
  });
}

/** Forms that the indexes of search have, so that two spellings of a text are one. */
const PHONE = (text: string): string => `"right"(regexp_replace(${text}, '\\D', '', 'g'), 9)`;
const BUYER = 'customers t join orders o on o.company_id = t.company_id and o.customer_id = t.id';
const CONSIGNEE = 'customer_addresses t join orders o on o.company_id = t.company_id and o.customer_address_id = t.id';
const SPACES = /\s/g;

async function orderIdsOf(em: Em, companyId: number, wanted: Wanted): Promise<number[]> {
  const rows = await em.execute<{ id: number }[]>(...statementOf(companyId, wanted));
  return rows.map(({ id }) => id);
}

function statementOf(companyId: number, wanted: Wanted): [sql: string, values: unknown[]] {
  if ('email' in wanted) {
    const email = wanted.email.trim().toLowerCase();
    return [
      `select o.id from ${BUYER} where t.company_id = ? and t.email <> '' and lower(t.email) = ?`,
      [companyId, email],
    ];
  }
  if ('phone' in wanted) {
    const digits = wanted.phone.replaceAll(/\D/g, '').slice(-9);
    const by = (table: string) =>
      `select o.id from ${table} where t.company_id = ? and t.phone <> '' and ${PHONE('t.phone')} = ?`;
    return [`${by(BUYER)} union ${by(CONSIGNEE)}`, [companyId, digits, companyId, digits]];
  }
  const words = quotedArray([wanted.fullName]);
  const by = (table: string, company: string, zip: string) =>
    `select o.id from ${table} where t.company_id = ? and replace(${zip}, ' ', '') = ?
        and search_words_of(t.full_name || ' ' || ${company}) @> search_words_of((?::text[])[1])
        and search_words_of(t.full_name) <@ search_words_of((?::text[])[1]) and t.full_name <> ''`;
  const values = [companyId, wanted.postalCode.replaceAll(SPACES, ''), words, words];
  return [
    `${by(BUYER, 't.billing_company', 't.billing_zip')} union ${by(CONSIGNEE, 't.company', 't.zip')}`,
    [...values, ...values],
  ];
}
