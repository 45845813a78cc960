import { Document } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import { extractOf, PERSONAL_DATA } from '../../db/personal-data.ts';
import { intArray } from '../../db/queries/sql.ts';
import type { Deps } from '../../engine/deps.ts';
import { readDocument } from '../../engine/document-store.ts';
import { unpackBodies } from '../../engine/exchange-bodies.ts';
import { seeingEveryCompany } from '../../lib/visible-companies.ts';
import { findPerson, type PersonOrder, type Wanted } from './find-person.ts';

export interface PersonExport {
  orders: PersonOrder[];
  /** Rows by the table that holds them. Documents are in base64. */
  held: Record<string, Record<string, unknown>[]>;
}

/** Reads everything that the orders of a person hold, with the table it is in. */
export async function exportPerson(
  deps: Deps,
  { companyId, wanted }: { companyId: number; wanted: Wanted },
): Promise<PersonExport> {
  const orders = await findPerson(deps, { companyId, wanted });
  const orderIds = intArray(orders.map(({ orderId }) => orderId));
  return seeingEveryCompany(async () => {
    const em = systemEm(deps.orm);
    const shipments = await em.execute<{ id: number }[]>(
      'select id from shipments where company_id = ? and order_id = any(?::int[]) order by id',
      [companyId, orderIds],
    );
    const shipmentIds = shipments.map(({ id }) => id);
    const held: PersonExport['held'] = {};
    for (const [table, fates] of Object.entries(PERSONAL_DATA)) {
      const statement = extractOf(table, fates);
      if (!statement) continue;
      const rows = await em.execute<Record<string, unknown>[]>(statement, [companyId, orderIds, intArray(shipmentIds)]);
      if (rows.length > 0) held[table] = await Promise.all(rows.map(readable));
    }
    const documents = await em.find(
      Document,
      { companyId, shipmentId: { $in: shipmentIds } },
      { orderBy: { id: 'asc' } },
    );
    for (const { id, kind, contentType } of documents) {
      const bytes = await readDocument(deps.documents, { companyId, id });
      held.documents = [...(held.documents ?? []), { id, kind, contentType, base64: bytes.toString('base64') }];
    }
    return { orders, held };
  });
}

/** Unpacks the texts of an exchange. */
async function readable(row: Record<string, unknown>): Promise<Record<string, unknown>> {
  return Buffer.isBuffer(row.bodies) ? { ...row, bodies: await unpackBodies(row.bodies) } : row;
}
