import { Router } from 'express';
import type { Operations } from '../../operations.ts';
import { confirmationsOf, orderPartner } from '../../order-partner.ts';
import type { LedgerEntry, SandboxPartner, SandboxWorld } from '../../partner.ts';
import { sendNotFound } from './answers.ts';
import { requireSignature } from './auth.ts';
import { KauflandBooks, type StoredOrder } from './books.ts';
import { sendOrder, sendOrders } from './orders.ts';
import { CARRIERS, fulfilUnit, sendUnit } from './send.ts';

const OPERATIONS: Operations = [
  ['GET', /^\/v2\/orders\/?$/, 'GetOrders'],
  ['GET', /^\/v2\/orders\/[^/]+\/?$/, 'GetOrder'],
  ['GET', /^\/v2\/carriers\/?$/, 'GetCarriers'],
  ['GET', /^\/v2\/order-units\/[^/]+\/?$/, 'GetOrderUnit'],
  ['PATCH', /^\/v2\/order-units\/[^/]+\/send\/?$/, 'SendOrderUnit'],
  ['PATCH', /^\/v2\/order-units\/[^/]+\/fulfil\/?$/, 'FulfilOrderUnit'],
];

/** Creates the orders of Kaufland's Seller API v2. It checks signatures; orders are placed at `_seed/orders`. */
export function createKauflandSandbox(world: SandboxWorld): SandboxPartner {
  const books = new KauflandBooks(world);
  const mayRead = requireSignature('read');
  const mayWrite = requireSignature('write');
  const router = Router();
  router.get('/v2/orders', mayRead, (request, response) => sendOrders(books, request, response));
  router.get('/v2/orders/:id', mayRead, (request, response) => sendOrder(books, request, response));
  router.get('/v2/carriers', mayRead, (_request, response) => void response.json({ data: { carriers: CARRIERS } }));
  router.get('/v2/order-units/:id', mayRead, (request, response) => {
    const found = books.findUnit(request.params.id);
    if (found) response.json({ data: found.unit });
    else sendNotFound(response);
  });
  router.patch('/v2/order-units/:id/send', mayWrite, (request, response) => sendUnit(books, request, response));
  router.patch('/v2/order-units/:id/fulfil', mayWrite, (request, response) => fulfilUnit(books, request, response));

  return orderPartner({
    id: 'kaufland',
    books,
    router,
    operations: OPERATIONS,
    ledger: () => books.state.orders.map((order) => entryOf(books, order)),
  });
}

/** A parcel is a confirmation, of however many pieces. A piece that was sent twice would make it two. */
function entryOf({ state }: KauflandBooks, { id_order }: StoredOrder): LedgerEntry {
  const sendings = state.sendings.filter((each) => each.id_order === id_order);
  const parcels = new Set(sendings.map(({ tracking_numbers }) => tracking_numbers)).size;
  const pieces = new Set(sendings.map(({ id_order_unit }) => id_order_unit)).size;
  return confirmationsOf(id_order, {
    confirmed: parcels + sendings.length - pieces,
    trackingNumbers: [...new Set(sendings.map(({ tracking_numbers }) => tracking_numbers))],
  });
}
