import { IntegrationError } from '../../lib/errors.ts';
import { listByIds, type ShopContext } from './client.ts';
import { readStates } from './order-states.ts';
import {
  Address,
  Coded,
  Customer,
  DETAIL_FIELDS,
  type Order,
  OrderDetail,
  type OrderState,
  Product,
} from './schema.ts';

/** Rows that the orders of one page point to, by id. */
export interface FollowUps {
  states: ReadonlyMap<string, OrderState>;
  /** Lines by the id of their order. */
  details: ReadonlyMap<string, OrderDetail[]>;
  addresses: ReadonlyMap<string, Address>;
  customers: ReadonlyMap<string, Customer>;
  currencies: ReadonlyMap<string, Coded>;
  countries: ReadonlyMap<string, Coded>;
  provinces: ReadonlyMap<string, Coded>;
  /** Ids of products that nothing is shipped of; only those of orders without a carrier are looked up. */
  virtual: ReadonlySet<string>;
}

/**
 * Reads the follow-ups of a whole page: one call per resource, one after the other, since many shops live on small
 * hosts.
 */
export async function readFollowUps(context: ShopContext, orders: readonly Order[]): Promise<FollowUps> {
  const states = await readStates(context);
  const details = await readDetails(
    context,
    orders.map(({ id }) => id),
  );
  const addressIds = orders.flatMap((order) => [order.id_address_delivery, order.id_address_invoice]);
  const addresses = await listByIds(context, { resource: 'addresses', field: 'id', ids: addressIds }, Address);
  const customerIds = orders.map(({ id_customer }) => id_customer);
  const customers = await listByIds(context, { resource: 'customers', field: 'id', ids: customerIds }, Customer);
  const coded = (resource: string, ids: string[]) => listByIds(context, { resource, field: 'id', ids }, Coded);
  const currencyIds = orders.map(({ id_currency }) => id_currency);
  const countryIds = addresses.map(({ id_country }) => id_country);
  const provinceIds = addresses.map(({ id_state }) => id_state);
  return {
    states: byId(states),
    details: Map.groupBy(details, ({ id_order }) => id_order),
    addresses: byId(addresses),
    customers: byId(customers),
    currencies: byId(await coded('currencies', currencyIds)),
    countries: byId(await coded('countries', countryIds)),
    provinces: byId(await coded('states', provinceIds)),
    virtual: await readVirtual(context, orders, details),
  };
}

/** A key need not have the right to read products: then nothing is known of them. */
async function readVirtual(
  context: ShopContext,
  orders: readonly Order[],
  details: readonly OrderDetail[],
): Promise<ReadonlySet<string>> {
  const without = new Set(orders.filter(hasNoCarrier).map(({ id }) => id));
  const ids = details.filter(({ id_order }) => without.has(id_order)).map(({ product_id }) => product_id);
  const call = { resource: 'products', field: 'id', ids, display: '[id,is_virtual]' };
  try {
    const products = await listByIds(context, call, Product);
    return new Set(products.filter(({ is_virtual }) => is_virtual).map(({ id }) => id));
  } catch (error) {
    if (!(error instanceof IntegrationError) || error.kind !== 'permanent') throw error;
    context.log.warn({ err: error }, 'products not read');
    return new Set();
  }
}

export function hasNoCarrier({ id_carrier }: Order): boolean {
  return id_carrier === '' || id_carrier === '0';
}

export function readDetails(context: ShopContext, orderIds: readonly string[]): Promise<OrderDetail[]> {
  const call = { resource: 'order_details', field: 'id_order', ids: orderIds, display: DETAIL_FIELDS };
  return listByIds(context, call, OrderDetail);
}

function byId<Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}
