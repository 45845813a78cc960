import { Customer, CustomerAddress, Order, OrderItem } from '../entities/index.ts';
import type { Orm } from '../orm.ts';
import { type JsonRow, rowOf, rowsOf } from './json-rows.ts';

/** An order and its related rows. */
export interface OrderRows {
  order: Order;
  items: OrderItem[];
  customer: Customer;
  address: CustomerAddress;
}

/** An order with those that travel in its shipment. */
export interface WholeOrderRows extends OrderRows {
  /** Sorted by id; empty for an order that leads no join. */
  joined: JoinedRows[];
}

/** An order that is joined into another: its buyer and address are those of the other. */
export type JoinedRows = Pick<OrderRows, 'order' | 'items'>;

/** Rows as a statement returns them, each as JSON; an empty list is null. */
export type JsonOf<Rows> = {
  [Name in keyof Rows]: Rows[Name] extends unknown[]
    ? JsonRow[] | null
    : null extends Rows[Name]
      ? JsonRow | null
      : JsonRow;
};

/** `OrderRows` of the order `o`, for a statement that joins `ORDER_TABLES`. */
export const ORDER_COLUMNS = `
  row_to_json(o) as "order", row_to_json(c) as customer, row_to_json(a) as address,
  (select json_agg(i order by i.position) from order_items i where i.order_id = o.id and i.company_id = o.company_id) as items`;
/** `WholeOrderRows` of the order `o` in addition. */
export const JOINED_COLUMN = `
  case when o.joined_into = o.id then (select json_agg(json_build_object('order', row_to_json(m), 'items',
    (select json_agg(i order by i.position) from order_items i where i.order_id = m.id and i.company_id = m.company_id)
    ) order by m.id) from orders m where m.joined_into = o.id and m.company_id = o.company_id and m.id <> o.id) end as joined`;
export const ORDER_TABLES = `
  join customers c on c.id = o.customer_id
  join customer_addresses a on a.id = o.customer_address_id`;

/**
 * Returns SQL for the id of the order that leads the join, or of the order itself. It has no `coalesce`: PostgreSQL does not
 * call that leakproof, so under row-level security the condition would use no index.
 */
export function leadOf(table: string): string {
  return `case when ${table}.joined_into is null then ${table}.id else ${table}.joined_into end`;
}

export function orderRows(orm: Orm, json: JsonOf<OrderRows>): OrderRows {
  return {
    order: rowOf(orm, Order, json.order),
    items: rowsOf(orm, OrderItem, json.items),
    customer: rowOf(orm, Customer, json.customer),
    address: rowOf(orm, CustomerAddress, json.address),
  };
}

export type JsonOfWhole<Rows extends WholeOrderRows> = JsonOf<Omit<Rows, 'joined'>> & {
  joined: JsonOf<JoinedRows>[] | null;
};

export function wholeOrderRows(orm: Orm, json: JsonOfWhole<WholeOrderRows>): WholeOrderRows {
  const joined = (json.joined ?? []).map(({ order, items }) => ({
    order: rowOf(orm, Order, order),
    items: rowsOf(orm, OrderItem, items),
  }));
  return { ...orderRows(orm, json), joined };
}
