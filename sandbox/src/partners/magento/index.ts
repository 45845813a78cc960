import { type Request, type Response, Router } from 'express';
import type { Operations } from '../../operations.ts';
import { confirmationsOf, orderPartner } from '../../order-partner.ts';
import type { LedgerEntry, SandboxPartner, SandboxWorld } from '../../partner.ts';
import { sendError, sendInternalError, sendMissing, sendNoEntity } from './answers.ts';
import { requireResource } from './auth.ts';
import { MagentoBooks, type StoredOrder } from './books.ts';
import { readCriteria, select } from './search.ts';
import { addTrack, deleteTrack, shipOrder } from './ship.ts';

const V1 = '/rest{/:storeCode}/V1';
const OPERATIONS: Operations = [
  ['GET', /^\/rest(\/\w+)?\/V1\/orders\/?$/, 'orders.list'],
  ['GET', /^\/rest(\/\w+)?\/V1\/orders\/[^/]+\/?$/, 'orders.get'],
  ['POST', /^\/rest(\/\w+)?\/V1\/order\/[^/]+\/ship\/?$/, 'order.ship'],
  ['GET', /^\/rest(\/\w+)?\/V1\/shipments\/?$/, 'shipments.list'],
  ['POST', /^\/rest(\/\w+)?\/V1\/shipment\/track\/?$/, 'shipment.track'],
  ['DELETE', /^\/rest(\/\w+)?\/V1\/shipment\/track\/[^/]+\/?$/, 'shipment-track.delete'],
];
/** The columns behind the two lists that searches and sorts may name. */
const ORDER_COLUMNS = ['entity_id', 'increment_id', 'state', 'status', 'store_id', 'created_at', 'updated_at'];
const SHIPMENT_COLUMNS = ['entity_id', 'increment_id', 'order_id', 'created_at', 'updated_at'];

/**
 * Creates a Magento shop with one store. Access tokens start with `sandbox` and come as bearer tokens or in a signature. Orders
 * are placed at `_seed/orders`; `"isBroken": true` makes every answer fail that would hold the order. `_mails` shows whom the
 * shop told.
 */
export function createMagentoSandbox(world: SandboxWorld): SandboxPartner {
  const books = new MagentoBooks(world);
  const router = Router();
  const mayView = requireResource('Magento_Sales::actions_view');
  const mayShip = requireResource('Magento_Sales::ship');
  router.get(`${V1}/orders`, mayView, (request, response) => sendOrders(books, request, response));
  router.get(`${V1}/orders/:orderId`, mayView, (request, response) => sendOrder(books, request, response));
  router.post(`${V1}/order/:orderId/ship`, mayShip, (request, response) => shipOrder(books, request, response));
  router.get(`${V1}/shipments`, requireResource('Magento_Sales::shipment'), (request, response) =>
    sendFound(request, response, { rows: books.state.shipments, columns: SHIPMENT_COLUMNS, broken: [] }),
  );
  router.post(`${V1}/shipment/track`, mayShip, (request, response) => addTrack(books, request, response));
  router.delete(`${V1}/shipment/track/:trackId`, mayShip, (request, response) => deleteTrack(books, request, response));
  router.get('/_mails', (_request, response) => void response.json(books.state.mails));
  const ledger = () => books.state.orders.map((order) => entryOf(books, order));
  const partner = orderPartner({ id: 'magento', books, router, operations: OPERATIONS, ledger });
  router.use((_request, response) => sendError(response, 404, { message: 'Request does not match any route.' }));
  return partner;
}

function sendOrders({ state }: MagentoBooks, request: Request, response: Response): void {
  sendFound(request, response, { rows: state.orders, columns: ORDER_COLUMNS, broken: state.broken });
}

interface Searched {
  rows: readonly (Record<string, unknown> & { entity_id: number })[];
  columns: readonly string[];
  /** Ids of rows that cannot be rendered. */
  broken: readonly number[];
}

function sendFound(request: Request, response: Response, { rows, columns, broken }: Searched): void {
  const criteria = readCriteria(new URL(request.originalUrl, 'http://shop').searchParams);
  if (!criteria) return void sendMissing(response, 'searchCriteria');
  const found = select(rows, criteria, columns);
  const isBroken = !found || found.items.some(({ entity_id }) => broken.includes(entity_id));
  if (isBroken) return void sendInternalError(request, response);
  const { groups, pageSize, currentPage } = criteria;
  const filter_groups = groups.map((filters) => ({
    filters: filters.map(({ field, value, condition }) => ({ field, value, condition_type: condition })),
  }));
  response.json({
    items: found.items,
    search_criteria: { filter_groups, page_size: pageSize, current_page: currentPage },
    total_count: found.total_count,
  });
}

function sendOrder(books: MagentoBooks, request: Request, response: Response): void {
  const order = books.findOrder(request.params.orderId);
  if (!order) return void sendNoEntity(response);
  if (books.state.broken.includes(order.entity_id)) return void sendInternalError(request, response);
  response.json(order);
}

/** Numbers count as confirmations, and shipments without one. */
function entryOf(books: MagentoBooks, { entity_id, increment_id }: StoredOrder): LedgerEntry {
  const shipments = books.shipmentsOf(entity_id);
  return confirmationsOf(increment_id, {
    confirmed: shipments.reduce((sum, { tracks }) => sum + Math.max(1, tracks.length), 0),
    trackingNumbers: shipments.flatMap(({ tracks }) => tracks.map(({ track_number }) => track_number)),
  });
}
