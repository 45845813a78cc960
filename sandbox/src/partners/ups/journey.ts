import { endingFor, happened, type Journey } from '../../journey.ts';
import type { Shipment } from './books.ts';

export interface JourneyEvent {
  at: Date;
  code: string;
  type: string;
  text: string;
  isLocal: boolean;
}

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

type Steps = Journey<keyof typeof EVENTS>;

const TO_DOOR: Steps = { 0: 'ready', 4: 'pickedUp', 8: 'left', 12: 'onTheWay', 24: 'arrived', 28: 'out' };
const CUSTOMS: Steps = { 14: 'customs', 20: 'cleared' };
/** A word in the recipient's street chooses one. UPS has no release: what is held stays held. */
const ENDINGS: Readonly<Record<string, Steps>> = {
  GIACENZA: { 33: 'absent', 52: 'absentAgain', 57: 'held' },
  ASSENTE: { 33: 'absent', 52: 'out', 57: 'delivered' },
  RIFIUTA: { 33: 'refused', 57: 'held' },
};
const DELIVERED: Steps = { 33: 'delivered' };
const COLLECTED: Steps = { 33: 'atPoint', 57: 'delivered' };
const LOCAL = new Set<keyof typeof EVENTS>(['ready', 'pickedUp', 'left', 'voided']);

/** Lists what has happened to a shipment by now, newest first as UPS does. It moves from its creation on. */
export function journeyOf(shipment: Shipment, now: Date): JourneyEvent[] {
  const { createdAt, voidedAt, recipient, point, isDeclared } = shipment;
  const ending = endingFor(recipient.street, ENDINGS) ?? (point === null ? DELIVERED : COLLECTED);
  const steps = { ...TO_DOOR, ...(isDeclared ? CUSTOMS : {}), ...ending };
  const moved = happened(steps, createdAt, new Date(Math.min(now.getTime(), voidedAt ?? Infinity)));
  const all = [...moved, ...(voidedAt === null ? [] : [{ at: new Date(voidedAt), code: 'voided' as const }])];
  return all.toReversed().map(({ at, code: name }) => {
    const [code, type, text] = EVENTS[name];
    return { at, code, type, text, isLocal: LOCAL.has(name) };
  });
}

/** Returns true once UPS takes nothing back. */
export function isPickedUp(shipment: Shipment, now: Date): boolean {
  return journeyOf(shipment, now).some(({ code }) => code === EVENTS.pickedUp[0]);
}
