import { type Request, type Response, Router } from 'express';
import type { Operations } from '../../operations.ts';
import { orderPartner } from '../../order-partner.ts';
import type { SandboxPartner, SandboxWorld } from '../../partner.ts';
import { sendInvalid, sendNoOrder } from './answers.ts';
import { requireKey } from './auth.ts';
import { MiraklBooks } from './books.ts';
import { CARRIERS } from './carriers.ts';
import { renderOrder } from './render.ts';
import { STATES, searchOrders } from './search.ts';
import { acceptOrder, correctShipments, createShipments, shipOrder, updateTracking } from './writes.ts';

const OPERATIONS: Operations = [
  ['GET', /^\/api\/orders\/?$/, 'OR11'],
  ['PUT', /^\/api\/orders\/[^/]+\/accept\/?$/, 'OR21'],
  ['PUT', /^\/api\/orders\/[^/]+\/tracking\/?$/, 'OR23'],
  ['PUT', /^\/api\/orders\/[^/]+\/ship\/?$/, 'OR24'],
  ['GET', /^\/api\/shipments\/?$/, 'ST11'],
  ['POST', /^\/api\/shipments\/?$/, 'ST01'],
  ['POST', /^\/api\/shipments\/tracking\/?$/, 'ST23'],
  ['GET', /^\/api\/shipping\/carriers\/?$/, 'SH21'],
];
const SHIPMENTS_PER_PAGE = 10;

/**
 * Creates a Mirakl operator's host, as a shop sees it, with multiple shipments allowed. Keys start with `sandbox`; all of them
 * see the same orders. Orders are placed at `_seed/orders`, and moved on at `_seed/orders/:orderId`.
 */
export function createMiraklSandbox(world: SandboxWorld): SandboxPartner {
  const books = new MiraklBooks(world);
  const [mayRead, mayWrite] = [requireKey('read'), requireKey('write')];
  const router = Router();
  router.get('/api/orders', mayRead, (request, response) => sendOrders(books, request, response));
  router.put('/api/orders/:orderId/accept', mayWrite, acceptOrder(books));
  router.put('/api/orders/:orderId/tracking', mayWrite, updateTracking(books));
  router.put('/api/orders/:orderId/ship', mayWrite, shipOrder(books));
  router.get('/api/shipments', mayRead, (request, response) => sendShipments(books, request, response));
  router.post('/api/shipments', mayWrite, createShipments(books));
  router.post('/api/shipments/tracking', mayWrite, correctShipments(books));
  router.get('/api/shipping/carriers', mayRead, (_request, response) => void response.json({ carriers: CARRIERS }));
  router.post('/_seed/orders/:orderId', (request, response) => moveOrder(books, request, response));

  return orderPartner({ id: 'mirakl', books, router, operations: OPERATIONS, ledger: () => books.ledger() });
}

function sendOrders({ state }: MiraklBooks, { query }: Request, response: Response): void {
  const found = searchOrders(state.orders, query);
  if ('complaint' in found) return void sendInvalid(response, found.complaint);
  const orders = found.orders.map((order) => renderOrder(order, query.order_tax_mode));
  response.json({ orders, total_count: found.total_count });
}

/** ST11, whose pages follow each other by a token. */
function sendShipments({ state }: MiraklBooks, { query }: Request, response: Response): void {
  const ids = query.order_id === undefined ? null : [query.order_id].flat();
  const all = state.shipments.filter(({ order_id }) => ids === null || ids.includes(order_id));
  const from = Number(Buffer.from(String(query.page_token ?? ''), 'base64').toString('utf8'));
  if (!Number.isInteger(from)) return void sendInvalid(response, 'page_token is invalid');
  const end = from + SHIPMENTS_PER_PAGE;
  const next_page_token = end < all.length ? Buffer.from(String(end)).toString('base64') : null;
  response.json({ data: all.slice(from, end), next_page_token, previous_page_token: null });
}

function moveOrder(books: MiraklBooks, request: Request, response: Response): void {
  const order = books.findOrder(request.params.orderId);
  if (!order) return void sendNoOrder(response, request.params.orderId);
  const { order_state } = JSON.parse(request.body);
  if (!STATES.includes(order_state)) return void sendInvalid(response, `The order state ${order_state} does not exist`);
  books.moveTo(order, order_state);
  response.json(order);
}
