import { describe, expect, it } from 'vitest';
import { buildDraft, buildReturn } from '../../support/build-draft.ts';
import { against, json, NUMBER, PDF, recovered, refused, SECOND, sent, sold, token, ZPL } from './replies.ts';

const draft = buildDraft();

describe('creating with UPS', () => {
  it('sends parties, parcels, references and who pays, with a token', () =>
    against([token, sold(), recovered()], async ({ call }, server) => {
      await call((carrier, context) => carrier.createShipment(context, draft));

      const [login, ship] = server.requests;
      expect(login?.body).toBe('grant_type=client_credentials');
      expect(login?.headers.authorization).toBe(`Basic ${btoa('clientOne:Segretissimo9!')}`);
      expect(ship?.headers).toMatchObject({
        authorization: 'Bearer tokenOne',
        transactionsrc: 'smista',
        transid: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
      expect(sent(server).ShipmentRequest).toEqual({
        Request: { RequestOption: 'nonvalidate', TransactionReference: { CustomerContext: 'SM0000042' } },
        Shipment: {
          Description: 'Abbigliamento',
          Shipper: {
            Name: 'Bottega Srl',
            AttentionName: 'Bottega Srl',
            ShipperNumber: 'AB1234',
            Phone: { Number: '393331234567' },
            EMailAddress: 'anna@example.com',
            Address: {
              AddressLine: ['Via Roma 12'],
              City: 'Roma',
              StateProvinceCode: 'RM',
              PostalCode: '00185',
              CountryCode: 'IT',
            },
          },
          ShipTo: expect.objectContaining({ Name: 'Anna Bianchi', AttentionName: 'Anna Bianchi' }),
          PaymentInformation: { ShipmentCharge: [{ Type: '01', BillShipper: { AccountNumber: 'AB1234' } }] },
          ReferenceNumber: [{ Value: 'SM0000042' }, { Value: '2026-0007' }],
          Service: { Code: '11' },
          Package: [
            {
              Packaging: { Code: '02' },
              Dimensions: {
                UnitOfMeasurement: { Code: 'CM', Description: 'Centimetres' },
                Length: '30',
                Width: '20',
                Height: '10',
              },
              PackageWeight: { UnitOfMeasurement: { Code: 'KGS', Description: 'Kilograms' }, Weight: '1.2' },
            },
          ],
        },
        LabelSpecification: { LabelImageFormat: { Code: 'GIF' }, LabelStockSize: { Height: '6', Width: '4' } },
      });
    }));

  it('orders what comes back as a return that is billed to us and sent by the customer', () =>
    against([token, sold(), recovered()], async ({ call }, server) => {
      await call((carrier, context) => carrier.createShipment(context, buildReturn({ contents: 'Tazza '.repeat(8) })));

      const { Shipment: order } = sent(server).ShipmentRequest;
      expect(order).toMatchObject({
        ReturnService: { Code: '9' },
        Shipper: { Name: 'Bottega Srl', ShipperNumber: 'AB1234' },
        ShipTo: { Name: 'Bottega Srl' },
        ShipFrom: { Name: 'Anna Bianchi', Address: { City: 'Milano' } },
        PaymentInformation: { ShipmentCharge: [{ Type: '01', BillShipper: { AccountNumber: 'AB1234' } }] },
        Package: [{ Description: 'Tazza Tazza Tazza Tazza Tazza Tazza' }],
      });
    }));

  it('has UPS print a PDF by label recovery, one for all parcels', () =>
    against(
      [token, sold({ images: [ZPL, ZPL] }), recovered({ numbers: [NUMBER, SECOND] })],
      async ({ call, exchanges }, server) => {
        const [parcel] = draft.parcels;

        const shipment = await call((carrier, context) =>
          carrier.createShipment(context, { ...draft, parcels: parcel ? [parcel, parcel] : [] }),
        );

        expect(shipment).toMatchObject({ trackingNumber: NUMBER, parcelCount: 2, warnings: [] });
        expect(shipment.labels).toEqual([{ contentType: 'application/pdf', bytes: PDF }]);
        expect(sent(server, 2)).toEqual({
          LabelRecoveryRequest: {
            Request: {},
            LabelSpecification: { LabelImageFormat: { Code: 'PDF' }, LabelStockSize: { Height: '6', Width: '4' } },
            TrackingNumber: NUMBER,
          },
        });
        expect(exchanges.map(({ operation, effect }) => [operation, effect])).toEqual([
          ['token', 'read'],
          ['ship', 'write'],
          ['recoverLabel', 'read'],
        ]);
      },
    ));

  it('keeps ZPL as it comes with the shipment', () =>
    against([token, sold({ images: [ZPL, ZPL] })], async ({ call }, server) => {
      const shipment = await call((carrier, context) =>
        carrier.createShipment(context, { ...draft, labelFormat: 'zpl' }),
      );

      expect(shipment.labels).toHaveLength(2);
      expect(sent(server).ShipmentRequest.LabelSpecification).toEqual({
        LabelImageFormat: { Code: 'ZPL' },
        LabelStockSize: { Height: '6', Width: '4' },
      });
    }));

  it.each([
    ['is refused', refused('300034', 'Label is unavailable -- the shipment has not been processed.')],
    ['is broken', { status: 500, body: '' }],
    ['is lost', { ending: 'reset' as const }],
    ['is a picture', recovered({ images: [Buffer.from('GIF89a')] })],
  ])('is sold even when label recovery %s, and the label is asked for again', (_what, reply) =>
    against([token, sold(), reply], async ({ call }) => {
      const shipment = await call((carrier, context) => carrier.createShipment(context, draft));

      expect(shipment).toMatchObject({
        trackingNumber: NUMBER,
        labels: [],
        warnings: ['UPS sold the shipment, but gave no label yet: it is asked for again'],
      });
    }),
  );

  it('has no label at all when UPS leaves out one of several', () =>
    against([token, sold({ images: [ZPL, Buffer.from('')] })], async ({ call }) => {
      const shipment = await call((carrier, context) =>
        carrier.createShipment(context, { ...draft, labelFormat: 'zpl' }),
      );

      expect(shipment).toMatchObject({ parcelCount: 2, labels: [] });
    }));

  it('gives the label out once more', () =>
    against(
      [token, recovered(), token, refused('300034', 'Label is unavailable -- the shipment has not been processed.')],
      async ({ call, fail }) => {
        const handle = { reference: draft.reference, trackingNumber: NUMBER, carrierReference: NUMBER };

        const labels = await call(async (carrier, context) => carrier.fetchLabels?.(context, draft, handle));
        const failure = await fail(async (carrier, context) => carrier.fetchLabels?.(context, draft, handle));

        expect(labels).toEqual([{ contentType: 'application/pdf', bytes: PDF }]);
        expect(failure.kind).toBe('retryable');
      },
    ));

  it.each([
    ['a list', [{ Code: '120900', Description: 'Not qualified' }]],
    ['a single thing', { Code: '120900', Description: 'Not qualified' }],
  ])('hands on the alerts of UPS from %s, and says what it cut', (_what, alerts) =>
    against([token, sold({ alerts }), recovered()], async ({ call }) => {
      const contents = 'Abbigliamento e accessori per la casa, stoviglie di ceramica';

      const { warnings } = await call((carrier, context) => carrier.createShipment(context, { ...draft, contents }));

      expect(warnings).toEqual([
        'UPS: Not qualified [120900]',
        'The contents were shortened for UPS to "Abbigliamento e accessori per la casa, stoviglie d"',
      ]);
    }),
  );

  it('collects, insures, delivers on Saturday and by the service that an option chooses', () =>
    against([token, sold({ images: [ZPL, ZPL, ZPL] })], async ({ call }, server) => {
      const [parcel] = draft.parcels;

      await call((carrier, context) =>
        carrier.createShipment(context, {
          ...draft,
          parcels: parcel ? [parcel, parcel, parcel] : [],
          cod: { amountCents: 4990, paymentType: 'assegno' },
          insuredCents: 10_001,
          options: ['SAT', '07'],
          labelFormat: 'zpl',
        }),
      );

      const { Shipment } = sent(server).ShipmentRequest;
      expect(Shipment.Service).toEqual({ Code: '07' });
      expect(Shipment.ShipmentServiceOptions).toEqual({
        SaturdayDeliveryIndicator: '',
        COD: { CODFundsCode: '9', CODAmount: { CurrencyCode: 'EUR', MonetaryValue: '49.90' } },
      });
      expect(Shipment.Package.map((one: { PackageServiceOptions: object }) => one.PackageServiceOptions)).toEqual(
        ['33.35', '33.33', '33.33'].map((MonetaryValue) => ({
          DeclaredValue: { CurrencyCode: 'EUR', MonetaryValue },
        })),
      );
    }));

  it('delivers to an Access Point, whose address it looks up before it writes', () =>
    against(
      [
        token,
        { ...located({ PublicAccessPointID: 'U12345678' }), to: 'POST /api/locations/v3/search/availabilities/64' },
        sold(),
        recovered(),
      ],
      async ({ call }, server) => {
        await call((carrier, context) => carrier.createShipment(context, { ...draft, pickupPointId: 'u12345678' }));

        const search = sent(server, 1).LocatorRequest.LocationSearchCriteria.AccessPointSearch;
        expect(search).toEqual({ PublicAccessPointID: 'U12345678' });
        expect(sent(server, 2).ShipmentRequest.Shipment).toMatchObject({
          ShipmentIndicationType: [{ Code: '02' }],
          AlternateDeliveryAddress: {
            Name: 'Tabaccheria del Duomo',
            AttentionName: 'Anna Bianchi',
            UPSAccessPointID: 'U12345678',
            Address: { AddressLine: ['Via Torino 2'], City: 'Milano', PostalCode: '20123', CountryCode: 'IT' },
          },
        });
      },
    ));

  it('writes nothing for an Access Point that does not exist', () =>
    against([token, located({ PublicAccessPointID: 'U99999999' })], async ({ fail, exchanges }) => {
      const failure = await fail((carrier, context) =>
        carrier.createShipment(context, { ...draft, pickupPointId: 'U12345678' }),
      );

      expect(failure).toMatchObject({ kind: 'permanent', code: 'refused' });
      expect(failure.message).toContain('there is no Access Point U12345678');
      expect(exchanges.map(({ effect }) => effect)).toEqual(['read', 'read']);
    }));

  it('does not take an Access Point that cannot be read for none', () =>
    against([token, located({ PublicAccessPointID: {} as never })], async ({ fail }) => {
      expect(
        await fail((carrier, context) => carrier.createShipment(context, { ...draft, pickupPointId: 'U12345678' })),
      ).toMatchObject({ kind: 'retryable' });
    }));

  it('replaces a token that UPS refuses early, once, and buys the label once', () =>
    against(
      [
        token,
        refused('250002', 'Invalid Authentication Information.', 401),
        json({ access_token: 'tokenTwo', expires_in: '14399' }),
        sold(),
        recovered(),
      ],
      async ({ call }, server) => {
        await call((carrier, context) => carrier.createShipment(context, draft));

        expect(server.requests[3]?.headers.authorization).toBe('Bearer tokenTwo');
      },
    ));

  it('stops after the second token that is refused', () =>
    against([token, refused('250002', 'Invalid', 401), token, refused('250002', 'Invalid', 401)], async ({ fail }) => {
      expect(await fail((carrier, context) => carrier.createShipment(context, draft))).toMatchObject({
        kind: 'permanent',
        code: 'credentials-refused',
        message: expect.stringContaining('add the product to the app'),
      });
    }));

  it.each([
    [401, refused('250002', 'Invalid Authentication Information.', 401)],
    [400, refused('250003', 'Invalid Access License number', 400)],
    [403, { status: 403, body: '' }],
  ])('asks once for a token that is refused with %i', (_status, reply) =>
    against([reply], async ({ fail }) => {
      expect(await fail((carrier, context) => carrier.createShipment(context, draft))).toMatchObject({
        kind: 'permanent',
        code: 'credentials-refused',
      });
    }),
  );
});

function located(point: { PublicAccessPointID: string }) {
  return json({
    LocatorResponse: {
      Response: { ResponseStatusCode: '1' },
      SearchResults: {
        DropLocation: {
          AccessPointInformation: point,
          AddressKeyFormat: {
            ConsigneeName: 'Tabaccheria del Duomo',
            AddressLine: 'Via Torino 2',
            PoliticalDivision1: 'MI',
            PoliticalDivision2: 'Milano',
            PostcodePrimaryLow: '20123',
            CountryCode: 'IT',
          },
          Geocode: { Latitude: '45.46', Longitude: '9.18' },
          StandardHoursOfOperation: 'Lun-Sab: 9:00-19:00',
        },
      },
    },
  });
}
