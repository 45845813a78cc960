import { type Request, type RequestHandler, type Response, Router } from 'express';
import { bodyOf, isTrue, sendError, sendInvalidParams } from './answers.ts';
import type { ShopBooks, StoredNote, StoredOrder } from './books.ts';
import { selectOrders } from './order-filters.ts';
import { createRefund, refundsOf, renderRefund } from './refunds.ts';
import { renderOrder, shopTime } from './render.ts';

const STATUSES = ['pending', 'processing', 'on-hold', 'completed', 'cancelled', 'refunded', 'failed', 'trash'];
const CHANGEABLE = [
  'customer_note',
  'billing',
  'shipping',
  'payment_method',
  'payment_method_title',
  'transaction_id',
  'customer_id',
];

/** Serves `/wc/v3/orders` and the paths below an order, in every shop. */
export function ordersRouter(books: ShopBooks): Router {
  const router = Router({ mergeParams: true });
  router.get('/', (request, response) => listOrders(books, request, response));
  const find = requireOrder(books, NO_SUCH_POST);
  router.get('/:id', find, (_request, response) => void response.json(renderOrder(orderOf(response))));
  router.put('/:id', find, (request, response) => updateOrder(books, request, response));
  router.delete('/:id', find, (request, response) => {
    const order = orderOf(response);
    const body = renderOrder(order);
    if (isTrue(request.query.force)) books.removeOrder(order);
    else books.setStatus(order, 'trash');
    response.json(body);
  });
  router.get('/:id/notes', requireOrder(books), (_request, response) => {
    const { id } = orderOf(response).body;
    response.json(books.state.notes.filter((note) => note.orderId === id).map(renderNote));
  });
  router.post('/:id/notes', requireOrder(books), (request, response) => createNote(books, request, response));
  router.get('/:id/refunds', requireOrder(books), (_request, response) => {
    response.json(refundsOf(books, orderOf(response)).map(renderRefund));
  });
  router.post('/:id/refunds', requireOrder(books), (request, response) => {
    response.status(201).json(renderRefund(createRefund(books, orderOf(response), bodyOf(request))));
  });
  return router;
}

/** How the order's own resource says it; recorded from WooCommerce 11.0.1, 2026-11-22. */
const NO_SUCH_POST = { code: 'woocommerce_rest_shop_order_invalid_id', message: 'Invalid ID.' };
const NO_SUCH_ORDER = { code: 'woocommerce_rest_order_invalid_id', message: 'Invalid order ID.' };

export function requireOrder(books: ShopBooks, refusal = NO_SUCH_ORDER): RequestHandler {
  return (request, response, next) => {
    const order = books.findOrder(request.params.id);
    if (!order) return void sendError(response, 404, refusal);
    response.locals.order = order;
    next();
  };
}

/** Returns the order that `requireOrder` found. */
export function orderOf(response: Response): StoredOrder {
  return response.locals.order as StoredOrder;
}

function listOrders(books: ShopBooks, request: Request, response: Response): void {
  const selection = selectOrders(books.state.orders, request.query);
  if ('invalid' in selection) return void sendInvalidParams(response, selection.invalid);
  const { orders, total, page, perPage } = selection;
  const pages = Math.ceil(total / perPage);
  const link = (rel: string, to: number): string => {
    const url = new URL(request.originalUrl, `http://${request.headers.host}`);
    url.searchParams.set('page', String(to));
    return `<${url.href}>; rel="${rel}"`;
  };
  const links = [page > 1 ? link('prev', page - 1) : '', page < pages ? link('next', page + 1) : ''].filter(Boolean);
  response.set({ 'X-WP-Total': String(total), 'X-WP-TotalPages': String(pages) });
  if (links.length > 0) response.set('Link', links.join(', '));
  response.json(orders.map(renderOrder));
}

function updateOrder(books: ShopBooks, request: Request, response: Response): void {
  const order = orderOf(response);
  const body = bodyOf(request);
  const { status } = body;
  if (status !== undefined && !STATUSES.includes(String(status))) {
    return void sendInvalidParams(response, { status: `status is not one of ${STATUSES.join(', ')}.` });
  }
  for (const field of CHANGEABLE) if (field in body) order.body[field] = body[field];
  if (status === undefined) books.modified(order);
  else books.setStatus(order, String(status));
  response.json(renderOrder(order));
}

function createNote(books: ShopBooks, request: Request, response: Response): void {
  const { id: orderId } = orderOf(response).body;
  const { note: text, customer_note, added_by_user } = bodyOf(request);
  if (typeof text !== 'string' || text === '') return void sendInvalidParams(response, { note: 'note is required.' });
  const note: StoredNote = {
    id: books.takeId(),
    orderId,
    createdAt: books.world.now().toISOString(),
    note: text,
    customer_note: isTrue(customer_note),
    author: isTrue(added_by_user) ? 'sandbox' : 'WooCommerce',
  };
  books.state.notes.push(note);
  if (note.customer_note) books.mail(orderId, 'note');
  books.world.touch();
  response.status(201).json(renderNote(note));
}

function renderNote({ id, author, createdAt, note, customer_note }: StoredNote): object {
  return {
    id,
    author,
    date_created: shopTime(createdAt),
    date_created_gmt: createdAt.slice(0, 19),
    note,
    customer_note,
  };
}
