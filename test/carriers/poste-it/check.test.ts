import { describe, expect, it } from 'vitest';
import type { Party, PickupPointQuestion, ShipmentDraft } from '../../../src/carriers/adapter.ts';
import { posteIt } from '../../../src/carriers/poste-it/index.ts';
import { buildDraft, buildParty } from '../../support/build-draft.ts';
import { callerOf } from '../../support/call-carrier.ts';
import { account, against, type Context, json, sent, sold } from './replies.ts';

const parcel = { weightGrams: 1500, lengthMm: 300, widthMm: 200, heightMm: 100 };
const check = (overrides: Partial<ShipmentDraft>) => posteIt.check?.(buildDraft(overrides), {});
const to = (overrides: Partial<Party>) => ({ recipient: buildParty(overrides) });

describe('a fault that Poste would refuse', () => {
  it.each<[string, Partial<ShipmentDraft>]>([
    ['an ordinary draft', {}],
    [
      'a draft at every limit',
      {
        ...to({
          name: 'n'.repeat(35),
          company: 'c'.repeat(35),
          address: `${'s'.repeat(40)} 1234`,
          city: 'c'.repeat(30),
        }),
        parcels: [parcel, parcel],
        cod: { amountCents: 1, paymentType: 'ABM' },
        insuredCents: 1,
        options: ['APT000901', 'APT000905', 'APT000910'],
        labelFormat: 'zpl',
      },
    ],
    ['a shop', { pickupPointId: 'RTZ-20121-Z0001', parcels: [parcel, parcel] }],
    ['a locker', { pickupPointId: 'APT-20121-L0001' }],
    ['a phone number of fifteen digits', to({ phone: '+123 456 789 012 345' })],
  ])('is not found in %s', (_title, overrides) => {
    expect(check(overrides)).toEqual([]);
  });

  it.each<[string, Partial<ShipmentDraft>]>([
    ['The reference must be 1 to 25 letters A-Z or digits', { reference: 'SM-1' }],
    ['A shipment with Poste has 1 to 99 parcels here', { parcels: [] }],
    ['Parcel 1 needs a weight above zero', { parcels: [{ ...parcel, weightGrams: 0 }] }],
    ['Parcel 1 weighs more than 1000 kg', { parcels: [{ ...parcel, weightGrams: 1_000_001 }] }],
    ['Parcel 2 needs length, width and height', { parcels: [parcel, { ...parcel, heightMm: 0 }] }],
    ['The name of the recipient has 36 characters, Poste takes 35: shorten it', to({ name: 'n'.repeat(36) })],
    ['The company of the recipient has 36 characters, Poste takes 35: shorten it', to({ company: 'c'.repeat(36) })],
    ['The recipient needs a name', to({ name: ' ' })],
    ['The street of the recipient has 41 characters, Poste takes 40: shorten it', to({ address: 's'.repeat(41) })],
    [
      'The street with its second line of the recipient has 44 characters, Poste takes 40: shorten it',
      to({ address: 'Via Roma 12', address2: 's'.repeat(31) }),
    ],
    ['The recipient needs an address', to({ address: '' })],
    ['The city of the recipient has 31 characters, Poste takes 30: shorten it', to({ city: 'c'.repeat(31) })],
    ['The recipient needs a city', to({ city: '' })],
    [
      'The e-mail address of the recipient has 51 characters, Poste takes 50: shorten it',
      to({ email: `${'e'.repeat(39)}@example.com` }),
    ],
    ['The phone number of the recipient has 16 digits, Poste takes 15', to({ phone: '0039 333 123456789' })],
    ['This adapter ships within Italy only, and the recipient is abroad', to({ countryCode: 'CH' })],
    ['The postcode of the recipient must be five digits', to({ zip: '2012' })],
    ['The province of the recipient must be its two letters', to({ province: 'Milano' })],
    ['"東京" of the recipient has letters that cannot be written for Poste: use Latin ones', to({ city: '東京' })],
    ['The note has letters that cannot be written for Poste: use Latin ones', { note: 'привет' }],
    ['The contents have letters that cannot be written for Poste: use Latin ones', { contents: '茶' }],
    ['The province of the sender must be its two letters', { sender: buildParty({ province: '' }) }],
    ['The cash on delivery amount must be above zero', { cod: { amountCents: 0, paymentType: '' } }],
    ['Poste cannot collect by "PAYPAL"', { cod: { amountCents: 100, paymentType: 'PAYPAL' } }],
    ['The insured amount must be above zero', { insuredCents: 0 }],
    ['Poste collects and insures in EUR only', { insuredCents: 100, currency: 'CHF' }],
    ['Poste has no service "APT000909" that can be ordered here', { options: ['APT000909'] }],
    ['Only one product of Poste can be chosen for a shipment', { options: ['APT000901', 'APT000902'] }],
    [
      'Only one of APT000905, APT000906, APT000907 can be chosen for a shipment',
      { options: ['APT000905', 'APT000907'] },
    ],
    ['"Z0001" is no pick-up point of Poste: take its id from the search for points', { pickupPointId: 'Z0001' }],
    ['A locker of Poste takes one parcel per shipment', { pickupPointId: 'APT-20121-L1', parcels: [parcel, parcel] }],
    ['Poste prints labels as PDF of 10 x 11 cm or A4 and as ZPL, not in A5', { labelFormat: 'pdf-a5' }],
  ])('%s', (problem, overrides) => {
    expect(check(overrides)).toEqual([problem]);
  });
});

describe('lockers and shops of Poste', () => {
  const point = (officeCode: string) => ({
    officeCode: `${officeCode}   `,
    officeDescription: 'Punto di prova   ',
    address: 'VIA DI PROVA 1  ',
    place: 'MILANO  ',
    province: 'MI ',
    zipCode: '20121  ',
    openTimeMon: '08:00:00 ',
    closeTimeMon: '18:00:00 ',
    openTimeSat: '        ',
    closeTimeSat: null,
    saturationPercentage: '000',
    XDegree: '9.18951  ',
    YDegree: '45.46427 ',
  });
  const points = (...deliveryPoint: unknown[]) => json({ return: { outcome: 'OK', code: 0, deliveryPoint } });
  const find = (overrides: Partial<PickupPointQuestion> = {}) => {
    const question = { zip: '20121', city: 'Milano', countryCode: 'IT', ...overrides };
    return async (poste: typeof posteIt, context: Context) => poste.findPickupPoints?.(context, question);
  };

  it('are asked for by postcode and kind, and read without their padding', () =>
    against([points(point('L1')), points(point('Z1'))], async ({ call, exchanges }, server) => {
      const found = await call(find());

      expect(server.requests.slice(1).map(({ method, query }) => [method, Object.fromEntries(query)])).toEqual([
        ['GET', { zipCode: '20121', serviceType: 'APT' }],
        ['GET', { zipCode: '20121', serviceType: 'RTZ' }],
      ]);
      expect(exchanges.every(({ effect }) => effect === 'read')).toBe(true);
      expect(found?.map(({ id, type }) => [id, type])).toEqual([
        ['APT-20121-L1', 'locker'],
        ['RTZ-20121-Z1', 'shop'],
      ]);
      expect(found?.[0]).toEqual({
        id: 'APT-20121-L1',
        name: 'Punto di prova',
        type: 'locker',
        address: 'VIA DI PROVA 1',
        city: 'MILANO',
        zip: '20121',
        province: 'MI',
        countryCode: 'IT',
        latitude: 45.46427,
        longitude: 9.18951,
        openingHours: 'Lun-Ven 08:00-18:00',
        takesCod: null,
      });
    }));

  it('are in Italy only, and are asked for with a whole postcode', async () => {
    const { call, fail, exchanges } = callerOf(posteIt, account('http://127.0.0.1:1'));

    expect(await call(find({ countryCode: 'CH' }))).toEqual([]);
    expect(await fail(find({ zip: '201' }))).toMatchObject({ kind: 'permanent', code: 'refused' });
    expect(exchanges).toEqual([]);
  });

  it.each([
    ['APT-20121-L1', { APT000948: { node: 'L1', name: 'Punto di prova' } }],
    ['RTZ-20121-L1', { APT000947: { node: 'L1', name: 'Punto di prova' } }],
  ])('are named in the waybill: %s', (pickupPointId, services) =>
    against([points(point('L0'), point('L1')), sold()], async ({ call }, server) => {
      await call((poste, context) => poste.createShipment(context, buildDraft({ pickupPointId })));

      expect(sent(server).waybills[0].data.services).toEqual(services);
    }),
  );

  it.each([
    ['are gone', points(point('L0')), 'does not list the pick-up point APT-20121-L1 any more'],
    ['are refused', json({ return: { outcome: 'KO', code: 200 } }), 'refused: 200'],
  ])('that %s sell no waybill', (_title, reply, words) =>
    against([reply], async ({ fail, exchanges }) => {
      const draft = buildDraft({ pickupPointId: 'APT-20121-L1' });
      const failure = await fail((poste, context) => poste.createShipment(context, draft));

      expect(failure).toMatchObject({ kind: 'permanent', code: 'refused' });
      expect(failure.message).toContain(words);
      expect(exchanges.some(({ effect }) => effect === 'write')).toBe(false);
    }),
  );
});
