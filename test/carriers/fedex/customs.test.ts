import { describe, expect, it } from 'vitest';
import { buildDraft, buildParty } from '../../support/build-draft.ts';
import { against, exported, PDF, sent, sold, token, ZPL } from './replies.ts';

const draft = buildDraft();

describe('FedEx across a border', () => {
  const commodity = {
    description: 'Tazza in ceramica',
    quantity: 2,
    quantityUnits: 'PCS',
    numberOfPieces: 2,
    unitPrice: { amount: 10.25, currency: 'EUR' },
    customsValue: { amount: 20.5, currency: 'EUR' },
    weight: { units: 'KG', value: 1 },
    countryOfManufacture: 'IT',
    harmonizedCode: '69120023',
  };

  it('is told the goods, who pays duties, and makes the invoice, which is kept beside the label', () =>
    against([token, sold({ invoice: PDF })], async ({ call }, server) => {
      const shipment = await call((carrier, context) => carrier.createShipment(context, exported()));

      const { requestedShipment } = sent(server);
      expect(requestedShipment.serviceType).toBe('FEDEX_INTERNATIONAL_PRIORITY');
      expect(requestedShipment.customsClearanceDetail).toEqual({
        dutiesPayment: { paymentType: 'RECIPIENT' },
        commercialInvoice: {
          shipmentPurpose: 'SOLD',
          termsOfSale: 'DAP',
          customerReferences: [{ customerReferenceType: 'INVOICE_NUMBER', value: '2026-0007' }],
        },
        commodities: [commodity],
        totalCustomsValue: { amount: 20.5, currency: 'EUR' },
      });
      expect(requestedShipment.shippingDocumentSpecification.shippingDocumentTypes).toEqual(['COMMERCIAL_INVOICE']);
      expect(shipment.labels).toHaveLength(1);
      expect(shipment.documents).toMatchObject([{ kind: 'customs_invoice', contentType: 'application/pdf' }]);
      expect(shipment.warnings).toEqual([]);
    }));

  it('bills duties to the shipper where the terms say so', () =>
    against(
      [token, sold({ invoice: PDF })],
      async ({ call }, server) => {
        await call((carrier, context) => carrier.createShipment(context, exported({ orderNumber: '' })));

        const { dutiesPayment, commercialInvoice } = sent(server).requestedShipment.customsClearanceDetail;
        expect(dutiesPayment).toEqual({
          paymentType: 'SENDER',
          payor: { responsibleParty: { accountNumber: { value: '740561073' } } },
        });
        expect(commercialInvoice.customerReferences[0].value).toBe('SM0000042');
      },
      { incoterm: 'DDP' },
    ));

  it('is told the goods within the Union too, without an invoice', () =>
    against([token, sold()], async ({ call }, server) => {
      const recipient = buildParty({ city: 'Berlin', zip: '10115', countryCode: 'DE' });

      const shipment = await call((carrier, context) => carrier.createShipment(context, { ...draft, recipient }));

      const { requestedShipment } = sent(server);
      expect(requestedShipment.serviceType).toBe('FEDEX_REGIONAL_ECONOMY');
      expect(requestedShipment.customsClearanceDetail.dutiesPayment.paymentType).toBe('SENDER');
      expect(requestedShipment).not.toHaveProperty('shippingDocumentSpecification');
      expect(shipment.warnings).toEqual([]);
    }));

  it('leaves the invoice to the sender when FedEx sends none', () =>
    against([token, sold({ labels: [PDF] })], async ({ call }) => {
      const shipment = await call((carrier, context) => carrier.createShipment(context, exported()));

      expect(shipment.labels).toHaveLength(1);
      expect(shipment.documents).toEqual([]);
      expect(shipment.warnings).toEqual([expect.stringContaining('did not come')]);
    }));

  it('keeps the invoice beside ZPL labels, and where there is no label', () =>
    against(
      [token, sold({ labels: [ZPL], invoice: PDF }), token, sold({ labels: [Buffer.from('')], invoice: PDF })],
      async ({ call }) => {
        const zpl = await call((carrier, context) => carrier.createShipment(context, exported({ labelFormat: 'zpl' })));
        const bare = await call((carrier, context) => carrier.createShipment(context, exported()));

        expect(zpl.labels).toMatchObject([{ contentType: 'application/zpl' }]);
        expect(bare.labels).toEqual([]);
        for (const { documents } of [zpl, bare]) expect(documents).toMatchObject([{ kind: 'customs_invoice' }]);
      },
    ));
});
