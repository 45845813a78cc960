import type { TrackingStatus } from '../../domain/tracking-status.ts';

interface CodeMeaning {
  status: TrackingStatus;
  /** FedEx says that it will be late. */
  delayed?: true;
}

const on = (status: TrackingStatus, ...codes: string[]): Record<string, CodeMeaning> =>
  Object.fromEntries(codes.map((code) => [code, { status }]));
const late = (status: TrackingStatus, ...codes: string[]): Record<string, CodeMeaning> =>
  Object.fromEntries(codes.map((code) => [code, { status, delayed: true } as const]));

/**
 * FedEx's codes of scan events to our status, after its page of tracking status codes. MD, HA, PY, LO and RT follow
 * public clients (all read on 2026-11-21). AE and AO follow the change log of its Track API of 2021-10-15
 * (developer.fedex.com, read on 2026-11-22).
 * Left out, because they say nothing of the parcel's place: CA (cancelled), CH (location changed), DS and DR (a vehicle
 * was sent, or not used). RR, RM and RC (wishes of the recipient), and RP, LP, RG and RD (the link to a return label)
 * are left out too.
 */
export const TRACKING_CODES: Readonly<Record<string, CodeMeaning>> = {
  ...on('awaiting_pickup', 'OC', 'OX', 'EP', 'MD'), // order created, on the way to the pickup
  ...late('awaiting_pickup', 'PD'), // pickup delay
  ...on('picked_up', 'PU', 'PX', 'AP', 'OF'), // picked up, at the facility of origin
  ...on('in_transit', 'IT', 'IX', 'Ow', 'PM', 'LO', 'DP', 'TR', 'SF'),
  ...on('in_transit', 'AA', 'EA', 'EO', 'PF', 'PL'), // by air; EA is also "export approved"
  ...on('in_transit', 'AC', 'AF', 'AR', 'AX', 'FD'), // at some facility
  ...on('in_transit', 'AE', 'AO'), // arriving early, arriving on time
  ...on('in_transit', 'CC', 'CP'), // cleared by customs, being cleared
  ...on('in_transit', 'SP'), // parts of the shipment are at different places
  ...late('in_transit', 'CD'), // delay in customs
  ...late('in_transit', 'DY', 'DD', 'PY'),
  ...on('out_for_delivery', 'OD', 'ED', 'AD'),
  ...on('available_for_pickup', 'HL', 'HP', 'HA'), // held at a location for the recipient, who collects it
  ...on('attempt_failed', 'DE'), // why is in the note
  ...on('exception', 'SE'),
  ...on('returning', 'RS', 'RT'),
  ...on('delivered', 'DL'),
};

const CANCELLED = 'CA';

export function meaningOf(code: string): CodeMeaning | undefined {
  return Object.hasOwn(TRACKING_CODES, code) ? TRACKING_CODES[code] : undefined;
}

export function isCancelled(latest: { code: string; derivedCode: string } | null | undefined): boolean {
  return latest?.derivedCode === CANCELLED || latest?.code === CANCELLED;
}
