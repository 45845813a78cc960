import { IntegrationError } from '../../lib/errors.ts';
import type { ConfirmedShipment, ShipmentConfirmation } from '../adapter.ts';
import { doubtAbout } from '../look-up.ts';
import { minus, type Pieces } from '../pieces.ts';
import { isSameNumber } from '../tracking-numbers.ts';
import type { ShopContext } from './account.ts';
import { type Carrier, carrierOf } from './carriers.ts';
import { addTrack, getOrder, listShipments, shipOrder } from './client.ts';
import { openPieces, piecesIn, readLines } from './pieces.ts';
import { refuse } from './refusals.ts';
import type { Order, Shipment } from './schema.ts';
import { correctTracks } from './tracks.ts';

/** States of Magento's own check, CanShip. */
const NOT_SHIPPABLE = new Set(['payment_review', 'holded', 'canceled']);
/** Magento refuses with these as well when a shipment, perhaps ours, was made since we read. */
const PERHAPS_SHIPPED = new Set(['already_shipped', 'quantity_exceeded', 'platform_unavailable']);

interface Wanted {
  confirmation: ShipmentConfirmation;
  pieces: Pieces;
}

/**
 * Reads the order and its shipments, then makes one shipment of the missing pieces. Not by `confirmOnce`: only the
 * shipments are read again, and the status comes last.
 */
export async function confirmShipment(
  context: ShopContext,
  { confirmation: given }: { confirmation: ShipmentConfirmation },
): Promise<ConfirmedShipment> {
  const confirmation = { ...given, trackingNumber: given.trackingNumber.trim() };
  if (confirmation.trackingNumber === '') throw refuse('tracking_invalid', 'The shipment has no tracking number');
  if (!/^[1-9]\d*$/.test(confirmation.externalOrderId)) {
    throw refuse('order_not_found', `"${confirmation.externalOrderId}" is not the id of a Magento order`);
  }
  const order = await getOrder(context, confirmation.externalOrderId);
  const found = await listShipments(context, order.entity_id);
  const wanted: Wanted = { confirmation, pieces: wantedPieces(order, confirmation) };
  const isCorrected = await correctTracks(context, { order, shipments: found.elements, confirmation });
  const shipments = isCorrected ? (await listShipments(context, order.entity_id)).elements : found.elements;
  const sent = findSent(shipments, wanted);
  if (sent) return { ...sent, alreadySent: !isCorrected, status: order.status };
  const doubt = doubtAbout(found.unreadable, 'shipments');
  if (doubt) throw refuse('unknown', doubt);
  const missing = minus(wanted.pieces, piecesIn(sameShipments(shipments, confirmation)));

  let transactionId: string;
  try {
    transactionId = await write(context, { order, shipments, confirmation, missing });
  } catch (error) {
    if (!(error instanceof IntegrationError) || error.status !== 400 || !PERHAPS_SHIPPED.has(error.code)) throw error;
    const late = findSent((await listShipments(context, order.entity_id)).elements, wanted);
    if (!late) throw error;
    return { ...late, status: await readStatus(context, order) };
  }
  return {
    alreadySent: false,
    transactionId,
    trackingCarrier: shown(carrierOf(context.account, confirmation)),
    trackingNumber: confirmation.trackingNumber,
    // Magento keeps none.
    trackingUrl: '',
    status: await readStatus(context, order),
  };
}

/** Magento ships no virtual lines, so they are left out. */
function wantedPieces(order: Order, { lines }: ShipmentConfirmation): Pieces {
  const ordered = new Map(readLines(order).lines.map((line) => [String(line.item_id), line]));
  const wanted = new Map<string, number>();
  if (lines.length === 0) {
    for (const [id, line] of ordered) {
      const quantity = line.qty_ordered - line.qty_canceled - line.qty_refunded;
      if (quantity > 0 && !line.is_virtual) wanted.set(id, quantity);
    }
  }
  for (const { externalLineId: id, quantity } of lines) {
    const line = ordered.get(id);
    if (!line) throw refuse('line_not_found', `Order ${order.increment_id} has no line ${id}`);
    if (quantity > 0 && !line.is_virtual) wanted.set(id, (wanted.get(id) ?? 0) + quantity);
  }
  return wanted;
}

function sameShipments(shipments: Shipment[], { trackingNumber }: ShipmentConfirmation): Shipment[] {
  return shipments.filter(({ tracks }) => tracks.some((each) => isSameNumber(each.track_number, trackingNumber)));
}

/** Null unless the shop has all of the shipment. A shipment that names no lines counts as all. */
function findSent(shipments: Shipment[], { confirmation, pieces }: Wanted): Omit<ConfirmedShipment, 'status'> | null {
  const same = sameShipments(shipments, confirmation);
  const [first] = same;
  const isAll = minus(pieces, piecesIn(same)).size === 0 || same.some(({ items }) => items.length === 0);
  if (!first || !isAll) return null;
  const track = first.tracks.find((each) => isSameNumber(each.track_number, confirmation.trackingNumber));
  return {
    alreadySent: true,
    transactionId: String(first.entity_id),
    trackingCarrier: track ? shown(track) : '',
    trackingNumber: confirmation.trackingNumber,
    trackingUrl: '',
  };
}

interface Writing {
  order: Order;
  shipments: Shipment[];
  confirmation: ShipmentConfirmation;
  missing: Pieces;
}

/** Returns the id of the shipment: a new one, or one of these very pieces that was made without a number. */
async function write(context: ShopContext, { order, shipments, confirmation, missing }: Writing): Promise<string> {
  requireShippable(order);
  if (missing.size === 0) throw refuse('validation', 'The shipment has no lines to confirm');
  const track = { ...carrierOf(context.account, confirmation), track_number: confirmation.trackingNumber };
  const bare = shipments.find((each) => each.tracks.length === 0 && isEqual(piecesOf(each, order), missing));
  if (bare) {
    await addTrack(context, bare, { ...track, order_id: order.entity_id });
    return String(bare.entity_id);
  }
  requireOpen(order, missing);
  const { sourceCode } = context.account;
  return shipOrder(context, order.entity_id, {
    items: [...missing].map(([id, qty]) => ({ order_item_id: Number(id), qty })),
    notify: true,
    tracks: [track],
    ...(sourceCode ? { arguments: { extension_attributes: { source_code: sourceCode } } } : {}),
  });
}

function requireShippable(order: Order): void {
  if (order.is_virtual) {
    throw refuse('order_not_shippable', `Order ${order.increment_id} holds digital goods only`);
  }
  if (NOT_SHIPPABLE.has(order.state)) {
    throw refuse('order_not_shippable', `Order ${order.increment_id} is "${order.status}" in the shop`);
  }
}

/** The shop would ship fewer pieces than it is told rather than refuse. */
function requireOpen(order: Order, missing: Pieces): void {
  const open = new Map(readLines(order).lines.map((line) => [String(line.item_id), openPieces(line)]));
  if (minus(missing, open).size === 0) return;
  if ([...missing.keys()].every((id) => (open.get(id) ?? 0) <= 0)) {
    throw refuse('already_shipped', `Order ${order.increment_id} has nothing left of these lines to ship`);
  }
  throw refuse('quantity_exceeded', `Order ${order.increment_id} has fewer pieces left to ship than were sent`);
}

/** Without the parts of configurable products and bundles, which a shipment lists beside them. */
function piecesOf(shipment: Shipment, order: Order): Pieces {
  const lines = new Set(readLines(order).lines.map(({ item_id }) => String(item_id)));
  return new Map([...piecesIn([shipment])].filter(([id]) => lines.has(id)));
}

function isEqual(a: Pieces, b: Pieces): boolean {
  return a.size === b.size && [...a].every(([id, quantity]) => b.get(id) === quantity);
}

function shown({ carrier_code, title }: Carrier): string {
  return `${carrier_code} ${title}`.trim();
}

/** The shipment is made by now: a status that cannot be read must not make a failure of it. */
async function readStatus(context: ShopContext, order: Order): Promise<string> {
  try {
    return (await getOrder(context, String(order.entity_id))).status;
  } catch (err) {
    context.log.warn({ err, orderId: order.entity_id }, 'status after the shipment not read');
    return order.status;
  }
}
