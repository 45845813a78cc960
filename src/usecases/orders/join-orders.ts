import { CustomerAddress, type Order, OrderCorrection, Warehouse } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { intArray } from '../../db/queries/sql.ts';
import { differencesOf } from '../../domain/addresses/same-place.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound, unprocessable } from '../../engine/find.ts';
import { markMade, type Origin } from '../../engine/idempotency.ts';
import { warehouseOf } from '../../engine/shipment-draft.ts';
import { type LockedJoin, leaveJoin, lockJoin } from './lock-join.ts';

/**
 * Joins orders of one recipient, so that one shipment carries all of them; the first order leads. Throws a `Problem` that
 * points at each order that cannot travel with the first.
 */
export async function joinOrders(
  deps: Pick<Deps, 'orm'>,
  input: Pick<Origin, 'companyId' | 'once'> & { orderIds: readonly number[] },
): Promise<void> {
  const { companyId, orderIds } = input;
  const [leadId = 0] = orderIds;
  await companyEm(deps.orm, companyId).transactional(async (tx) => {
    const locked = await lockJoin(tx, { companyId, orderIds });
    const faultOf = await judge(tx, { locked, leadId });
    const violations = orderIds.flatMap((id, index) => {
      const message = orderIds.indexOf(id) < index ? `names order ${id} again` : faultOf(id);
      return message === null ? [] : [{ pointer: `/orderIds/${index}`, message }];
    });
    if (violations.length > 0) throw unprocessable('The orders cannot travel together', violations);
    await tx.execute(
      `update orders set joined_into = ?, revision = revision + 1, updated_at = now()
        where company_id = ? and id = any(?::int[])`,
      [leadId, companyId, intArray(orderIds)],
    );
    await markMade(tx, input.once, leadId);
  });
}

/** Takes an order out of its join, or dissolves it when the order leads. An order that is not joined stays as it is. */
export async function undoJoin(
  deps: Pick<Deps, 'orm'>,
  input: Pick<Origin, 'companyId' | 'once'> & { orderId: number },
): Promise<void> {
  const { companyId, orderId } = input;
  await companyEm(deps.orm, companyId).transactional(async (tx) => {
    const { orders, live, begun } = await lockJoin(tx, { companyId, orderIds: [orderId] });
    const order = orders.find(({ id }) => id === orderId);
    if (!order) throw notFound('order');
    const [shipment] = [...live, ...begun];
    if (order.joinedInto !== null && shipment) {
      throw unprocessable(`The orders have a shipment: DELETE /shipment/${shipment.id} cancels it first`);
    }
    await leaveJoin(tx, orders, orderId);
    await markMade(tx, input.once, orderId);
  });
}

/** Returns a function that says why an order cannot travel with the one that leads; null when it can. */
async function judge(
  tx: Em,
  { locked, leadId }: { locked: LockedJoin; leadId: number },
): Promise<(orderId: number) => string | null> {
  const { orders } = locked;
  const live = [...locked.live, ...locked.begun];
  const addresses = await tx.find(CustomerAddress, { id: { $in: orders.map((order) => order.customerAddressId) } });
  const warehouses = await tx.find(Warehouse, {});
  const orderIds = orders.map(({ id }) => id);
  const changing = await tx.find(OrderCorrection, {
    orderId: { $in: orderIds },
    status: { $in: ['waiting', 'rebooking'] },
  });
  const lead = orders.find(({ id }) => id === leadId);
  const differences = (order: Order): string[] => {
    if (!lead) return [];
    const [to, first] = [order, lead].map((one) => addresses.find(({ id }) => id === one.customerAddressId));
    const warehouseIds = [order, lead].map((one) => warehouseOf(one, warehouses)?.id);
    return [
      ...(to && first ? differencesOf(to, first) : []),
      ...(order.currency === lead.currency ? [] : ['currency']),
      ...(warehouseIds[0] === warehouseIds[1] ? [] : ['warehouse']),
      ...(order.contractId === lead.contractId ? [] : ['named contract']),
      ...(order.pickupPointId === lead.pickupPointId ? [] : ['pickup point']),
      ...((order.codCents === null) === (lead.codCents === null) ? [] : ['cash on delivery']),
    ];
  };
  return (orderId) => {
    const order = orders.find(({ id }) => id === orderId);
    if (!order) return `There is no order ${orderId}`;
    if (order.joinedInto !== null)
      return `Order ${orderId} is joined already: DELETE /orders/${orderId}/join undoes it`;
    if (live.some((shipment) => shipment.orderId === orderId)) return `Order ${orderId} has a shipment already`;
    if (!['pending', 'error'].includes(order.status)) return `Order ${orderId} is ${order.status}`;
    if (order.isSplit) return `Order ${orderId} is split`;
    if (changing.some((one) => one.orderId === orderId))
      return `Order ${orderId} waits for its carrier: try again later`;
    const names = differences(order);
    return names.length === 0 ? null : `Order ${orderId} differs from order ${leadId} in ${names.join(', ')}`;
  };
}
