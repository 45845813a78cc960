import { type NextFunction, type Request, type Response, Router } from 'express';
import { bodyReader } from '../../body.ts';
import { type Operations, operationIn } from '../../operations.ts';
import type { SandboxPartner, SandboxWorld } from '../../partner.ts';
import { isRefusal, malformed, no, type Refusal, refuse } from './answers.ts';
import { addToken, checkToken } from './auth.ts';
import { Books } from './books.ts';
import { locatorAnswer } from './locations.ts';
import { cancelAnswer, pickupAnswer } from './pickups.ts';
import { LocatorRequest, PickupRequest, RateRequest, RecoveryRequest, ShipmentRequest } from './protocol.ts';
import { rateAnswer } from './rates.ts';
import { recoveryAnswer } from './recovery.ts';
import { bookedOf, refusalOf, shipAnswer, voidAnswer } from './shipments.ts';
import { trackedNumber, trackedReference } from './tracking.ts';

const OPERATIONS: Operations = [
  ['POST', /^\/security\/v1\/oauth\/token$/, 'token'],
  ['POST', /^\/api\/shipments\/v2409\/ship$/, 'ship'],
  ['DELETE', /^\/api\/shipments\/v2409\/void\/cancel\/[^/]+$/, 'void'],
  ['POST', /^\/api\/labels\/v1\/recovery$/, 'recoverLabel'],
  ['GET', /^\/api\/track\/v1\/details\/[^/]+$/, 'track'],
  ['GET', /^\/api\/track\/v1\/reference\/details\/[^/]+$/, 'trackReference'],
  ['POST', /^\/api\/rating\/v2409\/Shop$/, 'rate'],
  ['POST', /^\/api\/locations\/v3\/search\/availabilities\/64$/, 'locate'],
  ['POST', /^\/api\/pickupcreation\/v2409\/pickup$/, 'bookPickup'],
  ['DELETE', /^\/api\/shipments\/v2409\/pickup\/02$/, 'cancelPickup'],
];

/**
 * Creates a simulated UPS. Login: any client id, a secret that starts with "sandbox"; any shipper number but 000000. GIACENZA,
 * ASSENTE or RIFIUTA in the recipient's street picks another journey. The postcode 00000 or a city with INESISTENTE is refused.
 */
export function createUpsSandbox(world: SandboxWorld): SandboxPartner {
  const books = new Books(world);
  const router = Router();
  addToken(router);
  router.use('/api', checkToken);
  addShipments(router, books);
  addTracking(router, books);
  addPlacesAndPrices(router);
  addPickups(router, books);
  return {
    id: 'ups',
    operationOf: operationIn(OPERATIONS),
    router,
    ledger: () => books.ledger(),
    pickups: () => books.pickups(),
    save: () => books.save(),
    load: (state) => books.load(state),
  };
}

const readBody = bodyReader(({ error }, _request, response) =>
  refuse(response, error ? malformed(error) : no('10002', 'The body is not JSON')),
);

function send(response: Response, answer: object | Refusal): void {
  if (isRefusal(answer)) refuse(response, answer);
  else response.json(answer);
}

function addShipments(router: Router, books: Books): void {
  router.post('/api/shipments/v2409/ship', async (request, response) => {
    const body = readBody(ShipmentRequest, request, response);
    if (!body) return;
    const refusal = refusalOf(body.ShipmentRequest);
    if (refusal) return refuse(response, refusal);
    const shipment = bookedOf(body.ShipmentRequest, books);
    response.json(await shipAnswer(body.ShipmentRequest, shipment));
  });
  router.delete('/api/shipments/v2409/void/cancel/:number', (request, response) => {
    send(response, voidAnswer(books, request.params.number));
  });
  router.post('/api/labels/v1/recovery', async (request, response) => {
    const body = readBody(RecoveryRequest, request, response);
    if (body) send(response, await recoveryAnswer(body.LabelRecoveryRequest, books));
  });
}

function addTracking(router: Router, books: Books): void {
  router.use('/api/track', (request: Request, response: Response, next: NextFunction) => {
    if (request.get('transId') && request.get('transactionSrc')) next();
    else refuse(response, no('10006', 'transId and transactionSrc are required'));
  });
  router.get('/api/track/v1/details/:number', (request, response) => {
    send(response, trackedNumber(books, request.params.number));
  });
  router.get('/api/track/v1/reference/details/:reference', (request, response) => {
    const query = new URL(request.url, 'http://sandbox').searchParams;
    send(response, trackedReference(books, request.params.reference, query));
  });
}

function addPlacesAndPrices(router: Router): void {
  router.post('/api/rating/v2409/Shop', (request, response) => {
    const body = readBody(RateRequest, request, response);
    if (body) send(response, rateAnswer(body));
  });
  router.post('/api/locations/v3/search/availabilities/64', (request, response) => {
    const body = readBody(LocatorRequest, request, response);
    if (body) send(response, locatorAnswer(body));
  });
}

function addPickups(router: Router, books: Books): void {
  router.post('/api/pickupcreation/v2409/pickup', (request, response) => {
    const body = readBody(PickupRequest, request, response);
    if (body) send(response, pickupAnswer(body, books));
  });
  router.delete('/api/shipments/v2409/pickup/02', (request, response) => {
    send(response, cancelAnswer(request.get('Prn') ?? '', books));
  });
}
