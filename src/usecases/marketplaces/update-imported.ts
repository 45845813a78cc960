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
import { moveOrders } from '../../db/queries/statuses.ts';
import { withoutAddressProblems } from '../../domain/addresses/address-problem.ts';
import type { Deps } from '../../engine/deps.ts';
import type { ImportedOrder } from '../../marketplaces/adapter.ts';
import { leaveJoin, lockJoin } from '../orders/lock-join.ts';
import { addressFields } from '../orders/party-fields.ts';
import { buyerFields, itemRows, orderFields } from './imported-rows.ts';

interface Update {
  company: Company;
  order: ImportedOrder;
  known: Order;
}

/**
 * Updates an order from its marketplace until a shipment is booked; after that the label decides. Other lines or amounts
 * undo a split, because its parts hold pieces and money of the order as it was. With another address too, a joined order
 * leaves its join.
 */
export async function updateImported(
  deps: Pick<Deps, 'now'>,
  tx: Em,
  { company, order, known }: Update,
): Promise<'updated' | 'unchanged'> {
  const { id: orderId, companyId } = known;
  const { orders } = await lockJoin(tx, { companyId, orderIds: [orderId] });
  const { correctedAt, joinedInto } = orders.find(({ id }) => id === orderId) ?? known;
  const shipped = { orderId: joinedInto ?? orderId, processStatus: { $nin: ['cancelled', 'rejected'] } } as const;
  if ((await tx.count(Shipment, shipped)) > 0) return 'unchanged';

  const at = deps.now();
  const fields = orderFields(order, company.settings.vatRate);
  if (correctedAt !== null) {
    await keepCorrected(tx, { known, fields, at });
    await followReopening(tx, { order, known });
    return 'updated';
  }
  const items = itemRows(order, { companyId, orderId });
  const isOther = await isOtherParcel(tx, { fields, items, order, known });
  await tx.nativeUpdate(Customer, { id: known.customerId }, { ...buyerFields(order), updatedAt: at });
  const place = { ...addressFields(order.shipping), updatedAt: at };
  await tx.nativeUpdate(CustomerAddress, { id: known.customerAddressId }, place);
  await tx.nativeUpdate(Order, { id: orderId }, { ...fields, updatedAt: at });
  await followReopening(tx, { order, known });
  if (isOther.contents) {
    await undoSplit(tx, { companyId, orderId, at });
    await tx.nativeDelete(OrderItem, { orderId });
    if (items.length > 0) await tx.insertMany(OrderItem, items);
  }
  if (isOther.contents || isOther.place) {
    // It may go elsewhere now, or cost something on delivery.
    await leaveJoin(tx, orders, orderId);
    // A booking that was planned before must not carry the old data.
    await tx.execute('update orders set revision = revision + 1 where id = ? and company_id = ?', [orderId, companyId]);
  }
  return 'updated';
}

/** Keeps what a person corrected here: the shop only says whether the order may be shipped. */
async function keepCorrected(
  tx: Em,
  { known, fields, at }: { known: Order; fields: ReturnType<typeof orderFields>; at: Date },
): Promise<void> {
  const { problems, externalModifiedAt } = fields;
  const kept = { problems: withoutAddressProblems(problems), externalModifiedAt, updatedAt: at };
  await tx.nativeUpdate(Order, { id: known.id, companyId: known.companyId }, kept);
}

/** Follows a shop that reverts its own cancellation, for instance after a second payment attempt. One of ours stays. */
async function followReopening(tx: Em, { order, known }: Pick<Update, 'order' | 'known'>): Promise<void> {
  if (known.status !== 'cancelled' || known.cancelReason !== null || order.state === 'shipped') return;
  await moveOrders(tx, { companyId: known.companyId, orderIds: [known.id] }, 'pending');
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
