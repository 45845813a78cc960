import { type NextFunction, type Request, type Response, Router } from 'express';
import { jsonOf } from '../../body.ts';
import { type Operations, operationIn } from '../../operations.ts';
import type { SandboxPartner, SandboxWorld } from '../../partner.ts';
import { invalidAction, invalidParameter, NOT_FOUND, refuse, UNAUTHORIZED, validationFailed } from './answers.ts';
import { Books, type Shipment } from './books.ts';
import { pdfLabel, zplLabel } from './labels.ts';
import { addressFaults, readOrder } from './orders.ts';
import { pointsAnswer } from './points.ts';
import { shownList, shownShipment, shownTracking, statusOf } from './shown.ts';

const OPERATIONS: Operations = [
  ['POST', /^\/v1\/organizations\/[^/]+\/shipments$/, 'createShipment'],
  ['GET', /^\/v1\/organizations\/[^/]+\/shipments$/, 'listShipments'],
  ['GET', /^\/v1\/shipments\/[^/]+$/, 'getShipment'],
  ['DELETE', /^\/v1\/shipments\/[^/]+$/, 'cancelShipment'],
  ['GET', /^\/v1\/shipments\/[^/]+\/label$/, 'label'],
  ['POST', /^\/v1\/organizations\/[^/]+\/dispatch_orders$/, 'createDispatchOrder'],
  ['DELETE', /^\/v1\/dispatch_orders\/[^/]+$/, 'cancelDispatchOrder'],
  ['GET', /^\/v1\/tracking\/[^/]+$/, 'tracking'],
  ['GET', /^\/v1\/points$/, 'points'],
];

/**
 * Creates a simulated ShipX of InPost Italy. Login: a token that starts with "sandbox", any organisation number that does not
 * start with 0. It books as InPost does: a shipment gets its number some 0.4 seconds after the order (an hour with ATTESA). Until
 * then it can be cancelled. GIACENZA, ASSENTE or RIFIUTA in the comments or in the recipient's name picks another journey.
 */
export function createInpostItSandbox(world: SandboxWorld): SandboxPartner {
  const books = new Books(world);
  const router = Router();
  // Tracking and points are public.
  router.get('/v1/tracking/:number', (request, response) => {
    const shipment = books.findByNumber(request.params.number);
    if (!shipment) return void refuse(response, NOT_FOUND);
    response.json(shownTracking(shipment, books));
  });
  router.get('/v1/points', (request, response) => void response.json(pointsAnswer(queryOf(request))));
  router.use(checkToken);
  router.param('organization', (_request, response, next, organization) => {
    if (/^[1-9]\d*$/.test(organization)) return next();
    refuse(response, NOT_FOUND);
  });
  addShipments(router, books);
  addLabels(router, books);
  addDispatchOrders(router, books);
  return {
    id: 'inpost-it',
    operationOf: operationIn(OPERATIONS),
    router,
    ledger: () => books.ledger(),
    pickups: () => books.pickups(),
    save: () => books.save(),
    load: (state) => books.load(state),
  };
}

function checkToken(request: Request, response: Response, next: NextFunction): void {
  if (/^Bearer sandbox\S*$/.test(request.get('authorization') ?? '')) next();
  else refuse(response, UNAUTHORIZED);
}

function queryOf(request: Request): URLSearchParams {
  return new URL(request.url, 'http://sandbox').searchParams;
}

/** The shipment that the path names; undefined after a refusal. */
function named(request: Request, response: Response, books: Books): Shipment | undefined {
  const shipment = books.find(String(request.params.id));
  if (!shipment) refuse(response, NOT_FOUND);
  return shipment;
}

function addShipments(router: Router, books: Books): void {
  router.post('/v1/organizations/:organization/shipments', (request, response) => {
    const order = readOrder(jsonOf(request.body), request.params.organization);
    if ('error' in order) return void refuse(response, order);
    response.status(201).json(shownShipment(books.add(order), books));
  });
  router.get('/v1/organizations/:organization/shipments', (request, response) => {
    const query = queryOf(request);
    const list = shownList(request.params.organization, query, books);
    if (!list) return void refuse(response, invalidParameter('per_page', query.get('per_page') ?? ''));
    response.json(list);
  });
  router.get('/v1/shipments/:id', (request, response) => {
    const shipment = named(request, response, books);
    if (shipment) response.json(shownShipment(shipment, books));
  });
  router.delete('/v1/shipments/:id', (request, response) => {
    const shipment = named(request, response, books);
    if (!shipment) return;
    if (shipment.isCanceled || books.isConfirmed(shipment)) {
      return void refuse(response, invalidAction('cancel', statusOf(shipment, books)));
    }
    books.cancel(shipment);
    response.status(204).end();
  });
}

function addLabels(router: Router, books: Books): void {
  router.get('/v1/shipments/:id/label', async (request, response) => {
    const shipment = named(request, response, books);
    if (!shipment) return;
    if (!books.isConfirmed(shipment)) return void refuse(response, invalidAction('label', statusOf(shipment, books)));
    const query = queryOf(request);
    const [format, type] = [query.get('format') ?? 'pdf', query.get('type') ?? 'normal'];
    if (format === 'zpl') {
      return void response.type('text/zpl').send(zplLabel(shipment, type === 'dpi300' ? 300 : 203));
    }
    if (format !== 'pdf') return void refuse(response, invalidParameter('format', format));
    response.type('application/pdf').send(await pdfLabel(shipment, type === 'A6' ? 'A6' : 'A4'));
  });
}

function addDispatchOrders(router: Router, books: Books): void {
  router.post('/v1/organizations/:organization/dispatch_orders', (request, response) => {
    const body = jsonOf(request.body) as { shipments?: unknown } | undefined;
    const ids = Array.isArray(body?.shipments) ? body.shipments.map(String) : [];
    const shipments = ids.map((id) => books.find(id));
    const faults = addressFaults(body, 'address');
    if (ids.length === 0) return void refuse(response, validationFailed([['shipments', 'required'], ...faults]));
    if (shipments.some((shipment) => shipment === undefined || !books.isConfirmed(shipment))) {
      return void refuse(response, validationFailed([['shipments', 'does_not_exist'], ...faults]));
    }
    if (faults.length > 0) return void refuse(response, validationFailed(faults));
    const { id } = books.addOrder(request.params.organization, ids.map(Number));
    response.status(201).json({ id, status: 'new', shipments: ids.map((one) => ({ id: Number(one) })) });
  });
  router.delete('/v1/dispatch_orders/:id', (request, response) => {
    if (!books.cancelOrder(request.params.id)) return void refuse(response, NOT_FOUND);
    response.status(204).end();
  });
}
