import { describe, expect, it } from 'vitest';
import { inpostIt } from '../../../src/carriers/inpost-it/index.ts';
import { TRACKING_CODES } from '../../../src/carriers/inpost-it/tracking-codes.ts';
import { buildParty } from '../../support/build-draft.ts';
import { testCarrier } from '../conformance.ts';
import {
  account,
  against,
  creating,
  event,
  finding,
  ID,
  LOCKER,
  label,
  listed,
  lockerDraft,
  NUMBER,
  refusal,
  sent,
  shipment,
  sold,
  tracked,
  unconfirmed,
  ZPL,
} from './replies.ts';

const draft = lockerDraft();
const handle = { reference: draft.reference, trackingNumber: NUMBER, carrierReference: String(ID) };
const LIST = 'GET /v1/organizations/4711/shipments';

testCarrier({
  carrier: inpostIt,
  account,
  invalidAccount: { ...account('http://127.0.0.1'), organizationId: 'ACME' },
  secrets: ['Segreto9!token'],
  draft,
  created: {
    replies: [
      { ...sold(), to: 'POST /v1/organizations/4711/shipments' },
      { ...label(), to: `GET /v1/shipments/${ID}/label` },
    ],
    trackingNumber: NUMBER,
    carrierReference: String(ID),
  },
  rejected: {
    reply: refusal(400, 'validation_failed', { custom_attributes: [{ target_point: ['does_not_exist'] }] }),
    words: 'does_not_exist',
  },
  unreadable: [
    { status: 201, body: '' },
    { status: 201, body: '<html><body>Manutenzione</body></html>' },
    { status: 201, body: '{}' },
    sold({ id: 'x' }),
    { status: 400, body: '<html><body>Bad gateway</body></html>' },
    { status: 404, body: '{"message":"no Route matched"}' },
  ],
  find: {
    found: [{ ...listed([shipment()]), to: LIST }, label()],
    absent: [listed([])],
  },
  cancel: {
    first: [{ status: 204, to: `DELETE /v1/shipments/${ID}` }],
    again: [refusal(400, 'invalid_action', { action: 'cancel', shipment_status: 'canceled' })],
  },
  writes: {
    createShipment: { refused: [refusal(400, 'validation_failed', { receiver: [{ phone: ['invalid_format'] }] })] },
    cancelShipment: {
      silentYes: [204],
      refused: [refusal(400, 'invalid_action', { action: 'cancel', shipment_status: 'delivered' })],
    },
    bookPickup: {
      account: { sendingMethod: 'dispatch_order' },
      refused: [refusal(400, 'validation_failed', { shipments: ['does_not_exist'] })],
    },
    cancelPickup: { silentYes: [204], refused: [refusal(400, 'invalid_action', { action: 'cancel' })] },
  },
  track: { codes: TRACKING_CODES, unknownCode: 'canceled', replies: (code) => [tracked(event(code))] },
});

describe('creating with InPost', () => {
  it('sends people, locker, size and reference, and no address of anybody', () =>
    against([sold(), label()], async ({ call }, server) => {
      const order = lockerDraft({ note: 'Fragile\n  grazie', cod: { amountCents: 4990, paymentType: 'CASH' } });

      await call(creating(order));

      expect(server.requests[0]?.headers).toMatchObject({
        authorization: 'Bearer Segreto9!token',
        'accept-language': 'keys',
        'content-type': 'application/json',
      });
      expect(sent(server)).toEqual({
        reference: 'SM0000042',
        service: 'inpost_locker_standard',
        receiver: { name: 'Anna Bianchi', email: 'anna@example.com', phone: '+393331234567' },
        sender: {
          name: 'Bottega Srl',
          company_name: 'Bottega Srl',
          email: 'anna@example.com',
          phone: '+393331234567',
        },
        parcels: { template: 'medium' },
        custom_attributes: { target_point: LOCKER, sending_method: 'parcel_locker' },
        cod: { amount: 49.9, currency: 'EUR' },
        comments: 'Fragile grazie',
      });
    }));

  it.each([
    ['Via Roma 12', 'Via Roma', '12'],
    ['Via 4 Novembre, 5/B', 'Via 4 Novembre', '5/B'],
    ['Corso Matteotti 3 bis', 'Corso Matteotti', '3 bis'],
    ['Contrada Piana s.n.c.', 'Contrada Piana', 's.n.c.'],
  ])('tells where a parcel at "%s" is fetched', (address, street, number) =>
    against(
      [sold(), label()],
      async ({ call }, server) => {
        await call(creating(lockerDraft({ sender: buildParty({ address }) })));

        expect(sent(server).sender.address).toEqual({
          street,
          building_number: number,
          city: 'Milano',
          post_code: '20121',
          country_code: 'IT',
        });
        expect(sent(server).custom_attributes.sending_method).toBe('dispatch_order');
      },
      { sendingMethod: 'dispatch_order' },
    ),
  );

  it.each([
    ['pdf-a6', 'pdf', 'A6'],
    ['pdf-a4', 'pdf', 'normal'],
    ['zpl', 'zpl', 'A6'],
  ] as const)('asks for the label in %s', (labelFormat, format, type) =>
    against([sold(), label(labelFormat === 'zpl' ? ZPL : undefined)], async ({ call }, server) => {
      const booked = await call(creating(lockerDraft({ labelFormat })));

      expect(Object.fromEntries(server.requests[1]?.query ?? [])).toEqual({ format, type });
      expect(booked.labels.map(({ contentType }) => contentType)).toEqual([
        labelFormat === 'zpl' ? 'application/zpl' : 'application/pdf',
      ]);
    }),
  );

  it('is not done while InPost has given no number: the outcome is to be looked up', () =>
    against([sold(unconfirmed)], async ({ fail }, server) => {
      const failure = await fail(creating(draft));

      expect(failure).toMatchObject({ kind: 'unknown-outcome', code: 'being-made' });
      expect(failure.message).toBe(`InPost took the order and is still giving it a number (shipment ${ID}, created)`);
      expect(server.requests).toHaveLength(1);
    }));

  it.each([
    ['is refused', refusal(400, 'invalid_action')],
    ['may not be read', { status: 403, body: '' }],
    ['is cut short', { body: '%PDF-1.4 half of' }],
    ['is no label', { body: 'GIF89a' }],
    ['is lost', { ending: 'reset' as const }],
  ])('is sold even when the label %s: it can be fetched later', (_what, reply) =>
    against([sold(), reply, label()], async ({ call }) => {
      const booked = await call(creating(draft));
      const labels = await call(async (carrier, context) => carrier.fetchLabels?.(context, draft, handle));

      expect(booked).toMatchObject({ trackingNumber: NUMBER, labels: [], parcelCount: 1 });
      expect(booked.warnings).toEqual([expect.stringContaining('its label did not come')]);
      expect(labels).toMatchObject([{ contentType: 'application/pdf' }]);
    }),
  );

  it('does not ask InPost for a parcel of unknown size', () =>
    against([], async ({ fail }) => {
      const parcels = [{ weightGrams: 500, lengthMm: 0, widthMm: 0, heightMm: 0 }];

      expect(await fail(creating(lockerDraft({ parcels })))).toMatchObject({ kind: 'permanent', code: 'refused' });
    }));
});

describe('looking up with InPost', () => {
  it('asks for the reference, newest first, and reads every page', () =>
    against(
      [listed([shipment({ id: 3, reference: 'OTHER' })], 2), listed([shipment({ id: 2 })], 2), label()],
      async ({ call }, server) => {
        const found = await call(finding(draft));

        expect(server.requests.slice(0, 2).map(({ query }) => Object.fromEntries(query))).toEqual(
          ['1', '2'].map((page) => ({
            reference: 'SM0000042',
            page,
            per_page: '100',
            sort_by: 'id',
            sort_order: 'desc',
          })),
        );
        expect(found).toMatchObject({
          trackingNumber: NUMBER,
          carrierReference: '2',
          canBeTakenBack: false,
          warnings: [],
        });
      },
    ));

  it.each([
    ['of another reference', { reference: 'SM00000421' }],
    ['without a reference', { reference: null }],
    ['that InPost cancelled', { status: 'canceled' }],
    ['that InPost cancelled unconfirmed', { status: 'canceled', tracking_number: null }],
  ])('never adopts a shipment %s', (_what, overrides) =>
    against([listed([shipment(overrides)])], async ({ call }) => {
      expect(await call(finding(draft))).toBeNull();
    }),
  );

  it.each(['created', 'offers_prepared', 'offer_selected'])('asks again in a second while it is %s', (status) =>
    against([listed([shipment({ status, tracking_number: null })])], async ({ fail }) => {
      expect(await fail(finding(draft))).toMatchObject({ kind: 'retryable', code: 'being-made', retryAfterMs: 1000 });
    }),
  );

  it('believes no number of a shipment that InPost has not confirmed', () =>
    against([listed([shipment({ status: 'created' })])], async ({ fail }) => {
      expect(await fail(finding(draft))).toMatchObject({ kind: 'retryable', code: 'being-made' });
    }));

  it('waits until all of several are confirmed', () =>
    against([listed([shipment({ id: 8, ...unconfirmed }), shipment({ id: 7 })])], async ({ fail }) => {
      expect(await fail(finding(draft))).toMatchObject({ kind: 'retryable', code: 'being-made' });
    }));

  it('counts a second live shipment as parcels too many, and names it', () =>
    against(
      [
        listed([
          shipment({ id: 9, status: 'canceled' }),
          shipment({ id: 8, tracking_number: '999' }),
          shipment({ id: 7, status: 'dispatched_by_sender' }),
        ]),
        { ...label(), to: 'GET /v1/shipments/7/label' },
      ],
      async ({ call }) => {
        const found = await call(finding(draft));

        expect(found).toMatchObject({ trackingNumber: NUMBER, carrierReference: '7', parcelCount: 2 });
        expect(found?.warnings).toEqual(['InPost also has 999 under this reference: leave them unused']);
      },
    ));

  it.each([
    ['a refused token', { status: 401, body: '' }, { kind: 'permanent', code: 'credentials-refused' }],
    [
      'an unknown organisation',
      refusal(404, 'resource_not_found'),
      { kind: 'permanent', code: 'not-found-at-partner' },
    ],
    ['a 404 that is not of ShipX', { status: 404, body: 'nginx' }, { kind: 'retryable' }],
    ['a list without its count', { body: '{"items":[]}' }, { kind: 'retryable' }],
    [
      'a shipment that hides its reference',
      listed([{ id: 1, status: 'confirmed', tracking_number: NUMBER }]),
      { kind: 'retryable' },
    ],
  ])('does not take %s for an absence', (_what, reply, expected) =>
    against([reply], async ({ fail }) => {
      expect(await fail(finding(draft))).toMatchObject(expected);
    }),
  );

  it('does not take a list that ends early for an absence', () =>
    against([listed([shipment({ reference: 'OTHER' })], 5), listed([], 5)], async ({ fail }) => {
      expect(await fail(finding(draft))).toMatchObject({ kind: 'retryable', code: 'answer-unreadable' });
    }));

  it('leaves it to a person when InPost does not filter a long list', () =>
    against(
      Array.from({ length: 20 }, (_, page) => listed([shipment({ id: page + 1, reference: 'OTHER' })], 90_000)),
      async ({ fail }) => {
        expect(await fail(finding(draft))).toMatchObject({ kind: 'permanent', code: 'not-supported' });
      },
    ));
});
