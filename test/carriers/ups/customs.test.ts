import { describe, expect, it } from 'vitest';
import { isDeclarable } from '../../../src/domain/customs-territory.ts';
import { buildDraft, buildParty } from '../../support/build-draft.ts';
import { against, exported, PDF, recovered, sent, sold, token, unrecoverable, ZPL } from './replies.ts';

const draft = buildDraft();

describe('customs with UPS', () => {
  it('has UPS make the invoice from the lines, bill duties by the terms, and keeps it beside the label', () =>
    against(
      [token, sold({ form: PDF }), recovered()],
      async ({ call }, server) => {
        const shipment = await call((carrier, context) => carrier.createShipment(context, exported()));

        const { Shipment } = sent(server).ShipmentRequest;
        expect(Shipment.Service).toEqual({ Code: '65' });
        expect(Shipment.PaymentInformation.ShipmentCharge).toHaveLength(2);
        expect(Shipment.ShipmentServiceOptions.InternationalForms).toMatchObject({
          FormType: ['01'],
          Contacts: { SoldTo: { Name: 'Urs Beispiel', Address: { CountryCode: 'CH' } } },
          Product: [
            {
              Description: ['Tazza in ceramica'],
              Unit: { Number: '2', UnitOfMeasurement: { Code: 'PCS' }, Value: '10.25' },
              CommodityCode: '69120023',
              PartNumber: 'MUG-01',
              OriginCountryCode: 'IT',
            },
          ],
          InvoiceNumber: '2026-0007',
          InvoiceDate: expect.stringMatching(/^\d{8}$/),
          TermsOfShipment: 'DDP',
          ReasonForExport: 'SALE',
          CurrencyCode: 'EUR',
        });
        expect(shipment.labels).toHaveLength(1);
        expect(shipment.documents).toMatchObject([{ kind: 'customs_invoice', contentType: 'application/pdf' }]);
        expect(shipment.warnings).toEqual([]);
      },
      { incoterm: 'DDP' },
    ));

  it('leaves the duties to the recipient unless the terms say otherwise', () =>
    against([token, sold({ form: PDF }), recovered()], async ({ call }, server) => {
      await call((carrier, context) => carrier.createShipment(context, exported()));

      expect(sent(server).ShipmentRequest.Shipment.PaymentInformation.ShipmentCharge).toHaveLength(1);
    }));

  it('keeps the invoice beside ZPL labels, and leaves it to the sender when UPS sends none', () =>
    against([token, sold({ images: [ZPL], form: PDF }), token, sold(), recovered()], async ({ call }) => {
      const zpl = await call((carrier, context) => carrier.createShipment(context, exported({ labelFormat: 'zpl' })));
      const pdf = await call((carrier, context) => carrier.createShipment(context, exported()));

      expect(zpl.labels).toMatchObject([{ contentType: 'application/zpl' }]);
      expect(zpl.documents).toMatchObject([{ kind: 'customs_invoice', contentType: 'application/pdf' }]);
      expect(zpl.warnings).toEqual([]);
      expect(pdf.documents).toEqual([]);
      expect(pdf.warnings).toEqual([expect.stringContaining('put in one of your own')]);
    }));

  it('keeps the invoice, which UPS gives once, also where the label is still to come', () =>
    against([token, sold({ form: PDF }), unrecoverable], async ({ call }) => {
      const shipment = await call((carrier, context) => carrier.createShipment(context, exported()));

      expect(shipment.labels).toEqual([]);
      expect(shipment.documents).toMatchObject([{ kind: 'customs_invoice' }]);
      expect(shipment.warnings).toHaveLength(1);
    }));

  it('declares what goes to Livigno without a phone number too', () =>
    against([token, sold({ form: PDF }), recovered()], async ({ call }, server) => {
      const recipient = buildParty({ zip: '23041', city: 'Livigno', phone: '' });

      await call((carrier, context) => carrier.createShipment(context, { ...draft, recipient }));

      const { SoldTo } = sent(server).ShipmentRequest.Shipment.ShipmentServiceOptions.InternationalForms.Contacts;
      expect(SoldTo).not.toHaveProperty('Phone');
    }));

  it('ships to a neighbour in the Union without papers', () =>
    against([token, sold(), recovered()], async ({ call }, server) => {
      const recipient = buildParty({ countryCode: 'AT', zip: '1010', city: 'Wien', province: '' });

      const shipment = await call((carrier, context) => carrier.createShipment(context, { ...draft, recipient }));

      const { Shipment } = sent(server).ShipmentRequest;
      expect(Shipment.Service).toEqual({ Code: '11' });
      expect(Shipment).not.toHaveProperty('ShipmentServiceOptions');
      expect(shipment.warnings).toEqual([]);
    }));
});

describe('borders of customs', () => {
  const rome = { countryCode: 'IT', zip: '00185', city: 'Roma' };

  it.each([
    [false, 'Milano', { countryCode: 'IT', zip: '20121', city: 'Milano' }],
    [true, 'Livigno', { countryCode: 'IT', zip: '23041', city: 'Livigno' }],
    [true, 'Campione', { countryCode: 'IT', zip: '22060', city: "Campione d'Italia" }],
    [false, 'Wien', { countryCode: 'AT', zip: '1010', city: 'Wien' }],
    [true, 'Tenerife', { countryCode: 'ES', zip: '38001', city: 'Santa Cruz' }],
    [true, 'Réunion', { countryCode: 'FR', zip: '97400', city: 'Saint-Denis' }],
    [false, 'Monaco', { countryCode: 'MC', zip: '98000', city: 'Monaco' }],
    [false, 'Monaco under its French postcode', { countryCode: 'FR', zip: '98000', city: 'Monaco' }],
    [true, 'Zürich', { countryCode: 'CH', zip: '8001', city: 'Zürich' }],
    [true, 'San Marino', { countryCode: 'SM', zip: '47890', city: 'San Marino' }],
  ])('are crossed (%s) on the way from Rome to %s', (isCrossed, _name, place) => {
    expect(isDeclarable(rome, place)).toBe(isCrossed);
  });
});
