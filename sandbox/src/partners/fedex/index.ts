import { type Request, type Response, Router } from 'express';
import type { z } from 'zod';
import type { SandboxPartner, SandboxWorld } from '../../partner.ts';
import { malformed, no, send } from './answers.ts';
import { addToken, checkToken } from './auth.ts';
import { Books } from './books.ts';
import { CancelRequest, NumberQuestion, RateRequest, ReferenceQuestion, ShipmentRequest } from './protocol.ts';
import { rateAnswer } from './rates.ts';
import { bookedOf, cancelAnswer, refusalOf, shipAnswer } from './shipments.ts';
import { trackedNumbers, trackedReference } from './tracking.ts';

/** Method and path of every operation, with the name that faults are switched on by. */
const OPERATIONS: readonly (readonly [name: string, method: string, path: string])[] = [
  ['token', 'POST', '/oauth/token'],
  ['ship', 'POST', '/ship/v1/shipments'],
  ['cancel', 'PUT', '/ship/v1/shipments/cancel'],
  ['track', 'POST', '/track/v1/trackingnumbers'],
  ['trackReference', 'POST', '/track/v1/referencenumbers'],
  ['rate', 'POST', '/rate/v1/rates/quotes'],
];

/**
 * A pretend FedEx. Login: any API key, a secret key that starts with "sandbox", that of tracking with "sandbox-track"; any account
 * number of nine digits but 000000000. GIACENZA, ASSENTE or RIFIUTA in the recipient's street picks another journey; the postcode
 * 00000 or a city with INESISTENTE is refused.
 */
export function createFedexSandbox(world: SandboxWorld): SandboxPartner {
  const books = new Books(world);
  const router = Router();
  addToken(router);
  router.use(['/ship', '/rate'], checkToken('shipping'));
  router.use('/track', checkToken('tracking'));
  addShipments(router, books);
  addTracking(router, books);
  return {
    id: 'fedex',
    operationOf: ({ method, path }) =>
      OPERATIONS.find(([, wanted, own]) => wanted === method && own === path)?.[0] ?? null,
    router,
    ledger: () => books.ledger(),
    save: () => books.save(),
    load: (state) => books.load(state),
  };
}

/** The body as the operation wants it; null after it was refused. */
function readBody<Schema extends z.ZodType>(
  schema: Schema,
  request: Request,
  response: Response,
): z.infer<Schema> | null {
  let json: unknown;
  try {
    json = JSON.parse(request.body);
  } catch {
    send(response, no('INVALID.INPUT.EXCEPTION', 'Invalid field value in the input: the body is not JSON'));
    return null;
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  send(response, malformed(parsed.error));
  return null;
}

function addShipments(router: Router, books: Books): void {
  router.post('/ship/v1/shipments', async (request, response) => {
    const body = readBody(ShipmentRequest, request, response);
    if (!body) return;
    const { accountNumber, requestedShipment: order } = body;
    const refusal = refusalOf(accountNumber.value, order);
    if (refusal) return send(response, refusal);
    const shipment = bookedOf(accountNumber.value, order, books);
    send(response, await shipAnswer(order, shipment));
  });
  router.put('/ship/v1/shipments/cancel', (request, response) => {
    const body = readBody(CancelRequest, request, response);
    if (body) send(response, cancelAnswer(books, body));
  });
  router.post('/rate/v1/rates/quotes', (request, response) => {
    const body = readBody(RateRequest, request, response);
    if (body) send(response, rateAnswer(body));
  });
}

function addTracking(router: Router, books: Books): void {
  router.post('/track/v1/trackingnumbers', (request, response) => {
    const body = readBody(NumberQuestion, request, response);
    if (!body) return;
    send(response, trackedNumbers(books, body));
  });
  router.post('/track/v1/referencenumbers', (request, response) => {
    const body = readBody(ReferenceQuestion, request, response);
    if (body) send(response, trackedReference(books, body.referencesInformation));
  });
}
