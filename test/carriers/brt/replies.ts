import { brt } from '../../../src/carriers/brt/index.ts';
import { againstOf } from '../../support/call-carrier.ts';
import type { FakeServer, Reply } from '../../support/fake-server.ts';
import { PDF } from '../replies.ts';

export { PDF } from '../replies.ts';

/** Answers of the BRT services, after public clients read on 2026-11-21; names and numbers invented. */

export const ZPL = Buffer.from('^XA^FO1,1^FDx^FS^XZ');

type Json = Record<string, unknown>;

export const json = (body: unknown, to?: string): Reply => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
  ...(to === undefined ? {} : { to }),
});

export const message = (code: number, words = '', codeDesc = ''): Json => ({
  code,
  severity: code < 0 ? 'ERROR' : code > 0 ? 'WARNING' : 'INFO',
  codeDesc,
  message: words,
});

export const label = (place = 1, bytes: Buffer = PDF): Json => ({
  dataLength: 10,
  parcelID: `06101100000${place}000061`,
  trackingByParcelID: `06101100000${place}000`,
  parcelNumberGeoPost: null,
  stream: bytes.toString('base64'),
});

const CREATE = 'POST /rest/v1/shipments/shipment';

export function created(overrides: Json = {}): Reply {
  const answer = {
    currentTimeUTC: '2026-11-21T09:00:00Z',
    executionMessage: message(0),
    arrivalDepot: '061',
    numberOfParcels: '1',
    weightKG: 1.2,
    consigneeZIPCode: '20121',
    consigneeCity: 'MILANO',
    consigneeProvinceAbbreviation: 'MI',
    alphanumericSenderReference: 'SM00000420000',
    labels: { label: [label()] },
    ...overrides,
  };
  return json({ createResponse: answer }, CREATE);
}

export const notCreated = (code: number, words = 'SAYS BRT'): Reply =>
  json({ createResponse: { executionMessage: message(code, words) } }, CREATE);

export const confirmed = (...messages: Json[]): Reply =>
  json(
    { confirmResponse: { executionMessage: messages.length === 1 ? messages[0] : messages } },
    'PUT /rest/v1/shipments/shipment',
  );

export const deleted = (code: number, words = ''): Reply =>
  json({ deleteResponse: { executionMessage: message(code, words) } }, 'PUT /rest/v1/shipments/delete');

export const routed = (said: Json | Json[], more: Json = {}): Reply =>
  json({ routingResponse: { executionMessage: said, ...more } }, 'PUT /rest/v1/shipments/routing');

export interface WireEvent {
  data?: string;
  ora?: string;
  id?: string | number;
  descrizione?: string;
  filiale?: string;
}

export const event = (id: string | number, more: WireEvent = {}): { evento: WireEvent } => ({
  evento: { data: '16.11.2026', ora: '10.30', id, descrizione: 'x', filiale: 'MILANO', ...more },
});
export const EMPTY = { evento: { data: '', ora: '', id: '', descrizione: '', filiale: '' } };

export const parcel = (events: unknown, more: Json = {}): Reply =>
  json(
    { ttParcelIdResponse: { executionMessage: message(0), esito: 0, lista_eventi: events, ...more } },
    'GET /rest/v1/tracking/parcelID/061011000001000',
  );

/** A SOAP answer; `fields` is what is inside `return`, as markup. */
export function soap(operation: string, fields: string): Reply {
  const name = operation.toLowerCase();
  return {
    to: `POST /web/${operation}Service/${operation}`,
    headers: { 'content-type': 'text/xml' },
    body:
      `<?xml version="1.0" encoding="UTF-8"?><S:Envelope xmlns:S="http://schemas.xmlsoap.org/soap/envelope/"><S:Body>` +
      `<ns2:${name}Response xmlns:ns2="http://${name}.wsbeans.iseries/"><return>${fields}</return></ns2:${name}Response></S:Body></S:Envelope>`,
  };
}

export const found = (esito: number, id: number | string = 0): Reply =>
  soap('GetIdSpedizioneByRMN', `<ESITO>${esito}</ESITO><SPEDIZIONE_ID>${id}</SPEDIZIONE_ID><VERSIONE>1</VERSIONE>`);

export interface WireShipment {
  esito?: number;
  numeric?: string;
  alphanumeric?: string;
  parcels?: number;
  events?: string;
}

export function shipment({
  esito = 0,
  numeric = NUMERIC,
  alphanumeric = 'SM00000420000',
  parcels = 1,
  events = '<LISTA_EVENTI><EVENTO><DATA/><ORA/><ID/></EVENTO></LISTA_EVENTI>',
}: WireShipment = {}): Reply {
  return soap(
    'BRT_TrackingByBRTshipmentID',
    `<ESITO>${esito}</ESITO><BOLLA><DATI_SPEDIZIONE><SPEDIZIONE_ID>061014000001</SPEDIZIONE_ID></DATI_SPEDIZIONE>` +
      `<DATI_CONSEGNA><DATA_CONSEGNA_MERCE/><ORA_CONSEGNA_MERCE/></DATI_CONSEGNA><MERCE><COLLI>${parcels}</COLLI></MERCE>` +
      `<RIFERIMENTI><RIFERIMENTO_MITTENTE_NUMERICO>${numeric}</RIFERIMENTO_MITTENTE_NUMERICO>` +
      `<RIFERIMENTO_MITTENTE_ALFABETICO>${alphanumeric}</RIFERIMENTO_MITTENTE_ALFABETICO></RIFERIMENTI></BOLLA>${events}`,
  );
}

export const soapEvent = (id: string): string =>
  `<LISTA_EVENTI><EVENTO><DATA>16.11.2026</DATA><ORA>10.30</ORA><ID>${id}</ID><DESCRIZIONE>x</DESCRIZIONE><FILIALE>MILANO</FILIALE></EVENTO></LISTA_EVENTI>`;

/** Of SM0000042. */
export const NUMERIC = '167360000000146';

export const account = (baseUrl: string) => ({
  userID: '1020304',
  password: 'Segreta9!',
  senderCustomerCode: '1020304',
  departureDepot: '061',
  pricingConditionCode: '030',
  pudoToken: 'Gettone7!',
  baseUrl,
  soapBaseUrl: baseUrl,
});

export const handle = {
  reference: 'SM0000042',
  trackingNumber: '061011000001000',
  carrierReference: 'SM00000420000',
};

export const against = againstOf(brt, (url, overrides) => ({ ...account(url), ...overrides }));

/** The body of one request. */
export function bodyOf(server: FakeServer, index = 0): Record<string, Json> {
  return JSON.parse(server.requests[index]?.body ?? '{}');
}
