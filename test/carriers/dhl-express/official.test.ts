import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDhlExpressSandbox } from '../../../sandbox/src/partners/dhl-express/index.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/server.ts';
import type { BookedShipment, PickupRequest, ShipmentDraft } from '../../../src/carriers/adapter.ts';
import { dhlExpress } from '../../../src/carriers/dhl-express/index.ts';
import { buildDraft, buildParty } from '../../support/build-draft.ts';
import { type CarrierCaller, callerOf } from '../../support/call-carrier.ts';
import { officialSpec } from '../../support/official-spec.ts';
import { sandboxClient } from '../../support/sandbox-client.ts';
import { recordSentHeaders } from '../../support/sent-headers.ts';
import { exported } from './replies.ts';

const spec = officialSpec('dhl-express-mydhl-3.1.1.yaml');
const parcel = { weightGrams: 1500, lengthMm: 300, widthMm: 200, heightMm: 100 };
const headersOf = recordSentHeaders();
let sandbox: Sandbox;
let dhl: CarrierCaller;

beforeEach(async () => {
  sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: [createDhlExpressSandbox] });
  dhl = callerOf(dhlExpress, {
    username: 'apiUser',
    password: 'sandbox',
    accountNumber: '106000001',
    customsInvoice: 'proforma',
    eoriNumber: 'IT01234567890',
    baseUrl: `${sandbox.url}/dhl-express`,
  });
});
afterEach(() => sandbox.close());

const pickup: PickupRequest = {
  reference: 'SMP0000000007',
  date: '2026-11-23',
  from: '14:00',
  to: '18:00',
  place: buildParty(),
  parcels: [parcel],
  shipments: [],
  note: 'Citofono',
};

const create = (draft: ShipmentDraft): Promise<BookedShipment> =>
  dhl.call((carrier, context) => carrier.createShipment(context, draft));

/** What everything that was sent and answered breaks of DHL's own description. */
const TEMPLATES: Readonly<Record<string, readonly [method: string, template: string]>> = {
  createShipment: ['post', '/shipments'],
  trackShipment: ['get', '/shipments/{shipmentTrackingNumber}/tracking'],
  findShipment: ['get', '/tracking'],
  rates: ['post', '/rates'],
  validateAddress: ['get', '/address-validate'],
  bookPickup: ['post', '/pickups'],
  cancelPickup: ['delete', '/pickups/{dispatchConfirmationNumber}'],
};
function officialFaults(): string[] {
  return dhl.exchanges.flatMap(({ status, ...exchange }) => {
    const { operation } = exchange;
    const [method, template] = TEMPLATES[operation] ?? [];
    if (!spec || !method || !template || status === null) return [];
    const call = { ...exchange, status, headers: headersOf(exchange) };
    return spec.faultsOfCall(method, template, call).map((fault) => `${operation}: ${fault}`);
  });
}

describe('the pretend DHL Express and its description', () => {
  it.each([
    ['one fault', { content: undefined }, '#: required key [content] not found'],
    ['several faults', { odd: 1, productCode: '' }, 'Multiple problems found, see Additional Details'],
  ])('refuses a request with %s as DHL does', async (_what, broken, detail) => {
    await create(buildDraft());
    const whole = JSON.parse(dhl.exchanges[0]?.requestBody ?? '');

    const answer = await fetch(`${sandbox.url}/dhl-express/shipments`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('apiUser:sandbox')}`, 'x-version': '3.1.0' },
      body: JSON.stringify({ ...whole, ...broken }),
    });
    const body = await answer.json();

    expect(answer.status).toBe(422);
    expect(body).toMatchObject({ title: 'Validation error', detail, status: '422' });
    expect(spec?.faultsOfAnswer('post', '/shipments', { status: 422, body }) ?? []).toEqual([]);
  });

  it.runIf(spec)('everything that is sent and answered keeps to the official description', async () => {
    const { exchanges } = dhl;
    const draft = exported({ parcels: [parcel, parcel], insuredCents: 5000, options: ['WY'] });

    const shipment = await create(draft);
    await create(buildDraft({ labelFormat: 'zpl', recipient: buildParty({ province: 'Lombardia' }) }));
    for (const wanted of [draft, buildDraft({ reference: 'SM0000099' })]) {
      await dhl.call(async (carrier, context) => carrier.findByReference?.(context, wanted));
    }
    await sandboxClient(sandbox, 'dhl-express').advance(60);
    for (const trackingNumber of [shipment.trackingNumber, '1']) {
      const handle = { reference: draft.reference, trackingNumber, carrierReference: trackingNumber };
      await dhl.call(async (carrier, context) => carrier.track?.(context, handle));
    }
    await dhl.call(async (carrier, context) => carrier.rates?.(context, draft));
    const question = { province: '', address: '', zip: '00184', city: 'Roma' };
    await dhl.call(async (carrier, context) => carrier.checkAddress?.(context, question));
    const booked = await dhl.call(async (carrier, context) => carrier.bookPickup?.(context, pickup));
    for (const confirmation of [booked?.confirmation ?? '', booked?.confirmation ?? '', 'PRG999'])
      await dhl.call(async (carrier, context) => carrier.cancelPickup?.(context, confirmation));
    await dhl.fail((carrier, context) =>
      carrier.createShipment(context, buildDraft({ recipient: buildParty({ zip: '00000' }) })),
    );

    expect(exchanges.map(({ operation, status }) => `${operation} ${status}`)).toEqual([
      'createShipment 201',
      'createShipment 201',
      'findShipment 200',
      'findShipment 404',
      'trackShipment 200',
      'trackShipment 404',
      'rates 200',
      'validateAddress 200',
      'bookPickup 201',
      'cancelPickup 200',
      'cancelPickup 400',
      'cancelPickup 404',
      'createShipment 400',
    ]);
    expect(officialFaults()).toEqual([]);
  });
});
