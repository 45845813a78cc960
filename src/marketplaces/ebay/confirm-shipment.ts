import { IntegrationError } from '../../lib/errors.ts';
import type { ConfirmedShipment, ShipmentConfirmation } from '../adapter.ts';
import { confirmOnce } from '../confirm-once.ts';
import { doubtAbout } from '../look-up.ts';
import { minus, type Pieces, requireLeft, wantedPieces } from '../pieces.ts';
import { carrierCodeOf } from './carriers.ts';
import { callEbay, type EbayContext, getFulfillments, getOrder, ORDERS } from './client.ts';
import { orderedPieces, piecesIn } from './pieces.ts';
import { refusals, refuse } from './refusals.ts';
import type { Fulfillment, Order } from './schema.ts';
import { standingOf } from './state.ts';

const OPERATION = 'createShippingFulfillment';
/** So much may our clock be ahead of eBay's, which refuses a day in its future. */
const CLOCK_SKEW_MS = 2 * 60_000;

/** A shipment, and the order that it is for as eBay has it. */
interface Look {
  confirmation: ShipmentConfirmation;
  order: Order;
  fulfillments: Fulfillment[];
  /** How many fulfilments could not be read. */
  unreadable: number;
  ordered: Pieces;
  wanted: Pieces;
}

/** Reads the order and its fulfilments, then writes one fulfilment with the missing pieces. */
export async function confirmShipment(
  context: EbayContext,
  input: { confirmation: ShipmentConfirmation },
): Promise<ConfirmedShipment> {
  const confirmation = { ...input.confirmation, trackingNumber: normalise(input.confirmation.trackingNumber) };
  return confirmOnce({
    async look() {
      const found = await look(context, confirmation);
      const sent = findSent(context, found);
      if (sent) return { sent };
      return { write: () => write(context, found), explain: (refusal) => toldAnother(refusal, found) };
    },
    // With a status it is eBay's refusal, and not our own reading.
    mayBeDone: ({ code, status }) => code === 'already_shipped' && status !== undefined,
  });
}

async function write(context: EbayContext, found: Look): Promise<ConfirmedShipment> {
  const missing = minus(found.wanted, piecesIn(sameShipment(found), found.ordered));
  const doubt = doubtAbout(found.unreadable, 'fulfilments');
  if (doubt) throw refuse('unknown', doubt);
  requireShippable(found, missing);
  const transactionId = await create(context, found, missing).catch((error: unknown) => {
    const isTooMany = error instanceof IntegrationError && error.code === 'quantity_exceeded';
    throw isTooMany ? toldAnother(error, found) : error;
  });
  return {
    alreadySent: false,
    transactionId,
    ...shownBy(context, found.confirmation),
    status: statusAfter(found, missing),
  };
}

/**
 * eBay's interface changes no fulfilment: the live number stands beside the dead one (official description, read
 * 2026-11-22). Where eBay takes no second one, a person must correct the first.
 */
function toldAnother(refusal: IntegrationError, { order, confirmation, fulfillments }: Look): IntegrationError {
  const dead = fulfillments.find((each) => isDead(confirmation, each));
  if (!dead) return refusal;
  const message = `eBay keeps ${dead.shipmentTrackingNumber} for order ${order.orderId}: ${refusal.message}`;
  return refuse('told_another_number', message, refusal);
}

function isDead(
  { trackingNumber, replacedNumbers = [] }: ShipmentConfirmation,
  { shipmentTrackingNumber }: Fulfillment,
): boolean {
  const number = compact(shipmentTrackingNumber);
  return number !== compact(trackingNumber) && replacedNumbers.some((each) => compact(each) === number);
}

function compact(trackingNumber: string): string {
  return trackingNumber.replace(/[\s-]/g, '').toUpperCase();
}

async function look(context: EbayContext, confirmation: ShipmentConfirmation): Promise<Look> {
  const order = await getOrder(context, confirmation.externalOrderId);
  const ordered = orderedPieces(order);
  const wanted = wantedPieces(refuse, { order: order.orderId, ordered, lines: confirmation.lines });
  const { elements: fulfillments, unreadable } = await getFulfillments(context, order.orderId);
  return { confirmation, order, ordered, wanted, fulfillments, unreadable };
}

/** eBay takes letters and digits only, whatever is printed on the label. */
function normalise(trackingNumber: string): string {
  const compact = trackingNumber.replace(/[\s-]/g, '');
  if (compact === '') throw refuse('tracking_invalid', 'The shipment has no tracking number');
  if (/^[A-Za-z0-9]+$/.test(compact)) return compact;
  throw refuse('tracking_invalid', `eBay takes letters and digits only, and the tracking number is ${trackingNumber}`);
}

function sameShipment({ confirmation, fulfillments }: Look): Fulfillment[] {
  const wanted = confirmation.trackingNumber.toUpperCase();
  return fulfillments.filter((each) => each.shipmentTrackingNumber.toUpperCase() === wanted);
}

/** Null unless eBay has all of the shipment. */
function findSent(context: EbayContext, found: Look): ConfirmedShipment | null {
  const same = sameShipment(found);
  const [first] = same;
  if (!first || minus(found.wanted, piecesIn(same, found.ordered)).size > 0) return null;
  const shown = shownBy(context, found.confirmation);
  return {
    alreadySent: true,
    transactionId: first.fulfillmentId,
    ...shown,
    trackingCarrier: first.shippingCarrierCode || shown.trackingCarrier,
    status: found.order.orderFulfillmentStatus,
  };
}

/** eBay keeps no link. */
function shownBy({ account }: EbayContext, confirmation: ShipmentConfirmation) {
  const { trackingNumber } = confirmation;
  return { trackingCarrier: carrierCodeOf(account, confirmation), trackingNumber, trackingUrl: '' };
}

/** Counts like eBay: a line is fulfilled as soon as one piece of it is (LineItemFulfillmentStatusEnum, read 2026-11-21). */
function statusAfter({ ordered, fulfillments }: Look, sent: Pieces): string {
  const before = piecesIn(fulfillments, ordered);
  return [...ordered.keys()].every((id) => before.has(id) || sent.has(id)) ? 'FULFILLED' : 'IN_PROGRESS';
}

function requireShippable({ order, ordered, fulfillments, confirmation }: Look, missing: Pieces): void {
  const { orderId, orderPaymentStatus, cancelStatus } = order;
  const { state } = standingOf(order);
  if (state === 'held' || state === 'cancelled') {
    const why = `its payment is ${orderPaymentStatus}, its cancellation ${cancelStatus.cancelState}`;
    throw refuse('order_not_shippable', `Order ${orderId} cannot be shipped at eBay: ${why}`);
  }
  // One without a number only says "shipped": whether a number may be added to it is for eBay to say.
  const tracked = fulfillments.filter((each) => each.shipmentTrackingNumber !== '' && !isDead(confirmation, each));
  requireLeft(refuse, { order: orderId, missing, left: minus(ordered, piecesIn(tracked, ordered)) });
}

/** Returns the id of the new fulfilment, which is the tracking number. */
async function create(context: EbayContext, { order, confirmation }: Look, pieces: Pieces): Promise<string> {
  const response = await callEbay(context, {
    operation: OPERATION,
    method: 'POST',
    path: `${ORDERS}/${encodeURIComponent(order.orderId)}/shipping_fulfillment`,
    body: {
      lineItems: [...pieces].map(([lineItemId, quantity]) => ({ lineItemId, quantity })),
      shippedDate: shippedDateOf(confirmation, order, context.now()),
      shippingCarrierCode: carrierCodeOf(context.account, confirmation),
      trackingNumber: confirmation.trackingNumber,
    },
  });
  const [, id] = /\/shipping_fulfillment\/([^/?]+)$/.exec(response.headers.location ?? '') ?? [];
  if (response.status === 201 && id !== undefined) return decodeURIComponent(id);
  throw refusals.unreadable({ operation: OPERATION, effect: 'write' }, { status: response.status });
}

/** eBay wants a time and we know a day: its noon, but neither in the future nor before the order. */
function shippedDateOf({ shippedOn }: ShipmentConfirmation, { creationDate }: Order, now: Date): string {
  const noon = Date.parse(`${shippedOn}T12:00:00Z`);
  const past = Math.min(noon, now.getTime() - CLOCK_SKEW_MS);
  return new Date(Math.max(past, creationDate.getTime())).toISOString();
}
