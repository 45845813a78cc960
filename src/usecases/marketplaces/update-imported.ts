import { isDeepStrictEqual } from 'node:util';
import {
  type Company,
  Customer,
  CustomerAddress,
  Order,
  OrderItem,
  OrderPart,
  Shipment,
} from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { lockActiveShipments } from '../../db/queries/move-shipments.ts';
import { moveOrders } from '../../db/queries/statuses.ts';
import type { Deps } from '../../engine/deps.ts';
import type { ImportedOrder } from '../../marketplaces/adapter.ts';
import { addressFields } from '../orders/party-fields.ts';
import { buyerFields, itemRows, orderFields } from './imported-rows.ts';

interface Update {
  company: Company;
  order: ImportedOrder;
  known: Order;
}

/**
 * Updates an order from its marketplace until a shipment is booked; after that the label decides. Other lines or amounts
 * undo a split, because its parts hold pieces and money of the order as it was.
 */
export async function updateImported(
  deps: Pick<Deps, 'now'>,
  tx: Em,
  { company, order, known }: Update,
): Promise<'updated' | 'unchanged'> {
  const { id: orderId, companyId } = known;
  await lockActiveShipments(tx, { companyId, orderIds: [orderId] });
  await tx.execute('select id from orders where id = ? and company_id = ? for update', [orderId, companyId]);
  if ((await tx.count(Shipment, { orderId, processStatus: { $nin: ['cancelled', 'rejected'] } })) > 0)
    return 'unchanged';

  const at = deps.now();
  const fields = orderFields(order, company.settings.vatRate);
  const items = itemRows(order, { companyId, orderId });
  const isOther = await isOtherParcel(tx, { fields, items, order, known });
  await tx.nativeUpdate(Customer, { id: known.customerId }, { ...buyerFields(order), updatedAt: at });
  const place = { ...addressFields(order.shipping), updatedAt: at };
  await tx.nativeUpdate(CustomerAddress, { id: known.customerAddressId }, place);
  await tx.nativeUpdate(Order, { id: orderId }, { ...fields, updatedAt: at });
  // A shop may revert its own cancellation, for instance after a second payment attempt.
  if (known.status === 'cancelled' && order.state !== 'shipped') {
    await moveOrders(tx, { companyId, orderIds: [orderId] }, 'pending');
  }
  if (isOther.contents) {
    await undoSplit(tx, { companyId, orderId, at });
    await tx.nativeDelete(OrderItem, { orderId });
    if (items.length > 0) await tx.insertMany(OrderItem, items);
  }
  if (isOther.contents || isOther.place) {
    // A booking that was planned before must not carry the old data.
    await tx.execute('update orders set revision = revision + 1 where id = ? and company_id = ?', [orderId, companyId]);
  }
  return 'updated';
}

/** Tells whether the contents of the parcel, or where it goes, differ from the stored rows. */
async function isOtherParcel(
  tx: Em,
  {
    fields,
    items,
    order,
    known,
  }: Omit<Update, 'company'> & { fields: ReturnType<typeof orderFields>; items: ReturnType<typeof itemRows> },
): Promise<{ contents: boolean; place: boolean }> {
  const stored = await tx.find(OrderItem, { orderId: known.id }, { orderBy: { position: 'asc' } });
  const address = await tx.findOneOrFail(CustomerAddress, known.customerAddressId);
  const { codCents, grossCents, currency } = fields;
  return {
    contents:
      !holds(known, { codCents, grossCents, currency }) ||
      stored.length !== items.length ||
      !items.every((item, at) => holds(stored[at], item)),
    place: !holds(address, addressFields(order.shipping)),
  };
}

function holds(row: object | undefined, fields: object): boolean {
  const values = row as Record<string, unknown> | undefined;
  return (
    values !== undefined && Object.entries(fields).every(([name, value]) => isDeepStrictEqual(values[name], value))
  );
}

async function undoSplit(
  tx: Em,
  { companyId, orderId, at }: { companyId: number; orderId: number; at: Date },
): Promise<void> {
  await tx.nativeUpdate(OrderPart, { orderId, companyId, replacedAt: null }, { replacedAt: at });
  await tx.nativeUpdate(Order, { id: orderId, companyId }, { isSplit: false });
}
