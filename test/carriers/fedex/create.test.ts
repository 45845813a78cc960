import { describe, expect, it } from 'vitest';
import { buildDraft, buildParty, buildReturn } from '../../support/build-draft.ts';
import { against, NUMBER, PDF, refused, sent, sold, token, ZPL } from './replies.ts';

const draft = buildDraft();
const [parcel] = draft.parcels;
const two = parcel ? [parcel, parcel] : [];

describe('creating with FedEx', () => {
  it('sends parties, parcels, references and who pays, with a token', () =>
    against([token, sold()], async ({ call }, server) => {
      const shipment = await call((carrier, context) => carrier.createShipment(context, draft));

      const [login, ship] = server.requests;
      expect(login?.body).toBe('grant_type=client_credentials&client_id=keyOne&client_secret=Segretissimo9%21');
      expect(ship?.headers).toMatchObject({
        authorization: 'Bearer tokenOne',
        'accept-encoding': 'identity',
        'x-locale': 'en_US',
        'x-customer-transaction-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      expect(shipment).toEqual({
        documents: [],
        trackingNumber: NUMBER,
        carrierReference: NUMBER,
        parcelCount: 1,
        labels: [{ contentType: 'application/pdf', bytes: PDF }],
        warnings: [],
      });
      expect(sent(server)).toEqual({
        labelResponseOptions: 'LABEL',
        accountNumber: { value: '740561073' },
        requestedShipment: {
          shipDatestamp: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
          pickupType: 'USE_SCHEDULED_PICKUP',
          serviceType: 'FEDEX_PRIORITY',
          packagingType: 'YOUR_PACKAGING',
          // 1.2 kg in pounds, rounded up.
          totalWeight: 2.7,
          shipper: {
            address: { streetLines: ['Via Roma 12'], city: 'Roma', postalCode: '00185', countryCode: 'IT' },
            contact: {
              personName: 'Bottega Srl',
              companyName: 'Bottega Srl',
              phoneNumber: '393331234567',
              emailAddress: 'anna@example.com',
            },
          },
          recipients: [expect.objectContaining({ contact: expect.objectContaining({ personName: 'Anna Bianchi' }) })],
          shippingChargesPayment: { paymentType: 'SENDER' },
          labelSpecification: { imageType: 'PDF', labelStockType: 'PAPER_4X6' },
          requestedPackageLineItems: [
            {
              sequenceNumber: 1,
              groupPackageCount: 1,
              customerReferences: [
                { customerReferenceType: 'CUSTOMER_REFERENCE', value: 'SM0000042' },
                { customerReferenceType: 'P_O_NUMBER', value: '2026-0007' },
              ],
              weight: { units: 'KG', value: 1.2 },
              dimensions: { length: 30, width: 20, height: 10, units: 'CM' },
              itemDescription: 'Abbigliamento',
            },
          ],
        },
      });
    }));

  it('orders what comes back as a return, with a label to print, from the customer to the warehouse', () =>
    against([token, sold()], async ({ call }, server) => {
      await call((carrier, context) => carrier.createShipment(context, buildReturn()));

      const { accountNumber, requestedShipment } = sent(server);
      expect(accountNumber).toEqual({ value: '740561073' });
      expect(requestedShipment).toMatchObject({
        shipper: { contact: { personName: 'Anna Bianchi' } },
        recipients: [{ contact: { companyName: 'Bottega Srl' } }],
        shipmentSpecialServices: {
          specialServiceTypes: ['RETURN_SHIPMENT'],
          returnShipmentDetail: { returnType: 'PRINT_RETURN_LABEL' },
        },
        shippingChargesPayment: { paymentType: 'SENDER' },
      });
    }));

  it.each([
    ['pdf-a4', PDF, { imageType: 'PDF', labelStockType: 'PAPER_85X11_TOP_HALF_LABEL' }],
    ['zpl', ZPL, { imageType: 'ZPLII', labelStockType: 'STOCK_4X6' }],
  ] as const)('orders labels as %s, and keeps one per parcel', (labelFormat, label, specification) =>
    against([token, sold({ labels: [label, label] })], async ({ call }, server) => {
      const shipment = await call((carrier, context) =>
        carrier.createShipment(context, { ...draft, parcels: two, labelFormat }),
      );

      const { requestedShipment } = sent(server);
      expect(requestedShipment.labelSpecification).toEqual(specification);
      expect(requestedShipment.requestedPackageLineItems).toHaveLength(2);
      expect(shipment.parcelCount).toBe(2);
      expect(shipment.labels.map(({ bytes }) => bytes)).toEqual([label, label]);
    }),
  );

  it.each([
    ['one of them is missing', [PDF, Buffer.from('')]],
    ['one of them is a picture', [PDF, Buffer.from('GIF89a')]],
    ['they are of another kind', [ZPL, ZPL]],
  ])('is sold, with the number and no label, when %s', (_what, labels) =>
    against([token, sold({ labels })], async ({ call }) => {
      const shipment = await call((carrier, context) => carrier.createShipment(context, { ...draft, parcels: two }));

      expect(shipment).toMatchObject({ trackingNumber: NUMBER, parcelCount: 2, labels: [] });
      expect(shipment.warnings).toEqual([expect.stringContaining('cancel it and create it again')]);
    }),
  );

  it('hands on every alert of FedEx once, and says what it cut', () => {
    const mismatch = {
      code: 'SHIP.RECIPIENT.POSTALCITY.MISMATCH',
      message: 'Recipient Postal-City Mismatch.',
      alertType: 'NOTE',
    };
    const replies = [token, sold({ alerts: [mismatch], shipment: { alerts: [mismatch] } })];
    return against(replies, async ({ call }, server) => {
      const contents = 'Abbigliamento e accessori per la casa, stoviglie di ceramica';

      const { warnings } = await call((carrier, context) => carrier.createShipment(context, { ...draft, contents }));

      expect(warnings).toEqual([
        'FedEx: Recipient Postal-City Mismatch [SHIP.RECIPIENT.POSTALCITY.MISMATCH]',
        'The contents were shortened for FedEx to "Abbigliamento e accessori per la casa, stoviglie d"',
      ]);
      expect(sent(server).requestedShipment.requestedPackageLineItems[0].itemDescription).toHaveLength(50);
    });
  });

  it('declares the insured amount, shared out among the parcels and the same in total', () =>
    against([token, sold({ labels: [PDF, PDF] })], async ({ call }, server) => {
      await call((carrier, context) =>
        carrier.createShipment(context, { ...draft, parcels: two, insuredCents: 10_001, options: ['FEDEX_FIRST'] }),
      );

      const { requestedShipment } = sent(server);
      expect(requestedShipment.serviceType).toBe('FEDEX_FIRST');
      expect(requestedShipment.totalDeclaredValue).toEqual({ amount: 100.01, currency: 'EUR' });
      expect(
        requestedShipment.requestedPackageLineItems.map((one: { declaredValue: object }) => one.declaredValue),
      ).toEqual([
        { amount: 50.01, currency: 'EUR' },
        { amount: 50, currency: 'EUR' },
      ]);
    }));

  it('breaks addresses between words, and leaves out what does no harm', () =>
    against([token, sold()], async ({ call }, server) => {
      const recipient = buildParty({
        name: 'Łucja Dvořák',
        address: 'Contrada San Lorenzo dei Greci numero 124, scala B',
        address2: 'interno 7',
        email: `${'x'.repeat(80)}@example.com`,
        phone: '0039 02 1234567',
      });
      const bare = { ...draft, recipient, orderNumber: 'N'.repeat(31), parcels: [{ ...two[0], lengthMm: 0 }] };

      await call((carrier, context) => carrier.createShipment(context, bare as typeof draft));

      const { recipients, requestedPackageLineItems } = sent(server).requestedShipment;
      expect(recipients[0].address.streetLines).toEqual([
        'Contrada San Lorenzo dei Greci',
        'numero 124, scala B',
        'interno 7',
      ]);
      expect(recipients[0].contact).toEqual({ personName: 'Lucja Dvorák', phoneNumber: '39021234567' });
      expect(requestedPackageLineItems[0]).not.toHaveProperty('dimensions');
      expect(requestedPackageLineItems[0].customerReferences).toHaveLength(1);
    }));

  it('tells the state where there are states', () =>
    against([token, sold({ invoice: PDF })], async ({ call }, server) => {
      const recipient = buildParty({ city: 'Memphis', zip: '38017', province: 'tn', countryCode: 'US' });

      await call((carrier, context) => carrier.createShipment(context, { ...draft, recipient }));

      expect(sent(server).requestedShipment.recipients[0].address.stateOrProvinceCode).toBe('TN');
    }));
});

describe('tokens of FedEx', () => {
  const create = (refuse: Parameters<typeof against>[0]) => async () => {
    let failure: unknown;
    await against(refuse, async ({ fail, exchanges }) => {
      failure = await fail((carrier, context) => carrier.createShipment(context, draft));
      expect(exchanges.filter(({ operation }) => operation === 'token')).toHaveLength(
        refuse.filter(({ to }) => to === 'POST /oauth/token').length,
      );
    });
    return failure;
  };
  const login = (reply: Parameters<typeof against>[0][number]) => ({ ...reply, to: 'POST /oauth/token' });

  it('are fetched once more when FedEx refuses them early, and the label is bought once', () =>
    against([token, refused('NOT.AUTHORIZED.ERROR', 'Access token expired.', 401), token, sold()], async (caller) => {
      const { trackingNumber } = await caller.call((carrier, context) => carrier.createShipment(context, draft));

      expect(trackingNumber).toBe(NUMBER);
    }));

  it.each([
    ['NOT.AUTHORIZED.ERROR', refused('NOT.AUTHORIZED.ERROR', 'Access token expired.', 401)],
    ['Invalid CXS JWT', { status: 401, body: JSON.stringify({ error_description: 'Invalid CXS JWT' }) }],
    ['answered 401', { status: 401, body: '' }],
  ])('that are refused twice are an answer: %s', async (words, reply) => {
    expect(await create([token, reply, token, reply])()).toMatchObject({
      kind: 'permanent',
      code: 'credentials-refused',
      message: expect.stringContaining(words),
    });
  });

  it.each([
    [401, refused('NOT.AUTHORIZED.ERROR', 'The given client credentials were not valid.', 401)],
    [400, refused('BAD.REQUEST.ERROR', 'Missing or duplicate parameters.')],
    [401, { status: 401, body: '' }],
  ])('are asked for once when the keys are refused with %i', async (_status, reply) => {
    expect(await create([login(reply)])()).toMatchObject({ kind: 'permanent', code: 'credentials-refused' });
  });

  it('are asked for again ten minutes after FedEx locked the machine out', async () => {
    expect(await create([login({ status: 403, body: '' })])()).toMatchObject({
      kind: 'retryable',
      code: 'throttled',
      retryAfterMs: 600_000,
    });
  });

  it('are not thought refused by something in between', async () => {
    expect(await create([login({ status: 400, body: '<html>' })])()).toMatchObject({ kind: 'retryable' });
  });
});
