import type { Books } from './books.ts';
import { CREATE_DATA, LABEL_PARAMETERS, REFERENCE_DATA, ROUTING_DATA, readFields, type Values } from './fields.ts';
import { pdfLabel, zplLabel } from './labels.ts';
import { type Message, messageOf, Refusal, Unreadable } from './messages.ts';
import { type Place, POINTS, placeOf } from './places.ts';
import { barcodeOf, SERIES, type Shipment, trackingIdOf } from './shipment.ts';

type Body = Record<string, unknown>;
type Operation = (books: Books, body: Body) => Promise<Body>;

const MAX_PARCELS = 30;

/** Accepts any user with digits only and a password that starts with "sandbox". Returns the customer code, which is the user. */
export function logIn(account: unknown): string {
  const { userID = '', password = '' } = (account ?? {}) as { userID?: unknown; password?: unknown };
  if (userID === '' || password === '') throw new Refusal(-57, 'userID OR password MISSING');
  if (!/^\d{1,7}$/.test(String(userID)) || !String(password).startsWith('sandbox'))
    throw new Refusal(-7, 'LOGIN FAILED');
  return String(Number(userID));
}

function allow(user: string, values: Values): string {
  const customer = String(Number(values.senderCustomerCode));
  if (customer !== user) throw new Refusal(-67, 'senderCustomerCode NOT OF THIS USER');
  return customer;
}

function knownKeys(body: Body, ...known: string[]): void {
  const odd = Object.keys(body).find((key) => !known.includes(key));
  if (odd !== undefined) throw new Unreadable(`Unrecognized field "${odd}"`);
}

function destinationOf(values: Values): Place {
  const place = placeOf({
    zip: values.consigneeZIPCode ?? '',
    city: values.consigneeCity ?? '',
    province: values.consigneeProvinceAbbreviation ?? '',
    country: values.consigneeCountryAbbreviationISOAlpha2 ?? '',
  });
  if (!place) throw new Refusal(-63, 'CONSIGNEE NOT ROUTABLE');
  return place;
}

/** Rules that need more than one field. */
function refuseInconsistent(values: Values): void {
  const parcels = Number(values.numberOfParcels);
  if (parcels < 1 || parcels > MAX_PARCELS) throw new Refusal(-5, 'numberOfParcels INVALID VALUE');
  if (Number(values.weightKG) <= 0) throw new Refusal(-5, 'weightKG INVALID VALUE');
  const isItaly = values.consigneeCountryAbbreviationISOAlpha2 === 'IT';
  const isLong = (values.consigneeAddress ?? '').length > 35;
  if (isLong && (isItaly || !values.network)) throw new Refusal(-5, 'consigneeAddress TOO LONG');
  if (values.isCODMandatory === '1' && !values.cashOnDelivery) throw new Refusal(-68, 'cashOnDelivery MANDATORY');
  if (values.brtServiceCode === 'B15' && !values.returnDepot) throw new Refusal(-68, 'returnDepot MANDATORY');
  if (!values.pudoId) return;
  if (!POINTS.some(({ id }) => id === values.pudoId)) throw new Refusal(-69, `pudoId ${values.pudoId} UNKNOWN`);
  if (!values.consigneeEMail && !values.consigneeMobilePhoneNumber)
    throw new Refusal(-68, 'consigneeEMail OR consigneeMobilePhoneNumber MANDATORY WITH pudoId');
}

function messagesOf(shipment: Shipment): Message[] {
  const messages: Message[] = [];
  if (shipment.place.isNormalised) messages.push(messageOf(4, 'ZIP CODE, CITY OR PROVINCE CHANGED'));
  if (shipment.pudoId !== '') messages.push(messageOf(5, 'CONSIGNEE ADDRESS IS NOT THAT OF THE PUDO'));
  return messages.length > 0 ? messages : [messageOf(0)];
}

const create: Operation = async (books, body) => {
  knownKeys(
    body,
    'account',
    'createData',
    'isLabelRequired',
    'labelParameters',
    'actualSender',
    'returnShipmentConsignee',
  );
  const user = logIn(body.account);
  const values = readFields(body.createData, CREATE_DATA);
  const parameters = readFields(body.labelParameters ?? {}, LABEL_PARAMETERS);
  const customer = allow(user, values);
  refuseInconsistent(values);
  if (parameters.labelFormat && parameters.outputType !== 'ZPL') throw new Refusal(-68, 'labelFormat ONLY WITH ZPL');
  const place = destinationOf(values);
  const shipment = books.add({ ...orderOf(values), customer, place, departureDepot: values.departureDepot ?? '' });
  return {
    createResponse: {
      currentTimeUTC: books.now().toISOString(),
      // BRT sends one message as an object, and several as an array.
      executionMessage: oneOrMany(messagesOf(shipment)),
      ...answerOf(shipment),
      labels: { label: String(body.isLabelRequired) === '1' ? await labelsOf(shipment, parameters) : [] },
      disclaimer: 'PRETEND CARRIER',
    },
  };
};

function oneOrMany(messages: Message[]): Message | Message[] {
  const [only] = messages;
  return messages.length === 1 && only ? only : messages;
}

function orderOf(values: Values) {
  const text = (name: string): string => values[name] ?? '';
  const cents = (name: string): number => Math.round(Number(text(name) || 0) * 100);
  return {
    parcels: Number(text('numberOfParcels')),
    numeric: Number(text('numericSenderReference')),
    alphanumeric: text('alphanumericSenderReference'),
    generic: text('genericReference'),
    name: text('consigneeCompanyName'),
    address: text('consigneeAddress'),
    zip: text('consigneeZIPCode'),
    city: text('consigneeCity'),
    province: text('consigneeProvinceAbbreviation'),
    country: text('consigneeCountryAbbreviationISOAlpha2'),
    notes: text('notes'),
    pudoId: text('pudoId'),
    weightKg: Number(text('weightKG')),
    volumeM3: Number(text('volumeM3') || 0),
    contents: text('senderParcelType'),
    codCents: cents('cashOnDelivery'),
    codType: text('codPaymentType'),
    insuredCents: cents('insuranceAmount'),
    serviceType: text('serviceType'),
  };
}

/** Numbers come padded with zeros, or as numbers, as the field has it. */
function answerOf(shipment: Shipment): Body {
  const { place, parcelFrom, parcels } = shipment;
  return {
    arrivalTerminal: place.terminal,
    arrivalDepot: place.depot,
    deliveryZone: place.zone,
    parcelNumberFrom: String(parcelFrom).padStart(7, '0'),
    parcelNumberTo: String(parcelFrom + parcels - 1).padStart(7, '0'),
    departureDepot: shipment.id.slice(0, 3),
    seriesNumber: SERIES,
    serviceType: shipment.serviceType,
    consigneeCompanyName: shipment.name,
    consigneeAddress: shipment.address,
    consigneeZIPCode: place.zip,
    consigneeCity: place.city,
    consigneeProvinceAbbreviation: place.province,
    consigneeCountryAbbreviationBRT: shipment.country === 'IT' ? '' : shipment.country,
    numberOfParcels: parcels,
    weightKG: shipment.weightKg,
    volumeM3: shipment.volumeM3,
    alphanumericSenderReference: shipment.alphanumeric,
    senderCompanyName: `CLIENTE ${shipment.customer}`,
    senderProvinceAbbreviation: 'MI',
  };
}

async function labelsOf(shipment: Shipment, parameters: Values): Promise<Body[]> {
  const labels: Body[] = [];
  for (let place = 1; place <= shipment.parcels; place++) {
    const bytes =
      parameters.outputType === 'ZPL'
        ? Buffer.from(zplLabel(shipment, place, parameters.labelFormat ?? ''))
        : await pdfLabel(shipment, place);
    const stream = bytes.toString('base64');
    labels.push({
      dataLength: stream.length,
      parcelID: barcodeOf(shipment, place),
      trackingByParcelID: trackingIdOf(shipment, place),
      parcelNumberGeoPost: '',
      stream,
      streamDigitalLabel: '',
    });
  }
  return labels;
}

/** The one shipment that confirm or delete mean. */
function referred(books: Books, body: Body, name: 'confirmData' | 'deleteData'): Shipment {
  knownKeys(body, 'account', name);
  const user = logIn(body.account);
  const values = readFields(body[name], REFERENCE_DATA);
  const customer = allow(user, values);
  const alphanumeric = values.alphanumericSenderReference || undefined;
  const found = books.named({ customer, numeric: Number(values.numericSenderReference), alphanumeric });
  const [shipment] = found;
  if (!shipment) throw new Refusal(-151, 'SHIPMENT NEVER CREATED OR OLDER THAN 40 DAYS');
  if (found.length > 1) throw new Refusal(-154, `${found.length} SHIPMENTS WITH THESE REFERENCES`);
  return shipment;
}

const confirm: Operation = async (books, body) => {
  const shipment = referred(books, body, 'confirmData');
  if (shipment.confirmedAt !== null) throw new Refusal(-102, 'SHIPMENT ALREADY CONFIRMED');
  books.confirm(shipment);
  return { confirmResponse: { currentTimeUTC: books.now().toISOString(), executionMessage: messageOf(0) } };
};

const remove: Operation = async (books, body) => {
  const shipment = referred(books, body, 'deleteData');
  if (books.isInCharge(shipment)) throw new Refusal(-152, 'SHIPMENT ALREADY TAKEN IN CHARGE');
  books.delete(shipment);
  return { deleteResponse: { currentTimeUTC: books.now().toISOString(), executionMessage: messageOf(0) } };
};

const routing: Operation = async (books, body) => {
  knownKeys(body, 'account', 'routingData');
  const user = logIn(body.account);
  const values = readFields(body.routingData, ROUTING_DATA);
  allow(user, values);
  const place = destinationOf(values);
  const message = place.isNormalised ? messageOf(4, 'ZIP CODE, CITY OR PROVINCE CHANGED') : messageOf(0);
  return {
    routingResponse: {
      currentTimeUTC: books.now().toISOString(),
      executionMessage: message,
      arrivalTerminal: place.terminal,
      arrivalDepot: place.depot,
      deliveryZone: place.zone,
      consigneeZIPCode: place.zip,
      consigneeCity: place.city,
      consigneeProvinceAbbreviation: place.province,
    },
  };
};

export interface ShipmentsOperation {
  name: string;
  method: 'POST' | 'PUT';
  path: string;
  root: string;
  run: Operation;
}

export const SHIPMENTS: readonly ShipmentsOperation[] = [
  { name: 'create', method: 'POST', path: '/shipment', root: 'createResponse', run: create },
  { name: 'confirm', method: 'PUT', path: '/shipment', root: 'confirmResponse', run: confirm },
  { name: 'delete', method: 'PUT', path: '/delete', root: 'deleteResponse', run: remove },
  { name: 'routing', method: 'PUT', path: '/routing', root: 'routingResponse', run: routing },
];
