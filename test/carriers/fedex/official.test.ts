import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFedexSandbox } from '../../../sandbox/src/partners/fedex/index.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/server.ts';
import type { ShipmentDraft } from '../../../src/carriers/adapter.ts';
import { fedex } from '../../../src/carriers/fedex/index.ts';
import { buildDraft, buildParty, buildReturn } from '../../support/build-draft.ts';
import { type CarrierCaller, callerOf } from '../../support/call-carrier.ts';
import { officialSpec } from '../../support/official-spec.ts';
import { recordSentHeaders } from '../../support/sent-headers.ts';
import { exported } from './replies.ts';

const shipping = officialSpec('fedex-ship.json');
const tracking = officialSpec('fedex-track.json');
const rating = officialSpec('fedex-rate.json');
const parcel = { weightGrams: 1500, lengthMm: 300, widthMm: 200, heightMm: 100 };
const headersOf = recordSentHeaders();
let sandbox: Sandbox;
let caller: CarrierCaller;

beforeAll(async () => {
  sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: [createFedexSandbox] });
  caller = callerOf(fedex, {
    apiKey: 'keyOne',
    secretKey: 'sandbox',
    trackApiKey: 'keyTwo',
    trackSecretKey: 'sandbox-track',
    accountNumber: '740561073',
    incoterm: 'DDP',
    baseUrl: `${sandbox.url}/fedex`,
  });
});
afterAll(() => sandbox.close());

const TEMPLATES = {
  ship: [shipping, 'post', '/ship/v1/shipments'],
  cancel: [shipping, 'put', '/ship/v1/shipments/cancel'],
  track: [tracking, 'post', '/track/v1/trackingnumbers'],
  trackReference: [tracking, 'post', '/track/v1/referencenumbers'],
  rate: [rating, 'post', '/rate/v1/rates/quotes'],
} as const;

/**
 * What FedEx does beside its description: its own example of the search by reference and users send `shipDateEnd`, and it answers
 * `values` where the description has `value` (quirks of the README, read on 2026-11-21).
 */
const BESIDE = [
  /^trackReference: \/referencesInformation\/shipDateEnd is not known$/,
  /\/packageIdentifiers\/\d+\/values is not known$/,
];

/** A request for prices is one of many samples by its description, several of which ours keeps to: only breaking all would be a fault. */
const SEVERAL = 'rate: / must match exactly one schema in oneOf';

function officialFaults(): string[] {
  const faults = caller.exchanges.flatMap(({ status, ...exchange }) => {
    const { operation } = exchange;
    const [spec, method, template] = TEMPLATES[operation as keyof typeof TEMPLATES] ?? [];
    if (!spec || status === null) return [];
    const call = { ...exchange, status, headers: headersOf(exchange) };
    return spec.faultsOfCall(method, template, call).map((fault) => `${operation}: ${fault}`);
  });
  return faults.filter((fault) => fault !== SEVERAL && !BESIDE.some((known) => known.test(fault)));
}

describe('the pretend FedEx and its descriptions', () => {
  it.runIf(shipping && tracking && rating)(
    'everything that is sent and answered keeps to the official descriptions',
    async () => {
      const create = (draft: ShipmentDraft) =>
        caller.call((carrier, context) => carrier.createShipment(context, draft));
      const find = (draft: ShipmentDraft) =>
        caller.call(async (carrier, context) => carrier.findByReference?.(context, draft));
      const abroad = exported({ parcels: [parcel, parcel], insuredCents: 2000 });

      const shipment = await create(abroad);
      await create(buildDraft({ reference: 'SM0000043', labelFormat: 'zpl' }));
      await create(buildDraft({ reference: 'SM0000044', recipient: buildParty({ countryCode: 'DE' }) }));
      await create(buildReturn({ reference: 'SM0000045' }));
      await find(abroad);
      await find(buildDraft({ reference: 'SM0000099' }));
      await caller.call(async (carrier, context) =>
        carrier.track?.(context, { reference: '', ...shipment, bookedAt: new Date() }),
      );
      await caller.call(async (carrier, context) => carrier.rates?.(context, abroad));
      await caller.call(async (carrier, context) => carrier.cancelShipment?.(context, { reference: '', ...shipment }));
      await caller.fail((carrier, context) =>
        carrier.createShipment(context, buildDraft({ recipient: buildParty({ zip: '00000' }) })),
      );

      const compared = new Set(caller.exchanges.map(({ operation, status }) => `${operation} ${status}`));
      expect([...compared]).toEqual([
        'token 200',
        'ship 200',
        'trackReference 200',
        'track 200',
        'rate 200',
        'cancel 200',
        'ship 400',
      ]);
      expect(officialFaults()).toEqual([]);
    },
  );
});
