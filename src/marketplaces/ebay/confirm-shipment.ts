import { IntegrationError } from '../../lib/errors.ts';
import type { ConfirmedShipment, ShipmentConfirmation } from '../adapter.ts';
import { doubtAbout } from '../look-up.ts';
import { carrierCodeOf } from './carriers.ts';
import { callEbay, type EbayContext, getFulfillments, getOrder, ORDERS } from './client.ts';
import { minus, orderedPieces, type Pieces, piecesIn } from './pieces.ts';
import { refuse, unreadable } from './refusals.ts';
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

/** Reads the order and its fulfilments, then writes one fulfilment with what is missing of the shipment. */
export async function confirmShipment(
  context: EbayContext,
  input: { confirmation: ShipmentConfirmation },
): Promise<ConfirmedShipment> {
  const confirmation = { ...input.confirmation, trackingNumber: normalise(input.confirmation.trackingNumber) };
  const before = await look(context, confirmation);
  const sent = findSent(context, before);
  if (sent) return sent;
  const missing = minus(before.wanted, piecesIn(sameShipment(before), before.ordered));
  const doubt = doubtAbout(before.unreadable, 'fulfilments');
  if (doubt) throw refuse('unknown', doubt);
  requireShippable(before, missing);
  try {
    const transactionId = await create(context, before, missing);
    return {
      alreadySent: false,
      transactionId,
      ...shownBy(context, confirmation),
      status: statusAfter(before, missing),
    };
  } catch (error) {
    const isTooMany = error instanceof IntegrationError && error.code === 'quantity_exceeded';
    const hasDead = before.fulfillments.some((each) => isDead(confirmation, each));
    if (isTooMany && hasDead) throw toldAnother(error, before);
    if (!(error instanceof IntegrationError) || error.code !== 'already_shipped') throw error;
    // Perhaps by us: the fulfilment of a call whose answer was lost may have come to light since we read.
    const late = findSent(context, await look(context, confirmation));
    if (late) return late;
    throw toldAnother(error, before);
  }
}

/**
 * eBay's interface changes no fulfilment; what it has is the live number beside the dead one (official description, read 2026-11-22).
 * Where it takes no second one, a person must correct the first.
 */
function toldAnother(error: IntegrationError, { order, confirmation, fulfillments }: Look): IntegrationError {
  const dead = fulfillments.find((each) => isDead(confirmation, each));
  if (!dead) return error;
  const message = `eBay keeps ${dead.shipmentTrackingNumber} for order ${order.orderId}: ${error.message}`;
  return refuse('told_another_number', message, error);
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
  const wanted = wantedPieces(order, ordered, confirmation);
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

function wantedPieces({ orderId }: Order, ordered: Pieces, { lines }: ShipmentConfirmation): Pieces {
  const wanted = new Map(lines.length === 0 ? minus(ordered, new Map()) : []);
  for (const { externalLineId, quantity } of lines) {
    if (!ordered.has(externalLineId)) throw refuse('line_not_found', `Order ${orderId} has no line ${externalLineId}`);
    if (quantity > 0) wanted.set(externalLineId, (wanted.get(externalLineId) ?? 0) + quantity);
  }
  if (wanted.size === 0) throw refuse('validation', 'The shipment has no lines to confirm');
  return wanted;
}

function sameShipment({ confirmation, fulfillments }: Look): Fulfillment[] {
  const wanted = confirmation.trackingNumber.toUpperCase();
  return fulfillments.filter((each) => each.shipmentTrackingNumber.toUpperCase() === wanted);
}

/** What eBay already has of the shipment, if that is all of it. */
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

/** As eBay counts: a line is fulfilled as soon as one piece of it is (LineItemFulfillmentStatusEnum, read 2026-11-21). */
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
  const left = minus(ordered, piecesIn(tracked, ordered));
  if (minus(missing, left).size === 0) return;
  if ([...missing.keys()].every((id) => !left.has(id))) {
    throw refuse('already_shipped', `Order ${orderId} was already shipped with another tracking number`);
  }
  throw refuse('quantity_exceeded', `Order ${orderId} has fewer pieces left to ship than were sent`);
}

/** Answers the id of the new fulfilment, which is the tracking number. */
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
  throw unreadable(OPERATION, { kind: 'unknown-outcome', code: 'answer-unreadable', status: response.status });
}

/** eBay wants a time and we know a day: its noon, but neither in the future nor before the order. */
function shippedDateOf({ shippedOn }: ShipmentConfirmation, { creationDate }: Order, now: Date): string {
  const noon = Date.parse(`${shippedOn}T12:00:00Z`);
  const past = Math.min(noon, now.getTime() - CLOCK_SKEW_MS);
  return new Date(Math.max(past, creationDate.getTime())).toISOString();
}
