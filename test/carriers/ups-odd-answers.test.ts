import { describe, expect, it } from 'vitest';
import { buildDraft } from '../support/build-draft.ts';
import { against, sold, token, ZPL } from './ups-replies.ts';

const draft = buildDraft();

describe('odd answers of UPS to a shipment', () => {
  it('sell it when every field but its number is odd', () =>
    against(
      [
        token,
        sold({
          images: [ZPL],
          alerts: ['odd', { Code: '120900', Description: 'Not qualified' }],
          results: {
            ShipmentIdentificationNumber: 1_234_567_890,
            PackageResults: [{ TrackingNumber: { odd: true } }],
            Form: 'odd',
          },
        }),
      ],
      async ({ call }) => {
        const shipment = await call((carrier, context) =>
          carrier.createShipment(context, { ...draft, labelFormat: 'zpl' }),
        );

        expect(shipment).toMatchObject({ trackingNumber: '1234567890', parcelCount: 1, labels: [] });
        expect(shipment.warnings).toContain('UPS: Not qualified [120900]');
      },
    ));

  it('are no yes with a status that UPS does not name', () =>
    against([token, { ...sold(), status: 202 }], async ({ fail }) => {
      expect(await fail((carrier, context) => carrier.createShipment(context, draft))).toMatchObject({
        kind: 'unknown-outcome',
      });
    }));
});
