import type { Shipment } from './shipment.ts';

export interface JourneyEvent {
  at: Date;
  code: string;
  text: string;
  place: string;
  note: string;
}

const HOUR_MS = 3_600_000;

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

type Step = readonly [hours: number, code: string];

const TO_DOOR: readonly Step[] = [
  [1, '909'],
  [4, '902'],
  [12, '903'],
  [24, '904'],
  [28, '905'],
];
/** Chosen by a word in the recipient's address or in one of the notes. */
const ENDINGS: readonly (readonly [word: RegExp, steps: readonly Step[]])[] = [
  [
    /GIACENZA/i,
    [
      [33, '1'],
      [52, '7'],
      [57, '66'],
    ],
  ],
  [
    /ASSENTE/i,
    [
      [33, '1'],
      [52, '905'],
      [57, '906'],
    ],
  ],
  // Announced a day and a half before it opens.
  [
    /PREAVVISO/i,
    [
      [33, '75'],
      [70, '66'],
    ],
  ],
  [
    /RIFIUTA/i,
    [
      [33, '4'],
      [57, '66'],
    ],
  ],
];
const DELIVERED: readonly Step[] = [[33, '906']];
const AFTER_RELEASE: Readonly<Record<string, readonly Step[]>> = {
  1: [
    [1, '16'],
    [20, '905'],
    [25, '906'],
  ],
  2: [
    [1, '16'],
    [20, '905'],
    [25, '906'],
  ],
  3: [[1, '29']],
  4: [[24, '39']],
  7: [
    [1, '12'],
    [24, '906'],
  ],
};
const WAY_BACK: readonly Step[] = [
  [4, '902'],
  [28, '904'],
  [32, '905'],
  [36, '906'],
];
const LOCAL_CODES = new Set(['901', '909', '902']);

/** What has happened to a shipment by now, oldest first. It moves once it is closed; a giacenza waits for its release. */
export function journeyOf(shipment: Shipment, now: Date): JourneyEvent[] {
  const place = { from: `SEDE ${shipment.sede}`, to: shipment.route?.depotName ?? 'GLS CHECK' };
  const happened = [...at(shipment.createdAt, [[0, '901']], place)];
  if (shipment.closedAt !== null) {
    const words = `${shipment.address} ${shipment.note} ${shipment.driverNote}`;
    const ending = ENDINGS.find(([word]) => word.test(words))?.[1] ?? DELIVERED;
    happened.push(...at(shipment.closedAt, [...TO_DOOR, ...ending], place));
  }
  if (shipment.release !== null) {
    happened.push(...at(shipment.release.at, AFTER_RELEASE[shipment.release.type] ?? [], place));
    const back = happened.find((event) => event.code === '29');
    if (back) back.note = `Nuova spedizione ${shipment.release.returnNumber}`;
  }
  return happened.filter((event) => event.at <= now);
}

/** The life of the shipment that carries a parcel back. */
export function wayBackOf(shipment: Shipment, now: Date): JourneyEvent[] {
  if (shipment.release?.type !== '3') return [];
  const place = { from: shipment.route?.depotName ?? '', to: `SEDE ${shipment.sede}` };
  return at(shipment.release.at, WAY_BACK, place).filter((event) => event.at <= now);
}

export function isHeld(shipment: Shipment, now: Date): boolean {
  return shipment.release === null && journeyOf(shipment, now).at(-1)?.code === '66';
}

function at(startMs: number, steps: readonly Step[], place: { from: string; to: string }): JourneyEvent[] {
  return steps.map(([hours, code]) => ({
    at: new Date(startMs + hours * HOUR_MS),
    code,
    text: TEXTS[code] ?? '',
    place: LOCAL_CODES.has(code) ? place.from : place.to,
    note: '',
  }));
}
