import { type Request, type Response, Router } from 'express';
import type { SandboxPartner, SandboxWorld } from '../partner.ts';
import { Books } from './brt/books.ts';
import { htmlPage, messageOf, Refusal, Unreadable } from './brt/messages.ts';
import { CLOSED_POINT, POINTS } from './brt/places.ts';
import { decideInPortal } from './brt/portal.ts';
import { SHIPMENTS, type ShipmentsOperation } from './brt/shipments.ts';
import { answerSoap, FAULT, SOAP_OPERATIONS } from './brt/soap.ts';
import { parcelTracking } from './brt/tracking.ts';

const SHIPMENTS_PATH = '/rest/v1/shipments';
const TRACKING_PATH = '/rest/v1/tracking/parcelID/';
const PUDO_PATH = '/pudo/v1/open/pickup/get-pudo-by-address';
const SOAP_PATH = /^\/web\/(\w+)Service\/(\w+)$/;

/**
 * Creates a simulated BRT: shipments, tracking in both forms and pick-up points under one address. Login: any user of up to seven
 * digits, a password that starts with "sandbox", the user as customer code (demo: 1020304, sandbox, depot 061). A code that
 * begins with 9 has a contract that confirms by itself. The token of the pick-up points starts with "sandbox". GIACENZA, ASSENTE,
 * PREAVVISO or RIFIUTA in an address or note picks another journey. A giacenza is decided at `_portal/decisions`. The postcode
 * 00000, an unknown province or a city with INESISTENTE has no route.
 */
export function createBrtSandbox(world: SandboxWorld): SandboxPartner {
  const books = new Books(world);
  const router = Router();
  for (const operation of SHIPMENTS) {
    router[operation.method === 'POST' ? 'post' : 'put'](`${SHIPMENTS_PATH}${operation.path}`, (request, response) =>
      serveShipments(books, operation, { request, response }),
    );
  }
  router.get(`${TRACKING_PATH}:id`, (request, response) => {
    const headers = { userID: request.get('userID') ?? '', password: request.get('password') ?? '' };
    response.json(parcelTracking(books, String(request.params.id), headers));
  });
  router.get(PUDO_PATH, (request, response) => servePoints(request, response));
  router.post('/web/:service/:operation', (request, response) => {
    const [, service, operation = ''] = SOAP_PATH.exec(request.path) ?? [];
    const xml = service === operation ? answerSoap(books, operation, request.body) : null;
    response.status(xml === null ? 500 : 200).type('text/xml; charset=utf-8');
    response.send(xml ?? FAULT);
  });

  router.post('/_portal/decisions', (request, response) => {
    const problem = decideInPortal(books, parsed(request.body));
    response.status(problem === null ? 200 : 422).json({ problem });
  });

  return {
    id: 'brt',
    operationOf: ({ method, path }) => {
      const operation = SHIPMENTS.find((one) => one.method === method && path === `${SHIPMENTS_PATH}${one.path}`);
      if (operation) return operation.name;
      if (path.startsWith(TRACKING_PATH)) return 'tracking';
      if (path === PUDO_PATH) return 'get-pudo-by-address';
      const [, , name = ''] = SOAP_PATH.exec(path) ?? [];
      return Object.hasOwn(SOAP_OPERATIONS, name) ? name : null;
    },
    router,
    ledger: () => books.ledger(),
    save: () => books.save(),
    load: (state) => books.load(state),
  };
}

/** BRT reports wrong data with status 200, and answers an unreadable body with a page. */
async function serveShipments(
  books: Books,
  operation: ShipmentsOperation,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  try {
    response.json(await operation.run(books, parsed(request.body)));
  } catch (error) {
    if (error instanceof Unreadable) {
      response.status(500).type('text/html').send(htmlPage(error.message));
      return;
    }
    if (!(error instanceof Refusal)) throw error;
    const executionMessage = messageOf(error.code, error.message);
    response.json({ [operation.root]: { currentTimeUTC: books.now().toISOString(), executionMessage } });
  }
}

function parsed(text: string): Record<string, unknown> {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw new Unreadable('Malformed JSON');
  }
  if (typeof body !== 'object' || body === null) throw new Unreadable('Not an object');
  return body as Record<string, unknown>;
}

/** Points of the same city, or of the first three digits of the postcode. */
function servePoints(request: Request, response: Response): void {
  if (!(request.get('X-API-Auth') ?? '').startsWith('sandbox'))
    return void response.status(401).json({ message: 'Unauthorized' });
  const query = new URL(request.url, 'http://sandbox').searchParams;
  const [zip, city, country] = ['zipCode', 'city', 'countryCode'].map((name) => query.get(name) ?? '');
  if (!zip || !city || !country)
    return void response.status(400).json({ message: 'zipCode, city and countryCode are mandatory' });
  const near = POINTS.filter(
    (point) =>
      point.country === country && (point.city === city.toUpperCase() || point.zip.startsWith(zip.slice(0, 3))),
  );
  response.json({
    requestId: 'sandbox',
    pudo: near.toReversed().map((point) => ({
      pudoId: point.id,
      pointName: point.name,
      type: point.type,
      street: point.street,
      streetNumber: point.number,
      zipCode: point.zip,
      town: point.city,
      country: point.country,
      latitude: '45.464200',
      longitude: '9.190000',
      distanceFromPoint: Math.abs(Number(point.zip) - Number(zip)) * 100,
      enabled: true,
      available: point.id !== CLOSED_POINT,
      hours: [1, 2, 3, 4, 5].map((day) => ({
        dayOfWeek: day,
        dayTime: 'MORNING',
        openTime: '09:00',
        closeTime: '13:00',
      })),
    })),
  });
}
