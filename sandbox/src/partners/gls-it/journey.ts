import { endingFor, happened, type Journey } from '../../journey.ts';
import type { Shipment } from './shipment.ts';

export interface JourneyEvent {
  at: Date;
  code: string;
  text: string;
  place: string;
  note: string;
}

const TEXTS: Readonly<Record<string, string>> = {
  901: 'Spedizione creata dal mittente',
  909: 'Dati trasmessi a GLS',
  902: 'Partita dalla sede mittente',
  903: 'In transito',
  904: 'Arrivata nella sede di destinazione',
  905: 'In consegna',
  906: 'Consegnata',
  1: 'Destinatario assente',
  4: 'Rifiutata dal destinatario',
  7: 'Destinatario assente al secondo passaggio',
  12: 'Il destinatario ritira in sede',
  16: 'Svincolata, di nuovo in lavorazione',
  29: 'Resa al mittente',
  39: 'Distrutta su disposizione',
  66: 'In attesa di istruzioni',
  75: 'Manca la prenotazione dello scarico',
};

const TO_DOOR: Journey = { 1: '909', 4: '902', 12: '903', 24: '904', 28: '905' };
/** A word in the recipient's address or in one of the notes chooses one. */
const ENDINGS: Readonly<Record<string, Journey>> = {
  GIACENZA: { 33: '1', 52: '7', 57: '66' },
  ASSENTE: { 33: '1', 52: '905', 57: '906' },
  // Announced a day and a half before it opens.
  PREAVVISO: { 33: '75', 70: '66' },
  RIFIUTA: { 33: '4', 57: '66' },
};
const DELIVERED: Journey = { 33: '906' };
const AFTER_RELEASE: Readonly<Record<string, Journey>> = {
  1: { 1: '16', 20: '905', 25: '906' },
  2: { 1: '16', 20: '905', 25: '906' },
  3: { 1: '29' },
  4: { 24: '39' },
  7: { 1: '12', 24: '906' },
};
const WAY_BACK: Journey = { 4: '902', 28: '904', 32: '905', 36: '906' };
const LOCAL_CODES = new Set(['901', '909', '902']);

/** Lists what has happened to a shipment by now, oldest first. It moves once it is closed; a giacenza waits for its release. */
export function journeyOf(shipment: Shipment, now: Date): JourneyEvent[] {
  const { createdAt, closedAt, release, sede, route, address, note, driverNote } = shipment;
  const ending = endingFor(`${address} ${note} ${driverNote}`, ENDINGS) ?? DELIVERED;
  const steps = [
    ...happened({ 0: '901' }, createdAt, now),
    ...(closedAt === null ? [] : happened({ ...TO_DOOR, ...ending }, closedAt, now)),
    ...(release === null ? [] : happened(AFTER_RELEASE[release.type] ?? {}, release.at, now)),
  ];
  const events = eventsOf(steps, { from: `SEDE ${sede}`, to: route?.depotName ?? 'GLS CHECK' });
  return events.map((event) =>
    event.code === '29' ? { ...event, note: `Nuova spedizione ${release?.returnNumber}` } : event,
  );
}

/** Lists the events of the shipment that carries a parcel back. */
export function wayBackOf({ release, route, sede }: Shipment, now: Date): JourneyEvent[] {
  if (release?.type !== '3') return [];
  return eventsOf(happened(WAY_BACK, release.at, now), { from: route?.depotName ?? '', to: `SEDE ${sede}` });
}

export function isHeld(shipment: Shipment, now: Date): boolean {
  return shipment.release === null && journeyOf(shipment, now).at(-1)?.code === '66';
}

function eventsOf(steps: ReturnType<typeof happened>, place: { from: string; to: string }): JourneyEvent[] {
  return steps.map(({ at, code }) => ({
    at,
    code,
    text: TEXTS[code] ?? '',
    place: LOCAL_CODES.has(code) ? place.from : place.to,
    note: '',
  }));
}
