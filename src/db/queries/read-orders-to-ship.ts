import { type OrderItem, Product } from '../entities/index.ts';
import type { Orm } from '../orm.ts';
import { type JsonRow, rowOf } from './json-rows.ts';
import {
  JOINED_COLUMN,
  type JsonOfWhole,
  leadOf,
  ORDER_COLUMNS,
  ORDER_TABLES,
  type WholeOrderRows,
  wholeOrderRows,
} from './order-rows.ts';
import { runPrepared, type Statement } from './prepared.ts';

/**
 * The ORM took half a second to create the entities of a thousand orders (`npm run bench -- create`). The subselects hide
 * the lengths of the arrays, so PostgreSQL keeps one plan instead of planning each call. `offset 0` makes it look up each order by its
 * id. Without statistics, as on a new installation, it described every order of the company, which took 12 ms of 35.
 */
const READ_ORDERS: Statement = {
  name: 'read-orders-to-ship',
  text: `with asked as materialized (
           select distinct ${leadOf('orders')} as id from orders where company_id = $1 and id = any((select $2)::int[])
         )
         select ${ORDER_COLUMNS}, ${JOINED_COLUMN}
           from asked cross join lateral (select * from orders where company_id = $1 and id = asked.id offset 0) o ${ORDER_TABLES}`,
};
/** A day's orders share products: each product is read once. */
const READ_PRODUCTS: Statement = {
  name: 'read-products-to-ship',
  text: `
    select row_to_json(p) as product from products p where company_id = $1 and id = any((select $2)::uuid[])
    union all
    select row_to_json(p) from products p where company_id = $1 and sku = any((select $3)::text[])`,
};

/** Orders per statement: while we read some, PostgreSQL finds the next. */
const ORDERS_AT_ONCE = 250;

/**
 * Reads the company's orders among `ids`, with all products that their items name by id or sku. For a joined order it
 * reads the one that leads.
 */
export async function readOrdersToShip(
  orm: Orm,
  { companyId, orderIds }: { companyId: number; orderIds: readonly number[] },
): Promise<{ orders: WholeOrderRows[]; products: Product[] }> {
  const parts = Array.from({ length: Math.ceil(orderIds.length / ORDERS_AT_ONCE) }, async (_, at) => {
    const ids = orderIds.slice(at * ORDERS_AT_ONCE, (at + 1) * ORDERS_AT_ONCE);
    const rows = await runPrepared<JsonOfWhole<WholeOrderRows>>(orm, READ_ORDERS, [companyId, ids]);
    return rows.map((json) => wholeOrderRows(orm, json));
  });
  const orders = (await Promise.all(parts)).flat();
  return {
    orders,
    products: await productsOf(
      orm,
      companyId,
      orders.flatMap(({ items, joined }) => [{ items }, ...joined].flatMap((one) => one.items)),
    ),
  };
}

async function productsOf(orm: Orm, companyId: number, items: readonly OrderItem[]): Promise<Product[]> {
  const named = <Name extends 'productId' | 'sku'>(name: Name) => [
    ...new Set(items.map((item) => item[name]).filter(Boolean)),
  ];
  const rows = await runPrepared<{ product: JsonRow }>(orm, READ_PRODUCTS, [
    companyId,
    named('productId'),
    named('sku'),
  ]);
  return rows.map(({ product }) => rowOf(orm, Product, product));
}
