import { systemEm } from '../../src/db/orm.ts';
import type { TestApp } from '../support/test-app.ts';
import type { Own, Targets } from './foreign-ids.ts';
import { addCompany, type SecondCompany } from './second-company.ts';
import { bookOrder, createOrder, transmitOrder } from './ship-orders.ts';

/** Ids of the other company start here, so that none of them is part of another number in an answer. */
export const FIRST_OF_OTHER = 700_000;
export const PRODUCT_OF_OTHER = '0b8f2f6e-3a86-4d4a-9d0e-5b7f3c1a2d4e';
/** An id that no row has. */
export const NOBODYS = 2_000_000_000;

/** The demo company's own rows, and another company with a row of every kind. */
export interface TwoCompanies {
  own: Own;
  other: SecondCompany;
  targets: Targets;
}

/** Gives the demo company some rows, and another company one row of every kind that the API names by id. */
export async function addOtherCompany(test: TestApp): Promise<TwoCompanies> {
  const own = {
    contract: test.contractId,
    carrier: test.carrierId,
    order: await createOrder(test),
    transmittedOrder: (await transmitOrder(test)).orderId,
  };
  await raiseIds(test);
  const other = await addCompany(test, 'altra', {
    products: [{ id: PRODUCT_OF_OTHER, sku: 'SEGRETO-1', title: 'Prodotto segreto', weight_kg: 7 }],
  });
  const marketplace = { order_id: '1001', order_number: '1001' };
  const connections = await test.call('GET', '/marketplace/connected', undefined, other.headers);
  const contracts = await test.call('GET', '/carriers/contracts', undefined, other.headers);
  const connection = connections.body[0].id;
  const booked = await bookOrder(test, { marketplace: { ...marketplace, connection_id: connection } }, other.headers);
  const manifested = await transmitOrder(test, {}, other.headers);
  const orderIds = [manifested.orderId];
  const bordero = await test.call('POST', '/bordero', { carrierId: test.carrierId, orderIds }, other.headers);
  const [row] = await systemEm(test.app.deps.orm).execute<
    { warehouse: number; operation: number; exchange: number; document: number }[]
  >(
    `select (select max(id) from warehouses where company_id = ?) as warehouse,
            (select max(id) from operations where company_id = ?) as operation,
            (select max(id) from exchanges where company_id = ?) as exchange,
            (select max(id) from documents where company_id = ?) as document`,
    Array(4).fill(other.companyId),
  );
  const endpoint = await test.call('POST', '/event-endpoints', { url: 'https://altra.example/' }, other.headers);
  const targets = {
    order: await createOrder(test, { order_number: 'SOLO-ALTRA' }, other.headers),
    booked: booked.shipmentId,
    bookedOrder: booked.orderId,
    transmittedOrder: (await transmitOrder(test, {}, other.headers)).orderId,
    manifest: bordero.body.manifestId,
    manifestedOrder: manifested.orderId,
    operation: row?.operation ?? 0,
    exchange: row?.exchange ?? 0,
    contract: contracts.body[0].id,
    connection,
    warehouse: row?.warehouse ?? 0,
    document: row?.document ?? 0,
    endpoint: endpoint.body.id,
  };
  return { own, other, targets };
}

/** Lists the tables with a column for the company. */
export async function companyTables(test: TestApp): Promise<string[]> {
  const tables = await systemEm(test.app.deps.orm).execute<{ name: string }[]>(
    `select table_name as name from information_schema.columns
      where column_name = 'company_id' and table_schema = 'public' order by 1`,
  );
  return tables.map((table) => table.name);
}

/** Reads everything that the database holds for a company. */
export async function everythingOf(test: TestApp, companyId: number): Promise<Record<string, unknown>> {
  const em = systemEm(test.app.deps.orm);
  const dump: Record<string, unknown> = {};
  for (const name of await companyTables(test)) {
    dump[name] = await em.execute(
      `select row_to_json(t)::text as row from "${name}" t where company_id = ? order by t.id`,
      [companyId],
    );
  }
  return dump;
}

async function raiseIds(test: TestApp): Promise<void> {
  for (const name of await companyTables(test)) {
    await systemEm(test.app.deps.orm).execute(`select setval(pg_get_serial_sequence(?, 'id'), ?)`, [
      name,
      FIRST_OF_OTHER,
    ]);
  }
}
