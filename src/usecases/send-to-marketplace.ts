import {
  CarrierRow,
  Company,
  Connection,
  Contract,
  MarketplaceRow,
  OperationItem,
  Order,
  OrderItem,
  Shipment,
} from '../db/entities/index.ts';
import { companyEm, systemEm } from '../db/orm.ts';
import { claimItem, releaseItem, settleItem } from '../db/queries/operations.ts';
import { MARKETPLACE_ERRORS, type MarketplaceErrorType } from '../domain/marketplace-error.ts';
import { wallClock } from '../lib/clock.ts';
import { IntegrationError } from '../lib/errors.ts';
import type { ConfirmedShipment } from '../marketplaces/contract.ts';
import { marketplaceQueue } from '../queue/jobs.ts';
import { giveUp, RetryLater } from '../queue/queue-system.ts';
import { callConnection } from './call-connection.ts';
import { contractSeal } from './call-contract.ts';
import type { Deps, JobContext } from './deps.ts';
import { notFound } from './find.ts';
import { type Origin, originOf } from './idempotency.ts';
import { type NewItem, type OpenedOperation, openOperation } from './open-operation.ts';

/** How a send ended, as stored with its operation item and rendered by the route. */
export interface SendOutcome {
  confirmed: ConfirmedShipment | null;
  errorType: MarketplaceErrorType | null;
}

/** Queues the confirmation of an order's shipment to the marketplace it came from. */
export async function requestSend(deps: Deps, input: Origin & { orderId: number }): Promise<OpenedOperation> {
  const em = companyEm(deps.orm, input.companyId);
  const order = await em.findOne(Order, input.orderId);
  if (!order) throw notFound('order');
  const shipment = await em.findOne(Shipment, {
    orderId: order.id,
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
    await deps.queues
      .add(marketplaceQueue(marketplace.code), [
        { name: 'send', id: `send-${itemId}`, payload: { itemId, requestId: input.requestId } },
      ])
      .catch((err) => deps.log.warn({ err, itemId }, 'not queued now, the sweep will'));
  }
  return opened;
}

function refusalOf(order: Order, linked: { shipment: Shipment | null; connection: Connection | null }): string | null {
  if (!linked.connection || order.externalOrderId === null) return 'The order is not linked to a marketplace';
  if (linked.connection.deleteFlag || !linked.connection.isConnected)
    return 'The marketplace is not connected any more';
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
  const claim = await claimSend(deps, item);
  if (!claim) return;
  const connection = await em.findOneOrFail(Connection, item.connectionId);
  const order = await em.findOneOrFail(Order, item.orderId);
  try {
    const confirmed = await confirm(deps, { order, connection, shipmentId: item.shipmentId }, input);
    const outcome: SendOutcome = { confirmed, errorType: null };
    await em.transactional(async (tx) => {
      await tx.execute(
        'update orders set sent_to_marketplace_at = coalesce(sent_to_marketplace_at, ?) where id = ? and company_id = ?',
        [deps.now(), order.id, order.companyId],
      );
      const done = { status: 'succeeded' as const, message: '', result: { ...outcome } };
      await settleItem(tx, { itemId: item.id, attempt: claim.attempt }, done);
    });
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    const isOver = error.kind === 'permanent' || input.isLastTry;
    const outcome: SendOutcome = { confirmed: null, errorType: errorTypeOf(error) };
    if (isOver) {
      await settleItem(
        em,
        { itemId: item.id, attempt: claim.attempt },
        { status: 'failed', message: error.message, result: { ...outcome }, failureKind: error.kind },
      );
    } else await releaseItem(em, item.id, claim.attempt);
    throw error.kind === 'permanent' ? giveUp(error.message) : new RetryLater(error.message, error.retryAfterMs);
  }
}

/** Two sends of one order must not read "nothing there" at the same time: the second waits for the first to settle. */
async function claimSend(deps: Deps, item: OperationItem): Promise<{ attempt: number } | null> {
  return systemEm(deps.orm).transactional(async (tx) => {
    await tx.execute('select id from orders where id = ? for update', [item.orderId]);
    const busy = await tx.count(OperationItem, {
      kind: 'send',
      orderId: item.orderId,
      status: 'running',
      id: { $ne: item.id },
    });
    if (busy > 0) throw new RetryLater('Another send of this order is running');
    return claimItem(tx, item.id);
  });
}

async function confirm(
  deps: Deps,
  what: { order: Order; connection: Connection; shipmentId: number },
  input: JobContext,
): Promise<ConfirmedShipment> {
  const { order, connection } = what;
  const em = systemEm(deps.orm);
  const shipment = await em.findOneOrFail(Shipment, what.shipmentId);
  const carrierRow = await em.findOneOrFail(CarrierRow, shipment.carrierId);
  const contract = await em.findOneOrFail(Contract, shipment.contractId);
  const company = await em.findOneOrFail(Company, order.companyId);
  const items = await em.find(OrderItem, { orderId: order.id }, { orderBy: { position: 'asc' } });
  const carrier = deps.carriers.get(carrierRow.code);
  const carrierAccount = deps.vault.open(contract.credentials, contractSeal(contract.id));
  const trackingNumber = shipment.trackingNumber ?? '';
  const detected = connection.detected ?? (await detect(deps, connection, input));
  return callConnection(deps, { connection, shipmentId: shipment.id }, input, (marketplace, context) =>
    marketplace.confirmShipment(context, {
      detected,
      confirmation: {
        externalOrderId: order.externalOrderId ?? '',
        lines: items.flatMap((line) =>
          line.externalLineId ? [{ externalLineId: line.externalLineId, quantity: line.quantity }] : [],
        ),
        trackingNumber,
        carrierId: carrierRow.code,
        carrierName: carrierRow.name,
        trackingUrl: carrier?.trackingUrl?.(trackingNumber, carrierAccount) ?? '',
        shippedOn: wallClock(shipment.transmittedAt ?? deps.now(), company.settings.timeZone).date,
      },
    }),
  );
}

/** What kind of shop it is, found out once and remembered. */
async function detect(deps: Deps, connection: Connection, input: JobContext): Promise<Record<string, unknown>> {
  const detected = await callConnection(
    deps,
    { connection, shipmentId: null },
    input,
    async (marketplace, context) => (await marketplace.detect?.(context)) ?? {},
  );
  await systemEm(deps.orm).nativeUpdate(Connection, { id: connection.id }, { detected });
  return detected;
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
    case 'partner-broken':
      return error.kind === 'unknown-outcome' ? 'unknown' : 'platform_unavailable';
    default:
      return 'unknown';
  }
}
