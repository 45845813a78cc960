import {
  type Company,
  type Connection,
  Customer,
  CustomerAddress,
  type MarketplaceRow,
  Order,
  OrderItem,
} from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { drawIds } from '../../db/queries/draw-ids.ts';
import type { Deps } from '../../engine/deps.ts';
import type { ImportedOrder } from '../../marketplaces/adapter.ts';
import { cancelForShop } from '../orders/cancel-for-shop.ts';
import { addressFields } from '../orders/party-fields.ts';
import { withProvince } from './imported-province.ts';
import { buyerFields, itemRows, orderFields } from './imported-rows.ts';
import { updateImported } from './update-imported.ts';

export interface Upsert {
  company: Company;
  connection: Connection;
  marketplace: MarketplaceRow;
  order: ImportedOrder;
}

type UpsertResult = 'created' | 'updated' | 'unchanged';

/**
 * Inserts all new orders of a page with a few statements, and updates the others one by one. If the page as a whole cannot be stored, it
 * stores each order on its own and calls `onFailure` for those that fail.
 */
export async function upsertOrders(
  deps: Deps,
  page: Omit<Upsert, 'order'> & { orders: readonly ImportedOrder[] },
  onFailure: (order: ImportedOrder, error: unknown) => Promise<void>,
): Promise<Record<UpsertResult, number>> {
  const { company, connection, marketplace } = page;
  const asksProvince = deps.marketplaces.get(marketplace.code)?.asksProvince ?? true;
  const orders = page.orders.map((order) => withProvince(order, { asksProvince }));
  const count = { created: 0, updated: 0, unchanged: 0 };
  const known = await knownAmong(companyEm(deps.orm, company.id), connection, orders);
  // A platform may list an order twice when it changes between two pages; the one-by-one path handles that.
  const fresh = orders.filter(
    (order, index) =>
      !known.has(order.externalId) &&
      isWanted(order) &&
      orders.findIndex(({ externalId }) => externalId === order.externalId) === index,
  );
  const stored = new Set(await insertPage(deps, { company, connection, fresh }));
  count.created += stored.size;
  for (const order of orders) {
    if (stored.has(order)) continue;
    const modifiedAt = known.get(order.externalId);
    if (modifiedAt && modifiedAt >= order.modifiedAt) {
      count.unchanged += 1;
      continue;
    }
    try {
      count[await upsertOrder(deps, { company, connection, marketplace, order })] += 1;
    } catch (error) {
      await onFailure(order, error);
    }
  }
  return count;
}

/** Stores all new orders of a page or none. Returns the stored ones. */
async function insertPage(
  deps: Deps,
  { company, connection, fresh }: { company: Company; connection: Connection; fresh: readonly ImportedOrder[] },
): Promise<readonly ImportedOrder[]> {
  if (fresh.length < 2) return [];
  try {
    return await companyEm(deps.orm, company.id).transactional(async (tx) => {
      await tx.execute(
        // Always in the same order, so that two importers cannot deadlock.
        `select pg_advisory_xact_lock(?, hashtext(id)) from (select id from jsonb_array_elements_text(?::jsonb) as id order by id) as ids`,
        [connection.id, JSON.stringify(fresh.map((order) => order.externalId))],
      );
      const meanwhile = await knownAmong(tx, connection, fresh);
      const orders = fresh.filter((order) => !meanwhile.has(order.externalId));
      await insertImported(deps, tx, { company, connection, orders });
      return orders;
    });
  } catch (err) {
    deps.log.warn({ err, connectionId: connection.id, orders: fresh.length }, 'page not stored as a whole');
    return [];
  }
}

/** Reads when the known orders last changed, by the marketplace's order id. */
async function knownAmong(
  em: Em,
  connection: Connection,
  orders: readonly ImportedOrder[],
): Promise<Map<string, Date>> {
  const rows = await em.find(
    Order,
    { connectionId: connection.id, externalOrderId: { $in: orders.map((order) => order.externalId) } },
    { fields: ['externalOrderId', 'externalModifiedAt'] },
  );
  return new Map(rows.map((row) => [row.externalOrderId ?? '', row.externalModifiedAt ?? new Date(0)]));
}

function isWanted({ state, mayCreate }: ImportedOrder): boolean {
  return mayCreate !== false && state !== 'cancelled' && state !== 'shipped';
}

/** Inserts or updates an order by its marketplace id. Safe with concurrent importers. */
async function upsertOrder(deps: Deps, input: Upsert): Promise<UpsertResult> {
  const { company, connection, marketplace, order } = input;
  return companyEm(deps.orm, company.id).transactional(async (tx) => {
    // Serialises two importers of one order; the unique index is the final guard.
    await tx.execute('select pg_advisory_xact_lock(?, hashtext(?))', [connection.id, order.externalId]);
    const known = await tx.findOne(Order, { connectionId: connection.id, externalOrderId: order.externalId });
    if (!known) {
      if (!isWanted(order)) return 'unchanged';
      await insertImported(deps, tx, { company, connection, orders: [order] });
      return 'created';
    }
    if (known.externalModifiedAt && known.externalModifiedAt >= order.modifiedAt) return 'unchanged';
    if (order.state === 'cancelled') {
      const reason = 'The marketplace cancelled the order';
      await cancelForShop(tx, { companyId: company.id, orderId: known.id, reason, at: deps.now() });
      await tx.nativeUpdate(Order, { id: known.id }, { externalModifiedAt: order.modifiedAt });
      return 'updated';
    }
    // The shop goes on telling who it was for.
    if (known.forgottenAt !== null || !marketplace.allowOrderUpdateAfterImport) return 'unchanged';
    return updateImported(deps, tx, { company, order, known });
  });
}

/** Cancels an order that its marketplace deleted for good. Returns false when there was nothing to do. */
export async function cancelGone(
  deps: Deps,
  { connection, externalId }: { connection: Connection; externalId: string },
): Promise<boolean> {
  return companyEm(deps.orm, connection.companyId).transactional(async (tx) => {
    const known = await tx.findOne(Order, { connectionId: connection.id, externalOrderId: externalId });
    if (!known || ['cancelled', 'delivered', 'returned'].includes(known.status)) return false;
    const reason = 'The marketplace no longer has the order';
    await cancelForShop(tx, { companyId: known.companyId, orderId: known.id, reason, at: deps.now() });
    return true;
  });
}

/** Inserts the rows of all orders with one statement per table. */
async function insertImported(
  deps: Deps,
  tx: Em,
  { company, connection, orders }: { company: Company; connection: Connection; orders: readonly ImportedOrder[] },
): Promise<void> {
  if (orders.length === 0) return;
  const companyId = company.id;
  const stamps = { createdAt: deps.now(), updatedAt: deps.now() };
  const customerIds = await drawIds(tx, 'customers', orders.length);
  const addressIds = await drawIds(tx, 'customer_addresses', orders.length);
  const orderIds = await drawIds(tx, 'orders', orders.length);
  const rows = orders.map((order, index) => ({
    order,
    customerId: customerIds[index] ?? 0,
    addressId: addressIds[index] ?? 0,
    orderId: orderIds[index] ?? 0,
  }));
  await tx.insertMany(
    Customer,
    rows.map(({ order, customerId }) => ({ id: customerId, companyId, ...buyerFields(order), ...stamps })),
  );
  await tx.insertMany(
    CustomerAddress,
    rows.map(({ order, customerId, addressId }) => ({
      id: addressId,
      companyId,
      customerId,
      ...addressFields(order.shipping),
      ...stamps,
    })),
  );
  await tx.insertMany(
    Order,
    rows.map(({ order, customerId, addressId, orderId }) => ({
      id: orderId,
      companyId,
      ...orderFields(order, company.settings.vatRate),
      orderNumber: order.externalNumber || order.externalId,
      customerId,
      customerAddressId: addressId,
      connectionId: connection.id,
      externalOrderId: order.externalId,
      parcels: [],
      carrierOptions: [],
      pickupPointId: null,
      importedAt: deps.now(),
      ...stamps,
    })),
  );
  const items = rows.flatMap(({ order, orderId }) => itemRows(order, { companyId, orderId }));
  if (items.length > 0) await tx.insertMany(OrderItem, items);
}
