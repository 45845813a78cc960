import { describe, expect, it } from 'vitest';
import { buildDraft } from '../../support/build-draft.ts';
import type { Reply } from '../../support/fake-server.ts';
import {
  against,
  event,
  json,
  NUMBER,
  PDF,
  recovered,
  refused,
  SECOND,
  sent,
  token,
  tracked,
  unrecoverable,
  untracked,
} from './replies.ts';

const draft = buildDraft();
type Caller = Parameters<Parameters<typeof against>[1]>[0];
const find = (caller: Caller) => caller.call(async (ups, context) => ups.findByReference?.(context, draft));
const failed = async (replies: readonly Reply[]) => {
  let failure: unknown;
  await against([token, ...replies], async ({ fail }) => {
    failure = await fail(async (ups, context) => ups.findByReference?.(context, draft));
  });
  return failure;
};
const voidedOne = { currentStatus: { code: '007' } };

describe('looking up with UPS', () => {
  it('asks tracking by reference, account and a fortnight, and label recovery for the shipment', () =>
    against([token, tracked({}), recovered({ numbers: [NUMBER, SECOND] })], async (caller, server) => {
      const found = await find(caller);

      const query = Object.fromEntries(server.requests[1]?.query ?? []);
      expect(query).toMatchObject({ shipperNum: 'AB1234', refNumType: 'SmallPackage' });
      const [from, to] = [query.fromPickUpDate, query.toPickUpDate].map((day = '') =>
        Date.parse(day.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')),
      );
      expect(Number(to) - Number(from)).toBe(14 * 86_400_000);
      expect(sent(server, 2).LabelRecoveryRequest.TrackingNumber).toBe(NUMBER);
      expect(found).toEqual({
        trackingNumber: NUMBER,
        carrierReference: NUMBER,
        parcelCount: 2,
        labels: [{ contentType: 'application/pdf', bytes: PDF }],
        warnings: [],
        canBeTakenBack: false,
      });
    }));

  it('takes the packages of one shipment for one shipment', () =>
    against(
      [token, tracked({ trackingNumber: SECOND }, {}), recovered({ numbers: [NUMBER, SECOND] })],
      async (caller) => {
        expect(await find(caller)).toMatchObject({ trackingNumber: NUMBER, parcelCount: 2, canBeTakenBack: false });
      },
    ));

  it('counts a second shipment as parcels too many, and names both to be taken back', () =>
    against(
      [token, tracked({}, { trackingNumber: SECOND }), recovered(), recovered({ numbers: [SECOND] })],
      async (caller) => {
        expect(await find(caller)).toMatchObject({
          trackingNumber: NUMBER,
          carrierReference: `${NUMBER},${SECOND}`,
          parcelCount: 2,
          canBeTakenBack: true,
          warnings: [`UPS also has ${SECOND} under this reference`],
        });
      },
    ));

  it('leaves out what was cancelled', () =>
    against(
      [
        token,
        tracked(voidedOne, { currentStatus: null, activity: [event('', { status: { type: 'MV' } })] }),
        refused('300033', 'The shipment has been voided.'),
      ],
      async (caller) => {
        expect(await find(caller)).toBeNull();
      },
    ));

  it.each([
    ['another reference', [{ number: 'SM00000421' }]],
    ['no reference', []],
  ])('never adopts a shipment of %s', (_what, referenceNumber) =>
    against([token, tracked({ referenceNumber }), unrecoverable], async (caller) => {
      expect(await find(caller)).toBeNull();
    }),
  );

  it.each([
    ['404', refused('TV1002', 'No information', 404)],
    ['a warning', untracked],
  ])(
    'believes that nothing is there when tracking says so with %s and label recovery has nothing either',
    (_what, reply) =>
      against([token, reply, unrecoverable], async (caller, server) => {
        expect(await find(caller)).toBeNull();
        expect(sent(server, 2).LabelRecoveryRequest.ReferenceValues).toEqual({
          ReferenceNumber: { Value: 'SM0000042' },
          ShipperNumber: 'AB1234',
        });
      }),
  );

  it('adopts what tracking by reference missed, once its number shows our reference', () =>
    against([token, untracked, recovered(), tracked({}), recovered()], async (caller) => {
      expect(await find(caller)).toMatchObject({ trackingNumber: NUMBER, canBeTakenBack: false });
    }));

  it('looks at every candidate of label recovery, and adopts ours', () =>
    against(
      [
        token,
        untracked,
        recovered({
          numbers: [],
          results: { TrackingCandidate: [{ TrackingNumber: NUMBER }, { TrackingNumber: SECOND }] },
        }),
        tracked({ referenceNumber: [{ number: 'another' }] }),
        tracked({ trackingNumber: SECOND }),
        recovered({ numbers: [SECOND] }),
      ],
      async (caller) => {
        expect(await find(caller)).toMatchObject({ trackingNumber: SECOND, parcelCount: 1 });
      },
    ));

  it('adopts a shipment whose label is no label, without it', () =>
    against([token, tracked({}), recovered({ images: [Buffer.from('GIF89a')] })], async (caller) => {
      expect(await find(caller)).toMatchObject({
        trackingNumber: NUMBER,
        labels: [],
        warnings: [expect.stringContaining('asked for again')],
      });
    }));

  it.each([
    ['a package whose references UPS does not show', [tracked({ referenceNumber: undefined })], 'retryable'],
    ['an answer without packages and warnings', [json({ trackResponse: { shipment: [{}] } })], 'retryable'],
    ['an answer without shipments', [json({ trackResponse: { shipment: [] } })], 'retryable'],
    ['a 404 without words', [{ status: 404, body: '{}' }], 'retryable'],
    ['a 404 of a gateway', [refused('10404', 'Invalid URL', 404)], 'permanent'],
    ['a 404 with an empty reason', [json({ response: { errors: [{}] } }, 404)], 'retryable'],
    ['another warning', [json({ trackResponse: { shipment: [{ warnings: [{ code: 'TW0009' }] }] } })], 'retryable'],
    ['a package that cannot be read', [tracked({ trackingNumber: {} })], 'retryable'],
    [
      'a candidate that cannot be read',
      [untracked, recovered({ numbers: [], results: { TrackingCandidate: [{ TrackingNumber: {} }] } })],
      'retryable',
    ],
    ['a refused reference', [refused('TV1001', 'Invalid reference')], 'permanent'],
    ['a label that is not tracked yet', [untracked, recovered(), untracked], 'retryable'],
    ['a label of no shipment', [untracked, recovered({ numbers: [] })], 'retryable'],
    ['a shipment that is not processed yet', [untracked, refused('300034', 'Not processed')], 'retryable'],
    ['several shipments without their numbers', [untracked, refused('300001', 'Multiple shipments')], 'permanent'],
    ['a label that UPS has thrown away', [untracked, refused('300006', 'Expired')], 'permanent'],
    ['a recovery that is down', [untracked, refused('300000', 'Unavailable')], 'retryable'],
    ['a recovery that breaks', [untracked, { status: 500, body: '' }], 'retryable'],
    ['a package without its shipment', [tracked({}), unrecoverable], 'permanent'],
  ])('does not take %s for an absence', async (_what, replies, kind) => {
    expect(await failed(replies)).toMatchObject({ kind });
  });
});
