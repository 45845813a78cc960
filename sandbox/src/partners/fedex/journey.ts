import { endingFor, happened, type Journey } from '../../journey.ts';
import type { Shipment } from './books.ts';

export interface JourneyEvent {
  at: Date;
  type: string;
  /** The status that FedEx shows to customers. */
  derived: string;
  text: string;
  exception: { code: string; text: string } | null;
  isLocal: boolean;
}

/** Type of the scan, derived status, words; exceptions are the sandbox's own, except for 15. */
const EVENTS = {
  created: ['OC', 'OC', 'Shipment information sent to FedEx'],
  pickedUp: ['PU', 'PU', 'Picked up'],
  left: ['DP', 'IT', 'Left FedEx origin facility'],
  onTheWay: ['IT', 'IT', 'On the way'],
  customs: ['CP', 'CP', 'Clearance in progress'],
  cleared: ['CC', 'IT', 'International shipment release'],
  arrived: ['AR', 'IT', 'At local FedEx facility'],
  out: ['OD', 'OD', 'On FedEx vehicle for delivery'],
  absent: ['DE', 'DE', 'Delivery exception', '15', 'Customer not available or business closed'],
  refused: ['DE', 'DE', 'Delivery exception', 'ZZ', 'Recipient refused the package'],
  atLocation: ['HL', 'HL', 'Ready for pickup'],
  turnedBack: ['RS', 'RS', 'Returning package to shipper'],
  delivered: ['DL', 'DL', 'Delivered'],
  cancelled: ['CA', 'CA', 'Shipment cancelled by sender'],
} as const;

type Steps = Journey<keyof typeof EVENTS>;

const TO_DOOR: Steps = { 0: 'created', 4: 'pickedUp', 8: 'left', 12: 'onTheWay', 24: 'arrived', 28: 'out' };
const CUSTOMS: Steps = { 14: 'customs', 20: 'cleared' };
/** A word in the recipient's street chooses one. FedEx knows no giacenza: a refused parcel waits at a location, or goes back. */
const ENDINGS: Readonly<Record<string, Steps>> = {
  GIACENZA: { 33: 'absent', 52: 'absent', 57: 'atLocation' },
  ASSENTE: { 33: 'absent', 52: 'out', 57: 'delivered' },
  RIFIUTA: { 33: 'refused', 57: 'turnedBack', 81: 'delivered' },
};
const DELIVERED: Steps = { 33: 'delivered' };
const LOCAL = new Set<keyof typeof EVENTS>(['created', 'pickedUp', 'left', 'cancelled']);

/** Lists what has happened to a shipment by now, newest first as FedEx does. It moves from its creation on. */
export function journeyOf(shipment: Shipment, now: Date): JourneyEvent[] {
  const { createdAt, cancelledAt, recipient, isDeclared } = shipment;
  const ending = endingFor(recipient.street, ENDINGS) ?? DELIVERED;
  const steps = { ...TO_DOOR, ...(isDeclared ? CUSTOMS : {}), ...ending };
  const moved = happened(steps, createdAt, new Date(Math.min(now.getTime(), cancelledAt ?? Infinity)));
  const all = [...moved, ...(cancelledAt === null ? [] : [{ at: new Date(cancelledAt), code: 'cancelled' as const }])];
  return all.toReversed().map(({ at, code: name }) => {
    const [type, derived, text, code, words] = EVENTS[name];
    const exception = code === undefined ? null : { code, text: words };
    return { at, type, derived, text, exception, isLocal: LOCAL.has(name) };
  });
}

/** Returns true once FedEx takes nothing back. */
export function isPickedUp(shipment: Shipment, now: Date): boolean {
  return journeyOf(shipment, now).some(({ type }) => type === EVENTS.pickedUp[0]);
}
