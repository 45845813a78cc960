import type { Shipment } from './books.ts';

export interface JourneyEvent {
  at: Date;
  code: string;
  text: string;
  isLocal: boolean;
}

const HOUR_MS = 3_600_000;

const TEXTS: Readonly<Record<string, string>> = {
  DUMMY_PU: 'Shipment information received',
  PU: 'Shipment picked up',
  PL: 'Processed',
  DF: 'Shipment has departed from a DHL facility',
  AF: 'Arrived at DHL Sort Facility',
  IC: 'Processed for clearance',
  CR: 'Clearance processing complete',
  AR: 'Arrived at DHL Delivery Facility',
  WC: 'Shipment is out with courier for delivery',
  OK: 'Delivered',
  NH: 'Delivery attempted; recipient not home',
  RD: 'Recipient refused delivery',
  OH: 'Shipment is on hold',
};

type Step = readonly [hours: number, code: string];

const TO_DOOR: readonly Step[] = [
  [0, 'DUMMY_PU'],
  [4, 'PU'],
  [6, 'PL'],
  [8, 'DF'],
  [12, 'AF'],
  [24, 'AR'],
  [28, 'WC'],
];
const CUSTOMS: readonly Step[] = [
  [14, 'IC'],
  [20, 'CR'],
];
/** Chosen by a word in the recipient's address. DHL has no release: what is held stays so. */
const ENDINGS: readonly (readonly [word: RegExp, steps: readonly Step[]])[] = [
  [
    /GIACENZA/i,
    [
      [33, 'NH'],
      [52, 'NH'],
      [57, 'OH'],
    ],
  ],
  [
    /ASSENTE/i,
    [
      [33, 'NH'],
      [52, 'WC'],
      [57, 'OK'],
    ],
  ],
  [
    /RIFIUTA/i,
    [
      [33, 'RD'],
      [57, 'OH'],
    ],
  ],
];
const DELIVERED: readonly Step[] = [[33, 'OK']];
const LOCAL = new Set(['DUMMY_PU', 'PU', 'PL', 'DF']);

/** What has happened to a shipment by now, newest first as DHL lists it. It moves from its creation on. */
export function journeyOf(shipment: Shipment, now: Date): JourneyEvent[] {
  const ending = ENDINGS.find(([word]) => word.test(shipment.recipient.wholeAddress))?.[1] ?? DELIVERED;
  return [...TO_DOOR, ...(shipment.isDeclarable ? CUSTOMS : []), ...ending]
    .map(([hours, code]) => ({
      at: new Date(shipment.createdAt + hours * HOUR_MS),
      code,
      text: TEXTS[code] ?? '',
      isLocal: LOCAL.has(code),
    }))
    .filter((event) => event.at <= now)
    .sort((one, other) => other.at.getTime() - one.at.getTime());
}
