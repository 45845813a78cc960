import type { CarrierContext } from '../../../src/carriers/adapter.ts';
import { posteIt } from '../../../src/carriers/poste-it/index.ts';
import { againstOf } from '../../support/call-carrier.ts';
import type { FakeServer, Reply } from '../../support/fake-server.ts';
import { json } from '../replies.ts';

export { json, PDF } from '../replies.ts';

/** Answers of Poste Delivery Business in the shapes that its public clients read, as of 2026-11-21; names and numbers invented. */

export const ZPL = Buffer.from('^XA^FDPOSTE^FS^XZ');
export const CODE = '1AB0CD3000088';
export const SECOND = '1AB0CD3000089';
export const TOKEN = 'eyJ0b2tlbg.segretissimo';

export const handle = { reference: 'SM0000042', trackingNumber: CODE, carrierReference: CODE };
export const bothParcels = { ...handle, carrierReference: `${CODE},${SECOND}` };

export type Context = CarrierContext<unknown>;

export const account = (baseUrl: string, overrides: Record<string, unknown> = {}) => ({
  clientId: 'cliente-di-prova',
  secretId: 'Segreta9!',
  scope: 'api://prova/.default',
  costCenterCode: 'CDC-00000001',
  baseUrl,
  ...overrides,
});

export const session: Reply = {
  ...json({ token_type: 'Bearer', expires_in: 3599, ext_expires_in: 3599, access_token: TOKEN }),
  to: 'POST /user/sessions',
};

export const waybill = (overrides: Record<string, unknown> = {}) => ({
  code: CODE,
  internationalCode: '',
  internationalCode2: '',
  downloadURL: '',
  errorCode: 0,
  errorDescription: 'OK',
  ...overrides,
});

export const sold = (waybills: unknown[] = [waybill()], result: unknown = { errorCode: 0, errorDescription: 'OK' }) =>
  json({ costCenterCode: 'CDC-00000001', Paperless: 'false', contractCode: '1', waybills, result });

export const event = (status: string, overrides: Record<string, unknown> = {}) => ({
  data: '2026-11-20 18:30:15',
  officeId: 'UP',
  officeDescription: 'Genova (GE)',
  status,
  StatusDescription: 'In transito presso il Centro Operativo Postale',
  phase: 'FASE DI PROVA',
  ...overrides,
});

export const traced = (...shipments: [number: string, events: unknown[]][]): Reply =>
  json({
    return: {
      outcome: 'OK',
      code: 0,
      result: 'OK',
      messages: [],
      shipment: shipments.map(([waybillNumber, tracking]) => ({ waybillNumber, NotificationFlag: 'N', tracking })),
    },
  });

export const pickedUp = (result: 'OK' | 'KO', errorCode = '', errorDescription = '', bookingId = 'CP00000001') =>
  json({ bookingId, result: { item: [{ result, errorCode, errorDescription }] } });

export const releasedWith = (...item: unknown[]) => json({ description: 'Fatto', result: { item } });

export const against = againstOf(posteIt, account, [session]);

/** What the body of the last request says. */
export function sent(server: FakeServer) {
  return JSON.parse(server.requests.at(-1)?.body ?? '');
}
