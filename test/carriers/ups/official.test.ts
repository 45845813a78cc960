import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createUpsSandbox } from '../../../sandbox/src/partners/ups/index.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/server.ts';
import type { ShipmentDraft } from '../../../src/carriers/adapter.ts';
import { ups } from '../../../src/carriers/ups/index.ts';
import { buildDraft, buildParty, buildReturn } from '../../support/build-draft.ts';
import { type CarrierCaller, callerOf } from '../../support/call-carrier.ts';
import { officialSpec } from '../../support/official-spec.ts';
import { recordSentHeaders } from '../../support/sent-headers.ts';
import { exported } from './replies.ts';

const shipping = officialSpec('ups-shipping.yaml');
const tracking = officialSpec('ups-tracking.yaml');
const rating = officialSpec('ups-rating.yaml');
const login = officialSpec('ups-oauthclientcredentials.yaml');
const parcel = { weightGrams: 1500, lengthMm: 300, widthMm: 200, heightMm: 100 };
const headersOf = recordSentHeaders();
let sandbox: Sandbox;
let caller: CarrierCaller;

beforeAll(async () => {
  sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: [createUpsSandbox] });
  caller = callerOf(ups, {
    clientId: 'clientOne',
    clientSecret: 'sandbox',
    shipperNumber: 'AB1234',
    incoterm: 'DDP',
    baseUrl: `${sandbox.url}/ups`,
  });
});
afterAll(() => sandbox.close());

const TEMPLATES = {
  token: [login, 'post', '/security/v1/oauth/token'],
  ship: [shipping, 'post', '/shipments/{version}/ship'],
  void: [shipping, 'delete', '/shipments/{version}/void/cancel/{shipmentidentificationnumber}'],
  recoverLabel: [shipping, 'post', '/labels/{version}/recovery'],
  track: [tracking, 'get', '/track/v1/details/{inquiryNumber}'],
  trackReference: [tracking, 'get', '/track/v1/reference/details/{referenceNumber}'],
  rate: [rating, 'post', '/rating/{version}/{requestoption}'],
} as const;

/**
 * Where the descriptions contradict themselves: formats of three letters that must have four, fields of another product
 * (Roadie) that are compulsory for all, amounts and weights of exactly as many characters as they may have.
 */
const CONTRADICTIONS = [
  /LabelImageFormat\/Code must NOT have fewer than 4 characters/,
  /LabelRecoveryRequest must have required property '(TrackingNumbers|ReferenceValues)'/,
  /CODAmount\/MonetaryValue must NOT have (fewer|more) than 5 characters/,
  /DeclaredValue\/MonetaryValue must NOT have fewer than 8 characters/,
  /BillingWeight\/Weight must NOT have fewer than 8 characters/,
];

function officialFaults(): string[] {
  return caller.exchanges
    .flatMap(({ status, ...exchange }) => {
      const { operation } = exchange;
      const [spec, method, template] = TEMPLATES[operation as keyof typeof TEMPLATES] ?? [];
      if (!spec || status === null) return [];
      const call = { ...exchange, status, headers: headersOf(exchange) };
      return spec.faultsOfCall(method, template, call).map((fault) => `${operation}: ${fault}`);
    })
    .filter((fault) => !CONTRADICTIONS.some((known) => known.test(fault)));
}

describe('the pretend UPS and its descriptions', () => {
  it.runIf(shipping && tracking && rating && login)(
    'everything that is sent and answered keeps to the official descriptions',
    async () => {
      const create = (draft: ShipmentDraft) =>
        caller.call((carrier, context) => carrier.createShipment(context, draft));
      const find = (draft: ShipmentDraft) =>
        caller.call(async (carrier, context) => carrier.findByReference?.(context, draft));
      const abroad = exported({ parcels: [parcel, parcel], insuredCents: 5000 });
      const home = buildDraft({
        reference: 'SM0000043',
        cod: { amountCents: 12_345, paymentType: 'cash' },
        options: ['SAT'],
        labelFormat: 'zpl',
      });

      const shipment = await create(abroad);
      await create(home);
      await create({ ...home, cod: null, pickupPointId: 'U20100001' });
      await create(buildReturn({ reference: 'SM0000044' }));
      await find(abroad);
      await find(buildDraft({ reference: 'SM0000099' }));
      await caller.call(async (carrier, context) => carrier.track?.(context, { reference: '', ...shipment }));
      await caller.call(async (carrier, context) => carrier.rates?.(context, abroad));
      await caller.call(async (carrier, context) => carrier.cancelShipment?.(context, { reference: '', ...shipment }));
      await caller.fail((carrier, context) =>
        carrier.createShipment(context, buildDraft({ recipient: buildParty({ zip: '00000' }) })),
      );

      const compared = new Set(caller.exchanges.map(({ operation, status }) => `${operation} ${status}`));
      expect([...compared]).toEqual([
        'token 200',
        'ship 200',
        'recoverLabel 200',
        'locate 200',
        'trackReference 200',
        'recoverLabel 400',
        'track 200',
        'rate 200',
        'void 200',
        'ship 400',
      ]);
      expect(officialFaults()).toEqual([]);
    },
  );
});
