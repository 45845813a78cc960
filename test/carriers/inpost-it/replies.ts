import type { CarrierContext, ShipmentDraft } from '../../../src/carriers/adapter.ts';
import { inpostIt } from '../../../src/carriers/inpost-it/index.ts';
import { buildDraft } from '../../support/build-draft.ts';
import { againstOf } from '../../support/call-carrier.ts';
import type { FakeServer, Reply } from '../../support/fake-server.ts';
import { json, PDF } from '../replies.ts';

export { json } from '../replies.ts';

/** Answers of ShipX after the samples of InPost's documentation, read on 2026-11-21; names and numbers invented. */

export const ZPL = Buffer.from('^XA^FDInPost^FS^XZ');
export const ID = 1500001;
export const NUMBER = '843534321829832368922940';
export const LOCKER = 'ITMIL00101M';

export const account = (baseUrl: string, overrides: Record<string, unknown> = {}) => ({
  organizationId: '4711',
  token: 'Segreto9!token',
  baseUrl,
  pointsBaseUrl: baseUrl,
  ...overrides,
});

/** To a locker, in a parcel of size M. */
export const lockerDraft = (overrides: Partial<ShipmentDraft> = {}): ShipmentDraft =>
  buildDraft({ pickupPointId: LOCKER, ...overrides });

export const shipment = (overrides: Record<string, unknown> = {}) => ({
  id: ID,
  status: 'confirmed',
  tracking_number: NUMBER,
  service: 'inpost_locker_standard',
  reference: 'SM0000042',
  parcels: [{ id: 9, tracking_number: NUMBER, template: 'medium' }],
  ...overrides,
});

/** As the answer to an order mostly is. */
export const unconfirmed = { status: 'created', tracking_number: null };

export const sold = (overrides: Record<string, unknown> = {}): Reply => json(shipment(overrides), 201);

export const listed = (items: readonly object[], count = items.length): Reply =>
  json({ href: 'x', count, page: 1, per_page: 100, items });

export const label = (bytes: Buffer = PDF): Reply => ({ headers: { 'content-type': 'application/pdf' }, body: bytes });

export const refusal = (
  status: number,
  error: string,
  details: unknown = {},
  message = 'There are some errors.',
): Reply => json({ status, error, message, details }, status);

export const tracked = (...events: Record<string, unknown>[]): Reply =>
  json({ tracking_number: NUMBER, service: 'inpost_locker_standard', status: 'x', tracking_details: events });

export const event = (status: string, overrides: Record<string, unknown> = {}) => ({
  status,
  origin_status: 'PPN',
  datetime: '2026-11-20T18:30:00.000+01:00',
  ...overrides,
});

export const against = againstOf(inpostIt, account);

/** What the body of one request says. */
export function sent(server: FakeServer, index = 0) {
  return JSON.parse(server.requests[index]?.body ?? '');
}

export const creating = (draft: ShipmentDraft) => (carrier: typeof inpostIt, context: CarrierContext<unknown>) =>
  carrier.createShipment(context, draft);
export const finding = (draft: ShipmentDraft) => async (carrier: typeof inpostIt, context: CarrierContext<unknown>) =>
  carrier.findByReference?.(context, draft);
