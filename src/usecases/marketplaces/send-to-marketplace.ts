import { Connection, MarketplaceRow, OperationItem, Order, Shipment } from '../../db/entities/index.ts';
import { companyEm, type Em, systemEm } from '../../db/orm.ts';
import {
  claimItem,
  releaseItem,
  type Settlement,
  settleItem,
  settleShipmentItems,
} from '../../db/queries/operations.ts';
import { MARKETPLACE_ERRORS, type MarketplaceErrorType } from '../../domain/marketplace-error.ts';
import { type Attempt, attempted, type Begin } from '../../engine/attempted.ts';
import { callConnection } from '../../engine/call-connection.ts';
import { switchedOff } from '../../engine/contracts.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { notFound } from '../../engine/find.ts';
import { type Origin, originOf } from '../../engine/idempotency.ts';
import { type NewItem, type OpenedOperation, openOperation } from '../../engine/open-operation.ts';
import type { IntegrationError } from '../../lib/errors.ts';
import type { ConfirmedShipment } from '../../marketplaces/adapter.ts';
import { marketplaceQueue } from '../../queue/jobs.ts';
import { RetryLater } from '../../queue/retry.ts';
import { detectShop } from './detect-shop.ts';
import { confirmationOf } from './shipment-confirmation.ts';
import { recordTold } from './told-numbers.ts';

/** How a send ended, as stored with its operation item and rendered by the route. */
export interface SendOutcome {
  confirmed: ConfirmedShipment | null;
  errorType: MarketplaceErrorType | null;
}

const CANCELLED = 'The shipment was cancelled meanwhile';

/** Queues the confirmation of an order's shipment to the marketplace it came from. */
export async function requestSend(deps: Deps, input: Origin & { orderId: number }): Promise<OpenedOperation> {
  const em = companyEm(deps.orm, input.companyId);
  const order = await em.findOne(Order, input.orderId);
  if (!order) throw notFound('order');
  const shipment = await em.findOne(Shipment, {
    orderId: order.id,
    direction: 'outbound',
    trackingNumber: { $ne: null },
    processStatus: { $nin: ['cancelled', 'rejected'] },
  });
  const connection = order.connectionId === null ? null : await em.findOne(Connection, order.connectionId);
  const refusal = refusalOf(order, { shipment, connection });
  const marketplace = connection ? await em.findOneOrFail(MarketplaceRow, connection.marketplaceId) : null;

  const item: NewItem = {
    orderId: order.id,
    shipmentId: shipment?.id ?? null,
    connectionId: connection?.id ?? null,
    ...(refusal
      ? { settled: { status: 'failed', message: refusal, result: { confirmed: null, errorType: 'configuration' } } }
      : {}),
  };
  const opened = await em.transactional((tx) =>
    openOperation(tx, { ...originOf(input), kind: 'send', input: {} }, [item]),
  );
  if (!refusal && marketplace) {
    const itemId = opened.firstItemId;
    const payload = { itemId, requestId: input.requestId };
    await enqueue(deps, marketplaceQueue(marketplace.code), [{ name: 'send', id: `send-${itemId}`, payload }]);
  }
  return opened;
}

function refusalOf(order: Order, linked: { shipment: Shipment | null; connection: Connection | null }): string | null {
  if (!linked.connection || order.externalOrderId === null) return 'The order is not linked to a marketplace';
  if (linked.connection.deleteFlag) return 'The marketplace is not connected any more';
  if (!linked.connection.isConnected) return switchedOff('Connection', linked.connection);
  if (!linked.shipment) return 'The order has no shipment with a tracking number yet';
  return null;
}

/**
 * Confirms one shipment to its marketplace. One at a time per order; the adapter reads the order first and writes only what
 * is missing, so that after a lost answer the next try finds out before it repeats anything.
 */
export async function sendToMarketplace(deps: Deps, input: { itemId: number } & JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const item = await em.findOne(OperationItem, input.itemId);
  if (!item?.shipmentId || !item.connectionId || item.orderId === null) return;
  const { connectionId, orderId } = item;
  await attempted<Attempt, ConfirmedShipment>(deps, input, {
    operation: 'send',
    claim: (tx, begin) => claimSend(tx, item, begin),
    async call({ shipment, attemptId }, claimedAt) {
      const connection = await em.findOneOrFail(Connection, connectionId);
      const order = await em.findOneOrFail(Order, orderId);
      const confirmation = await confirmationOf(deps, { order, shipment, at: deps.now() });
      const detected = connection.detected ?? (await detectShop(deps, connection, input));
      const target = { connection, shipmentId: shipment.id, attemptId, claimedAt };
      return callConnection(deps, target, input, (marketplace, context) =>
        marketplace.confirmShipment(context, { detected, confirmation }),
      );
    },
    async settle(tx, { shipment, fence }, confirmed) {
      const { id, companyId } = shipment;
      await recordTold(tx, { id, orderId, companyId }, { number: shipment.trackingNumber ?? '', at: deps.now() });
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
 * Two sends of one order must not read "nothing there" at the same time. Who comes second for the same shipment waits for the
 * first one's answer, which is then its own.
 */
async function claimSend(tx: Em, item: OperationItem, begin: Begin): Promise<Attempt | null> {
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

/** Answers everybody who asked for the same, if this run still holds the item. */
async function settleSend(tx: Em, item: OperationItem, fence: number, settlement: Settlement): Promise<void> {
  if (!(await settleItem(tx, { itemId: item.id, fence }, settlement))) return;
  await settleShipmentItems(tx, { shipmentIds: [item.shipmentId ?? 0], kind: 'send' }, settlement);
}

/** The closed list is the platform's own words where it said them, else what happened on the wire. */
function errorTypeOf(error: IntegrationError): MarketplaceErrorType {
  if (error.code in MARKETPLACE_ERRORS) return error.code as MarketplaceErrorType;
  switch (error.code) {
    case 'partner-unreachable':
      return 'network';
    case 'credentials-refused':
      return 'auth_invalid';
    case 'throttled':
      return 'rate_limited';
    case 'account-invalid':
    case 'not-supported':
      return 'configuration';
    case 'not-found-at-partner':
      return 'order_not_found';
    case 'refused':
      return 'validation';
    case 'no-answer':
    case 'answer-too-large':
    case 'partner-broken':
      return error.kind === 'unknown-outcome' ? 'unknown' : 'platform_unavailable';
    default:
      return 'unknown';
  }
}
