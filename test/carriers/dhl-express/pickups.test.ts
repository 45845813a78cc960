import { describe, expect, it } from 'vitest';
import type { PickupRequest } from '../../../src/carriers/adapter.ts';
import type { dhlExpress } from '../../../src/carriers/dhl-express/index.ts';
import { buildParty } from '../../support/build-draft.ts';
import { against, json, NUMBER, problem, sent } from './replies.ts';

const parcel = { weightGrams: 1500, lengthMm: 300, widthMm: 200, heightMm: 100 };
const handle = { reference: 'SM0000042', trackingNumber: NUMBER, carrierReference: NUMBER };

describe('pickups of DHL Express', () => {
  const request: PickupRequest = {
    reference: 'SMP0000000007',
    date: '2026-11-23',
    from: '14:00',
    to: '18:00',
    place: buildParty({ company: 'Bottega Srl' }),
    parcels: [parcel],
    shipments: [handle],
    note: 'Suonare al citofono',
  };
  const book = (overrides: Partial<PickupRequest> = {}) =>
    [
      async (dhl: typeof dhlExpress, context: Parameters<NonNullable<typeof dhlExpress.bookPickup>>[0]) =>
        dhl.bookPickup?.(context, { ...request, ...overrides }),
    ] as const;

  it('are booked with one write on the clock of the place', () =>
    against(
      [
        json(
          {
            dispatchConfirmationNumbers: ['PRG1', 'PRG2'],
            readyByTime: '14:00',
            nextPickupDate: '2026-11-23',
            warnings: ['Late'],
          },
          201,
        ),
      ],
      async ({ call, exchanges }, server) => {
        const booked = await call(...book());

        expect(booked).toEqual({ confirmation: 'PRG1,PRG2', message: '2026-11-23 14:00; Late' });
        expect(exchanges.map(({ effect }) => effect)).toEqual(['write']);
        expect(sent(server)).toMatchObject({
          plannedPickupDateAndTime: '2026-11-23T14:00:00 GMT+01:00',
          closeTime: '18:00',
          remark: 'SMP0000000007',
          specialInstructions: [{ value: 'Suonare al citofono' }],
          shipmentDetails: [{ productCode: 'N', isCustomsDeclarable: false }],
        });
      },
    ));

  it.each([
    ['no phone number', { place: buildParty({ phone: '' }) }],
    ['no parcel', { parcels: [] }],
    ['a note as long as a letter', { note: 'parola '.repeat(60) }],
  ])('are not asked for with %s', (_what, overrides) =>
    against([], async ({ fail }) => {
      expect(await fail(...book(overrides))).toMatchObject({ kind: 'permanent', code: 'refused' });
    }),
  );

  it('are cancelled, every number of them, and again', () =>
    against(
      [
        { to: 'DELETE /pickups/PRG1' },
        problem(404, 'Cancellation of booking was not successful. Requested Pickup was not found'),
        problem(400, 'Pickup already cancelled'),
      ],
      async ({ call }, server) => {
        await call(async (dhl, context) => dhl.cancelPickup?.(context, 'PRG1,PRG2,PRG3'));

        expect(Object.fromEntries(server.requests[0]?.query ?? [])).toEqual({
          requestorName: 'Shipping desk',
          reason: 'Pickup no longer needed',
        });
      },
    ));

  it.each([
    ['a 404 of a gateway', problem(404, 'No such path'), 'permanent'],
    ['a 404 with one word', json({ message: 'Not Found' }, 404), 'permanent'],
    ['a page', { status: 200, body: '<html></html>' }, 'unknown-outcome'],
    ['another good status', { status: 202, body: '' }, 'unknown-outcome'],
  ])('are not taken for cancelled after %s', (_what, reply, kind) =>
    against([reply], async ({ fail }) => {
      expect(await fail(async (dhl, context) => dhl.cancelPickup?.(context, 'PRG1'))).toMatchObject({
        kind,
        isAuthoritative: false,
      });
    }),
  );

  it('are not cancelled once they are done', () =>
    against([problem(400, 'Pickup is completed')], async ({ fail }) => {
      const failure = await fail(async (dhl, context) => dhl.cancelPickup?.(context, 'PRG1'));

      expect(failure).toMatchObject({ kind: 'permanent', code: 'refused' });
      expect(failure.message).toContain('Pickup is completed');
    }));
});
