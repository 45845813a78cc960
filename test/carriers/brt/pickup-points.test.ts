import { describe, expect, it } from 'vitest';
import { against, json } from './replies.ts';

describe('looking for pick-up points of BRT', () => {
  const question = { zip: '20121', city: 'Milano', countryCode: 'IT' };
  const point = (more: Record<string, unknown>) => ({
    pudoId: 'IT1',
    pointName: 'EDICOLA',
    type: 'SHOP',
    street: 'VIA PO',
    streetNumber: '1',
    zipCode: '20121',
    town: 'MILANO',
    country: 'ITA',
    latitude: '45,46',
    longitude: '9.19',
    distanceFromPoint: 900,
    hours: [{ dayOfWeek: 1, openTime: '09:00', closeTime: '13:00' }],
    ...more,
  });

  it('lists the open ones, nearest first', () => {
    const points = [
      point({}),
      point({ pudoId: null }),
      point({ pudoId: 'IT2', type: 'LOCKER', distanceFromPoint: 20, hours: null, latitude: null }),
    ];
    const closed = [point({ pudoId: 'IT3', enabled: false }), point({ pudoId: 'IT4', available: false })];
    return against([json({ pudo: [...points, ...closed] })], async ({ call }, server) => {
      const found = await call(async (one, context) => one.findPickupPoints?.(context, question));

      expect(found?.map(({ id, type }) => [id, type])).toEqual([
        ['IT2', 'locker'],
        ['IT1', 'shop'],
      ]);
      expect(found?.[1]).toEqual({
        id: 'IT1',
        name: 'EDICOLA',
        type: 'shop',
        address: 'VIA PO 1',
        city: 'MILANO',
        zip: '20121',
        province: '',
        countryCode: 'IT',
        latitude: 45.46,
        longitude: 9.19,
        openingHours: '1: 09:00-13:00',
        takesCod: null,
      });
      expect(server.requests[0]?.headers['x-api-auth']).toBe('Gettone7!');
      expect(server.requests[0]?.query.get('countryCode')).toBe('ITA');
    });
  });

  it('takes a 404 for none', () =>
    against([{ status: 404 }], async ({ call }) => {
      expect(await call(async (one, context) => one.findPickupPoints?.(context, question))).toEqual([]);
    }));

  it.each([{ zip: '' }, { city: ' ' }])('asks nothing without postcode and city: %o', (missing) =>
    against([], async ({ fail }) => {
      const failure = await fail(async (one, context) => one.findPickupPoints?.(context, { ...question, ...missing }));

      expect(failure).toMatchObject({ kind: 'permanent', code: 'refused' });
      expect(failure.message).toMatch(/postcode and city/);
    }),
  );

  it('says that the token is missing, or refused', async () => {
    await against(
      [],
      async ({ fail }) => {
        const failure = await fail(async (one, context) => one.findPickupPoints?.(context, question));

        expect(failure).toMatchObject({ kind: 'permanent', code: 'account-invalid' });
        expect(failure.message).toContain('pudoToken');
      },
      { pudoToken: undefined },
    );
    await against([{ status: 401 }], async ({ fail }) => {
      const failure = await fail(async (one, context) => one.findPickupPoints?.(context, question));

      expect(failure).toMatchObject({ kind: 'permanent', code: 'credentials-refused' });
    });
  });
});
