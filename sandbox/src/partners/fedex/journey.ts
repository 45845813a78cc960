import type { Shipment } from './books.ts';

export interface JourneyEvent {
  at: Date;
  type: string;
  /** What FedEx makes of it for its customers. */
  derived: string;
  text: string;
  exception: { code: string; text: string } | null;
  isLocal: boolean;
}

const HOUR_MS = 3_600_000;

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

type Step = readonly [hours: number, event: keyof typeof EVENTS];

const TO_DOOR: readonly Step[] = [
  [0, 'created'],
  [4, 'pickedUp'],
  [8, 'left'],
  [12, 'onTheWay'],
  [24, 'arrived'],
  [28, 'out'],
];
const CUSTOMS: readonly Step[] = [
  [14, 'customs'],
  [20, 'cleared'],
];
/** Chosen by a word in the recipient's street. FedEx knows no giacenza: what nobody took waits at a location, or goes back. */
const ENDINGS: readonly (readonly [word: RegExp, steps: readonly Step[]])[] = [
  [
    /GIACENZA/i,
    [
      [33, 'absent'],
      [52, 'absent'],
      [57, 'atLocation'],
    ],
  ],
  [
    /ASSENTE/i,
    [
      [33, 'absent'],
      [52, 'out'],
      [57, 'delivered'],
    ],
  ],
  [
    /RIFIUTA/i,
    [
      [33, 'refused'],
      [57, 'turnedBack'],
      [81, 'delivered'],
    ],
  ],
];
const DELIVERED: readonly Step[] = [[33, 'delivered']];
const LOCAL = new Set<keyof typeof EVENTS>(['created', 'pickedUp', 'left', 'cancelled']);

/** What has happened to a shipment by now, newest first as FedEx lists it. It moves from its creation on. */
export function journeyOf(shipment: Shipment, now: Date): JourneyEvent[] {
  const { createdAt, cancelledAt, recipient, isDeclared } = shipment;
  const end = Math.min(now.getTime(), cancelledAt ?? Number.POSITIVE_INFINITY);
  const ending = ENDINGS.find(([word]) => word.test(recipient.street))?.[1] ?? DELIVERED;
  const moved = [...TO_DOOR, ...(isDeclared ? CUSTOMS : []), ...ending]
    .map(([hours, name]) => eventOf(name, createdAt + hours * HOUR_MS))
    .filter(({ at }) => at.getTime() <= end)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return [...(cancelledAt === null ? [] : [eventOf('cancelled', cancelledAt)]), ...moved.toReversed()];
}

function eventOf(name: keyof typeof EVENTS, at: number): JourneyEvent {
  const [type, derived, text, code, words] = EVENTS[name];
  const exception = code === undefined ? null : { code, text: words };
  return { at: new Date(at), type, derived, text, exception, isLocal: LOCAL.has(name) };
}

/** From then on FedEx takes nothing back. */
export function isPickedUp(shipment: Shipment, now: Date): boolean {
  return journeyOf(shipment, now).some(({ type }) => type === EVENTS.pickedUp[0]);
}
