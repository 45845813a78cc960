import type { Waybill } from './books.ts';

export interface JourneyEvent {
  at: Date;
  code: string;
  text: string;
  phase: string;
  isLocal: boolean;
}

const HOUR_MS = 3_600_000;
/** About ten working days. */
const HOLDING_HOURS = 14 * 24;

/**
 * PCP and 003 are codes of Poste, as are the phases without the word SANDBOX. The other codes are the sandbox's own, which start with
 * ZZ and say so, because the real ones are not public.
 */
const EVENTS: Readonly<Record<string, { text: string; phase: string }>> = {
  PCP: { text: 'In transito presso il Centro Operativo Postale', phase: 'IN TRANSITO' },
  ZZP: { text: 'Presa in carico (codice del sandbox)', phase: 'PRESA IN CARICO' },
  ZZC: { text: 'In consegna (codice del sandbox)', phase: 'IN CONSEGNA' },
  ZZK: { text: 'Consegnata (codice del sandbox)', phase: 'CONSEGNATA' },
  ZZA: { text: 'Destinatario assente (codice del sandbox)', phase: 'SANDBOX TENTATA CONSEGNA' },
  ZZR: { text: 'Rifiutata dal destinatario (codice del sandbox)', phase: 'SANDBOX TENTATA CONSEGNA' },
  // The phase stays that of the last attempt.
  '003': { text: 'In giacenza', phase: 'IN CONSEGNA' },
  ZZM: { text: 'Restituita al mittente (codice del sandbox)', phase: 'RESO AL MITTENTE' },
  ZZX: { text: 'Abbandonata (codice del sandbox)', phase: 'SANDBOX ABBANDONO' },
};

type Step = readonly [hours: number, code: string];

const TO_DOOR: readonly Step[] = [
  [4, 'ZZP'],
  [12, 'PCP'],
  [24, 'PCP'],
  [28, 'ZZC'],
];
const DELIVERED: readonly Step[] = [[33, 'ZZK']];
/** Hours after the creation until a parcel of these is held. */
const HELD_AFTER = 57;
/** Chosen by a word in the recipient's address, with the reason of the giacenza it ends in. */
const ENDINGS: readonly { word: RegExp; steps: readonly Step[]; reason?: string }[] = [
  {
    word: /GIACENZA/i,
    steps: [
      [33, 'ZZA'],
      [52, 'ZZA'],
      [HELD_AFTER, '003'],
    ],
    reason: 'DESTASS',
  },
  {
    word: /ASSENTE/i,
    steps: [
      [33, 'ZZA'],
      [52, 'ZZC'],
      [57, 'ZZK'],
    ],
  },
  {
    word: /RIFIUTA/i,
    steps: [
      [33, 'ZZR'],
      [HELD_AFTER, '003'],
    ],
    reason: 'RIFDEST',
  },
];
const AFTER_RELEASE: Readonly<Record<string, readonly Step[]>> = {
  AZ0001: [
    [20, 'ZZC'],
    [25, 'ZZK'],
  ],
  AZ0002: [
    [20, 'ZZC'],
    [25, 'ZZK'],
  ],
  AZ0003: [[24, 'ZZX']],
  AZ0005: [[36, 'ZZM']],
};
const COLLECTED: readonly Step[] = [[24, 'ZZK']];

/** What has happened to a parcel by now, newest first. It moves from its creation on. */
export function journeyOf(waybill: Waybill, now: Date): JourneyEvent[] {
  const ending = endingOf(waybill)?.steps ?? DELIVERED;
  const events = [...eventsOf(waybill.createdAt, [...TO_DOOR, ...ending])];
  if (waybill.release) events.push(...eventsOf(waybill.release.at, AFTER_RELEASE[waybill.release.action] ?? COLLECTED));
  return events.filter(({ at }) => at <= now).sort((one, other) => other.at.getTime() - one.at.getTime());
}

function endingOf({ recipient }: Waybill) {
  return ENDINGS.find(({ word }) => word.test(recipient.address));
}

function eventsOf(startMs: number, steps: readonly Step[]): JourneyEvent[] {
  return steps.map(([hours, code]) => ({
    at: new Date(startMs + hours * HOUR_MS),
    code,
    ...(EVENTS[code] ?? { text: '', phase: '' }),
    isLocal: hours <= 12,
  }));
}

export interface Holding {
  reason: string;
  status: 'INGIACENZA' | 'SVINCOLATA' | 'SCADUTA';
  start: Date;
  end: Date;
}

/** The giacenza of a parcel that has come into one by now. */
export function holdingOf(waybill: Waybill, now: Date): Holding | null {
  const reason = endingOf(waybill)?.reason;
  const start = new Date(waybill.createdAt + HELD_AFTER * HOUR_MS);
  if (reason === undefined || start > now) return null;
  const end = new Date(start.getTime() + HOLDING_HOURS * HOUR_MS);
  const status = waybill.release ? 'SVINCOLATA' : now > end ? 'SCADUTA' : 'INGIACENZA';
  return { reason, status, start, end };
}
