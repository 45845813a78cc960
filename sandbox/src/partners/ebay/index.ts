import { type Request, type Response, Router } from 'express';
import { type Operations, operationIn } from '../../operations.ts';
import { confirmationsOf, orderPartner } from '../../order-partner.ts';
import type { LedgerEntry, SandboxPartner, SandboxWorld } from '../../partner.ts';
import { sendError, sendNoOrder } from './answers.ts';
import { issueToken, requireToken } from './auth.ts';
import { EbayBooks, type StoredOrder } from './books.ts';
import { createFulfillment } from './fulfillments.ts';
import { Notifier, sendNotification } from './notifications.ts';
import { renderOrder } from './render.ts';
import { complaintAboutFields, searchOrders } from './search.ts';

const ORDERS = '/sell/fulfillment/v1/order';
const FULFILLMENTS = `${ORDERS}/:orderId/shipping_fulfillment`;
const OPERATIONS: Operations = [
  ['GET', /^\/sell\/fulfillment\/v1\/order\/?$/, 'getOrders'],
  ['GET', /^\/sell\/fulfillment\/v1\/order\/[^/]+\/?$/, 'getOrder'],
  ['GET', /^\/sell\/fulfillment\/v1\/order\/[^/]+\/shipping_fulfillment\/?$/, 'getShippingFulfillments'],
  ['POST', /^\/sell\/fulfillment\/v1\/order\/[^/]+\/shipping_fulfillment\/?$/, 'createShippingFulfillment'],
  ['GET', /^\/sell\/fulfillment\/v1\/order\/[^/]+\/shipping_fulfillment\/[^/]+\/?$/, 'getShippingFulfillment'],
  ['GET', /^\/commerce\/notification\/v1\/public_key\/[^/]+\/?$/, 'getPublicKey'],
];

/**
 * Creates eBay's Sell Fulfillment API, its tokens and the key of its notifications behind one address. Login: any client id,
 * secrets and refresh tokens that start with `sandbox`; all sellers see the same orders. Orders are placed at `_seed/orders`.
 */
export function createEbaySandbox(world: SandboxWorld): SandboxPartner {
  const books = new EbayBooks(world);
  const notifier = new Notifier();
  const mayRead = requireToken(world.now, 'read');
  const router = Router();
  router.post('/identity/v1/oauth2/token', issueToken(world.now));
  router.get(ORDERS, mayRead, (request, response) => sendOrders(books, request, response));
  router.get(`${ORDERS}/:orderId`, mayRead, (request, response) => sendOrder(books, request, response));
  router.get(FULFILLMENTS, mayRead, (request, response) => sendFulfillments(books, request, response));
  router.post(FULFILLMENTS, requireToken(world.now, 'write'), (request, response) =>
    createFulfillment(books, request, response),
  );
  router.get(`${FULFILLMENTS}/:fulfillmentId`, mayRead, (request, response) =>
    sendFulfillment(books, request, response),
  );
  router.get('/commerce/notification/v1/public_key/:kid', requireToken(world.now, 'application'), (request, response) =>
    notifier.showKey(request, response),
  );
  router.get('/_notifications/:orderId', sendNotification(books, notifier));

  return {
    ...orderPartner({
      id: 'ebay',
      books,
      router,
      operations: OPERATIONS,
      ledger: () => books.state.orders.map((order) => entryOf(books, order)),
    }),
    operationOf,
  };
}

function operationOf({ method, path, body }: { method: string; path: string; body: string }): string | null {
  if (method === 'POST' && path === '/identity/v1/oauth2/token') {
    return body.includes('grant_type=client_credentials') ? 'applicationToken' : 'userToken';
  }
  return operationIn(OPERATIONS)({ method, path });
}

function sendOrders({ state, world }: EbayBooks, request: Request, response: Response): void {
  const found = searchOrders(state.orders, request.query, world.now());
  if ('errorId' in found) return void sendError(response, 400, found);
  const { orders, total, limit, offset } = found;
  const address = (at: number): string => {
    const url = new URL(request.originalUrl, `http://${request.headers.host}`);
    url.searchParams.set('limit', String(limit));
    url.searchParams.set('offset', String(at));
    return url.href;
  };
  response.json({
    href: address(offset),
    total,
    limit,
    offset,
    ...(offset > 0 ? { prev: address(Math.max(0, offset - limit)) } : {}),
    ...(offset + limit < total ? { next: address(offset + limit) } : {}),
    orders: orders.map((order) => renderOrder(order, { isListed: true, fieldGroups: request.query.fieldGroups })),
  });
}

function sendOrder(books: EbayBooks, request: Request, response: Response): void {
  const wrong = complaintAboutFields(request.query);
  if (wrong) return void sendError(response, 400, wrong);
  const order = books.findOrder(request.params.orderId);
  if (!order) return void sendNoOrder(response, String(request.params.orderId));
  response.json(renderOrder(order, { isListed: false, fieldGroups: request.query.fieldGroups }));
}

function sendFulfillments(books: EbayBooks, request: Request, response: Response): void {
  const order = books.findOrder(request.params.orderId);
  if (!order) return void sendNoOrder(response, String(request.params.orderId));
  const fulfillments = books.fulfillmentsOf(order.orderId);
  response.json({ fulfillments, total: fulfillments.length });
}

function sendFulfillment(books: EbayBooks, request: Request, response: Response): void {
  const { orderId, fulfillmentId } = request.params;
  if (!books.findOrder(orderId)) return void sendNoOrder(response, String(orderId));
  const found = books.fulfillmentsOf(String(orderId)).find((each) => each.fulfillmentId === fulfillmentId);
  if (found) return void response.json(found);
  const message = `Invalid shipping fulfillment ID: ${String(fulfillmentId)}`;
  sendError(response, 400, { errorId: 32110, message });
}

/** Fulfilments count as confirmations. */
function entryOf(books: EbayBooks, { orderId }: StoredOrder): LedgerEntry {
  const fulfillments = books.fulfillmentsOf(orderId);
  return confirmationsOf(orderId, {
    confirmed: fulfillments.length,
    trackingNumbers: fulfillments.flatMap(({ shipmentTrackingNumber }) => shipmentTrackingNumber ?? []),
  });
}
