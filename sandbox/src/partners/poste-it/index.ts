import { type Request, type Response, Router } from 'express';
import { jsonOf } from '../../body.ts';
import { type Operations, operationIn } from '../../operations.ts';
import type { SandboxPartner, SandboxWorld } from '../../partner.ts';
import { Books, type Waybill } from './books.ts';
import { depositsAnswer, releaseAnswer } from './deposits.ts';
import { pdfLabel, zplLabel } from './labels.ts';
import { pickupAnswer } from './pickups.ts';
import { pointsAnswer } from './points.ts';
import { checkToken, openSession } from './sessions.ts';
import { trackingAnswer } from './tracking.ts';
import { waybillAnswer } from './waybills.ts';

const PARCEL = '/postalandlogistics/parcel';

const OPERATIONS: Operations = [
  ['POST', /^\/user\/sessions$/, 'sessions'],
  ['GET', /^\/labels\/[^/]+$/, 'label'],
  ['POST', new RegExp(`^${PARCEL}/waybill$`), 'waybill'],
  ['POST', new RegExp(`^${PARCEL}/tracking$`), 'tracking'],
  ['POST', new RegExp(`^${PARCEL}/depositsList$`), 'depositsList'],
  ['POST', new RegExp(`^${PARCEL}/depositsRelease$`), 'depositsRelease'],
  ['POST', new RegExp(`^${PARCEL}/pickup$`), 'pickup'],
  ['GET', new RegExp(`^${PARCEL}/deliveryPoint$`), 'deliveryPoint'],
];

/**
 * Creates a simulated Poste Delivery Business. Login: any client id, a secret that starts with "sandbox", a scope that ends with
 * "/.default". GIACENZA, ASSENTE or RIFIUTA in the recipient's address picks another journey. The postcode 00000 or a city with
 * INESISTENTE is refused.
 */
export function createPosteItSandbox(world: SandboxWorld): SandboxPartner {
  const books = new Books(world);
  const router = Router();
  router.post('/user/sessions', openSession);
  router.get('/labels/:file', (request, response) => sendLabel(books, request, response));
  router.use(PARCEL, checkToken);
  router.post(`${PARCEL}/waybill`, (request, response) => {
    const urlOf = ({ code, labelToken, printFormat }: Waybill): string =>
      `${request.protocol}://${request.get('host')}${request.baseUrl}/labels/${code}.${printFormat === 'ZPL' ? 'zpl' : 'pdf'}?sig=${labelToken}`;
    response.json(waybillAnswer(books, jsonOf(request.body), urlOf));
  });
  const services = {
    tracking: trackingAnswer,
    depositsList: depositsAnswer,
    depositsRelease: releaseAnswer,
    pickup: pickupAnswer,
  };
  for (const [name, answer] of Object.entries(services)) {
    router.post(`${PARCEL}/${name}`, (request, response) => void response.json(answer(books, jsonOf(request.body))));
  }
  router.get(`${PARCEL}/deliveryPoint`, (request, response) => {
    const { zipCode = '', serviceType = '' } = request.query as Record<string, string>;
    response.json(pointsAnswer({ zipCode, serviceType }));
  });
  return {
    id: 'poste-it',
    operationOf: operationIn(OPERATIONS),
    router,
    ledger: () => books.ledger(),
    pickups: () => books.pickups(),
    save: () => books.save(),
    load: (state) => books.load(state),
  };
}

/** The address carries its own token. A caller that also sends a login has told it to a stranger, and gets nothing. */
async function sendLabel(books: Books, request: Request<{ file: string }>, response: Response): Promise<void> {
  const waybill = books.find(request.params.file.replace(/\.(pdf|zpl)$/, ''));
  if (!waybill || request.query.sig !== waybill.labelToken || request.get('authorization') !== undefined) {
    return void response.status(403).type('text/plain').send('AuthenticationFailed');
  }
  const { printFormat } = waybill;
  if (printFormat === 'ZPL') return void response.type('text/plain').send(zplLabel(waybill));
  response.type('application/pdf').send(await pdfLabel(waybill, printFormat));
}
