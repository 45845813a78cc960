import { describe, expect, it } from 'vitest';
import type { fedex } from '../../../src/carriers/fedex/index.ts';
import { REFUSALS } from '../../../src/carriers/fedex/refusals.ts';
import { buildDraft } from '../../support/build-draft.ts';
import {
  against,
  cancelled,
  exported,
  json,
  missing,
  NUMBER,
  refused,
  SECOND,
  sent,
  sold,
  token,
  tracked,
} from './replies.ts';

const handle = { reference: 'SM0000042', trackingNumber: NUMBER, carrierReference: NUMBER };
type Carrier = typeof fedex;
type Context = Parameters<Carrier['createShipment']>[0];

describe('refusals of FedEx', () => {
  const failed = async (body: unknown, status: number) => {
    let failure: unknown;
    await against([token, json(body, status)], async ({ fail }) => {
      failure = await fail(async (carrier, context) => carrier.rates?.(context, buildDraft()));
    });
    return failure;
  };

  it.each(Object.entries(REFUSALS))('%s ends as documented, with words and advice', async (code, meaning) => {
    expect(await failed({ errors: [{ code, message: 'Said so.' }] }, 400)).toMatchObject({
      kind: meaning.code === 'partner-broken' ? 'retryable' : 'permanent',
      code: meaning.code,
      message: `FedEx refused: Said so [${code}] (${meaning.advice})`,
    });
  });

  it.each([
    [403, 'credentials-refused'],
    [404, 'not-found-at-partner'],
    [422, 'refused'],
    [200, 'refused'],
  ])('%i with an unknown code is final', async (status, code) => {
    expect(await failed({ errors: [{ code: 'X.Y', message: 'A.' }, { message: 'B' }] }, status)).toMatchObject({
      kind: 'permanent',
      code,
      message: expect.stringContaining('A [X.Y]; B'),
    });
  });

  it('name the field at fault', async () => {
    const error = {
      code: 'INVALID.INPUT.EXCEPTION',
      message: 'Invalid field value in the input',
      parameterList: [{ key: 'city', value: 'TOO.LONG' }],
    };

    expect(await failed({ errors: [error] }, 400)).toMatchObject({
      message: expect.stringContaining('Invalid field value in the input: city TOO.LONG [INVALID.INPUT.EXCEPTION]'),
    });
    expect(await failed({ errors: [{ ...error, parameterList: ['city'] }] }, 400)).toMatchObject({ code: 'refused' });
  });

  it.each(['INTERNAL.SERVER.ERROR', 'SERVICE.UNAVAILABLE.ERROR'])('%s on a write is an unknown outcome', (code) =>
    against([token, refused(code, 'Not now')], async ({ fail }) => {
      expect(await fail((carrier, context) => carrier.createShipment(context, buildDraft()))).toMatchObject({
        kind: 'unknown-outcome',
      });
    }),
  );

  it('do not hide a shipment that was sold in spite of them', () =>
    against([token, sold({ alerts: [{ code: 'A.B', message: 'Beware' }] })], async ({ call }) => {
      const { warnings } = await call((carrier, context) => carrier.createShipment(context, buildDraft()));

      expect(warnings).toEqual(['FedEx: Beware [A.B]']);
    }));
});

describe('cancelling with FedEx', () => {
  const cancel = (carrierReference: string) => async (carrier: Carrier, context: Context) =>
    carrier.cancelShipment?.(context, { ...handle, carrierReference });

  it('names account, country and number, and takes all parcels back', () =>
    against([token, cancelled()], async ({ call }, server) => {
      await call(cancel(NUMBER));

      expect(sent(server)).toEqual({
        accountNumber: { value: '740561073' },
        senderCountryCode: 'IT',
        deletionControl: 'DELETE_ALL_PACKAGES',
        trackingNumber: NUMBER,
      });
    }));

  it('takes every shipment back that was found under a reference', () =>
    against([token, cancelled(), cancelled()], async ({ call }, server) => {
      await call(cancel(`${NUMBER},${SECOND}`));

      expect([1, 2].map((index) => sent(server, index).trackingNumber)).toEqual([NUMBER, SECOND]);
    }));

  it('counts an alert that it was done before as done', () =>
    against(
      [
        token,
        cancelled({
          cancelledShipment: false,
          alerts: [{ code: 'CANCELSHIPMENT.TRACKINGNUMBER.DELETED', message: 'Deleted' }],
        }),
      ],
      async ({ call }) => {
        await call(cancel(NUMBER));
      },
    ));

  it.each([
    ['FedEx says no', refused('TRACKINGIDS.TRACKINGNUMBER.CLOSED', 'Closed'), 'let the parcel be returned'],
    ['FedEx did not do it', cancelled({ cancelledShipment: false, message: 'Tendered' }), 'FedEx refused: Tendered'],
    ['FedEx did not do it, without words', cancelled({ cancelledShipment: false, message: '' }), 'Not cancelled'],
  ])('fails when %s', (_what, reply, words) =>
    against([token, reply], async ({ fail }) => {
      const failure = await fail(cancel(NUMBER));

      expect(failure).toMatchObject({ kind: 'permanent', code: 'refused' });
      expect(failure.message).toContain(words);
    }),
  );
});

describe('odd answers of FedEx', () => {
  const odd = json({ output: { cancelledShipment: 'yes' } });
  const cancel = async (carrier: Carrier, context: Context) => carrier.cancelShipment?.(context, handle);
  const cancelledOne = { latestStatusDetail: { code: 'CA', derivedCode: 'CA' } };

  it('to a cancellation are no yes, unless tracking shows that it was done', () =>
    against([token, odd, token, tracked(cancelledOne), token, odd, token, tracked({})], async ({ call, fail }) => {
      await call(cancel);
      expect(await fail(cancel)).toMatchObject({ kind: 'unknown-outcome', code: 'answer-unreadable' });
    }));

  it('to a shipment sell it when every field but its number is odd', () =>
    against(
      [
        token,
        sold({
          alerts: ['odd', { code: 'NOTE', message: 'Moved' }],
          shipment: {
            masterTrackingNumber: 794_600_000_001,
            pieceResponses: ['odd'],
            shipmentDocuments: 7,
            alerts: 'odd',
          },
        }),
      ],
      async ({ call }) => {
        const shipment = await call((carrier, context) => carrier.createShipment(context, buildDraft()));

        expect(shipment).toMatchObject({ trackingNumber: NUMBER, parcelCount: 1, labels: [] });
        expect(shipment.warnings).toContain('FedEx: Moved [NOTE]');
      },
    ));

  it.each([
    ['an accepted answer', { ...sold(), status: 202 }, 'unknown-outcome'],
    ['reasons without words', json({ errors: [{}] }, 400), 'unknown-outcome'],
    ['words of the gateway', json({ error_description: 'Invalid token' }, 400), 'permanent'],
    ['a refused login', refused('NOT.AUTHORIZED.ERROR', 'No', 403), 'permanent'],
  ])('settle nothing: %s', (_what, reply, kind) =>
    against([token, reply], async ({ fail }) => {
      const failure = await fail((carrier, context) => carrier.createShipment(context, buildDraft()));

      expect(failure).toMatchObject({ kind, isAuthoritative: false });
    }),
  );
});

describe('prices of FedEx', () => {
  const rated = (rateType: string, totalNetCharge: number) => ({
    rateType,
    totalNetCharge,
    shipmentRateDetail: { currency: 'EUR' },
  });
  const rate = (draft = buildDraft()) =>
    (async (carrier, context) => carrier.rates?.(context, draft)) as (
      carrier: Carrier,
      context: Context,
    ) => Promise<unknown>;

  it('are those of the account, with the day of delivery where FedEx promises one', () => {
    const rateReplyDetails = [
      {
        serviceType: 'FEDEX_PRIORITY',
        serviceName: 'FedEx Priority®',
        ratedShipmentDetails: [rated('LIST', 20), rated('ACCOUNT', 12.345)],
        commit: { dateDetail: { dayFormat: '2026-11-24T18:00:00' } },
      },
      {
        serviceType: 'INTERNATIONAL_ECONOMY',
        ratedShipmentDetails: [rated('ACCOUNT', 30)],
        operationalDetail: { deliveryDate: 'soon' },
      },
      {
        serviceType: 'FEDEX_FIRST',
        ratedShipmentDetails: [rated('LIST', 50), { ...rated('ACCOUNT', 1), rateType: {} }],
      },
      { serviceType: 'FEDEX_SECOND', ratedShipmentDetails: [{ ...rated('ACCOUNT', 1), totalNetCharge: 'free' }] },
      { serviceType: null, ratedShipmentDetails: [rated('ACCOUNT', 1)] },
    ];
    return against([token, json({ output: { rateReplyDetails } })], async ({ call, exchanges }, server) => {
      expect(await call(rate(buildDraft({ insuredCents: 5000 })))).toEqual([
        {
          serviceCode: 'FEDEX_PRIORITY',
          serviceName: 'FedEx Priority®',
          amountCents: 1235,
          currency: 'EUR',
          deliveryDate: '2026-11-24',
        },
        {
          serviceCode: 'INTERNATIONAL_ECONOMY',
          serviceName: 'FedEx International Economy',
          amountCents: 3000,
          currency: 'EUR',
          deliveryDate: null,
        },
      ]);
      const { requestedShipment } = sent(server);
      expect(requestedShipment).toMatchObject({
        shipper: { address: { city: 'Roma', postalCode: '00185', countryCode: 'IT' } },
        rateRequestType: ['ACCOUNT'],
        requestedPackageLineItems: [{ declaredValue: { amount: 50, currency: 'EUR' } }],
      });
      expect(requestedShipment).not.toHaveProperty('customsClearanceDetail');
      expect(exchanges.map(({ effect }) => effect)).toEqual(['read', 'read']);
    });
  });

  it('across a border depend on the goods', () =>
    against([token, json({ output: { rateReplyDetails: null } })], async ({ call }, server) => {
      expect(await call(rate(exported()))).toEqual([]);
      expect(sent(server).requestedShipment.customsClearanceDetail.commodities).toHaveLength(1);
    }));
});

describe('proving an account of FedEx', () => {
  const verify = async (carrier: Carrier, context: Context) => carrier.verifyAccount?.(context);
  const priced = json({ output: { rateReplyDetails: [] } });
  const unknown = missing('TRACKING.TRACKINGNUMBER.NOTFOUND');

  it.each([
    ['everything is right', priced],
    ['nothing goes from Milan to Rome', refused('FEDEXSERVICE.NOT.AVAILABLE', 'No services')],
  ])('reads with both pairs of keys, and succeeds when %s', (_what, reply) =>
    against([token, reply, token, unknown], async ({ call, exchanges }) => {
      await call(verify);

      expect(exchanges.map(({ operation, effect }) => `${effect} ${operation}`)).toEqual([
        'read token',
        'read rate',
        'read token',
        'read track',
      ]);
    }),
  );

  it.each([
    ['the account', [token, refused('ACCOUNTNUMBER.REGISTRATION.REQUIRED', 'Register')], 'credentials-refused'],
    ['the project', [token, refused('FORBIDDEN.ERROR', 'No', 403)], 'credentials-refused'],
    ['the project of tracking', [token, priced, token, refused('FORBIDDEN.ERROR', 'No', 403)], 'credentials-refused'],
    ['a broken FedEx', [token, { status: 500, body: '' }], 'partner-broken'],
  ])('fails for %s', (_what, replies, code) =>
    against(replies, async ({ fail }) => {
      expect(await fail(verify)).toMatchObject({ code });
    }),
  );
});
