import { describe, expect, it } from 'vitest';
import { ups } from '../../../src/carriers/ups/index.ts';
import { buildDraft } from '../../support/build-draft.ts';
import { callerOf, listeningLog } from '../../support/call-carrier.ts';
import { startFakeServer } from '../../support/fake-server.ts';
import { account, against, event, NUMBER, sold, token, tracked, ZPL } from './replies.ts';

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

it('logs how many events UPS wrote oddly and in which field, and nothing that they say', async () => {
  const { log, written } = listeningLog();
  const odd = event('6', { time: { at: 'Via Roma 12' } });
  const server = await startFakeServer([token, tracked({ activity: [odd, odd, event('011')] })]);
  const handle = { reference: 'SM0000042', trackingNumber: NUMBER, carrierReference: NUMBER };

  await callerOf(ups, account(server.url), { log }).call(async (carrier, context) => carrier.track?.(context, handle));
  await server.close();

  expect(JSON.parse(written())).toMatchObject({ list: 'tracking events', count: 2, fields: ['time'] });
  expect(written()).not.toContain('Via Roma');
});
