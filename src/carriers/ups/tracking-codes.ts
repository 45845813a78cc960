import type { HeldReason } from '../../domain/held-reasons.ts';
import type { TrackingStatus } from '../../domain/tracking-status.ts';
import type { RawEvent } from '../adapter.ts';
import { Activity, type TrackedPackage } from './schema.ts';

interface CodeMeaning {
  status: TrackingStatus;
  /** UPS says that it will be late. */
  delayed?: true;
  heldReason?: HeldReason;
  announcesHeld?: { inDays: number | null };
}

const on = (status: TrackingStatus, ...codes: string[]): Record<string, CodeMeaning> =>
  Object.fromEntries(codes.map((code) => [code, { status }]));
const late = (...codes: string[]): Record<string, CodeMeaning> =>
  Object.fromEntries(codes.map((code) => [code, { status: 'in_transit', delayed: true } as const]));

/**
 * UPS statusCode to our status, after UPS's page of status descriptions, read on 2026-11-21. An event without a
 * statusCode goes by the type of its activity.
 * Some are left out, because they say nothing of the parcel's place. These are 0, 148, 163 (not available), 7 (voided),
 * 43 (a pickup was voided) and 114 (a request was cancelled). The changes of service between 18 and 169, and the types MV (voided) and U
 * (update), are left out too.
 */
export const TRACKING_CODES: Readonly<Record<string, CodeMeaning>> = {
  ...on('awaiting_pickup', '3', '80', '157', '166'), // order processed, ready for UPS
  ...on('awaiting_pickup', '44', '45', '79'), // on its way to UPS
  ...on('picked_up', '38', '160', '167', '168', '169'), // picked up, dropped off
  ...on('in_transit', '5', '10', '25', '39', '47', '57', '73', '74', '87', '137', '158', '159', '164', '165'),
  ...on('in_transit', '14', '84', '134'), // cleared by customs
  ...on('in_transit', '16'), // in a warehouse
  ...on('in_transit', '12', '58', '92', '123', '124', '125', '126', '141'), // at customs
  ...on('out_for_delivery', '6', '21', '37', '71', '72', '78', '89', '91', '146', '162'),
  ...on('delivered', '11', '26', '143'), // by UPS, by the post, by an agent
  ...on('attempt_failed', '22', '23', '24', '60', '61', '66', '145'),
  // refused: held only when UPS says so
  '64': { status: 'attempt_failed', heldReason: 'refused', announcesHeld: { inDays: null } },
  '62': { status: 'held', heldReason: 'cod_unpaid' }, // waits for the money of a cash on delivery
  '85': { status: 'held', heldReason: 'cod_unpaid' },
  ...on('held', '29', '49', '50'), // waits for an action, or for an address
  ...on('held', '83', '104', '105'), // waits for instructions
  ...on('held', '69'), // cannot be delivered
  ...on('available_for_pickup', '17', '40', '144', '161'), // at an Access Point, a post office, a depot
  ...on('exception', '13', '30', '76'),
  ...on('exception', '59', '81'), // damage
  // "Lost and found" is no end, and `lost` would be final and end the tracking in silence.
  ...on('exception', '68'),
  ...late('32', '46', '48', '51', '52', '53', '86', '90', '132'), // delays
  ...late('19', '20', '54', '55', '75', '115', '116', '136'), // delivery on a later day
  ...on('returning', '33', '35', '36', '118', '119'),
  ...on('returned', '34', '67'),
  ...on('destroyed', '147', '149'), // seized, destroyed
  // the types of an activity
  ...on('awaiting_pickup', 'M'), // billing information received
  ...on('picked_up', 'P'),
  ...on('in_transit', 'I'),
  ...on('exception', 'X'),
  ...on('delivered', 'D'),
  ...on('returned', 'RS'),
};
/** "Shipment information voided", as statusCode and as type. */
const VOIDED = new Set(['7', 'MV']);

/** Codes of UPS's page that say nothing of where the parcel is; others between 18 and 169 are changes of service. */
const SILENT = new Set(['0', '7', '148', '163']);

/**
 * Returns true for a statusCode that UPS added after its page was read: it is neither in the table nor left out on
 * purpose.
 */
export function isUnheardOf(code: string): boolean {
  const key = bare(code);
  const isServiceChange = Number(key) >= 18 && Number(key) <= 169;
  return !Object.hasOwn(TRACKING_CODES, key) && !VOIDED.has(key) && !SILENT.has(key) && !isServiceChange;
}

/** Returns the note of an event's type, which lets a later table read its code again. */
export function noteOfType(type: string): string {
  return type === '' ? '' : `UPS type ${type}`;
}

/** Returns the meaning by statusCode, else by the type that the note of an unheard-of one has. */
export function meaningOf({ code, note }: Pick<RawEvent, 'code' | 'note'>): CodeMeaning | undefined {
  const type = /^UPS type (\w+)$/.exec(note)?.[1] ?? '';
  return inTable(bare(code)) ?? (isUnheardOf(code) ? inTable(type) : undefined);
}

/** UPS writes statusCode with leading zeros in some places and without in others. */
function inTable(key: string): CodeMeaning | undefined {
  return Object.hasOwn(TRACKING_CODES, key) ? TRACKING_CODES[key] : undefined;
}

export function isVoided({ currentStatus, activity }: TrackedPackage): boolean {
  const latest = Activity.safeParse(activity[0]).data?.status;
  const said = [currentStatus?.statusCode, currentStatus?.code, currentStatus?.type, latest?.statusCode, latest?.type];
  return said.some((code) => code !== undefined && VOIDED.has(bare(code)));
}

function bare(code: string): string {
  return /^\d+$/.test(code) ? String(Number(code)) : code;
}
