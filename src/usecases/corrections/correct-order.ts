import { type Company, type Order, OrderCorrection, OrderItem, type Shipment } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { findAwaited } from '../../db/queries/operations.ts';
import type { OrderRows } from '../../db/queries/order-rows.ts';
import { carrierCode } from '../../engine/call-contract.ts';
import type { Deps } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { conflict, notFound, unprocessable } from '../../engine/find.ts';
import { markMade, type Origin, originOf } from '../../engine/idempotency.ts';
import { addItems, openOperation } from '../../engine/open-operation.ts';
import { Problem, type Violation } from '../../lib/errors.ts';
import { carrierQueue, type JobRequest } from '../../queue/jobs.ts';
import { cancelUnsold } from '../orders/cancel-unsold.ts';
import { checkReferences, type NewOrder } from '../orders/create-order.ts';
import { lockWithShipments, refuseJoined } from '../orders/lock-join.ts';
import { amountsAfter, applyChange, type OrderChange } from '../orders/order-change.ts';
import { queueRebooking } from '../orders/queue-rebooking.ts';
import { isMoving, refuseUncancellable } from '../shipments/cancel-shipment.ts';
import { refuseWhileOpen } from './correction-refusal.ts';

/** New values of an order, with a warehouse by id or key. */
export type WishedChange = Omit<OrderChange, 'warehouseId'> & Partial<Pick<NewOrder, 'warehouseId'>>;

/**
 * Works out what a merge patch of order creation's fields changes in an order. Throws a `Problem` with all faults.
 * `pricesIncludeVat` is the company's setting.
 */
export type ReadPatch = (
  view: OrderRows,
  given: unknown,
  pricesIncludeVat: boolean,
) => Pick<CorrectionRequest, 'change' | 'changed'>;

export interface CorrectionRequest {
  orderId: number;
  /** The revision that the change was worked out from. */
  revision: number;
  /** Members that change. */
  change: WishedChange;
  /** JSON pointers of what changes, in the request's names. */
  changed: string[];
  /** True: cancels a label that was bought for the old data, and buys another. */
  rebook: boolean;
}

const OVER: readonly Order['status'][] = ['cancelled', 'shipped', 'held', 'delivered', 'returned'];
/** Members that the parts of a split order have shares of. */
const SHARED = ['items', 'parcels', 'cod_amount', 'payment_method', 'shipping_cost'];

/**
 * Corrects an order without a label at once. With a label it cancels that first, if the caller wants so, and corrects and
 * books when the carrier has cancelled. Returns the id of the correction; null when nothing changes. Throws a `Problem`
 * that says what can be done instead.
 */
export async function correctOrder(deps: Deps, input: Origin & CorrectionRequest): Promise<number | null> {
  const { companyId, orderId } = input;
  const jobs: { shipment: Shipment; job: JobRequest }[] = [];
  const rebooked: number[] = [];
  const id = await companyEm(deps.orm, companyId).transactional(async (tx) => {
    const { order, live } = await lockWithShipments(tx, { companyId, orderId });
    if (order.revision !== input.revision)
      throw conflict('order-changed', 'The order changed at this moment: try again', { retryable: true });
    const { change, changed } = await resolved(tx, order, input);
    if (changed.length === 0) return null;
    refuseJoined(order);
    await refuseWhileOpen(tx, orderId);
    const [shipment] = live;
    if (OVER.includes(order.status)) throw unprocessable(outOfReach(order));
    await refuseFixed(tx, { order, changed, hasLabel: shipment !== undefined });
    await amountsAfter(tx, order, change);
    const row = { companyId, orderId, kind: 'correct', changed, contractId: change.contractId ?? null } as const;
    if (!shipment) {
      await applyChange(tx, { order, change, at: deps.now() });
      const made = { ...row, status: 'corrected', operationId: null, change: {}, settledAt: deps.now() } as const;
      const correctionId = Number(await tx.insert(OrderCorrection, made));
      await markMade(tx, input.once, correctionId);
      return correctionId;
    }
    await refuseLabel(deps, tx, { live, rebook: input.rebook });
    const { once, ...origin } = originOf(input);
    const { operationId } = await openOperation(tx, { ...origin, kind: 'correct', input: {} }, []);
    const correctionId = Number(
      await tx.insert(OrderCorrection, {
        ...row,
        contractId: change.contractId ?? shipment.contractId,
        status: 'waiting',
        operationId,
        change: { ...change },
        settledAt: null,
      }),
    );
    await markMade(tx, once, correctionId);
    // A booking that was planned from the old data is refused from here on.
    await tx.execute('update orders set revision = revision + 1 where id = ? and company_id = ?', [orderId, companyId]);
    if (shipment.processStatus === 'queued') {
      await cancelUnsold(tx, { companyId, shipmentIds: [shipment.id], at: deps.now() });
      rebooked.push(shipment.id);
      return correctionId;
    }
    const item = { orderId, shipmentId: shipment.id, contractId: shipment.contractId };
    const itemId = await addItems(tx, { companyId, operationId, kind: 'cancel' }, [item]);
    const payload = { itemId, requestId: input.requestId };
    jobs.push({ shipment, job: { name: 'cancel', id: `cancel-${itemId}`, companyId, payload } });
    return correctionId;
  });
  for (const { shipment, job } of jobs) {
    await enqueue(deps, carrierQueue(await carrierCode(deps.orm, shipment.carrierId)), [job]);
  }
  for (const shipmentId of rebooked) await queueRebooking(deps, shipmentId, input.requestId);
  return id;
}

/** Checks the rows that the change names, and drops a warehouse that the order has already. */
async function resolved(
  tx: Em,
  order: Order,
  { change, changed }: CorrectionRequest,
): Promise<{ change: OrderChange; changed: string[] }> {
  const { warehouseId: named, ...rest } = change;
  const contractId = change.contractId ?? null;
  const warehouseId = await checkReferences(tx, { warehouseId: named ?? null, contractId, marketplace: null });
  if (named === undefined) return { change: rest, changed };
  if (warehouseId === order.warehouseId) {
    return { change: rest, changed: changed.filter((pointer) => pointer !== '/warehouse_id') };
  }
  return { change: { ...rest, warehouseId }, changed };
}

function outOfReach({ status, id }: Order): string {
  if (status === 'cancelled') return `The order is cancelled: POST /orders/${id}/reopen takes that back first`;
  if (status === 'delivered' || status === 'returned') return `The order is ${status}: it cannot be corrected`;
  return ON_ITS_WAY;
}

const ON_ITS_WAY =
  'The parcel is on its way: POST /shipment/{id}/release-held with newAddress redirects it once it is held, and POST /shipment/return makes a return label';
const TRANSMITTED =
  'The label is transmitted to the carrier: DELETE /shipment/{id} cancels it while the parcel has not moved. POST /shipment/{id}/release-held with newAddress redirects a held parcel';

function refused(detail: string, where: Violation['in'], pointers: readonly string[], message: string): Problem {
  const violations = pointers.map((pointer) => ({ in: where, pointer, message }));
  return new Problem(detail, {
    status: 422,
    code: 'rule-broken',
    title: 'The request cannot be carried out',
    violations,
  });
}

/** Refuses members that this order cannot change any more. */
async function refuseFixed(
  tx: Em,
  { order, changed, hasLabel }: { order: Order; changed: readonly string[]; hasLabel: boolean },
): Promise<void> {
  const shared = changed.filter((pointer) => SHARED.includes(pointer.slice(1)));
  if (order.isSplit && shared.length > 0) {
    throw refused('The order is split', 'body', shared, 'is shared among the parts of the order');
  }
  if (!changed.includes('/items')) return;
  if (hasLabel) {
    throw refused('The order has a label', 'body', ['/items'], 'cannot change: cancel the label before');
  }
  if ((await tx.count(OrderItem, { orderId: order.id, externalLineId: { $ne: null } })) > 0) {
    throw refused('The order was imported', 'body', ['/items'], 'belong to the marketplace: correct them there');
  }
}

/** Throws a `Problem` unless the labels can be replaced. */
async function refuseLabel(
  deps: Deps,
  tx: Em,
  { live, rebook }: { live: readonly Shipment[]; rebook: boolean },
): Promise<void> {
  const [shipment] = live;
  if (!shipment) return;
  if (live.some(isMoving)) throw unprocessable(ON_ITS_WAY);
  if (live.some(({ processStatus }) => processStatus === 'transmitted')) throw unprocessable(TRANSMITTED);
  const isSettled = live.every(
    ({ processStatus }) => processStatus === 'created' || (rebook && processStatus === 'queued'),
  );
  // A confirmed label is not replaced.
  const transmitting = await findAwaited(tx, { shipmentIds: live.map(({ id }) => id), kind: 'transmit' });
  if (!isSettled || transmitting.size > 0)
    throw conflict('shipment-in-progress', 'The shipment is in progress: try again later', { retryable: true });
  if (live.length > 1 || shipment.partId !== null) {
    throw unprocessable('The order is split and has labels: cancel them with DELETE /shipment/{id}, then correct it');
  }
  if (!rebook) {
    const message = 'must be true: the order has a label, which is then cancelled and replaced';
    throw refused('The order has a label', 'query', ['/rebook'], message);
  }
  await refuseUncancellable(tx, shipment);
  if (shipment.processStatus === 'queued') return;
  if (!deps.carriers.get(await carrierCode(deps.orm, shipment.carrierId))?.cancelShipment) {
    throw unprocessable('The carrier cannot cancel labels: cancel it in its portal, then with DELETE /shipment/{id}');
  }
}

/** A correction for its answer. */
export interface CorrectionView {
  orderId: number;
  operationId: number | null;
  status: OrderCorrection['status'];
  changed: string[];
}

/** Reads one correction of the company, by its own id or its operation's. */
export async function readCorrection(
  deps: Pick<Deps, 'orm'>,
  { companyId, ...which }: { companyId: Company['id'] } & ({ id: number } | { operationId: number }),
): Promise<CorrectionView> {
  const correction = await companyEm(deps.orm, companyId).findOne(OrderCorrection, which);
  if (!correction) throw notFound('correction');
  const { orderId, operationId, status, changed } = correction;
  return { orderId, operationId, status, changed };
}
