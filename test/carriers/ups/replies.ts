import { ups } from '../../../src/carriers/ups/index.ts';
import { againstOf } from '../../support/call-carrier.ts';
import type { FakeServer, Reply } from '../../support/fake-server.ts';
import { json, PDF } from '../replies.ts';

export { exported, json, PDF } from '../replies.ts';

/** Answers of UPS after the samples of its public descriptions, read on 2026-11-21; names and numbers invented. */

export const ZPL = Buffer.from('^XA^FDUPS^FS^XZ');
export const GIF = Buffer.from('GIF89a');
export const NUMBER = '1ZAB12341100000001';
export const SECOND = '1ZAB12341100000002';

export const account = (baseUrl: string, overrides: Record<string, unknown> = {}) => ({
  clientId: 'clientOne',
  clientSecret: 'Segretissimo9!',
  shipperNumber: 'AB1234',
  baseUrl,
  ...overrides,
});

export const token: Reply = {
  ...json({ token_type: 'Bearer', access_token: 'tokenOne', expires_in: '14399', status: 'approved' }),
  to: 'POST /security/v1/oauth/token',
};

export const refused = (code: string, message: string, status = 400): Reply =>
  json({ response: { errors: [{ code, message }] } }, status);

const success = { ResponseStatus: { Code: '1', Description: 'Success' } };

export const sold = (
  options: { images?: Buffer[]; numbers?: string[]; alerts?: unknown; form?: Buffer; results?: object } = {},
): Reply => {
  const { images = [GIF], numbers = [NUMBER, SECOND], alerts, form, results = {} } = options;
  return json({
    ShipmentResponse: {
      Response: { ...success, ...(alerts === undefined ? {} : { Alert: alerts }) },
      ShipmentResults: {
        ShipmentIdentificationNumber: numbers[0],
        PackageResults: images.map((image, index) => ({
          TrackingNumber: numbers[index] ?? `${NUMBER}${index}`,
          ShippingLabel: { ImageFormat: { Code: 'X' }, GraphicImage: image.toString('base64') },
        })),
        ...(form ? { Form: { Code: '01', Image: { GraphicImage: form.toString('base64') } } } : {}),
        ...results,
      },
    },
  });
};

/** One result per package; only the first has an image when there is one PDF for all. */
export const recovered = (options: { numbers?: string[]; images?: Buffer[]; results?: object } = {}): Reply => {
  const { numbers = [NUMBER], images = [PDF], results = {} } = options;
  return json({
    LabelRecoveryResponse: {
      Response: success,
      ShipmentIdentificationNumber: numbers[0],
      LabelResults: numbers.map((TrackingNumber, index) => ({
        TrackingNumber,
        ...(images[index] ? { LabelImage: { GraphicImage: images[index].toString('base64') } } : {}),
      })),
      ...results,
    },
  });
};

export const voided = (overrides: object = {}): Reply =>
  json({
    VoidShipmentResponse: {
      Response: success,
      SummaryResult: { Status: { Code: '1', Description: 'Voided' } },
      ...overrides,
    },
  });

export const event = (statusCode: string, overrides: Record<string, unknown> = {}) => ({
  date: '20261120',
  time: '183000',
  gmtOffset: '+01:00',
  location: { address: { city: 'Milano', countryCode: 'IT' } },
  status: { type: 'I', code: 'XX', statusCode, description: 'x' },
  ...overrides,
});

export const tracked = (...packages: Record<string, unknown>[]): Reply =>
  json({
    trackResponse: {
      shipment: [
        {
          inquiryNumber: NUMBER,
          package: packages.map((one) => ({
            trackingNumber: NUMBER,
            currentStatus: { code: '003' },
            referenceNumber: [{ type: 'SHIPMENT', number: 'SM0000042' }],
            activity: [],
            ...one,
          })),
        },
      ],
    },
  });

export const untracked = json({
  trackResponse: {
    shipment: [
      { inquiryNumber: 'SM0000042', warnings: [{ code: 'TW0001', message: 'Tracking Information Not Found' }] },
    ],
  },
});

export const unrecoverable = refused('300007', 'The shipment for the requested tracking number could not be found.');

/** A token comes first unless said otherwise. */
export const against = againstOf(ups, account);

/** What the body of a request says; the first one, at index 0, is that for the token. */
export function sent(server: FakeServer, index = 1) {
  return JSON.parse(server.requests[index]?.body ?? '');
}
