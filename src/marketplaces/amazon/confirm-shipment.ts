import { IntegrationError } from '../../lib/errors.ts';
import type { ConfirmedShipment, ShipmentConfirmation } from '../adapter.ts';
import { doubtAbout } from '../look-up.ts';
import { minus, type Pieces, requireLeft, wantedPieces } from '../pieces.ts';
import { isReplaced, isSameNumber } from '../tracking-numbers.ts';
import { carrierOf } from './carriers.ts';
import { type AmazonContext, callAmazon, getOrder } from './client.ts';
import { livePackages, orderedPieces, packageReferenceOf, piecesIn, unreadablePackages } from './packages.ts';
import { refusals, refuse } from './refusals.ts';
import type { Order } from './schema.ts';

/** A shipped order is not refused here: its packages decide, and where they do not tell, Amazon does. */
const SHIPPABLE = new Set(['UNSHIPPED', 'PARTIALLY_SHIPPED', 'SHIPPED']);

/**
 * Reads the order's packages, then writes one package with the missing pieces. Not by `confirmOnce`: the second look
 * must not correct packages again, which Amazon shows late.
 */
export async function confirmShipment(
  context: AmazonContext,
  { confirmation: given }: { confirmation: ShipmentConfirmation },
): Promise<ConfirmedShipment> {
  const confirmation = { ...given, trackingNumber: given.trackingNumber.trim() };
  if (confirmation.trackingNumber === '') throw refuse('tracking_invalid', 'The shipment has no tracking number');
  const found = await readPackages(context, confirmation);
  const ordered = orderedPieces(found);
  const wanted = wantedPieces(refuse, { order: found.orderId, ordered, lines: confirmation.lines });
  const order = await correctPackages(context, found, { confirmation, wanted });
  const sent = findSent(context, order, { confirmation, wanted });
  if (sent) return { ...sent, alreadySent: order === found };
  const missing = minus(wanted, piecesIn(samePackages(order, confirmation)));
  const unreadable = unreadablePackages(order);
  if (unreadable > 0) context.log.warn({ list: 'packages', count: unreadable }, 'list elements not read');
  const doubt = doubtAbout(unreadable, 'packages');
  if (doubt) throw refuse('unknown', doubt);
  requireShippable(order);
  const left = minus(ordered, piecesIn(livePackages(order)));
  requireLeft(refuse, { order: order.orderId, missing, left });

  const packageReferenceId = packageReferenceOf(confirmation.trackingNumber, order);
  try {
    await send(context, order, { confirmation, missing, packageReferenceId });
  } catch (error) {
    if (!(error instanceof IntegrationError) || error.code !== 'already_shipped') throw error;
    // Perhaps by us: the package of a call whose answer was lost may have come to light since we read.
    const late = findSent(context, await readPackages(context, confirmation), { confirmation, wanted });
    if (late) return late;
    throw error;
  }
  return {
    alreadySent: false,
    transactionId: packageReferenceId,
    trackingCarrier: carrierOf(context.account, confirmation).carrierCode,
    trackingNumber: confirmation.trackingNumber,
    // Amazon keeps none.
    trackingUrl: '',
    status: minus(left, missing).size === 0 ? 'SHIPPED' : 'PARTIALLY_SHIPPED',
  };
}

function readPackages(context: AmazonContext, { externalOrderId }: ShipmentConfirmation): Promise<Order> {
  return getOrder(context, externalOrderId, { includedData: 'FULFILLMENT,PACKAGES' });
}

function samePackages(order: Order, { trackingNumber }: ShipmentConfirmation) {
  return livePackages(order).filter((each) => isSameNumber(each.trackingNumber, trackingNumber));
}

/**
 * Gives the live number to every package under a number that no longer holds. A call with a package's reference changes
 * that package (page "Orders API", read 2026-11-22). Returns the order as it is then, since Amazon shows changes late.
 */
async function correctPackages(
  context: AmazonContext,
  order: Order,
  { confirmation, wanted }: { confirmation: ShipmentConfirmation; wanted: Pieces },
): Promise<Order> {
  const { trackingNumber } = confirmation;
  const dead = livePackages(order).filter((each) => isReplaced(confirmation, each.trackingNumber));
  if (dead.length === 0) return order;
  requireShippable(order);
  for (const each of dead) {
    const pieces = each.packageItems.length > 0 ? piecesIn([each]) : wanted;
    const { packageReferenceId } = each;
    await send(context, order, { confirmation, missing: pieces, packageReferenceId }).catch((error: unknown) => {
      throw toldAnother(error, { order, number: each.trackingNumber });
    });
  }
  const packages = order.packages.map((each) => (dead.includes(each) ? { ...each, trackingNumber } : each));
  return { ...order, packages };
}

/** Amazon no longer knows the package by its reference, so it takes no correction. */
function toldAnother(error: unknown, { order, number }: { order: Order; number: string }): unknown {
  if (!(error instanceof IntegrationError) || error.code !== 'already_shipped') return error;
  const message = `Amazon keeps ${number} for order ${order.orderId}: ${error.message}`;
  return refuse('told_another_number', message, error);
}

/** Null unless Amazon has all of the shipment. A package that names no lines counts as all. */
function findSent(
  context: AmazonContext,
  order: Order,
  { confirmation, wanted }: { confirmation: ShipmentConfirmation; wanted: Pieces },
): ConfirmedShipment | null {
  const same = samePackages(order, confirmation);
  const [first] = same;
  const isAll = minus(wanted, piecesIn(same)).size === 0 || same.some(({ packageItems }) => packageItems.length === 0);
  if (!first || !isAll) return null;
  return {
    alreadySent: true,
    transactionId: first.packageReferenceId,
    trackingCarrier: first.carrier || carrierOf(context.account, confirmation).carrierCode,
    trackingNumber: confirmation.trackingNumber,
    trackingUrl: '',
    status: order.fulfillment.fulfillmentStatus,
  };
}

function requireShippable(order: Order): void {
  const { orderId, fulfillment, salesChannel } = order;
  if (fulfillment.fulfilledBy === 'AMAZON') throw refuse('order_not_shippable', `Amazon ships order ${orderId} itself`);
  if (!SHIPPABLE.has(fulfillment.fulfillmentStatus)) {
    throw refuse('order_not_shippable', `Order ${orderId} is "${fulfillment.fulfillmentStatus}" at Amazon`);
  }
  if (!salesChannel.marketplaceId) {
    throw refuse('order_not_shippable', `Amazon does not say in which marketplace order ${orderId} was placed`);
  }
}

async function send(
  context: AmazonContext,
  order: Order,
  what: { confirmation: ShipmentConfirmation; missing: Pieces; packageReferenceId: string },
): Promise<void> {
  const { confirmation, missing, packageReferenceId } = what;
  const response = await callAmazon(context, {
    operation: 'confirmShipment',
    path: `/orders/v0/orders/${encodeURIComponent(order.orderId)}/shipmentConfirmation`,
    body: {
      marketplaceId: order.salesChannel.marketplaceId,
      packageDetail: {
        packageReferenceId,
        ...carrierOf(context.account, confirmation),
        trackingNumber: confirmation.trackingNumber,
        shipDate: shipDateOf(confirmation, order, context.now()),
        orderItems: [...missing].map(([orderItemId, quantity]) => ({ orderItemId, quantity })),
      },
    },
  });
  if (response.status === 204) return;
  throw refusals.unreadable({ operation: 'confirmShipment', effect: 'write' }, { status: response.status });
}

/** Amazon wants a time and we know a day: its noon, but neither before the order nor in the future. */
function shipDateOf({ shippedOn }: ShipmentConfirmation, { createdTime }: Order, now: Date): string {
  const noon = Date.parse(`${shippedOn}T12:00:00Z`);
  return new Date(Math.min(Math.max(noon, createdTime.getTime()), now.getTime())).toISOString();
}
