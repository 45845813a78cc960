import { describe, expect, it } from 'vitest';
import { dhlExpress } from '../../../src/carriers/dhl-express/index.ts';
import { TRACKING_CODES } from '../../../src/carriers/dhl-express/tracking-codes.ts';
import { buildDraft } from '../../support/build-draft.ts';
import { testCarrier } from '../conformance.ts';
import {
  account,
  against,
  event,
  exported,
  label,
  NUMBER,
  nothingFound,
  PDF,
  problem,
  sent,
  sold,
  tracked,
  ZPL,
} from './replies.ts';

const draft = buildDraft();
const NOT_THERE = '7008: The requested Special Service Code is not available between this origin and destination.';

testCarrier({
  carrier: dhlExpress,
  account,
  invalidAccount: { ...account('http://127.0.0.1'), accountNumber: '' },
  secrets: ['Segreta9!', Buffer.from('apiUser:Segreta9!').toString('base64')],
  draft,
  created: { replies: [{ ...sold(), to: 'POST /shipments' }], trackingNumber: NUMBER, carrierReference: NUMBER },
  rejected: { reply: problem(400, NOT_THERE), words: 'The requested Special Service Code is not available' },
  unreadable: [
    { status: 201, body: '' },
    { status: 201, body: '<html><body>Manutenzione</body></html>' },
    { status: 201, body: '{}' },
    sold({ shipmentTrackingNumber: ' ' }),
    { ...sold(), status: 200 },
    { status: 400, body: '<html><body>Bad gateway</body></html>' },
    { status: 422, body: '{}' },
  ],
  find: {
    found: [{ ...tracked({}), to: 'GET /tracking' }],
    absent: [nothingFound],
  },
  writes: {
    createShipment: { refused: [problem(400, NOT_THERE)] },
    bookPickup: { refused: [problem(400, '998: The requested pickup time is past')] },
    cancelPickup: { silentYes: [200], refused: [problem(400, 'Pickup is completed')] },
  },
  track: { codes: TRACKING_CODES, unknownCode: 'BL', replies: (code) => [tracked({ events: [event(code)] })] },
});

describe('creating with DHL Express', () => {
  it('sends parcels, references, login and the next handover on the clock of the sender', () =>
    against([sold()], async ({ call }, server) => {
      await call((dhl, context) => dhl.createShipment(context, draft));

      const [request] = server.requests;
      expect(request?.headers).toMatchObject({
        authorization: `Basic ${Buffer.from('apiUser:Segreta9!').toString('base64')}`,
        'x-version': '3.1.0',
        'message-reference': 'SM0000042',
      });
      const body = sent(server);
      expect(body).toMatchObject({
        productCode: 'N',
        pickup: { isRequested: false },
        accounts: [{ typeCode: 'shipper', number: '106000001' }],
        customerReferences: [
          { value: 'SM0000042', typeCode: 'CU' },
          { value: '2026-0007', typeCode: 'CO' },
        ],
        content: {
          packages: [{ weight: 1.2, dimensions: { length: 30, width: 20, height: 10 } }],
          isCustomsDeclarable: false,
          description: 'Abbigliamento',
          incoterm: 'DAP',
          unitOfMeasurement: 'metric',
        },
      });
      expect(body.plannedShippingDateAndTime).toMatch(/^\d{4}-\d\d-\d\dT17:00:00 GMT\+0[12]:00$/);
      expect(body.content).not.toHaveProperty('exportDeclaration');
      expect(body).not.toHaveProperty('valueAddedServices');
    }));

  it('stands company and person in for each other, and spreads a long street over lines', () =>
    against([sold()], async ({ call }, server) => {
      const address = 'Viale della Repubblica Cisalpina 1234 interno B';
      const recipient = { ...draft.recipient, address, address2: 'Scala C', email: '' };

      await call((dhl, context) => dhl.createShipment(context, { ...draft, recipient }));

      const { contactInformation, postalAddress } = sent(server).customerDetails.receiverDetails;
      expect(contactInformation).toEqual({
        fullName: 'Anna Bianchi',
        companyName: 'Anna Bianchi',
        phone: '+39 333 1234567',
      });
      expect(postalAddress).toEqual({
        postalCode: '20121',
        cityName: 'Milano',
        countryCode: 'IT',
        provinceCode: 'MI',
        addressLine1: 'Viale della Repubblica Cisalpina 1234 interno',
        addressLine2: 'B',
        addressLine3: 'Scala C',
      });
    }));

  it('keeps the warnings of DHL beside its own, and every label of several parcels', () =>
    against(
      [
        sold({
          packages: [{ trackingNumber: 'JD1' }, { trackingNumber: 'JD2' }],
          documents: [label(), label(), label(PDF, 'waybillDoc')],
          warnings: ["can't return prices"],
        }),
      ],
      async ({ call }) => {
        const [parcel] = draft.parcels;
        const contents = 'Abbigliamento e accessori per la casa, stoviglie di ceramica fatte a mano e altro';

        const shipment = await call((dhl, context) =>
          dhl.createShipment(context, { ...draft, contents, parcels: parcel ? [parcel, parcel] : [] }),
        );

        expect(shipment.labels).toHaveLength(2);
        expect(shipment.parcelCount).toBe(2);
        expect(shipment.warnings).toEqual([
          "DHL: can't return prices",
          'The contents were shortened for DHL to "Abbigliamento e accessori per la casa, stoviglie di ceramica fatte a m"',
        ]);
      },
    ));

  it('is sold even when DHL leaves the label out, counts otherwise or prints another format', () =>
    against(
      [sold({ documents: [], packages: [{ trackingNumber: 'JD1' }, { trackingNumber: 'JD2' }] }), sold()],
      async ({ call }) => {
        const bare = await call((dhl, context) => dhl.createShipment(context, draft));
        const other = await call((dhl, context) => dhl.createShipment(context, { ...draft, labelFormat: 'zpl' }));

        expect(bare).toMatchObject({ trackingNumber: NUMBER, parcelCount: 2, labels: [] });
        expect(bare.warnings).toEqual([
          'DHL counts 2 parcels under this reference, 1 were sent',
          'DHL sold the shipment and sent no label: ask DHL for it',
        ]);
        expect(other.labels[0]?.contentType).toBe('application/pdf');
        expect(other.warnings).toEqual(['DHL sent the label in another format']);
      },
    ));

  it.each([
    ['pdf-a6', 'pdf', 'ECOM26_A6_002', PDF],
    ['pdf-a4', 'pdf', 'ECOM26_84_A4_001', PDF],
    ['zpl', 'zpl', 'ECOM26_84_001', ZPL],
  ] as const)('asks for a label in %s', (labelFormat, encodingFormat, templateName, bytes) =>
    against([sold({ documents: [label(bytes)] })], async ({ call }, server) => {
      const shipment = await call((dhl, context) => dhl.createShipment(context, { ...draft, labelFormat }));

      expect(sent(server).outputImageProperties).toEqual({
        encodingFormat,
        imageOptions: [{ typeCode: 'label', templateName }],
        splitTransportAndWaybillDocLabels: true,
        splitDocumentsByPages: true,
      });
      expect(shipment.labels[0]?.bytes).toEqual(bytes);
    }),
  );

  it('insures, adds services once and lets an option choose the product', () =>
    against([sold()], async ({ call }, server) => {
      const options = ['AA', 'I', 'AA', 'SF'];

      await call((dhl, context) => dhl.createShipment(context, { ...draft, insuredCents: 12_345, options }));

      expect(sent(server)).toMatchObject({
        productCode: 'I',
        valueAddedServices: [
          { serviceCode: 'AA' },
          { serviceCode: 'SF' },
          { serviceCode: 'II', value: 123.45, currency: 'EUR' },
        ],
      });
    }));
});

describe('customs with DHL Express', () => {
  it('declares every line: the price of a piece, the weight of all of them', () =>
    against(
      [sold()],
      async ({ call }, server) => {
        await call((dhl, context) => dhl.createShipment(context, exported()));

        const body = sent(server);
        expect(body.productCode).toBe('P');
        expect(body.accounts).toContainEqual({ typeCode: 'duties-taxes', number: '106000002' });
        expect(body.customerDetails.shipperDetails.registrationNumbers).toEqual([
          { typeCode: 'VAT', number: 'IT01234567890', issuerCountryCode: 'IT' },
          { typeCode: 'EOR', number: 'IT01234567890', issuerCountryCode: 'IT' },
        ]);
        expect(body.content).toMatchObject({
          isCustomsDeclarable: true,
          declaredValue: 20.5,
          declaredValueCurrency: 'EUR',
          incoterm: 'DDP',
          exportDeclaration: {
            lineItems: [
              {
                number: 1,
                description: 'Tazza in ceramica',
                price: 10.25,
                quantity: { value: 2, unitOfMeasurement: 'PCS' },
                commodityCodes: [{ typeCode: 'outbound', value: '69120023' }],
                manufacturerCountry: 'IT',
                weight: { netValue: 1, grossValue: 1 },
              },
            ],
          },
        });
        expect(body.content.exportDeclaration).not.toHaveProperty('invoice');
      },
      {
        incoterm: 'DDP',
        dutiesAccountNumber: '106000002',
        vatNumber: 'IT01234567890',
        eoriNumber: 'IT01234567890',
      },
    ));

  it('has DHL make the invoice where the account says so, and keeps it beside the labels', () =>
    against(
      [sold({ documents: [label(PDF, 'invoice'), label()] })],
      async ({ call }, server) => {
        const shipment = await call((dhl, context) => dhl.createShipment(context, exported({ options: ['WY'] })));

        const { outputImageProperties, content } = sent(server);
        expect(outputImageProperties.imageOptions).toContainEqual({
          typeCode: 'invoice',
          templateName: 'COMMERCIAL_INVOICE_P_10',
          isRequested: true,
          invoiceType: 'commercial',
          languageCode: 'eng',
        });
        expect(content.exportDeclaration.invoice).toMatchObject({ number: '2026-0007' });
        expect(shipment.labels).toHaveLength(1);
        expect(shipment.documents).toEqual([
          { kind: 'customs_invoice', contentType: 'application/pdf', bytes: expect.any(Buffer) },
        ]);
        expect(shipment.warnings).toEqual([]);
      },
      { customsInvoice: 'commercial' },
    ));

  it('keeps the invoice beside ZPL labels too', () =>
    against(
      [sold({ documents: [label(ZPL), label(PDF, 'invoice')] })],
      async ({ call }, server) => {
        const shipment = await call((dhl, context) => dhl.createShipment(context, exported({ labelFormat: 'zpl' })));

        expect(sent(server).outputImageProperties.imageOptions).toHaveLength(2);
        expect(shipment.labels).toMatchObject([{ contentType: 'application/zpl' }]);
        expect(shipment.documents).toMatchObject([{ kind: 'customs_invoice', contentType: 'application/pdf' }]);
        expect(shipment.warnings).toEqual([]);
      },
      { customsInvoice: 'commercial' },
    ));

  it('does not ask DHL for paperless trade without an invoice of its making', () =>
    against([], async ({ fail }) => {
      const failure = await fail((dhl, context) => dhl.createShipment(context, exported({ options: ['WY'] })));

      expect(failure).toMatchObject({ kind: 'permanent', code: 'refused' });
      expect(failure.message).toContain('customsInvoice in the account');
    }));
});
