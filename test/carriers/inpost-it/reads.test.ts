import { describe, expect, it } from 'vitest';
import type { CarrierContext, PickupRequest } from '../../../src/carriers/adapter.ts';
import { inpostIt } from '../../../src/carriers/inpost-it/index.ts';
import { buildParty } from '../../support/build-draft.ts';
import { against, event, ID, json, listed, NUMBER, refusal, sent, tracked } from './replies.ts';

const handle = { reference: 'SM0000042', trackingNumber: NUMBER, carrierReference: String(ID) };
const parcel = { weightGrams: 1000, lengthMm: 300, widthMm: 200, heightMm: 70 };

describe('tracking with InPost', () => {
  const report = (reply: ReturnType<typeof tracked>) => {
    let found: unknown;
    return against([reply], async ({ call }, server) => {
      found = await call(async (carrier, context) => carrier.track?.(context, handle));
      expect(server.requests[0]?.path).toBe(`/v1/tracking/${NUMBER}`);
      expect(server.requests[0]?.headers.authorization).toBeUndefined();
    }).then(() => found);
  };

  it('asks without the token, and keeps instant, code and place', async () => {
    expect(await report(tracked(event('adopted_at_sorting_center', { agency: 'BO1' })))).toEqual({
      found: true,
      related: [],
      events: [
        {
          code: 'adopted_at_sorting_center',
          text: 'adopted at sorting center',
          at: new Date('2026-11-20T17:30:00Z'),
          location: 'BO1',
          note: '',
          status: 'in_transit',
        },
      ],
    });
  });

  it.each(['delay_in_delivery', 'oversized'])('flags %s as late', async (code) => {
    expect(await report(tracked(event(code)))).toMatchObject({ events: [{ status: 'in_transit', delayed: true }] });
  });

  it.each(['canceled', 'canceled_redirect_to_box', 'other', 'constructor'])('does not guess at %s', async (code) => {
    expect(await report(tracked(event(code)))).toMatchObject({ events: [{ status: 'unrecognised' }] });
  });

  it('knows a number without a record from an answer that cannot be read', async () => {
    expect(await report(refusal(404, 'resource_not_found'))).toEqual({ found: false, events: [], related: [] });
    await against([json({ tracking_number: '1', tracking_details: [] })], async ({ fail }) => {
      expect(await fail(async (carrier, context) => carrier.track?.(context, handle))).toMatchObject({
        kind: 'retryable',
      });
    });
  });
});

describe('lockers and shops of InPost', () => {
  const point = (name: string, overrides: Record<string, unknown> = {}) => ({
    name,
    type: ['parcel_locker'],
    status: 'Operating',
    location: { latitude: 41.9, longitude: 12.5 },
    location_description: 'Stazione',
    distance: 100,
    opening_hours: '24/7',
    address_details: { city: 'Roma', province: 'RM', post_code: 185, street: 'Via Marsala', building_number: 29 },
    payment_available: true,
    ...overrides,
  });

  it('come nearest first, without the closed ones, and with the zeros of their postcode', () =>
    against(
      [
        json({
          items: [
            point('FAR', { distance: 900 }),
            point('CLOSED', { status: 'NonOperating' }),
            point('SHOP', { type: ['parcel_locker', 'pok', 'pop'], payment_available: false, location: null }),
          ],
        }),
      ],
      async ({ call }, server) => {
        const points = await call(async (carrier, context) =>
          carrier.findPickupPoints?.(context, { zip: '00185', city: 'Roma', countryCode: 'IT' }),
        );

        expect(Object.fromEntries(server.requests[0]?.query ?? [])).toEqual({
          relative_post_code: '00185',
          limit: '25',
          per_page: '25',
        });
        expect(server.requests[0]?.headers.authorization).toBeUndefined();
        expect(points?.map(({ id, type, takesCod }) => [id, type, takesCod])).toEqual([
          ['SHOP', 'shop', false],
          ['FAR', 'locker', true],
        ]);
        expect(points?.[1]).toEqual({
          id: 'FAR',
          name: 'FAR, Stazione',
          type: 'locker',
          address: 'Via Marsala 29',
          city: 'Roma',
          zip: '00185',
          province: 'RM',
          countryCode: 'IT',
          latitude: 41.9,
          longitude: 12.5,
          openingHours: '24/7',
          takesCod: true,
        });
      },
    ));

  it('are looked for by city where there is no postcode, in Italy only, and never everywhere', () =>
    against([json({ items: [] })], async ({ call, fail }, server) => {
      const ask =
        (zip: string, city: string, countryCode: string) =>
        async (carrier: typeof inpostIt, context: CarrierContext<unknown>) =>
          carrier.findPickupPoints?.(context, { zip, city, countryCode });

      expect(await call(ask('', 'Roma', 'IT'))).toEqual([]);
      expect(await call(ask('10115', 'Berlin', 'DE'))).toEqual([]);
      expect(await fail(ask(' ', '', 'IT'))).toMatchObject({ kind: 'permanent', code: 'refused' });
      expect(server.requests.map(({ query }) => query.get('city'))).toEqual(['Roma']);
    }));
});

describe('a pickup by InPost', () => {
  const request: PickupRequest = {
    reference: 'SMP0000000007',
    date: '2026-11-23',
    from: '14:00',
    to: '18:00',
    place: buildParty(),
    parcels: [parcel],
    shipments: [handle, { ...handle, carrierReference: '78' }],
    note: '',
  };
  const booking =
    (overrides: Partial<PickupRequest> = {}) =>
    async (carrier: typeof inpostIt, context: CarrierContext<unknown>) =>
      carrier.bookPickup?.(context, { ...request, ...overrides });
  const fetched = { sendingMethod: 'dispatch_order' };

  it('names the shipments and the place, and says that the time is not ours to choose', () =>
    against(
      [{ ...json({ id: 70001, status: 'new' }, 201), to: 'POST /v1/organizations/4711/dispatch_orders' }],
      async ({ call }, server) => {
        const booked = await call(booking());

        expect(sent(server)).toEqual({
          shipments: [String(ID), '78'],
          address: {
            street: 'Via Roma',
            building_number: '12',
            city: 'Milano',
            post_code: '20121',
            country_code: 'IT',
          },
        });
        expect(booked).toEqual({
          confirmation: '70001',
          message: 'InPost chooses the time itself, and may still reject the order (now: new)',
        });
      },
      fetched,
    ));

  it.each([
    ['no shipments', { shipments: [] }, fetched],
    ['no house number', { place: buildParty({ address: 'Piazza Grande' }) }, fetched],
    ['parcels that are put into a locker', {}, {}],
  ])('is not asked for with %s', (_what, overrides, account) =>
    against(
      [],
      async ({ fail }) => {
        expect(await fail(booking(overrides))).toMatchObject({ kind: 'permanent', code: 'refused' });
      },
      account,
    ),
  );

  it('is called off twice with the same end, and a refusal is told', () =>
    against(
      [
        { status: 204, to: 'DELETE /v1/dispatch_orders/70001' },
        refusal(404, 'resource_not_found'),
        refusal(400, 'invalid_action'),
      ],
      async ({ call, fail }) => {
        const cancel = async (carrier: typeof inpostIt, context: CarrierContext<unknown>) =>
          carrier.cancelPickup?.(context, '70001');
        await call(cancel);
        await call(cancel);

        expect(await fail(cancel)).toMatchObject({ kind: 'permanent', code: 'refused' });
      },
    ));
});

describe('an account of InPost', () => {
  it('is proven by a read of its newest shipments', () =>
    against([listed([]), { status: 401, body: '' }], async ({ call, fail, exchanges }) => {
      await call(async (carrier, context) => carrier.verifyAccount?.(context));

      expect(await fail(async (carrier, context) => carrier.verifyAccount?.(context))).toMatchObject({
        code: 'credentials-refused',
      });
      expect(exchanges.map(({ effect }) => effect)).toEqual(['read', 'read']);
    }));

  it('goes to production unless it says otherwise', () => {
    expect(inpostIt.account.parse({ organizationId: '1', token: 'x' })).toEqual({
      organizationId: '1',
      token: 'x',
      sendingMethod: 'parcel_locker',
      baseUrl: 'https://api-shipx-it.easypack24.net',
      pointsBaseUrl: 'https://api-it-local-points.easypack24.net',
    });
    expect(inpostIt.trackingUrl?.(NUMBER, {})).toBe(`https://inpost.it/trova-il-tuo-pacco?number=${NUMBER}`);
  });
});
