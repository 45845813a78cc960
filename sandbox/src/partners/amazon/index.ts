import { randomUUID } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import type { Operations } from '../../operations.ts';
import { confirmationsOf, listOf, orderPartner } from '../../order-partner.ts';
import type { LedgerEntry, SandboxPartner, SandboxWorld } from '../../partner.ts';
import { sendInvalidType, sendNotFound } from './answers.ts';
import { issueToken, mayReadPersons, requireToken, requireWriteRole } from './auth.ts';
import { AmazonBooks, type StoredOrder } from './books.ts';
import { confirmShipment } from './confirm.ts';
import { showOrder } from './datasets.ts';
import { complaintAboutLists, searchOrders } from './search.ts';
import { UsagePlans } from './usage-plans.ts';

const ORDERS = '/orders/2026-01-01/orders';
const OPERATIONS: Operations = [
  ['POST', /^\/auth\/o2\/token\/?$/, 'token'],
  ['GET', /^\/orders\/2026-01-01\/orders\/?$/, 'searchOrders'],
  ['GET', /^\/orders\/2026-01-01\/orders\/[^/]+\/?$/, 'getOrder'],
  ['POST', /^\/orders\/v0\/orders\/[^/]+\/shipmentConfirmation\/?$/, 'confirmShipment'],
];

/**
 * Creates the Selling Partner API and Login with Amazon behind one address: orders of 2026-01-01, confirmations of v0. Login: any
 * client id, a client secret that starts with `sandbox`, a refresh token that starts with `Atzr|sandbox`. Each refresh token is a
 * seller with usage plans of its own, and all sellers see the same orders. Orders are placed at `_seed/orders`.
 */
export function createAmazonSandbox(world: SandboxWorld): SandboxPartner {
  const books = new AmazonBooks(world);
  const plans = new UsagePlans(world.now);
  const signedIn = requireToken(world.now);
  const router = Router();
  router.use((_request, response, next) => {
    response.set('x-amzn-RequestId', randomUUID());
    next();
  });
  router.post('/auth/o2/token', issueToken(world.now));
  router.get(ORDERS, signedIn, plans.limit('searchOrders'), (request, response) => search(books, request, response));
  router.get(`${ORDERS}/:orderId`, signedIn, plans.limit('getOrder'), (request, response) =>
    sendOrder(books, request, response),
  );
  router.post(
    '/orders/v0/orders/:orderId/shipmentConfirmation',
    signedIn,
    requireWriteRole,
    plans.limit('confirmShipment'),
    (request, response) => confirmShipment(books, request, response),
  );

  return orderPartner({
    id: 'amazon',
    books,
    router,
    operations: OPERATIONS,
    ledger: () => books.state.orders.map(entryOf),
  });
}

function search({ state, world }: AmazonBooks, request: Request, response: Response): void {
  const found = searchOrders(state.orders, request.query, world.now());
  if ('invalid' in found) return void sendInvalidType(response, found.invalid);
  const asked = { datasets: listOf(request.query.includedData), mayReadPersons: mayReadPersons(response) };
  response.json({ orders: found.orders.map((order) => showOrder(order, asked)), ...found.answer });
}

function sendOrder(books: AmazonBooks, request: Request, response: Response): void {
  const wrong = complaintAboutLists(request.query);
  if (wrong) return void sendInvalidType(response, wrong);
  const order = books.findOrder(request.params.orderId);
  if (!order) return void sendNotFound(response, String(request.params.orderId));
  const asked = { datasets: listOf(request.query.includedData), mayReadPersons: mayReadPersons(response) };
  response.json({ order: showOrder(order, asked) });
}

/** Packages count as confirmations. */
function entryOf({ orderId, packages }: StoredOrder): LedgerEntry {
  const live = packages.filter(({ packageStatus }) => packageStatus.status !== 'CANCELLED');
  return confirmationsOf(orderId, {
    confirmed: live.length,
    cancelled: packages.length - live.length,
    trackingNumbers: live.map(({ trackingNumber }) => trackingNumber),
  });
}
