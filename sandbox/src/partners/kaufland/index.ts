import { Router } from 'express';
import type { LedgerEntry, SandboxPartner, SandboxWorld } from '../../partner.ts';
import { sendNotFound } from './answers.ts';
import { requireSignature } from './auth.ts';
import { KauflandBooks, type KauflandState, type StoredOrder } from './books.ts';
import { sendOrder, sendOrders } from './orders.ts';
import { CARRIERS, fulfilUnit, sendUnit } from './send.ts';

const OPERATIONS: readonly (readonly [string, RegExp, string])[] = [
  ['GET', /^\/v2\/orders\/?$/, 'GetOrders'],
  ['GET', /^\/v2\/orders\/[^/]+\/?$/, 'GetOrder'],
  ['GET', /^\/v2\/carriers\/?$/, 'GetCarriers'],
  ['GET', /^\/v2\/order-units\/[^/]+\/?$/, 'GetOrderUnit'],
  ['PATCH', /^\/v2\/order-units\/[^/]+\/send\/?$/, 'SendOrderUnit'],
  ['PATCH', /^\/v2\/order-units\/[^/]+\/fulfil\/?$/, 'FulfilOrderUnit'],
];

/** The part of Kaufland's Seller API v2 that is about orders. Signatures are checked; orders are placed at `_seed/orders`. */
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
  router.post('/_seed/orders', (request, response) => {
    response.status(201).json(books.addOrder(JSON.parse(request.body)));
  });

  return {
    id: 'kaufland',
    operationOf: ({ method, path }) =>
      OPERATIONS.find(([verb, pattern]) => verb === method && pattern.test(path))?.[2] ?? null,
    router,
    ledger: () => books.state.orders.map((order) => entryOf(books, order)),
    save: () => books.state,
    load(state) {
      books.state = state as KauflandState;
    },
  };
}

/** A parcel is a confirmation, of however many pieces. A piece that was sent twice would make it two. */
function entryOf({ state }: KauflandBooks, { id_order }: StoredOrder): LedgerEntry {
  const sendings = state.sendings.filter((each) => each.id_order === id_order);
  const parcels = new Set(sendings.map(({ tracking_numbers }) => tracking_numbers)).size;
  const pieces = new Set(sendings.map(({ id_order_unit }) => id_order_unit)).size;
  return {
    reference: id_order,
    labelsSold: 0,
    liveNumbers: [],
    confirmedNumbers: [],
    confirmed: parcels + sendings.length - pieces,
    cancelled: 0,
    released: 0,
    trackingNumbers: [...new Set(sendings.map(({ tracking_numbers }) => tracking_numbers))],
  };
}
