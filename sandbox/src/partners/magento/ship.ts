import type { Request, Response } from 'express';
import { objectIn } from '../../order-partner.ts';
import { isObject, sendError, sendMissing, sendNoEntity } from './answers.ts';
import { itemsOf, type MagentoBooks, openOf, type StoredOrder, type StoredTrack } from './books.ts';

type NewTrack = Pick<StoredTrack, 'track_number' | 'title' | 'carrier_code'>;

interface Asked {
  items: { order_item_id: number; qty: number }[];
  tracks: NewTrack[];
}

const TRACK_FIELDS = ['track_number', 'title', 'carrier_code'];
const BLOCKED = ['payment_review', 'holded', 'canceled'];

/** Handles `POST order/{id}/ship`: one shipment of the named lines, or of everything that is left. */
export function shipOrder(books: MagentoBooks, request: Request, response: Response): void {
  const order = books.findOrder(request.params.orderId);
  if (!order) return void sendNoEntity(response);
  const body = objectIn(request) ?? {};
  const asked = readAsked(body);
  if ('missing' in asked) return void sendMissing(response, asked.missing);
  const complaints = complaintsAbout(order, asked);
  if (complaints.length > 0) {
    const message = ['Shipment Document Validation Error(s):', ...complaints].join('\n');
    return void sendError(response, 400, { message });
  }
  const entity_id = books.takeId();
  const items = piecesOf(order, asked);
  const total_qty = items.reduce((sum, { qty }) => sum + qty, 0);
  const owner = { order_id: order.entity_id, parent_id: entity_id, weight: 0, qty: total_qty, description: null };
  books.ship(order, {
    entity_id,
    increment_id: String(entity_id).padStart(9, '0'),
    order_id: order.entity_id,
    created_at: books.now(),
    updated_at: books.now(),
    total_qty,
    total_weight: 0,
    items,
    tracks: asked.tracks.map((track) => ({ entity_id: books.takeId(), ...owner, ...track })),
  });
  if (body.notify === true) books.state.mails.push({ orderId: order.entity_id, shipmentId: entity_id });
  response.json(entity_id);
}

/** Handles `POST shipment/track`: one more number on a shipment. */
export function addTrack(books: MagentoBooks, request: Request, response: Response): void {
  const entity = objectIn(request)?.entity;
  if (!isObject(entity)) return void sendMissing(response, 'entity');
  const required = ['order_id', 'parent_id', 'weight', 'qty', 'description', ...TRACK_FIELDS];
  const missing = required.find((name) => entity[name] === undefined || entity[name] === null);
  if (missing) return void sendMissing(response, missing);
  const shipment = books.state.shipments.find(({ entity_id }) => entity_id === entity.parent_id);
  const order = books.findOrder(entity.order_id);
  if (!order || shipment?.order_id !== order.entity_id) {
    return void sendError(response, 400, { message: 'Could not save the shipment tracking.' });
  }
  const track = { ...(entity as unknown as StoredTrack), entity_id: books.takeId() };
  shipment.tracks.push(track);
  books.changed(order);
  response.json(track);
}

/** Handles `DELETE shipment/track/{id}`: answers `true`. */
export function deleteTrack(books: MagentoBooks, request: Request, response: Response): void {
  const id = Number(request.params.trackId);
  const shipment = books.state.shipments.find(({ tracks }) => tracks.some(({ entity_id }) => entity_id === id));
  const order = shipment && books.findOrder(shipment.order_id);
  if (!shipment || !order) return void sendNoEntity(response);
  shipment.tracks = shipment.tracks.filter(({ entity_id }) => entity_id !== id);
  books.changed(order);
  response.json(true);
}

function readAsked({ items = [], tracks = [] }: Record<string, unknown>): Asked | { missing: string } {
  if (!Array.isArray(items)) return { missing: 'items' };
  if (!Array.isArray(tracks)) return { missing: 'tracks' };
  for (const name of ['order_item_id', 'qty']) {
    if (items.some((item) => item?.[name] === undefined)) return { missing: name };
  }
  for (const name of TRACK_FIELDS) {
    if (tracks.some((track) => typeof track?.[name] !== 'string')) return { missing: name };
  }
  return {
    items: items.map(({ order_item_id, qty }) => ({ order_item_id: Number(order_item_id), qty: Number(qty) })),
    tracks: tracks.map(({ track_number, title, carrier_code }) => ({ track_number, title, carrier_code })),
  };
}

function complaintsAbout(order: StoredOrder, asked: Asked): string[] {
  return [...complaintsAboutState(order), ...complaintsAboutPieces(order, asked), ...complaintsAboutTracks(asked)];
}

function complaintsAboutState(order: StoredOrder): string[] {
  if (BLOCKED.includes(order.state) || order.is_virtual === 1) {
    return [`A shipment cannot be created when an order has a status of ${order.status}`];
  }
  const isOpen = itemsOf(order).some((item) => item.is_virtual !== 1 && openOf(item) > 0);
  return isOpen ? [] : ['The order does not allow a shipment to be created.'];
}

function complaintsAboutPieces(order: StoredOrder, asked: Asked): string[] {
  const known = new Map(itemsOf(order).map((item) => [item.item_id, item]));
  const complaints = asked.items.flatMap(({ order_item_id, qty }) => {
    const item = known.get(order_item_id);
    if (!item) return ['The shipment contains product SKU "" that is not part of the original order.'];
    if (qty <= openOf(item)) return [];
    return [`The quantity to ship must not be greater than the unshipped quantity for product SKU "${item.sku}".`];
  });
  const total = piecesOf(order, asked).reduce((sum, { qty }) => sum + qty, 0);
  return total > 0 ? complaints : [...complaints, "You can't create a shipment without products."];
}

function complaintsAboutTracks({ tracks }: Asked): string[] {
  return tracks.filter(({ track_number }) => !track_number).map(() => 'Please enter a tracking number.');
}

/** Top-level lines; virtual ones are left out even when they are named. */
function piecesOf(order: StoredOrder, { items }: Asked): Asked['items'] {
  const mine = itemsOf(order).filter((item) => item.is_virtual !== 1 && !item.parent_item_id);
  if (items.length === 0) {
    return mine.map((item) => ({ order_item_id: item.item_id, qty: openOf(item) })).filter(({ qty }) => qty > 0);
  }
  return items.filter(({ order_item_id, qty }) => qty > 0 && mine.some(({ item_id }) => item_id === order_item_id));
}
