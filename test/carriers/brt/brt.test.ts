import { describe, expect, it } from 'vitest';
import { brt } from '../../../src/carriers/brt/index.ts';
import { TRACKING_CODES } from '../../../src/carriers/brt/tracking-codes.ts';
import { buildDraft } from '../../support/build-draft.ts';
import { testCarrier } from '../conformance.ts';
import {
  account,
  against,
  confirmed,
  created,
  deleted,
  event,
  found,
  json,
  message,
  NUMERIC,
  notCreated,
  parcel,
  shipment,
  soapEvent,
} from './replies.ts';

const draft = buildDraft();

testCarrier({
  carrier: brt,
  account,
  invalidAccount: { ...account('http://127.0.0.1'), departureDepot: 'Segreta9!' },
  secrets: ['Segreta9!', 'Gettone7!'],
  draft,
  created: { replies: [created()], trackingNumber: '061011000001000', carrierReference: 'SM00000420000' },
  rejected: { reply: notCreated(-63, 'CONSIGNEE NOT ROUTABLE'), words: 'CONSIGNEE NOT ROUTABLE' },
  unreadable: [
    { body: '{"createResponse":' },
    { body: '' },
    { body: '<html><body><p>Manutenzione</p></body></html>' },
    json({ createResponse: {} }),
    json({ createResponse: { executionMessage: [] } }),
    created({ labels: null }),
  ],
  find: { found: [found(0, 61014000001), shipment()], absent: [found(-11)] },
  cancel: { first: [deleted(0)], again: [deleted(-151, 'SHIPMENT NEVER CREATED')] },
  writes: {
    createShipment: { refused: [notCreated(-63, 'CONSIGNEE NOT ROUTABLE')] },
    cancelShipment: { refused: [deleted(-152, 'ALREADY IN CHARGE')] },
    transmitShipments: { refused: [confirmed(message(-101, 'NOT CONFIRMABLE'))] },
  },
  track: { codes: TRACKING_CODES, unknownCode: 'XYZ', replies: (code) => [parcel([event(code)])] },
  deviations: {
    'resolves an unknown outcome in both directions':
      'BRT finds a shipment by its own twelve digits and never names its parcels again; both directions are checked below',
  },
});

describe('finding a lost shipment at BRT', () => {
  const look = (replies: Parameters<typeof against>[0], account: Record<string, unknown> = {}) => {
    let outcome: unknown;
    return against(
      replies,
      async ({ call, exchanges }, server) => {
        outcome = await call(async (one, context) => one.findByReference?.(context, draft)).catch((error) => error);
        expect(exchanges.every(({ effect }) => effect === 'read')).toBe(true);
        expect(server.requests[0]?.body).toContain(
          `<CLIENTE_ID>1020304</CLIENTE_ID><RIFERIMENTO_MITTENTE_NUMERICO>${NUMERIC}</RIFERIMENTO_MITTENTE_NUMERICO>`,
        );
      },
      account,
    ).then(() => outcome);
  };

  it('names it by its twelve digits, and says that its label cannot be had again', async () => {
    expect(await look([found(0, 61014000001), shipment()])).toEqual({
      trackingNumber: '061014000001',
      carrierReference: 'SM00000420000',
      parcelCount: 1,
      labels: [],
      warnings: [expect.stringMatching(/does not give a label a second time: cancel .* create it again/)],
      canBeTakenBack: true,
    });
  });

  it('answers null when BRT has none', async () => {
    expect(await look([found(-11)])).toBeNull();
  });

  it('counts it as confirmed once it has an event, or when BRT confirms by itself', async () => {
    const moved = [found(0, 61014000001), shipment({ events: soapEvent('700') })];

    expect(await look(moved)).toMatchObject({ canBeTakenBack: false });
    expect(await look([found(0, 61014000001), shipment()], { confirmation: 'automatic' })).toMatchObject({
      canBeTakenBack: false,
    });
  });

  it('counts it as confirmed when it has an event that cannot be read', async () => {
    const odd = '<LISTA_EVENTI><EVENTO><DATA>ieri</DATA><ORA/><ID/></EVENTO></LISTA_EVENTI>';

    expect(await look([found(0, 61014000001), shipment({ events: odd })])).toMatchObject({ canBeTakenBack: false });
  });

  it('tells how many parcels BRT counts when it is not what was sent', async () => {
    expect(await look([found(0, '061014000001'), shipment({ parcels: 3 })])).toMatchObject({
      parcelCount: 3,
      warnings: [expect.any(String), 'BRT counts 3 parcels in this shipment, 1 were sent'],
    });
  });

  it.each([
    [
      'several of them',
      [found(-22)],
      { kind: 'permanent', code: 'refused', message: /several shipments.*ask the depot/ },
    ],
    ['an unknown customer', [found(-21)], { kind: 'permanent', code: 'refused', message: /senderCustomerCode/ }],
    ['a database that is away', [found(-3)], { kind: 'retryable', code: 'partner-broken', message: /not available/ }],
    ['an unknown fault', [found(-1)], { kind: 'retryable', code: 'partner-broken', message: /outcome -1/ }],
    ['an outcome that is in no list', [found(-99)], { kind: 'retryable', code: 'answer-unreadable', message: /-99/ }],
    ['no outcome', [found(Number.NaN)], { kind: 'retryable', code: 'answer-unreadable' }],
    ['no shipment id', [found(0, 0)], { kind: 'retryable', code: 'answer-unreadable' }],
    [
      'another numeric reference',
      [found(0, 61014000001), shipment({ numeric: '167360000000147' })],
      { kind: 'retryable', code: 'answer-unreadable', message: /another reference/ },
    ],
    [
      'another alphanumeric reference',
      [found(0, 61014000001), shipment({ alphanumeric: 'SM0000420000' })],
      { kind: 'retryable', code: 'answer-unreadable', message: /another reference/ },
    ],
    [
      'a shipment that is not shown yet',
      [found(0, 61014000001), shipment({ esito: -11 }), shipment({ esito: -11 })],
      { kind: 'retryable', code: 'answer-unreadable', message: /does not show it yet/ },
    ],
  ])('never takes %s for an answer', async (_what, replies, failure) => {
    const { message: words, ...rest } = failure as { message?: RegExp };

    const error = await look(replies);

    expect(error).toMatchObject(rest);
    if (words) expect((error as Error).message).toMatch(words);
  });
});
