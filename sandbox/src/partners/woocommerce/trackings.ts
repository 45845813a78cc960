import { createHash } from 'node:crypto';
import { type Request, type Response, Router } from 'express';
import { isTrue, parametersOf, sendError, sendInvalidParams } from './answers.ts';
import type { ShopBooks, StoredTracking } from './books.ts';
import { orderOf, requireOrder } from './orders.ts';
import { shopTime } from './render.ts';

/** Region, name, pattern of the link. Invented addresses. */
const PROVIDERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Italy: {
    'BRT (Bartolini)': 'https://tracking.example/brt?n=%1$s',
    'GLS Italy': 'https://tracking.example/gls-it?n=%1$s',
  },
  Global: { DHL: 'https://tracking.example/dhl?n=%1$s&to=%3$s', UPS: 'https://tracking.example/ups?n=%1$s' },
};

/** Serves the official extension, or the richer controller of Advanced Shipment Tracking. */
export function trackingsRouter(books: ShopBooks): Router {
  const router = Router({ mergeParams: true });
  router.use(requireOrder(books));
  router.get('/', (_request, response) => void response.json(trackingsOf(books, response).map(renderTracking)));
  router.post('/', (request, response) => createTracking(books, request, response));
  router.get('/:trackingId', (request, response) => {
    const tracking = findTracking(books, request, response);
    if (tracking) response.json(renderTracking(tracking));
  });
  router.delete('/:trackingId', (request, response) => {
    const tracking = findTracking(books, request, response);
    if (!tracking) return;
    books.state.trackings = books.state.trackings.filter((each) => each !== tracking);
    books.state.deletedTrackings.push(tracking.orderId);
    writeMeta(books, response);
    response.json(renderTracking(tracking));
  });
  return router;
}

/** Sends the providers. Public: it needs no key. */
export function sendProviders(_request: Request, response: Response): void {
  response.json(PROVIDERS);
}

function trackingsOf(books: ShopBooks, response: Response): StoredTracking[] {
  return books.state.trackings.filter((each) => each.orderId === orderOf(response).body.id);
}

function findTracking(books: ShopBooks, request: Request, response: Response): StoredTracking | undefined {
  const { trackingId } = request.params;
  const tracking = trackingsOf(books, response).find((each) => each.tracking_id === trackingId);
  if (!tracking) {
    const code = 'woocommerce_rest_order_shipment_tracking_invalid_id';
    sendError(response, 404, { code, message: 'Invalid shipment tracking ID.' });
  }
  return tracking;
}

function createTracking(books: ShopBooks, request: Request, response: Response): void {
  const given = parametersOf(request);
  const trackingNumber = given.tracking_number;
  if (typeof trackingNumber !== 'string' || trackingNumber === '') {
    return void sendInvalidParams(response, { tracking_number: 'tracking_number is required.' });
  }
  const isAst = books.kind === 'ast';
  if (isAst && given.tracking_id !== undefined) {
    const code = 'woocommerce_rest_shop_order_shipment_tracking_exists';
    return void sendError(response, 400, { code, message: 'Cannot create existing order shipment tracking.' });
  }
  const order = orderOf(response);
  const orderId = order.body.id;
  if (isAst && isTrue(given.replace_tracking)) {
    books.state.trackings = books.state.trackings.filter((each) => each.orderId !== orderId);
  }
  const now = books.world.now().toISOString();
  const tracking: StoredTracking = {
    tracking_id: createHash('md5').update(`${orderId}-${trackingNumber}-${books.takeId()}`).digest('hex'),
    orderId,
    ...carrierOf(given, trackingNumber),
    tracking_number: trackingNumber,
    date_shipped: String(given.date_shipped ?? shopTime(now).slice(0, 10)),
  };
  books.state.trackings.push(tracking);
  writeMeta(books, response);
  if (isAst && isTrue(given.status_shipped)) books.setStatus(order, 'completed');
  const self = new URL(
    `${request.originalUrl.split('?')[0]}/${tracking.tracking_id}`,
    `http://${request.headers.host}`,
  );
  response.status(201).set('Location', self.href).json(renderTracking(tracking));
}

function carrierOf(
  given: Record<string, unknown>,
  number: string,
): Pick<StoredTracking, 'tracking_provider' | 'tracking_link'> {
  const { tracking_provider, custom_tracking_provider, custom_tracking_link } = given;
  const name = String(tracking_provider ?? custom_tracking_provider ?? '');
  const listed = Object.values(PROVIDERS).find((region) => name in region)?.[name];
  const pattern = tracking_provider === undefined ? String(custom_tracking_link ?? '') : (listed ?? '');
  return { tracking_provider: name, tracking_link: pattern.replaceAll('%1$s', number).replace(/%[23]\$s/g, '') };
}

/** Both plugins keep their rows in one meta field of the order. */
function writeMeta(books: ShopBooks, response: Response): void {
  const order = orderOf(response);
  books.setMeta(order, '_wc_shipment_tracking_items', trackingsOf(books, response).map(renderTracking));
  books.modified(order);
}

function renderTracking({ orderId: _orderId, ...tracking }: StoredTracking): object {
  return tracking;
}
