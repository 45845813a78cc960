import { describe, expect, it } from 'vitest';
import type { PickupRequest } from '../../../src/carriers/adapter.ts';
import type { ups } from '../../../src/carriers/ups/index.ts';
import { buildDraft, buildParty } from '../../support/build-draft.ts';
import { against, json, NUMBER, refused, sent, token } from './replies.ts';

const parcel = { weightGrams: 1500, lengthMm: 300, widthMm: 200, heightMm: 100 };
const handle = { reference: 'SM0000042', trackingNumber: NUMBER, carrierReference: NUMBER };
type Carrier = typeof ups;
type Context = Parameters<Carrier['createShipment']>[0];

describe('prices of UPS', () => {
  const rated = (overrides: Record<string, unknown> = {}) => ({
    Service: { Code: '11' },
    TotalCharges: { CurrencyCode: 'EUR', MonetaryValue: '10.00' },
    ...overrides,
  });
  const negotiated = { NegotiatedRateCharges: { TotalCharge: { CurrencyCode: 'EUR', MonetaryValue: '7.05' } } };

  it('are the negotiated ones where there are any', () =>
    against(
      [
        token,
        json({
          RateResponse: {
            RatedShipment: [
              rated({ ...negotiated, GuaranteedDelivery: { ScheduledDeliveryDate: '20261124' } }),
              rated({ Service: { Code: '77' } }),
              rated({ TotalCharges: { CurrencyCode: 'EUR', MonetaryValue: 'free' } }),
              rated({ Service: null }),
            ],
          },
        }),
      ],
      async ({ call, exchanges }, server) => {
        const draft = buildDraft({ insuredCents: 5000 });

        const found = await call(async (carrier, context) => carrier.rates?.(context, draft));

        expect(found).toEqual([
          {
            serviceCode: '11',
            serviceName: 'UPS Standard',
            amountCents: 705,
            currency: 'EUR',
            deliveryDate: '2026-11-24',
          },
          { serviceCode: '77', serviceName: 'UPS 77', amountCents: 1000, currency: 'EUR', deliveryDate: null },
        ]);
        expect(server.requests[1]?.path).toBe('/api/rating/v2409/Shop');
        const { Shipment } = sent(server).RateRequest;
        expect(Shipment.ShipmentRatingOptions).toEqual({ NegotiatedRatesIndicator: '' });
        expect(Shipment.Package[0].PackageServiceOptions.DeclaredValue.MonetaryValue).toBe('50.00');
        expect(exchanges.map(({ effect }) => effect)).toEqual(['read', 'read']);
      },
    ));

  it('are the published ones where the account says so', () =>
    against(
      [token, json({ RateResponse: { RatedShipment: rated() } })],
      async ({ call }, server) => {
        await call(async (carrier, context) => carrier.rates?.(context, buildDraft()));

        expect(sent(server).RateRequest.Shipment).not.toHaveProperty('ShipmentRatingOptions');
      },
      { negotiatedRates: false },
    ));

  it.each([
    ['credentials-refused', refused('120100', 'Missing or invalid shipper number')],
    ['partner-broken', { status: 500, body: '' }],
  ])('prove an account: %s', (code, reply) =>
    against([token, reply], async ({ fail }) => {
      expect(await fail(async (carrier, context) => carrier.verifyAccount?.(context))).toMatchObject({ code });
    }),
  );

  it('prove an account even when nothing goes from Milan to Rome', () =>
    against([token, refused('111210', 'Not between these places')], async ({ call }) => {
      await call(async (carrier, context) => carrier.verifyAccount?.(context));
    }));
});

describe('Access Points of UPS', () => {
  const question = { zip: '20121', city: 'Milano', countryCode: 'IT' };
  const search = async (carrier: Carrier, context: Context) => carrier.findPickupPoints?.(context, question);
  const place = (id: string) => ({
    AccessPointInformation: { PublicAccessPointID: id },
    AddressKeyFormat: {
      ConsigneeName: 'Tabaccheria',
      AddressLine: 'Via Torino 2',
      PoliticalDivision1: 'MI',
      PoliticalDivision2: 'Milano',
      PostcodePrimaryLow: '20123',
      CountryCode: 'IT',
    },
  });
  const answer = (Response: object, DropLocation?: unknown) =>
    json({ LocatorResponse: { Response, ...(DropLocation ? { SearchResults: { DropLocation } } : {}) } });

  it('are listed with what UPS says of them; a location that is none is left out', () =>
    against(
      [
        token,
        answer({ ResponseStatusCode: '1' }, [
          { ...place('U12345678'), Geocode: { Latitude: '45.46', Longitude: '9.18' }, StandardHoursOfOperation: 'Lun' },
          { ...place('U12345679'), Geocode: { Latitude: '', Longitude: 'x' } },
          { ...place(''), AccessPointInformation: undefined },
          { ...place('U12345670'), AddressKeyFormat: 'odd' },
        ]),
      ],
      async ({ call }, server) => {
        const points = await call(search);

        expect(points).toHaveLength(2);
        expect(points?.[0]).toEqual({
          id: 'U12345678',
          name: 'Tabaccheria',
          type: 'shop',
          address: 'Via Torino 2',
          city: 'Milano',
          zip: '20123',
          province: 'MI',
          countryCode: 'IT',
          latitude: 45.46,
          longitude: 9.18,
          openingHours: 'Lun',
          takesCod: false,
        });
        expect(points?.[1]).toMatchObject({ latitude: null, longitude: null });
        expect(sent(server).LocatorRequest.LocationSearchCriteria.AccessPointSearch).toEqual({
          AccessPointStatus: '01',
        });
      },
    ));

  it('are none when UPS has none, and a failure when UPS says so', () =>
    against(
      [
        token,
        answer({ ResponseStatusCode: '1' }),
        token,
        answer({ ResponseStatusCode: '0', Error: { ErrorCode: '350', ErrorDescription: 'Invalid country' } }),
      ],
      async ({ call, fail }) => {
        expect(await call(search)).toEqual([]);
        expect(await fail(search)).toMatchObject({
          kind: 'permanent',
          message: 'UPS refused: Invalid country [350]',
        });
      },
    ));
});

describe('pickups of UPS', () => {
  const request: PickupRequest = {
    reference: 'SMP0000000007',
    date: '2026-11-23',
    from: '14:00',
    to: '18:00',
    place: buildParty({ company: 'Bottega Srl' }),
    parcels: [parcel, { ...parcel, weightGrams: 33_000 }],
    shipments: [handle],
    note: 'Suonare al citofono',
  };
  const book =
    (overrides: Partial<PickupRequest> = {}) =>
    async (carrier: Carrier, context: Context) =>
      carrier.bookPickup?.(context, { ...request, ...overrides });
  const cancelled = json({ PickupCancelResponse: { Response: { ResponseStatus: { Code: '1' } }, PickupType: '01' } });
  const cancel = async (carrier: Carrier, context: Context) => carrier.cancelPickup?.(context, '29000000001');

  it('are booked with one write on the clock of the place', () =>
    against(
      [
        token,
        json({
          PickupCreationResponse: {
            Response: {
              ResponseStatus: { Code: '1' },
              Alert: [{ Code: '1', Description: 'Late' }],
            },
            PRN: '29000000001',
          },
        }),
      ],
      async ({ call, exchanges }, server) => {
        expect(await call(book())).toEqual({ confirmation: '29000000001', message: 'Late' });
        expect(exchanges.map(({ effect }) => effect)).toEqual(['read', 'write']);
        expect(sent(server).PickupCreationRequest).toMatchObject({
          Shipper: { Account: { AccountNumber: 'AB1234', AccountCountryCode: 'IT' } },
          PickupDateInfo: { CloseTime: '1800', ReadyTime: '1400', PickupDate: '20261123' },
          PickupAddress: { CompanyName: 'Bottega Srl', ContactName: 'Anna Bianchi', AddressLine: ['Via Roma 12'] },
          PickupPiece: [{ ServiceCode: '011', Quantity: '2', DestinationCountryCode: 'IT', ContainerCode: '01' }],
          TotalWeight: { Weight: '34.5', UnitOfMeasurement: 'KGS' },
          OverweightIndicator: 'Y',
          PaymentMethod: '01',
          SpecialInstruction: 'Suonare al citofono',
          ReferenceNumber: 'SMP0000000007',
        });
      },
    ));

  it.each([
    ['no phone number', { place: buildParty({ phone: '' }) }],
    ['a long name', { place: buildParty({ name: 'X'.repeat(23) }) }],
    ['a long company', { place: buildParty({ company: 'X'.repeat(28) }) }],
    ['no street', { place: buildParty({ address: '' }) }],
    ['no parcel', { parcels: [] }],
    ['a long note', { note: 'x'.repeat(58) }],
  ])('are not asked for with %s', (_what, overrides) =>
    against([], async ({ fail, exchanges }) => {
      expect(await fail(book(overrides))).toMatchObject({ kind: 'permanent', code: 'refused' });
      expect(exchanges).toEqual([]);
    }),
  );

  it('are cancelled by their number, and again', () =>
    against(
      [
        token,
        { ...cancelled, to: 'DELETE /api/shipments/v2409/pickup/02' },
        token,
        refused('190107', 'The Pickup Request has previously been canceled'),
        token,
        refused('190103', 'The Pickup Request has already been completed'),
      ],
      async ({ call, fail }, server) => {
        await call(cancel);
        await call(cancel);

        expect(server.requests[1]?.headers.prn).toBe('29000000001');
        expect(await fail(cancel)).toMatchObject({ kind: 'permanent', code: 'refused' });
      },
    ));
});
