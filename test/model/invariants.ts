import { CONCLUSIONS } from '../../src/domain/attempt.ts';
import type { OrderStatus } from '../../src/domain/order-status.ts';
import { orderStatusOf } from '../../src/domain/shipment-status.ts';
import { type Books, type ItemRow, readBooks, type ShipmentRow } from './books.ts';
import { countForbidden } from './guard.ts';
import type { World } from './world.ts';

const ENDED = new Set(['cancelled', 'rejected']);
const BOOKED = new Set(['created', 'transmitting', 'transmitted']);

/** What must be true after each command, whatever happened before. */
export async function checkInvariants(world: World): Promise<Books> {
  const books = await readBooks(world);
  const broken = [
    ...(await forbidden(world)),
    ...books.orders.flatMap((order) => brokenOrder(books, order)),
    ...books.shipments.flatMap((shipment) => brokenShipment(books, shipment)),
    ...books.manifests.filter(({ lines, total }) => lines !== total).map(({ id }) => `bordero ${id} counts otherwise`),
    ...books.items.flatMap((item) => lies(world, books, item)),
    ...changedAttempts(world, books),
    ...books.unrecorded.map((exchange) => `${exchange} left without an attempt of its own on record`),
  ];
  if (broken.length > 0) throw new Error(`${broken.join('\n')}\n${describe(books)}`);
  return books;
}

async function forbidden(world: World): Promise<string[]> {
  const count = await countForbidden(world.test);
  if (count === world.forbidden) return [];
  world.forbidden = count;
  return ['something tried a step that its machine forbids, and swallowed the refusal'];
}

export function liveLabels(books: Books, shipment: ShipmentRow): number {
  return books.ledger.get(shipment.reference)?.labelsSold ?? 0;
}

function brokenOrder(books: Books, order: Books['orders'][number]): string[] {
  const own = books.shipments.filter((shipment) => shipment.order_id === order.id);
  const active = own.filter((shipment) => !ENDED.has(shipment.process_status));
  const follows = orderStatuses(active[0] ?? own.at(-1));
  // A correction or a reopening takes back the error of a rejected shipment.
  const corrected = order.isChanged && active.length === 0 ? [...follows, 'pending'] : follows;
  const wanted = order.isCancelledHere ? ['cancelled'] : corrected;
  return [
    ...(order.isCancelledHere && active.length > 0 ? [`order ${order.id} is cancelled and has a shipment`] : []),
    ...(active.length > 1 ? [`order ${order.id} has ${active.length} active shipments`] : []),
    ...(wanted.includes(order.status) ? [] : [`order ${order.id} is ${order.status}, not ${wanted.join(' or ')}`]),
  ];
}

/** What an order may be, by its active shipment, else by its last. */
function orderStatuses(shipment: ShipmentRow | undefined): OrderStatus[] {
  if (!shipment || shipment.process_status === 'cancelled') return ['pending'];
  if (shipment.process_status === 'rejected') return ['error'];
  // While nobody knows whether it is cancelled, an order does not follow its parcel.
  if (shipment.process_status === 'cancelling') return [shipment.transmitted ? 'transmitted' : 'shipment_created'];
  const moved = shipment.tracking_status && orderStatusOf(shipment.tracking_status);
  if (moved) return [moved];
  if (shipment.borderos.length > 0) return ['manifested'];
  switch (shipment.process_status) {
    case 'created':
    case 'transmitting':
      return ['shipment_created'];
    case 'transmitted':
      return ['transmitted'];
    default:
      // The error is that of the last try, while the next one runs.
      return shipment.exhausted ? ['error'] : ['pending', 'error'];
  }
}

function brokenShipment(books: Books, shipment: ShipmentRow): string[] {
  const { id, process_status: status, parcel_count: parcels } = shipment;
  const labels = liveLabels(books, shipment);
  const isOpen = status === 'submitting' || status === 'unknown_outcome';
  const entry = books.ledger.get(shipment.reference);
  const name = `shipment ${id}, ${status},`;
  return [
    ...(!isOpen && labels > parcels && !shipment.surplus
      ? [`${name} has ${labels} labels for ${parcels} parcels`]
      : []),
    ...(BOOKED.has(status) && labels < parcels ? [`${name} has ${labels} labels for ${parcels} parcels`] : []),
    ...(BOOKED.has(status) && !entry?.trackingNumbers.includes(shipment.tracking_number ?? '')
      ? [`${name} has the number ${shipment.tracking_number}, the carrier knows ${entry?.trackingNumbers.join(', ')}`]
      : []),
    ...((ENDED.has(status) || status === 'queued') && labels > 0 && !shipment.surplus
      ? [`${name} has ${labels} live labels`]
      : []),
    ...(status === 'transmitted' && entry?.confirmed === 0 ? [`${name} was never confirmed to its carrier`] : []),
    ...(shipment.borderos.length > 1 ? [`${name} is on ${shipment.borderos.length} borderos`] : []),
    ...(shipment.borderos.length > 0 && status !== 'transmitted' ? [`${name} is on a bordero`] : []),
  ];
}

/** A settled item says what is so at the moment it is settled; that it does not change later is checked by the guard. */
function lies(world: World, books: Books, item: ItemRow): string[] {
  const isNews = world.told.get(item.id) !== item.status;
  world.told.set(item.id, item.status);
  const shipment = books.shipments.find(({ id }) => id === item.shipment_id);
  const is = `a client was told that ${item.kind} of order ${item.order_id} ${item.status} (${item.message}), but`;
  if (item.status === 'succeeded' && !shipment) return [`${is} there is no shipment`];
  if (
    item.kind === 'cancel' &&
    item.status === 'succeeded' &&
    shipment &&
    !shipment.surplus &&
    liveLabels(books, shipment) > 0
  ) {
    return [`${is} its label lives`];
  }
  // Of two things at the same moment the later one may already have changed what the earlier one said.
  if (!isNews || world.isCrowded || !shipment || item.status === 'pending' || item.status === 'running') return [];
  const so = {
    create: BOOKED.has(shipment.process_status),
    transmit: shipment.process_status === 'transmitted',
    cancel: shipment.process_status === 'cancelled',
    // It is about the label that the correction replaced.
    correct: shipment.process_status === 'cancelled',
  }[item.kind];
  return so === (item.status === 'succeeded') ? [] : [`${is} the shipment is ${shipment.process_status}`];
}

/** Attempts are never deleted, and one whose outcome is known keeps it: only what a look-up concluded may be put right by the carrier. */
function changedAttempts(world: World, books: Books): string[] {
  const now = new Map(books.attempts.map((attempt) => [attempt.id, attempt]));
  const changed = [...world.attempts].flatMap(([id, { result, code }]) => {
    const is = now.get(id)?.result;
    if (is === undefined) return [`attempt ${id} was deleted`];
    const isKnown = result === 'succeeded' || result === 'failed';
    const isPutRight = result === 'failed' && CONCLUSIONS.includes(code ?? '') && is === 'succeeded';
    return isKnown && is !== result && !isPutRight ? [`attempt ${id} went from ${result} to ${is}`] : [];
  });
  for (const [id, attempt] of now) world.attempts.set(id, attempt);
  return changed;
}

export function describe(books: Books): string {
  const lines = books.shipments.map((shipment) => {
    const tries = books.attempts.filter(({ shipment_id }) => shipment_id === shipment.id);
    return JSON.stringify({
      ...shipment,
      order: books.orders.find(({ id }) => id === shipment.order_id)?.status,
      ledger: books.ledger.get(shipment.reference),
      attempts: tries.map(({ operation, result }) => `${operation} ${result}`),
    });
  });
  return [...lines, ...books.items.map((item) => JSON.stringify(item))].join('\n');
}
