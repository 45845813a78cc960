import { type NextFunction, type Request, type Response, Router } from 'express';
import { bodyReader } from '../../body.ts';
import { type Operations, operationIn } from '../../operations.ts';
import type { SandboxPartner, SandboxWorld } from '../../partner.ts';
import { badRequest, missing, notFound, type Refusal, refuse, UNAUTHORIZED, validationError } from './answers.ts';
import { Books } from './books.ts';
import { placesOf } from './places.ts';
import { PickupOrder, RateRequest, ShipmentRequest } from './protocol.ts';
import { ratesAnswer } from './rates.ts';
import { bookedOf, createdAnswer, isAccount, readTime, refusalOf } from './shipments.ts';
import { searched, trackingAnswer } from './tracking.ts';

const OPERATIONS: Operations = [
  ['POST', /^\/shipments$/, 'createShipment'],
  ['GET', /^\/shipments\/[^/]+\/tracking$/, 'trackShipment'],
  ['GET', /^\/shipments\/[^/]+\/get-image$/, 'getImage'],
  ['GET', /^\/tracking$/, 'findShipment'],
  ['POST', /^\/rates$/, 'rates'],
  ['GET', /^\/address-validate$/, 'validateAddress'],
  ['POST', /^\/pickups$/, 'bookPickup'],
  ['DELETE', /^\/pickups\/[^/]+$/, 'cancelPickup'],
];

/**
 * Creates a simulated MyDHL API. Login: any username, a password that starts with "sandbox"; account numbers of six to twelve
 * digits. GIACENZA, ASSENTE or RIFIUTA in the recipient's address picks another journey. The postcode 00000 or a city with
 * INESISTENTE is refused.
 */
export function createDhlExpressSandbox(world: SandboxWorld): SandboxPartner {
  const books = new Books(world);
  const router = Router();
  router.use(checkHead);
  addShipments(router, books);
  addTracking(router, books);
  addPlacesAndPrices(router);
  addPickups(router, books);
  return {
    id: 'dhl-express',
    operationOf: operationIn(OPERATIONS),
    router,
    ledger: () => books.ledger(),
    pickups: () => books.pickups(),
    save: () => books.save(),
    load: (state) => books.load(state),
  };
}

function checkHead(request: Request, response: Response, next: NextFunction): void {
  const [, encoded = ''] = /^Basic (\S+)$/.exec(request.get('authorization') ?? '') ?? [];
  const [username = '', password = ''] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  if (username === '' || !password.startsWith('sandbox')) return void refuse(response, request.path, UNAUTHORIZED);
  if (!request.get('x-version')) return void refuse(response, request.path, missing(['x-version']));
  const { length } = request.get('message-reference') ?? 'x';
  if (length < 1 || length > 36)
    return void refuse(
      response,
      request.path,
      badRequest('Parameters not having correct format: Message-Reference (maxLength=36)'),
    );
  next();
}

const readBody = bodyReader(({ error, json }, request, response) =>
  refuse(response, request.path, error ? validationError(error, json) : badRequest('The body is not JSON')),
);

function isRefusal(answer: object): answer is Refusal {
  return 'detail' in answer;
}

function addShipments(router: Router, books: Books): void {
  router.post('/shipments', async (request, response) => {
    const order = readBody(ShipmentRequest, request, response);
    if (!order) return;
    const refusal = refusalOf(order);
    if (refusal) return void refuse(response, request.path, refusal);
    const shipment = bookedOf(order, books);
    const base = `${request.protocol}://${request.get('host')}${request.baseUrl}`;
    response.status(201).json(await createdAnswer(order, shipment, base));
  });
  // Only waybill documents and invoices that were archived can be had again, and this pretend carrier archives none.
  router.get('/shipments/:number/get-image', (request, response) => {
    refuse(response, request.path, notFound('1504: No document images found for the provided search criteria.'));
  });
}

function addTracking(router: Router, books: Books): void {
  router.get('/shipments/:number/tracking', (request, response) => {
    const shipment = books.find(request.params.number);
    if (!shipment) return void refuse(response, request.path, notFound('No data found', 'Not data found'));
    const view = String(request.query.trackingView ?? 'all-checkpoints');
    response.json(trackingAnswer([shipment], { now: books.now(), view }));
  });
  router.get('/tracking', (request, response) => {
    const query = new URL(request.url, 'http://sandbox').searchParams;
    const found = searched(books, query);
    if ('detail' in found) return void refuse(response, request.url, found);
    response.json(trackingAnswer(found, { now: books.now(), view: query.get('trackingView') ?? 'all-checkpoints' }));
  });
}

function addPlacesAndPrices(router: Router): void {
  router.get('/address-validate', (request, response) => {
    const { type, countryCode, postalCode = '', cityName = '' } = request.query as Record<string, string>;
    const absent = Object.entries({ type, countryCode }).flatMap(([name, value]) => (value ? [] : [name]));
    if (absent.length > 0) return void refuse(response, request.path, missing(absent));
    if (cityName.length > 45)
      return void refuse(
        response,
        request.path,
        badRequest('Parameters not having correct format: cityName (maxLength=45)'),
      );
    response.json({
      address: placesOf(postalCode, cityName).map(({ city, prefix, area }) => ({
        countryCode,
        postalCode: postalCode || `${prefix}00`,
        cityName: city,
        serviceArea: { code: area, description: `${city}-ITALY`, GMTOffset: '+01:00' },
      })),
    });
  });
  router.post('/rates', (request, response) => {
    const order = readBody(RateRequest, request, response);
    if (!order) return;
    const answer = ratesAnswer(order);
    if (isRefusal(answer)) return void refuse(response, request.path, answer);
    response.json(answer);
  });
}

function addPickups(router: Router, books: Books): void {
  router.post('/pickups', (request, response) => {
    const order = readBody(PickupOrder, request, response);
    if (!order) return;
    const planned = readTime(order.plannedPickupDateAndTime);
    if (!planned) return void refuse(response, request.path, badRequest('998: ShipTimeStamp is not well formatted.'));
    if (!order.accounts.some(({ number }) => isAccount(number))) {
      return void refuse(
        response,
        request.path,
        badRequest('8003: Account not allowed for this service. Please contact your DHL Express representative.'),
      );
    }
    response.status(201).json({
      dispatchConfirmationNumbers: [books.addPickup(order.remark ?? '')],
      readyByTime: order.plannedPickupDateAndTime.slice(11, 16),
      nextPickupDate: planned.date,
    });
  });
  router.delete('/pickups/:number', (request, response) => {
    const absent = ['requestorName', 'reason'].filter((name) => !request.query[name]);
    if (absent.length > 0) return void refuse(response, request.path, missing(absent));
    const outcome = books.cancelPickup(request.params.number);
    // DHL's words for this 400 were not found: these are the sandbox's own.
    if (outcome === 'cancelled-before')
      return void refuse(response, request.path, badRequest('Pickup already cancelled'));
    if (outcome === 'unknown') {
      return void refuse(
        response,
        request.path,
        notFound('Cancellation of booking was not successful. Requested Pickup was not found'),
      );
    }
    response.status(200).end();
  });
}
