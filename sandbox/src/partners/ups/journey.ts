import type { Shipment } from './books.ts';

export interface JourneyEvent {
  at: Date;
  code: string;
  type: string;
  text: string;
  isLocal: boolean;
}

const HOUR_MS = 3_600_000;

/** statusCode, type of activity, words of this pretend carrier. */
const EVENTS = {
  ready: ['003', 'M', "Il mittente ha creato un'etichetta"],
  pickedUp: ['038', 'P', 'Ritirato'],
  left: ['005', 'I', 'Partito dalla sede'],
  onTheWay: ['010', 'I', 'In viaggio'],
  customs: ['012', 'I', 'In dogana'],
  cleared: ['014', 'I', 'Sdoganato'],
  arrived: ['016', 'I', 'Arrivato nella sede di consegna'],
  out: ['021', 'I', 'In consegna'],
  atPoint: ['017', 'I', 'Disponibile presso UPS Access Point'],
  absent: ['022', 'X', 'Destinatario assente'],
  absentAgain: ['023', 'X', 'Destinatario assente al secondo tentativo'],
  refused: ['064', 'X', 'Rifiutato dal destinatario'],
  held: ['083', 'X', 'In attesa di istruzioni'],
  delivered: ['011', 'D', 'Consegnato'],
  voided: ['007', 'MV', 'Informazioni di spedizione annullate'],
} as const;

type Step = readonly [hours: number, event: keyof typeof EVENTS];

const TO_DOOR: readonly Step[] = [
  [0, 'ready'],
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
/** Chosen by a word in the recipient's street. UPS has no release: what is held stays so. */
const ENDINGS: readonly (readonly [word: RegExp, steps: readonly Step[]])[] = [
  [
    /GIACENZA/i,
    [
      [33, 'absent'],
      [52, 'absentAgain'],
      [57, 'held'],
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
      [57, 'held'],
    ],
  ],
];
const DELIVERED: readonly Step[] = [[33, 'delivered']];
const COLLECTED: readonly Step[] = [
  [33, 'atPoint'],
  [57, 'delivered'],
];
const LOCAL = new Set<keyof typeof EVENTS>(['ready', 'pickedUp', 'left', 'voided']);

/** What has happened to a shipment by now, newest first as UPS lists it. It moves from its creation on. */
export function journeyOf(shipment: Shipment, now: Date): JourneyEvent[] {
  const { createdAt, voidedAt, recipient, point, isDeclared } = shipment;
  const end = Math.min(now.getTime(), voidedAt ?? Number.POSITIVE_INFINITY);
  const usual = point === null ? DELIVERED : COLLECTED;
  const ending = ENDINGS.find(([word]) => word.test(recipient.street))?.[1] ?? usual;
  const moved = [...TO_DOOR, ...(isDeclared ? CUSTOMS : []), ...ending]
    .map(([hours, name]) => eventOf(name, createdAt + hours * HOUR_MS))
    .filter(({ at }) => at.getTime() <= end)
    .toSorted((one, other) => one.at.getTime() - other.at.getTime());
  return [...(voidedAt === null ? [] : [eventOf('voided', voidedAt)]), ...moved.toReversed()];
}

function eventOf(name: keyof typeof EVENTS, at: number): JourneyEvent {
  const [code, type, text] = EVENTS[name];
  return { at: new Date(at), code, type, text, isLocal: LOCAL.has(name) };
}

/** From then on UPS takes nothing back. */
export function isPickedUp(shipment: Shipment, now: Date): boolean {
  return journeyOf(shipment, now).some(({ code }) => code === EVENTS.pickedUp[0]);
}
