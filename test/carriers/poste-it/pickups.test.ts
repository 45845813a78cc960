import { describe, expect, it } from 'vitest';
import type { PickupRequest } from '../../../src/carriers/adapter.ts';
import { REFUSALS } from '../../../src/carriers/poste-it/codes.ts';
import { posteIt } from '../../../src/carriers/poste-it/index.ts';
import { buildParty } from '../../support/build-draft.ts';
import { callerOf } from '../../support/call-carrier.ts';
import { account, against, type Context, handle, pickedUp, sent } from './replies.ts';

type Poste = typeof posteIt;

describe('pickups by Poste', () => {
  const parcel = { weightGrams: 1500, lengthMm: 305, widthMm: 200, heightMm: 100 };
  const book = (overrides: Partial<PickupRequest> = {}) => {
    const request: PickupRequest = {
      reference: 'SMP0000000007',
      date: '2026-11-23',
      from: '14:00',
      to: '18:00',
      place: buildParty(),
      parcels: [parcel],
      shipments: [handle],
      note: 'Suonare',
      ...overrides,
    };
    return async (poste: Poste, context: Context) => poste.bookPickup?.(context, request);
  };

  it('are booked for all parcels with one write', () =>
    against([pickedUp('OK')], async ({ call, exchanges }, server) => {
      expect(await call(book())).toEqual({ confirmation: 'CP00000001', message: '' });
      expect(exchanges.map(({ effect }) => effect)).toEqual(['read', 'write']);
      expect(sent(server).pickup.item).toEqual([
        {
          operation: 'I',
          bookingType: 'RIT0003',
          where: {
            item: [
              {
                givenName: 'Anna Bianchi',
                surname: '',
                streetName: 'Via Roma',
                streetNumber: '12',
                town: 'Milano',
                region: 'MI',
                postCode: '20121',
                country: 'IT',
                phone: '+393331234567',
                email: 'anna@example.com',
              },
            ],
          },
          content: {
            item: [{ containerType: 'P', quantity: 1, weight: 1.5, height: 10, width: 20, length: 30.5 }],
          },
          pickupDate: '20261123',
          timeSlot: 'PM',
          note1: 'SMP0000000007',
          note2: 'Suonare',
        },
      ]);
    }));

  it.each([
    ['09:00', '13:00', 'AM'],
    ['13:00', '18:00', 'PM'],
    ['09:00', '18:00', 'AMPM'],
  ])('from %s to %s are in the slot %s', (from, to, timeSlot) =>
    against([pickedUp('OK')], async ({ call }, server) => {
      await call(book({ from, to }));

      expect(sent(server).pickup.item[0].timeSlot).toBe(timeSlot);
    }),
  );

  it.each(Object.entries(REFUSALS))('refused by %s say what to do', (errorCode, { code, advice }) =>
    against([pickedUp('KO', errorCode, 'No')], async ({ fail }) => {
      expect(await fail(book())).toMatchObject({
        kind: 'permanent',
        code,
        message: `Poste Italiane refused: ${errorCode} No (${advice})`,
      });
    }),
  );

  it.each([
    ['a generic error', pickedUp('KO', 'E0999', 'Errore generico')],
    ['an error without a reason', pickedUp('KO')],
    ['no number', pickedUp('OK', '', '', '')],
  ])('are in an unknown state after %s', (_title, reply) =>
    against([reply], async ({ fail }) => {
      expect(await fail(book())).toMatchObject({ kind: 'unknown-outcome' });
    }),
  );

  it.each<[string, Partial<PickupRequest>]>([
    ['the place of a pickup needs its civic number', { place: buildParty({ address: 'Via Roma' }) }],
    ['the place of a pickup is not in Italy', { place: buildParty({ countryCode: 'CH' }) }],
    ['the place of a pickup needs its province', { place: buildParty({ province: '' }) }],
    ['the place of a pickup needs a name', { place: buildParty({ name: 'Giovanni '.repeat(10) }) }],
    ['the place of a pickup has letters', { place: buildParty({ city: '東京' }) }],
    ['a pickup needs at least one parcel', { parcels: [] }],
    ['the note of a pickup', { note: 'a'.repeat(256) }],
  ])('that %s are not asked for', async (words, overrides) => {
    const caller = callerOf(posteIt, account('http://127.0.0.1:1'));

    const failure = await caller.fail(book(overrides));

    expect(failure).toMatchObject({ kind: 'permanent', code: 'refused' });
    expect(failure.message).toContain(words);
    expect(caller.exchanges).toEqual([]);
  });
});
