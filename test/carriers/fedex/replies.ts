import { fedex } from '../../../src/carriers/fedex/index.ts';
import { againstOf } from '../../support/call-carrier.ts';
import type { FakeServer, Reply } from '../../support/fake-server.ts';
import { json, PDF } from '../replies.ts';

export { exported, json, PDF } from '../replies.ts';

/** Answers of FedEx after the samples of its public descriptions, read on 2026-11-21; names and numbers invented. */

export const ZPL = Buffer.from('^XA^FDFedEx^FS^XZ');
export const NUMBER = '794600000001';
export const SECOND = '794600000002';

export const account = (baseUrl: string, overrides: Record<string, unknown> = {}) => ({
  apiKey: 'keyOne',
  secretKey: 'Segretissimo9!',
  trackApiKey: 'keyTwo',
  trackSecretKey: 'Riservatissimo8!',
  accountNumber: '740561073',
  baseUrl,
  ...overrides,
});

export const token: Reply = {
  ...json({ access_token: 'tokenOne', token_type: 'bearer', expires_in: 3599, scope: 'CXS' }),
  to: 'POST /oauth/token',
};

export const refused = (code: string, message: string, status = 400): Reply =>
  json({ transactionId: '624deea6', errors: [{ code, message }] }, status);

const documentOf = (contentType: string, bytes: Buffer) => ({
  contentType,
  docType: 'PDF',
  encodedLabel: bytes.toString('base64'),
});

export const sold = (
  options: { labels?: Buffer[]; invoice?: Buffer; alerts?: unknown[]; shipment?: object; output?: object } = {},
): Reply => {
  const { labels = [PDF], invoice, alerts = [], shipment = {}, output = {} } = options;
  return json({
    transactionId: '624deea6',
    output: {
      transactionShipments: [
        {
          serviceType: 'FEDEX_PRIORITY',
          masterTrackingNumber: NUMBER,
          pieceResponses: labels.map((label, index) => ({
            trackingNumber: [NUMBER, SECOND][index],
            packageDocuments: [documentOf('LABEL', label)],
          })),
          ...(invoice ? { shipmentDocuments: [documentOf('COMMERCIAL_INVOICE', invoice)] } : {}),
          ...shipment,
        },
      ],
      alerts,
      ...output,
    },
  });
};

export const cancelled = (output: object = {}): Reply =>
  json({ output: { cancelledShipment: true, cancelledHistory: true, message: 'Cancelled', ...output } });

export const event = (eventType: string, overrides: Record<string, unknown> = {}) => ({
  date: '2026-11-20T18:30:00+01:00',
  eventType,
  eventDescription: 'x',
  derivedStatusCode: '',
  scanLocation: { city: 'MILANO', countryCode: 'IT' },
  ...overrides,
});

/** One parcel as tracking shows it. */
export const parcelOf = (overrides: Record<string, unknown> = {}) => ({
  trackingNumberInfo: { trackingNumber: NUMBER },
  additionalTrackingInfo: { packageIdentifiers: [{ type: 'CUSTOMER_REFERENCE', values: ['SM0000042'] }] },
  latestStatusDetail: { code: 'OC', derivedCode: 'OC' },
  packageDetails: { sequenceNumber: '1', count: '1' },
  scanEvents: [],
  ...overrides,
});

export const identified = (...identifiers: object[]) => ({
  additionalTrackingInfo: { packageIdentifiers: identifiers },
});

export const tracked = (...parcels: Record<string, unknown>[]): Reply =>
  json({
    output: { completeTrackResults: parcels.map((one) => ({ trackingNumber: NUMBER, trackResults: [parcelOf(one)] })) },
  });

export const missing = (code: string): Reply =>
  json({ output: { completeTrackResults: [{ trackResults: [{ error: { code, message: 'Cannot be found.' } }] }] } });

/** A token comes first. */
export const against = againstOf(fedex, account);

/** What the body of a request says; the first one, at index 0, is that for the token. */
export function sent(server: FakeServer, index = 1) {
  return JSON.parse(server.requests[index]?.body ?? '');
}
