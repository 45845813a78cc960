import { type Request, type RequestHandler, type Response, Router } from 'express';
import { bodyOf, isTrue, parametersOf, sendError } from './answers.ts';
import type { Meta, ShopBooks, StoredFulfillment } from './books.ts';
import { orderOf, requireOrder } from './orders.ts';

const STATUSES = ['unfulfilled', 'fulfilled'];

/** Serves core order fulfilments. It refuses neither a repeat nor too many pieces, as in the original. */
export function fulfillmentsRouter(books: ShopBooks): Router {
  const router = Router({ mergeParams: true });
  router.use(requireOrder(books));
  router.get('/', (_request, response) => {
    response.json(books.fulfillmentsOf(orderOf(response).body.id).map(renderFulfillment));
  });
  router.post('/', (request, response) => createFulfillment(books, request, response));
  router.get('/lookup', (request, response) => lookUp(request, response));

  const find = requireFulfillment(books);
  router.get(
    '/:fulfillmentId',
    find,
    (_request, response) => void response.json(renderFulfillment(fulfillmentOf(response))),
  );
  router.put('/:fulfillmentId', find, (request, response) => updateFulfillment(books, request, response));
  router.delete('/:fulfillmentId', find, (_request, response) => {
    fulfillmentOf(response).deletedAt = books.world.now().toISOString();
    books.world.touch();
    response.json({ message: 'Fulfillment deleted successfully.' });
  });
  router.get(
    '/:fulfillmentId/metadata',
    find,
    (_request, response) => void response.json(fulfillmentOf(response).meta_data),
  );
  router.put('/:fulfillmentId/metadata', find, (request, response) => {
    replaceMeta(books, fulfillmentOf(response), bodyOf(request).meta_data);
    response.json(fulfillmentOf(response).meta_data);
  });
  router.delete('/:fulfillmentId/metadata', find, (request, response) => {
    const fulfillment = fulfillmentOf(response);
    const { key } = parametersOf(request);
    fulfillment.meta_data = fulfillment.meta_data.filter((meta) => meta.key !== key);
    books.world.touch();
    response.json(fulfillment.meta_data);
  });
  return router;
}

function requireFulfillment(books: ShopBooks): RequestHandler {
  return (request, response, next) => {
    const id = Number(request.params.fulfillmentId);
    if (!Number.isInteger(id)) return void refuse(response, 'Invalid fulfillment ID.');
    const fulfillment = books.fulfillmentsOf(orderOf(response).body.id).find((each) => each.id === id);
    if (!fulfillment) return void refuse(response, 'Fulfillment not found.');
    response.locals.fulfillment = fulfillment;
    next();
  };
}

function fulfillmentOf(response: Response): StoredFulfillment {
  return response.locals.fulfillment as StoredFulfillment;
}

function createFulfillment(books: ShopBooks, request: Request, response: Response): void {
  const { status = 'unfulfilled', is_fulfilled, notify_customer, meta_data } = parametersOf(request);
  const complaint = complaintAbout(status, meta_data);
  if (complaint) return void refuse(response, complaint);
  const orderId = orderOf(response).body.id;
  const fulfillment: StoredFulfillment = {
    id: books.takeId(),
    orderId,
    status: String(status),
    is_fulfilled: is_fulfilled === undefined ? status === 'fulfilled' : isTrue(is_fulfilled),
    updatedAt: '',
    deletedAt: null,
    meta_data: [],
  };
  replaceMeta(books, fulfillment, meta_data);
  stampFulfilled(books, fulfillment);
  books.state.fulfillments.push(fulfillment);
  // Recorded from WooCommerce 11.0.1, 2026-11-22: the order shows that it has fulfilments.
  books.setMeta(orderOf(response), '_fulfillment_status', fulfillment.is_fulfilled ? 'fulfilled' : 'unfulfilled');
  if (isTrue(notify_customer) && fulfillment.is_fulfilled) books.mail(orderId, 'fulfillment');
  // Recorded from WooCommerce 11.0.1, 2026-11-22: only this answer has a boolean, every later one has text.
  response.status(201).json({ ...renderFulfillment(fulfillment), is_fulfilled: fulfillment.is_fulfilled });
}

function updateFulfillment(books: ShopBooks, request: Request, response: Response): void {
  const fulfillment = fulfillmentOf(response);
  const wasFulfilled = fulfillment.is_fulfilled;
  const {
    status = fulfillment.status,
    is_fulfilled = wasFulfilled,
    notify_customer,
    meta_data,
  } = parametersOf(request);
  const complaint = complaintAbout(status, meta_data);
  if (complaint) return void refuse(response, complaint);
  fulfillment.status = String(status);
  fulfillment.is_fulfilled = isTrue(is_fulfilled);
  replaceMeta(books, fulfillment, meta_data);
  stampFulfilled(books, fulfillment);
  if (isTrue(notify_customer) && fulfillment.is_fulfilled) books.mail(fulfillment.orderId, 'fulfillment');
  response.json(renderFulfillment(fulfillment));
}

/** The platform's own words, or null. */
function complaintAbout(status: unknown, metaData: unknown): string | null {
  if (!STATUSES.includes(String(status))) return 'Invalid fulfillment status.';
  const items = readMeta(metaData).find(({ key }) => key === '_items')?.value;
  if (items === undefined) return 'The fulfillment should contain at least one item.';
  if (!Array.isArray(items)) return 'The fulfillment items should be an array.';
  if (items.length === 0) return 'The fulfillment should contain at least one item.';
  return items.every(isItem) ? null : 'Invalid item.';
}

function isItem(item: unknown): boolean {
  const { item_id, qty } = (item ?? {}) as { item_id?: unknown; qty?: unknown };
  return Number.isInteger(item_id) && (item_id as number) > 0 && typeof qty === 'number' && qty > 0;
}

/** Every key that is not sent is forgotten. */
function replaceMeta(books: ShopBooks, fulfillment: StoredFulfillment, metaData: unknown): void {
  fulfillment.meta_data = readMeta(metaData).map(({ key, value }) => ({ id: books.takeId(), key, value }));
  fulfillment.updatedAt = books.world.now().toISOString();
  books.world.touch();
}

/** A fulfilled one carries its date among the rest. */
function stampFulfilled(books: ShopBooks, fulfillment: StoredFulfillment): void {
  const key = '_date_fulfilled';
  if (!fulfillment.is_fulfilled || fulfillment.meta_data.some((meta) => meta.key === key)) return;
  fulfillment.meta_data.push({ id: books.takeId(), key, value: `${fulfillment.updatedAt.slice(0, 19)}Z` });
}

function readMeta(metaData: unknown): Omit<Meta, 'id'>[] {
  if (!Array.isArray(metaData)) return [];
  return metaData.filter((meta) => typeof meta?.key === 'string').map(({ key, value }) => ({ key, value }));
}

function lookUp(request: Request, response: Response): void {
  const trackingNumber = String(request.query.tracking_number ?? '');
  response.json({ tracking_number: trackingNumber, shipping_provider: '', tracking_url: '', possibilities: {} });
}

/** In these cases the platform sends the number of its exception instead of a code. */
function refuse(response: Response, message: string): void {
  sendError(response, 400, { code: 0, message });
}

function renderFulfillment({
  id,
  orderId,
  status,
  is_fulfilled,
  updatedAt,
  deletedAt,
  meta_data,
}: StoredFulfillment): object {
  return {
    id,
    entity_type: 'WC_Order',
    entity_id: String(orderId),
    status,
    is_fulfilled: is_fulfilled ? '1' : '0',
    date_updated: `${updatedAt.slice(0, 19)}Z`,
    date_deleted: deletedAt,
    meta_data,
  };
}
