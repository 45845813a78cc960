import { Router } from 'express';
import { bodyReader } from '../../body.ts';
import { type Operations, operationIn } from '../../operations.ts';
import type { SandboxPartner, SandboxWorld } from '../../partner.ts';
import { malformed, no, send } from './answers.ts';
import { addToken, checkToken } from './auth.ts';
import { Books } from './books.ts';
import { CancelRequest, NumberQuestion, RateRequest, ReferenceQuestion, ShipmentRequest } from './protocol.ts';
import { rateAnswer } from './rates.ts';
import { bookedOf, cancelAnswer, refusalOf, shipAnswer } from './shipments.ts';
import { trackedNumbers, trackedReference } from './tracking.ts';

const OPERATIONS: Operations = [
  ['POST', /^\/oauth\/token$/, 'token'],
  ['POST', /^\/ship\/v1\/shipments$/, 'ship'],
  ['PUT', /^\/ship\/v1\/shipments\/cancel$/, 'cancel'],
  ['POST', /^\/track\/v1\/trackingnumbers$/, 'track'],
  ['POST', /^\/track\/v1\/referencenumbers$/, 'trackReference'],
  ['POST', /^\/rate\/v1\/rates\/quotes$/, 'rate'],
];

/**
 * Creates a simulated FedEx. Login: any API key and a secret key that starts with "sandbox", for tracking with "sandbox-track".
 * Account numbers have nine digits and are not 000000000. GIACENZA, ASSENTE or RIFIUTA in the recipient's street picks another
 * journey. The postcode 00000 or a city with INESISTENTE is refused.
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
    operationOf: operationIn(OPERATIONS),
    router,
    ledger: () => books.ledger(),
    save: () => books.save(),
    load: (state) => books.load(state),
  };
}

const readBody = bodyReader(({ error }, _request, response) => {
  const noJson = no('INVALID.INPUT.EXCEPTION', 'Invalid field value in the input: the body is not JSON');
  send(response, error ? malformed(error) : noJson);
});

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
