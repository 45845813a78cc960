import { describe, expect, it } from 'vitest';
import { buildDraft } from '../../support/build-draft.ts';
import { against, json, label, NUMBER, sold } from './replies.ts';

const draft = buildDraft();

describe('odd answers of DHL to a shipment', () => {
  it('sell it when every field but its number has another type than described', () =>
    against(
      [
        sold({
          shipmentTrackingNumber: 4_210_000_001,
          packages: [{ trackingNumber: 1, referenceNumber: 'one' }],
          documents: [label(), 'odd', { typeCode: 'label', imageFormat: 'GIF', content: 'R0lGODlh' }],
          warnings: 'a single warning',
          estimatedDeliveryDate: 7,
        }),
      ],
      async ({ call }) => {
        const shipment = await call((dhl, context) => dhl.createShipment(context, draft));

        expect(shipment).toMatchObject({ trackingNumber: NUMBER, carrierReference: NUMBER, parcelCount: 1 });
        expect(shipment.labels).toHaveLength(1);
        expect(shipment.warnings).toEqual([
          'DHL: a single warning',
          'DHL sent a document in GIF, which is neither PDF nor ZPL',
          'DHL sent a document that cannot be read: see the exchange of this shipment',
        ]);
      },
    ));

  it('sell it when there is nothing but its number', () =>
    against([json({ shipmentTrackingNumber: NUMBER, packages: null, documents: {} }, 201)], async ({ call }) => {
      const shipment = await call((dhl, context) => dhl.createShipment(context, draft));

      expect(shipment).toMatchObject({ trackingNumber: NUMBER, parcelCount: 1, labels: [] });
      expect(shipment.warnings).toContain('DHL sold the shipment and sent no label: ask DHL for it');
    }));

  it('warn of more labels than parcels', () =>
    against([sold({ documents: [label(), label()] })], async ({ call }) => {
      const shipment = await call((dhl, context) => dhl.createShipment(context, draft));

      expect(shipment.labels).toHaveLength(2);
      expect(shipment.warnings).toEqual(['DHL sent 2 labels for 1 parcels: compare their numbers before printing']);
    }));
});
