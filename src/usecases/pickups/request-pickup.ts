import type { Carrier } from '../../carriers/adapter.ts';
import { Contract, OperationItem, Order, Pickup, Shipment, Warehouse } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { carrierOf } from '../../engine/call-contract.ts';
import type { Deps } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { notFound, unprocessable } from '../../engine/find.ts';
import { type Origin, originOf } from '../../engine/idempotency.ts';
import { type OpenedOperation, openOperation } from '../../engine/open-operation.ts';
import { carrierQueue } from '../../queue/jobs.ts';

export interface WishedPickup {
  contractId: number;
  warehouseId: number | null;
  /** Wall clock: YYYY-MM-DD, HH:mm. */
  date: string;
  fromTime: string;
  toTime: string;
  /** Null: all booked shipments of the contract at the warehouse that are not picked up yet; without a warehouse, at any. */
  shipmentIds: number[] | null;
  note: string;
}

/** Queues the booking of a pickup. */
export async function requestPickup(deps: Deps, input: Origin & { wish: WishedPickup }): Promise<OpenedOperation> {
  const { companyId, wish } = input;
  const em = companyEm(deps.orm, companyId);
  const contract = await em.findOne(Contract, { id: wish.contractId, deleteFlag: false });
  if (!contract) throw atFault('/carrierCompanyId', 'There is no such carrier contract');
  const carrier = await carrierOf(deps, contract.carrierId);
  if (!carrier.bookPickup) throw atFault('/carrierCompanyId', `${carrier.label} has no API for pickups`);
  const warehouse = await em.findOne(Warehouse, wish.warehouseId ?? { isDefault: true });
  if (wish.warehouseId !== null && !warehouse) throw atFault('/warehouseId', 'There is no such warehouse');
  const shipmentIds = await shipmentsToFetch(em, wish, wish.warehouseId === null ? null : warehouse);

  const opened = await em.transactional(async (tx) => {
    const pickupId = Number(
      await tx.insert(Pickup, { ...wish, companyId, warehouseId: warehouse?.id ?? null, shipmentIds }),
    );
    const item = { contractId: contract.id, pickupId };
    return openOperation(tx, { ...originOf(input), kind: 'book-pickup', input: {} }, [item]);
  });
  await enqueueItem(deps, carrier, { name: 'book-pickup', opened, ...input });
  return opened;
}

/** Queues the cancellation. Returns null when the carrier needs no call. */
export async function requestPickupCancel(
  deps: Deps,
  input: Origin & { pickupId: number },
): Promise<OpenedOperation | null> {
  const { companyId } = input;
  const em = companyEm(deps.orm, companyId);
  const contractId = (await em.findOne(Pickup, input.pickupId))?.contractId;
  if (contractId === undefined) throw notFound('pickup');
  const carrier = await carrierOf(deps, (await em.findOneOrFail(Contract, contractId)).carrierId);
  const opened = await em.transactional(async (tx) => {
    await tx.execute('select id from pickups where id = ? and company_id = ? for update', [input.pickupId, companyId]);
    const pickup = await tx.findOneOrFail(Pickup, input.pickupId, { refresh: true });
    const isOpen = { pickupId: pickup.id, status: { $in: ['pending', 'running'] as const } };
    if ((await tx.count(OperationItem, isOpen)) > 0) throw unprocessable('The pickup is in progress: try again later');
    if (pickup.status !== 'booked') {
      // A failed pickup never existed; for an unknown one, the person who cancels has asked the carrier.
      const set = { status: 'cancelled' as const, updatedAt: deps.now() };
      await tx.nativeUpdate(Pickup, { id: pickup.id, companyId }, set);
      return null;
    }
    if (!carrier.cancelPickup) throw unprocessable(`${carrier.label} has no API to cancel pickups: call the carrier`);
    const item = { contractId: pickup.contractId, pickupId: pickup.id };
    return openOperation(tx, { ...originOf(input), kind: 'cancel-pickup', input: {} }, [item]);
  });
  if (opened) await enqueueItem(deps, carrier, { name: 'cancel-pickup', opened, ...input });
  return opened;
}

/** Finds the contract's shipments, all at the warehouse or the named ones. Returns wait at the customer's, so they are excluded. */
async function shipmentsToFetch(
  em: Em,
  { contractId, shipmentIds }: WishedPickup,
  warehouse: Warehouse | null,
): Promise<number[]> {
  const waiting = await em.find(
    Shipment,
    {
      contractId,
      direction: 'outbound',
      processStatus: { $in: ['created', 'transmitting', 'transmitted'] },
      $or: [{ trackingStatus: null }, { trackingStatus: 'awaiting_pickup' }],
      ...(shipmentIds ? { id: { $in: shipmentIds } } : {}),
    },
    { fields: ['id', 'orderId'], orderBy: { id: 'asc' } },
  );
  const orderIds = waiting.map(({ orderId }) => orderId);
  const here = warehouse && !shipmentIds ? await ordersFrom(em, warehouse, orderIds) : new Set(orderIds);
  const found = waiting.filter(({ orderId }) => here.has(orderId)).map(({ id }) => id);
  const missing = (shipmentIds ?? []).filter((id) => !found.includes(id));
  if (missing.length > 0) {
    throw atFault('/shipmentIds', `not booked under this contract, or fetched already: ${missing.join(', ')}`);
  }
  if (found.length === 0) throw atFault('/shipmentIds', 'No shipment of this contract waits for a pickup');
  return found;
}

/** An order that names no warehouse leaves from the default one. */
async function ordersFrom(em: Em, { id, isDefault }: Warehouse, orderIds: number[]): Promise<Set<number>> {
  const places = isDefault ? [id, null] : [id];
  const orders = await em.find(
    Order,
    { id: { $in: orderIds }, $or: places.map((warehouseId) => ({ warehouseId })) },
    { fields: ['id'] },
  );
  return new Set(orders.map((order) => order.id));
}

async function enqueueItem(
  deps: Deps,
  carrier: Carrier,
  job: { name: 'book-pickup' | 'cancel-pickup'; opened: OpenedOperation; companyId: number; requestId: string },
): Promise<void> {
  const { name, companyId, requestId } = job;
  const itemId = job.opened.firstItemId;
  const payload = { itemId, requestId };
  await enqueue(deps, carrierQueue(carrier.id), [{ name, id: `${name}-${itemId}`, companyId, payload }]);
}

function atFault(pointer: string, message: string): Error {
  return unprocessable(message, [{ pointer, message }]);
}
