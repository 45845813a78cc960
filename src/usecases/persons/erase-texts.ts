import type { Customer, CustomerAddress } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { intArray, quotedArray } from '../../db/queries/sql.ts';
import { unpackBodies } from '../../engine/exchange-bodies.ts';

/** Exchanges per statement, whose bodies are in memory together. */
const CHUNK = 500;
/** A shorter text would be found in texts of other people. */
const MIN_LENGTH = 5;

interface Persons {
  companyId: number;
  orderIds: readonly number[];
  customers: readonly Customer[];
  addresses: readonly CustomerAddress[];
}

/** Erases texts that name the persons and belong to no shipment: lists of a shop, address checks and stored answers. */
export async function eraseTexts(tx: Em, persons: Persons): Promise<void> {
  const { companyId, orderIds } = persons;
  const texts = textsOf(persons);
  if (texts.length > 0) {
    const like = quotedArray(texts.map((text) => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`));
    for (const { table, column, value } of [
      { table: 'operations', column: 'input', value: `'{}'` },
      { table: 'operation_items', column: 'result', value: 'null' },
      { table: 'operation_items', column: 'message', value: `''` },
      { table: 'idempotency_keys', column: 'body', value: `'null'` },
    ]) {
      await tx.execute(
        `update ${table} set ${column} = ${value} where company_id = ? and ${column}::text ilike any (?::text[])`,
        [companyId, like],
      );
    }
    await eraseExchanges(tx, companyId, texts);
  }
  // The answer of the request that created an order names its person.
  await tx.execute(
    `update idempotency_keys k set body = 'null' from unnest(?::int[]) as o (id)
      where k.company_id = ? and k.result_id = o.id and k.location like '%/orders/' || o.id`,
    [intArray(orderIds), companyId],
  );
}

async function eraseExchanges(tx: Em, companyId: number, texts: readonly string[]): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await tx.execute<{ id: number; bodies: Buffer }[]>(
      `select id, bodies from exchanges where company_id = ? and shipment_id is null and bodies is not null and id > ?
        order by id limit ${CHUNK}`,
      [companyId, after],
    );
    const named: number[] = [];
    for (const { id, bodies } of rows) {
      const { request, response } = await unpackBodies(bodies);
      const text = `${request}\n${response}`.toLowerCase();
      if (texts.some((one) => text.includes(one))) named.push(id);
    }
    if (named.length > 0) {
      await tx.execute('update exchanges set bodies = null where company_id = ? and id = any(?::int[])', [
        companyId,
        intArray(named),
      ]);
    }
    const last = rows.at(-1);
    if (!last || rows.length < CHUNK) return;
    after = last.id;
  }
}

/** Returns what names the persons, in lower case and as JSON, URLs and XML write it. */
function textsOf({ customers, addresses }: Persons): string[] {
  const plain = [
    ...customers.flatMap((one) => [one.fullName, one.email, one.phone, one.billingAddress, one.billingCodiceFiscale]),
    ...addresses.flatMap((one) => [one.fullName, one.phone, one.address]),
  ];
  const written = plain
    .map((text) => text.trim().toLowerCase())
    .filter((text) => text.length >= MIN_LENGTH)
    .flatMap((text) => [
      text,
      JSON.stringify(text).slice(1, -1),
      text.replaceAll(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
      encodeURIComponent(text).toLowerCase(),
      encodeURIComponent(text).toLowerCase().replaceAll('%20', '+'),
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    ]);
  return [...new Set(written)];
}
