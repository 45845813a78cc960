import { readEach, warnOf } from '../../lib/read-each.ts';
import type { ConfirmedShipment, ShipmentConfirmation } from '../adapter.ts';
import { readLookUp } from '../look-up.ts';
import type { ShopContext } from './account.ts';
import { ask, askAll } from './client.ts';
import { READ_FULFILLMENT, READ_LINES_TO_SHIP, READ_SHIPPED_LINES } from './operations.ts';
import { refuse } from './refusals.ts';
import {
  Fulfillment,
  FulfillmentOrder,
  LinesToShip,
  LineToShip,
  numberOf,
  OrderToShip,
  ShippedLine,
  ShippedLines,
} from './schema.ts';

/** Order line number to pieces. */
export type Pieces = Map<string, number>;

/** A fulfilment order: what of an order is to be shipped from one place. */
export interface FulfillmentOrderToShip extends FulfillmentOrder {
  lines: LineToShip[];
}

/** An order at the shop, as far as one shipment is concerned. */
export interface ShopOrder {
  id: string;
  name: string;
  isCancelled: boolean;
  status: string;
  /** Those that count, of any shipment. */
  fulfillments: Fulfillment[];
  /** Those among them with this shipment's tracking number, and the pieces in them. */
  same: Fulfillment[];
  /** Those among them with a number of a cancelled label. */
  dead: Fulfillment[];
  /** How many fulfilments, or lines of ours, could not be read. */
  unreadable: number;
  sentPieces: Pieces;
  fulfillmentOrders: FulfillmentOrderToShip[];
}

/** A fulfilment that was cancelled or failed shipped nothing. */
const SHIPPED_NOTHING = new Set(['CANCELLED', 'ERROR', 'FAILURE']);
/** Out of these fulfilment orders nothing is shipped any more, whatever they still count. */
const OVER = new Set(['CANCELLED', 'CLOSED', 'INCOMPLETE']);

/** Reads everything that decides what is missing. Null when there is no such order. */
export async function readShopOrder(
  context: ShopContext,
  { externalOrderId, trackingNumber, replacedNumbers = [] }: ShipmentConfirmation,
): Promise<ShopOrder | null> {
  const id = `gid://shopify/Order/${externalOrderId}`;
  const { order } = await ask(context, { operation: READ_FULFILLMENT, variables: { id }, answer: OrderToShip });
  if (!order) return null;
  const found = readLookUp(context.log, 'fulfilments', { schema: Fulfillment, raws: order.fulfillments });
  let { unreadable } = found;
  const fulfillments = found.elements.filter(({ status }) => !SHIPPED_NOTHING.has(status));
  const same = fulfillments.filter((each) => each.trackingInfo.some(({ number }) => number === trackingNumber));
  const isDead = (number: string) => number !== trackingNumber && replacedNumbers.includes(number);
  const dead = fulfillments.filter((each) => each.trackingInfo.some(({ number }) => isDead(number)));
  const sentPieces: Pieces = new Map();
  for (const { id: fulfillmentId } of same) {
    const question = { operation: READ_SHIPPED_LINES, variables: { id: fulfillmentId }, answer: ShippedLines };
    const raws = await askAll(context, question);
    const lines = readLookUp(context.log, 'lines of a fulfilment', { schema: ShippedLine, raws });
    unreadable += lines.unreadable;
    for (const { lineItem, quantity } of lines.elements) add(sentPieces, numberOf(lineItem.id), quantity ?? 0);
  }
  const fulfillmentOrders: FulfillmentOrderToShip[] = [];
  const nodes = order.fulfillmentOrders.nodes;
  for (const each of readEach(FulfillmentOrder, nodes, warnOf(context.log, 'fulfilment orders'))) {
    const question = { operation: READ_LINES_TO_SHIP, variables: { id: each.id }, answer: LinesToShip };
    const raws = await askAll(context, question);
    const lines = readEach(LineToShip, raws, warnOf(context.log, 'lines to ship'));
    const isOver = OVER.has(each.status);
    fulfillmentOrders.push({
      ...each,
      lines: isOver ? lines.map((line) => ({ ...line, remainingQuantity: 0 })) : lines,
    });
  }
  return {
    id,
    name: order.name,
    isCancelled: order.cancelledAt !== null,
    status: order.displayFulfillmentStatus,
    fulfillments,
    same,
    dead,
    unreadable,
    sentPieces,
    fulfillmentOrders,
  };
}

/**
 * Returns the missing pieces of the named lines, or all that are still to be shipped. Digital goods are in no
 * parcel.
 */
export function missingPieces(order: ShopOrder, confirmation: ShipmentConfirmation): Pieces {
  const lines = order.fulfillmentOrders.flatMap((each) => each.lines);
  const shippable = lines.filter(({ requiresShipping }) => requiresShipping);
  const missing: Pieces = new Map();
  if (confirmation.lines.length === 0) {
    for (const { lineItem, remainingQuantity } of shippable) add(missing, numberOf(lineItem.id), remainingQuantity);
    return missing;
  }
  const digital = new Set(lines.filter((line) => !line.requiresShipping).map(({ lineItem }) => numberOf(lineItem.id)));
  for (const { externalLineId, quantity } of confirmation.lines) {
    if (!digital.has(externalLineId)) add(missing, externalLineId, quantity);
  }
  for (const [line, pieces] of order.sentPieces) if (missing.has(line)) add(missing, line, -pieces);
  return missing;
}

export function add(pieces: Pieces, line: string, quantity: number): void {
  const total = (pieces.get(line) ?? 0) + quantity;
  if (total > 0) pieces.set(line, total);
  else pieces.delete(line);
}

export function alreadySent(order: ShopOrder, { trackingNumber }: ShipmentConfirmation): ConfirmedShipment {
  const info = order.same.flatMap((each) => each.trackingInfo).find(({ number }) => number === trackingNumber);
  return {
    alreadySent: true,
    transactionId: order.same.map(({ id }) => id).join(','),
    trackingCarrier: info?.company ?? '',
    trackingNumber,
    trackingUrl: info?.url ?? '',
    status: order.status,
  };
}

/** Names the tracking numbers that the shop has instead. */
export function refuseOther(order: ShopOrder): Error {
  const numbers = order.fulfillments.flatMap((each) => each.trackingInfo).map(({ number }) => number || 'no number');
  return refuse('already_shipped', `Order ${order.name} was already shipped in the shop: ${numbers.join(', ')}`);
}
