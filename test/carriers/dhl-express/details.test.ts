import { describe, expect, it } from 'vitest';
import { dhlExpress } from '../../../src/carriers/dhl-express/index.ts';
import { REFUSALS } from '../../../src/carriers/dhl-express/refusals.ts';
import { buildDraft } from '../../support/build-draft.ts';
import { against, event, exported, json, NUMBER, problem, sent, tracked } from './replies.ts';

const handle = { reference: 'SM0000042', trackingNumber: NUMBER, carrierReference: NUMBER };

describe('refusals of DHL', () => {
  const failed = (reply: Parameters<typeof json>[0], status: number) => {
    let failure: unknown;
    return against([json(reply, status)], async ({ fail }) => {
      failure = await fail((dhl, context) => dhl.createShipment(context, buildDraft()));
    }).then(() => failure);
  };

  it.each(Object.entries(REFUSALS))(
    '%s ends as documented, with words and advice',
    async (number, { code, advice }) => {
      expect(await failed({ detail: `${number}: Said so.`, title: 'Bad request' }, 400)).toMatchObject({
        kind: 'permanent',
        code,
        message: `DHL Express refused: ${number}: Said so (${advice})`,
      });
    },
  );

  it.each([
    [400, { detail: 'The account number is not found or invalid.' }, 'credentials-refused'],
    [401, {}, 'credentials-refused'],
    [403, { detail: 'Not for you' }, 'credentials-refused'],
    [400, { detail: '4711: Never heard of.' }, 'refused'],
    [422, { detail: '#/content: required key [description] not found' }, 'refused'],
    [404, { title: 'Not found' }, 'not-found-at-partner'],
  ])('%i with %o is final', async (status, body, code) => {
    expect(await failed(body, status)).toMatchObject({ kind: 'permanent', code });
  });

  it('shows everything that is wrong with the data', async () => {
    const detail = 'Multiple problems found, see Additional Details';
    const additionalDetails = ['#/productCode: expected minLength: 1, actual: 0', '#/pickup: required key'];

    expect(await failed({ detail, additionalDetails }, 422)).toMatchObject({
      message: `DHL Express refused: ${detail}; ${additionalDetails.join('; ')}`,
    });
  });
});

describe('tracking with DHL Express', () => {
  const track = async (...events: Record<string, unknown>[]) => {
    let report: Awaited<ReturnType<NonNullable<typeof dhlExpress.track>>> | undefined;
    await against([tracked({ events })], async ({ call }, server) => {
      report = await call(async (dhl, context) => dhl.track?.(context, handle));
      expect(server.requests[0]?.path).toBe(`/shipments/${NUMBER}/tracking`);
    });
    return report?.events ?? [];
  };

  it('reads the time of the place, else that of the sender, and keeps no signature', async () => {
    const events = await track(
      event('OK', { time: '09:06:30', GMTOffset: '-05:00', signedBy: 'U BEISPIEL' }),
      event('WC', { GMTOffset: '', time: '08:00' }),
      event('AR', { serviceArea: [{ code: 'ZRH' }] }),
      event('PU', { serviceArea: undefined }),
    );

    expect(events[0]).toEqual({
      code: 'OK',
      text: 'x',
      at: new Date('2026-11-20T14:06:30Z'),
      location: 'MILAN-IT',
      note: '',
      status: 'delivered',
    });
    expect(events[1]?.at).toEqual(new Date('2026-11-20T07:00:00Z'));
    expect(events.slice(2).map(({ location }) => location)).toEqual(['ZRH', '']);
  });

  it('keeps the events that can be read beside one that cannot', async () => {
    const events = await track(
      event('OK'),
      event('WC', { time: null }),
      event('WC', { date: '2026-13-40' }),
      event('WC', { date: '2026-13-40', GMTOffset: '' }),
      event('PU', { serviceArea: 'odd' }),
    );

    expect(events.map(({ code }) => code)).toEqual(['OK', 'PU']);
  });

  it('knows a delay, and takes damage for something to look at', async () => {
    expect(await track(event('CD'), event('MS'), event('DD'), event('toString'))).toMatchObject([
      { status: 'in_transit', delayed: true },
      { status: 'in_transit', delayed: true },
      { status: 'exception' },
      { status: 'unrecognised' },
    ]);
  });

  it('calls a shipment that DHL does not know yet not found, and is not fobbed off with another', () =>
    against(
      [problem(404, 'No data found'), tracked({ shipmentTrackingNumber: '4210000009' })],
      async ({ call, fail }) => {
        const track = async (dhl: typeof dhlExpress, context: Parameters<NonNullable<typeof dhlExpress.track>>[0]) =>
          dhl.track?.(context, handle);

        expect(await call(track)).toEqual({ found: false, events: [], related: [] });
        expect(await fail(track)).toMatchObject({ kind: 'retryable' });
      },
    ));

  it('does not take the 404 of a gateway for a parcel that is not known yet', () =>
    against([problem(404, 'No such path')], async ({ fail }) => {
      expect(await fail(async (dhl, context) => dhl.track?.(context, handle))).toMatchObject({ kind: 'permanent' });
    }));

  it('names the public page of a number', () => {
    expect(dhlExpress.trackingUrl?.('4210 1', {})).toBe(
      'https://www.dhl.com/it-it/home/tracking/tracking-express.html?submit=1&tracking-id=4210%201',
    );
  });
});

describe('prices of DHL Express', () => {
  const product = (overrides: Record<string, unknown> = {}) => ({
    productName: 'EXPRESS WORLDWIDE NONDOC',
    productCode: 'P',
    totalPrice: [
      { currencyType: 'PULCL', priceCurrency: 'EUR', price: 99 },
      { currencyType: 'BILLC', priceCurrency: 'EUR', price: 38.15 },
    ],
    deliveryCapabilities: { estimatedDeliveryDateAndTime: '2026-11-24T23:59:00' },
    ...overrides,
  });

  it('are what the account is billed; a product without a price is left out', () =>
    against(
      [
        json({
          products: [
            product(),
            product({ productCode: 'Y', deliveryCapabilities: undefined }),
            product({ totalPrice: [{ currencyType: 'BILLC', priceCurrency: 'EUR', price: 0 }] }),
            product({ totalPrice: [] }),
            product({ productCode: {} }),
            product({ totalPrice: [{ currencyType: 'BILLC', priceCurrency: 'EUR', price: 'free' }] }),
          ],
        }),
      ],
      async ({ call, exchanges }, server) => {
        const found = await call(async (dhl, context) => dhl.rates?.(context, exported({ insuredCents: 5000 })));

        expect(found).toEqual([
          {
            serviceCode: 'P',
            serviceName: 'EXPRESS WORLDWIDE NONDOC',
            amountCents: 3815,
            currency: 'EUR',
            deliveryDate: '2026-11-24',
          },
          {
            serviceCode: 'Y',
            serviceName: 'EXPRESS WORLDWIDE NONDOC',
            amountCents: 3815,
            currency: 'EUR',
            deliveryDate: null,
          },
        ]);
        expect(sent(server)).toMatchObject({
          isCustomsDeclarable: true,
          monetaryAmount: [{ typeCode: 'declaredValue', value: 20.5, currency: 'EUR' }],
          valueAddedServices: [{ serviceCode: 'II', value: 50, currency: 'EUR' }],
        });
        expect(exchanges.map(({ effect }) => effect)).toEqual(['read']);
      },
    ));

  it.each([
    ['credentials-refused', problem(400, 'The account number is not found or invalid.')],
    ['credentials-refused', { status: 401, body: '' }],
    ['partner-broken', problem(500, '999: Process failure occurred.')],
  ])('prove an account: %s', (code, reply) =>
    against([reply], async ({ fail }) => {
      expect(await fail(async (dhl, context) => dhl.verifyAccount?.(context))).toMatchObject({ code });
    }),
  );

  it('prove an account even when nothing goes from Milan to Rome', () =>
    against([json({ products: [] }), problem(400, 'No products available')], async ({ call }) => {
      await call(async (dhl, context) => dhl.verifyAccount?.(context));
      await call(async (dhl, context) => dhl.verifyAccount?.(context));
    }));
});

describe('checking an address with DHL Express', () => {
  const question = { province: 'MI', city: 'Milano', address: 'Via Roma 12', zip: '20121' };
  const milano = {
    countryCode: 'IT',
    postalCode: '20121',
    cityName: 'MILANO',
    serviceArea: { code: 'MIL', description: 'MILAN-ITALY', GMTOffset: '+01:00' },
  };

  it.each([
    ['ok', [milano]],
    ['ambiguous', [milano, { ...milano, postalCode: '20122' }]],
    ['not_found', []],
  ])('answers %s', (status, address) =>
    against([json({ address, warnings: ['Mind the gap'] })], async ({ call }, server) => {
      const result = await call(async (dhl, context) => dhl.checkAddress?.(context, question));

      expect(Object.fromEntries(server.requests[0]?.query ?? [])).toEqual({
        type: 'delivery',
        countryCode: 'IT',
        postalCode: '20121',
        cityName: 'Milano',
        strictValidation: 'true',
      });
      expect(result).toMatchObject({ status, message: 'Mind the gap' });
      expect(result?.addresses).toHaveLength(address.length);
      for (const found of result?.addresses ?? []) {
        expect(Object.keys(found)).toHaveLength(20);
        expect(found).toMatchObject({ Comune: 'MILANO', Sede: 'MIL', ZTL: '' });
      }
    }),
  );
});

describe('an address that cannot be read', () => {
  const question = { province: 'MI', city: 'Milano', address: 'Via Roma 12', zip: '20121' };
  const check = async (dhl: typeof dhlExpress, context: Parameters<NonNullable<typeof dhlExpress.checkAddress>>[0]) =>
    dhl.checkAddress?.(context, question);

  it('is left out beside others, and is not "not found" on its own', () =>
    against(
      [json({ address: [{ cityName: {} }, { postalCode: '20121', cityName: 'MILANO' }] }), json({ address: ['odd'] })],
      async ({ call, fail }) => {
        expect(await call(check)).toMatchObject({ status: 'ok', addresses: [{ Comune: 'MILANO' }] });
        expect(await fail(check)).toMatchObject({ kind: 'retryable' });
      },
    ));
});
