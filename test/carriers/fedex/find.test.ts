import { describe, expect, it } from 'vitest';
import { wallClock } from '../../../src/lib/clock.ts';
import { buildDraft } from '../../support/build-draft.ts';
import type { CarrierCaller } from '../../support/call-carrier.ts';
import {
  against,
  identified,
  json,
  missing,
  NUMBER,
  parcelOf,
  refused,
  SECOND,
  sent,
  token,
  tracked,
} from './replies.ts';

const draft = buildDraft();
const OURS = { type: 'CUSTOMER_REFERENCE', values: ['SM0000042'] };
const NOWHERE = 'TRACKING.REFERENCENUMBER.NOTFOUND';
const find = ({ call }: CarrierCaller) => call(async (carrier, context) => carrier.findByReference?.(context, draft));
const second = { trackingNumberInfo: { trackingNumber: SECOND } };
const cancelledOne = { latestStatusDetail: { code: 'CA', derivedCode: 'CA' } };

describe('finding a shipment of FedEx by our reference', () => {
  it('asks with the account and a month of days, and brings a shipment whose label is gone', () =>
    against([token, tracked({})], async (caller, server) => {
      expect(await find(caller)).toEqual({
        trackingNumber: NUMBER,
        carrierReference: NUMBER,
        parcelCount: 1,
        labels: [],
        warnings: [expect.stringContaining('gives its label out once only')],
        canBeTakenBack: true,
      });
      const today = wallClock(new Date(), 'Europe/Rome').date;
      const { referencesInformation: asked } = sent(server);
      expect(asked).toEqual({
        type: 'CUSTOMER_REFERENCE',
        value: 'SM0000042',
        accountNumber: '740561073',
        shipDateBegin: expect.any(String),
        shipDateEnd: today,
        shipDateEndDate: today,
      });
      expect((Date.parse(today) - Date.parse(asked.shipDateBegin)) / 86_400_000).toBe(29);
      expect(server.requests[0]?.body).toContain('client_id=keyTwo');
    }));

  it('counts parcels of one shipment by its first number', () =>
    against(
      [
        token,
        tracked(
          { ...identified(OURS, { type: 'STANDARD_MPS', values: [NUMBER] }), packageDetails: { count: '3' } },
          { ...second, ...identified(OURS, { type: 'STANDARD_MPS', values: [NUMBER] }), packageDetails: {} },
        ),
      ],
      async (caller) => {
        expect(await find(caller)).toMatchObject({ carrierReference: NUMBER, parcelCount: 3 });
      },
    ));

  it('names all of several shipments, so that they are taken back together', () =>
    against([token, tracked({}, { ...second, packageDetails: null })], async (caller) => {
      expect(await find(caller)).toMatchObject({
        trackingNumber: NUMBER,
        carrierReference: `${NUMBER},${SECOND}`,
        parcelCount: 2,
        canBeTakenBack: true,
        warnings: [expect.any(String), `FedEx also has ${SECOND} under this reference`],
      });
    }));

  it('reads references as the description writes them', () =>
    against([token, tracked(identified({ type: 'SHIPPER_REFERENCE', value: 'SM0000042' }))], async (caller) => {
      expect(await find(caller)).toMatchObject({ trackingNumber: NUMBER });
    }));

  it.each([
    ['an answer that says so', missing(NOWHERE)],
    ['a refusal that says so', refused(NOWHERE, 'Reference number cannot be found.', 404)],
    ['cancelled shipments', tracked(cancelledOne, { ...second, ...cancelledOne })],
    ['a shipment of a longer reference', tracked(identified({ type: OURS.type, values: ['SM00000421'] }))],
    ['a shipment without any reference', tracked(identified())],
  ])('believes that nothing is there after %s', (_what, reply) =>
    against([token, reply], async (caller) => {
      expect(await find(caller)).toBeNull();
    }),
  );

  it('leaves a cancelled shipment out beside a live one', () =>
    against([token, tracked(cancelledOne, second)], async (caller) => {
      expect(await find(caller)).toMatchObject({ carrierReference: SECOND, parcelCount: 1 });
    }));

  const both = [
    { trackingNumber: NUMBER, trackResults: [parcelOf()] },
    { trackResults: [{ error: { code: 'TRACKING.DATA.NOTUNIQUE', message: 'Not unique' } }] },
  ];
  it.each([
    ['a parcel that cannot be read', tracked({ trackingNumberInfo: 'odd' }), 'retryable'],
    ['a reference that cannot be read', tracked(identified({ type: OURS.type, values: [{}] })), 'retryable'],
    ['a parcel whose references FedEx does not show', tracked({ additionalTrackingInfo: {} }), 'retryable'],
    ['a parcel without further information', tracked({ additionalTrackingInfo: undefined }), 'retryable'],
    ['an answer without parcels and reasons', json({ output: { completeTrackResults: [] } }), 'retryable'],
    ['a reference that is not unique', missing('TRACKING.DATA.NOTUNIQUE'), 'permanent'],
    ['one that is not unique beside a parcel', json({ output: { completeTrackResults: both } }), 'permanent'],
    ['data that is not available', missing('TRACKING.DATA.NOTFOUND'), 'retryable'],
    ['a day that has not begun in America', refused('TRACKING.SHIPDATEEND.FUTURE', 'Future'), 'retryable'],
    ['a wrong address of the service', refused('NOT.FOUND.ERROR', 'No longer available', 404), 'permanent'],
    ['a 404 without words', { status: 404, body: '{}' }, 'retryable'],
    ['a broken FedEx', { status: 500, body: '' }, 'retryable'],
  ])('does not take %s for an absence', (_what, reply, kind) =>
    against([token, reply], async ({ fail }) => {
      expect(await fail(async (carrier, context) => carrier.findByReference?.(context, draft))).toMatchObject({ kind });
    }),
  );
});
