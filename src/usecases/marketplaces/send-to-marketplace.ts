import { Connection, MarketplaceRow, OperationItem, Order, Shipment } from '../../db/entities/index.ts';
import { companyEm, type Em, systemEm } from '../../db/orm.ts';
import { lockShipments } from '../../db/queries/move-shipments.ts';
import {
  claimItem,
  releaseItem,
  type Settlement,
  settleItem,
  settleShipmentItems,
} from '../../db/queries/operations.ts';
import type { MarketplaceErrorType } from '../../domain/marketplace-error.ts';
import { type Attempt, attempted, type Begin } from '../../engine/attempted.ts';
import { callConnection } from '../../engine/call-connection.ts';
import { switchedOff } from '../../engine/contracts.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { notFound } from '../../engine/find.ts';
import { type Origin, originOf } from '../../engine/idempotency.ts';
import { type NewItem, type OpenedOperation, openOperation } from '../../engine/open-operation.ts';
import { IntegrationError } from '../../lib/errors.ts';
import type { ConfirmedShipment } from '../../marketplaces/adapter.ts';
import { marketplaceQueue } from '../../queue/jobs.ts';
import { RetryLater } from '../../queue/retry.ts';
import { detectShop } from './detect-shop.ts';
import { errorTypeOf } from './error-type.ts';
import { type Outgoing, placesOf, readOutgoing, shipmentsToSend, toldWith, waitsForParts } from './outgoing.ts';
import { confirmationOf } from './shipment-confirmation.ts';
import { recordTold } from './told-numbers.ts';

/** Result of a send, as the operation item stores it and the route renders it. */
export interface SendOutcome {
  confirmed: ConfirmedShipment | null;
  errorType: MarketplaceErrorType | null;
}

const CANCELLED = 'The shipment was cancelled in the meantime';

/** Queues the confirmation of an order's shipment, or of each part of a split order, to the marketplace it came from. */
export async function requestSend(deps: Deps, input: Origin & { orderId: number }): Promise<OpenedOperation> {
  const em = companyEm(deps.orm, input.companyId);
  const order = await em.findOne(Order, input.orderId);
  if (!order) throw notFound('order');
  const connection = order.connectionId === null ? null : await em.findOne(Connection, order.connectionId);
  const outgoing = await readOutgoing(deps, em, { order, connection });
  const refusal = refusalOf(order, { outgoing, connection });
  const marketplace = connection ? await em.findOneOrFail(MarketplaceRow, connection.marketplaceId) : null;

  const place = { orderId: order.id, connectionId: connection?.id ?? null };
  const items: NewItem[] = refusal
    ? [{ ...place, shipmentId: outgoing.shipments[0]?.id ?? null, settled: refusedSend(refusal) }]
    : shipmentsToSend(outgoing).map(({ id }) => ({ ...place, shipmentId: id }));
  const opened = await em.transactional((tx) =>
    openOperation(tx, { ...originOf(input), kind: 'send', input: {} }, items),
  );
  // The first send queues the next one: two sends of one order would only wait for each other.
  if (!refusal && marketplace) await enqueueSend(deps, marketplace, { ...input, itemId: opened.firstItemId });
  return opened;
}

async function enqueueSend(
  deps: Deps,
  marketplace: MarketplaceRow,
  { companyId, itemId, requestId }: { companyId: number; itemId: number; requestId: string },
): Promise<void> {
  const payload = { itemId, requestId };
  await enqueue(deps, marketplaceQueue(marketplace.code), [{ name: 'send', id: `send-${itemId}`, companyId, payload }]);
}

function refusedSend(message: string): NonNullable<NewItem['settled']> {
  return { status: 'failed', message, result: { confirmed: null, errorType: 'configuration' } };
}

function refusalOf(order: Order, linked: { outgoing: Outgoing; connection: Connection | null }): string | null {
  if (!linked.connection || order.externalOrderId === null) return 'The order is not linked to a marketplace';
  if (linked.connection.deleteFlag) return 'The marketplace is no longer connected';
  if (!linked.connection.isConnected) return switchedOff('Connection', linked.connection);
  if (linked.outgoing.shipments.length === 0) return 'The order has no shipment with a tracking number yet';
  return waitsForParts(linked.outgoing);
}

interface Sent {
  confirmed: ConfirmedShipment;
  told: Pick<Parameters<typeof recordTold>[1], 'shipments' | 'places'>;
}

/**
 * Confirms one shipment to its marketplace, one at a time per order. The adapter reads the order first and writes only what is
 * missing, so a retry after a lost answer repeats nothing.
 */
export async function sendToMarketplace(deps: Deps, input: { itemId: number } & JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const item = await em.findOne(OperationItem, input.itemId);
  if (!item?.shipmentId) return;
  try {
    await confirmShipment(deps, input, item);
  } finally {
    await enqueueNext(deps, input, item);
  }
}

/** Queues the next part of the same request. The sweep does it when this process dies before. */
async function enqueueNext(
  deps: Deps,
  { requestId }: JobContext,
  { id, companyId, operationId, connectionId }: OperationItem,
): Promise<void> {
  const em = systemEm(deps.orm);
  const later = { operationId, kind: 'send', status: 'pending', id: { $gt: id } } as const;
  const next = await em.findOne(OperationItem, later, { orderBy: { id: 'asc' } });
  if (!next || connectionId === null) return;
  const { marketplaceId } = await em.findOneOrFail(Connection, connectionId);
  const marketplace = await em.findOneOrFail(MarketplaceRow, marketplaceId);
  await enqueueSend(deps, marketplace, { companyId, itemId: next.id, requestId });
}

async function confirmShipment(deps: Deps, input: JobContext, item: OperationItem): Promise<void> {
  const em = systemEm(deps.orm);
  const { connectionId, orderId } = item;
  if (connectionId === null || orderId === null) return;
  await attempted<Attempt, Sent>(deps, input, {
    operation: 'send',
    claim: (tx, begin) => claimSend(tx, item, begin),
    async call({ shipment, attemptId }, claimedAt) {
      const connection = await em.findOneOrFail(Connection, connectionId);
      const order = await em.findOneOrFail(Order, orderId);
      const detected = connection.detected ?? (await detectShop(deps, connection, input));
      const outgoing = await readOutgoing(deps, em, { order, connection: { ...connection, detected } });
      const waits = waitsForParts(outgoing);
      if (waits !== null) {
        throw new IntegrationError(waits, { kind: 'permanent', provider: 'marketplace', code: 'configuration' });
      }
      const confirmation = await confirmationOf(deps, { order, shipment, outgoing, at: deps.now() });
      const target = { connection, shipmentId: shipment.id, attemptId, claimedAt };
      const confirmed = await callConnection(deps, target, input, (marketplace, context) =>
        marketplace.confirmShipment(context, { detected, confirmation }),
      );
      const shipments = toldWith(outgoing, shipment).map(({ id, trackingNumber }) => ({ id, number: trackingNumber }));
      return { confirmed, told: { shipments, places: placesOf(outgoing, shipment) } };
    },
    async settle(tx, { shipment, fence }, { confirmed, told }) {
      const { companyId } = shipment;
      await recordTold(tx, { orderId, companyId, ...told, at: deps.now(), isReadBack: confirmed.alreadySent });
      if (confirmed.detectAgain) await tx.nativeUpdate(Connection, { id: connectionId, companyId }, { detected: null });
      const result: SendOutcome = { confirmed, errorType: null };
      await settleSend(tx, item, fence, { status: 'succeeded', message: '', result: { ...result } });
    },
    async fail(tx, { fence }, { error, end, message, failureKind }) {
      if (end === 'again') return releaseItem(tx, item.id, fence);
      const result: SendOutcome = { confirmed: null, errorType: end === 'unknown' ? 'unknown' : errorTypeOf(error) };
      await settleSend(tx, item, fence, { status: 'failed', message, result: { ...result }, failureKind });
    },
  });
}

/**
 * Two sends of one order must not both read "not confirmed yet". A second send of the same shipment waits for the first one and shares
 * its answer.
 */
async function claimSend(tx: Em, item: OperationItem, begin: Begin): Promise<Attempt | null> {
  await lockShipments(tx, [item.shipmentId ?? 0]);
  await tx.execute('select id from orders where id = ? and company_id = ? for update', [item.orderId, item.companyId]);
  const busy = await tx.findOne(OperationItem, {
    kind: 'send',
    orderId: item.orderId,
    status: 'running',
    id: { $ne: item.id },
  });
  if (busy?.shipmentId === item.shipmentId) return null;
  if (busy) throw new RetryLater('A send of another shipment of this order is running');
  const claim = await claimItem(tx, item.id);
  const shipment = claim && (await tx.findOneOrFail(Shipment, item.shipmentId ?? 0));
  if (!shipment) return null;
  if (shipment.processStatus === 'cancelled' || shipment.processStatus === 'rejected') {
    const result = { confirmed: null, errorType: 'configuration' };
    await settleSend(tx, item, claim.fence, { status: 'failed', message: CANCELLED, result });
    return null;
  }
  return begin(shipment, claim.fence);
}

/** Settles all items of the order for the same shipment, if this run still holds its item. */
async function settleSend(tx: Em, item: OperationItem, fence: number, settlement: Settlement): Promise<void> {
  if (!(await settleItem(tx, { itemId: item.id, fence }, settlement))) return;
  const same = { shipmentIds: [item.shipmentId ?? 0], kind: 'send', orderId: item.orderId } as const;
  await settleShipmentItems(tx, same, settlement);
}
