import { dhlExpress } from '../../../src/carriers/dhl-express/index.ts';
import { againstOf } from '../../support/call-carrier.ts';
import type { FakeServer, Reply } from '../../support/fake-server.ts';
import { json, PDF } from '../replies.ts';

export { exported, json, PDF } from '../replies.ts';

/** Answers of MyDHL API after the samples of its 3.1.1 description, read on 2026-11-21; names and numbers invented. */

export const ZPL = Buffer.from('^XA^FDDHL^FS^XZ');
export const NUMBER = '4210000001';

export const account = (baseUrl: string, overrides: Record<string, unknown> = {}) => ({
  username: 'apiUser',
  password: 'Segreta9!',
  accountNumber: '106000001',
  baseUrl,
  ...overrides,
});

export const problem = (status: number, detail: string, more: Record<string, unknown> = {}): Reply =>
  json({ instance: '/expressapi/shipments', detail, title: 'Bad request', message: 'Bad request', ...more }, status);

export const label = (bytes: Buffer = PDF, typeCode = 'label') => ({
  imageFormat: bytes === ZPL ? 'ZPL' : 'PDF',
  content: bytes.toString('base64'),
  typeCode,
});

export const sold = (overrides: Record<string, unknown> = {}): Reply =>
  json(
    {
      shipmentTrackingNumber: NUMBER,
      packages: [{ referenceNumber: 1, trackingNumber: 'JD014600000000000001' }],
      documents: [label()],
      ...overrides,
    },
    201,
  );

export const tracked = (...shipments: Record<string, unknown>[]): Reply =>
  json({
    shipments: shipments.map((shipment) => ({
      shipmentTrackingNumber: NUMBER,
      status: 'Success',
      shipperReferences: [{ value: 'SM0000042', typeCode: 'CU' }],
      numberOfPieces: 1,
      events: [],
      ...shipment,
    })),
  });

export const event = (typeCode: string, overrides: Record<string, unknown> = {}) => ({
  date: '2026-11-20',
  time: '18:30:00',
  GMTOffset: '+01:00',
  typeCode,
  description: 'x',
  serviceArea: [{ code: 'MIL', description: 'MILAN-IT' }],
  ...overrides,
});

export const nothingFound = problem(404, 'No Shipments Found for ReferenceID | SM0000042', { title: 'Not data found' });

export const against = againstOf(dhlExpress, account);

/** What the body of the only request says. */
export function sent(server: FakeServer) {
  return JSON.parse(server.requests[0]?.body ?? '');
}
