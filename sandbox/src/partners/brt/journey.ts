import type { Shipment } from './shipment.ts';

export interface JourneyEvent {
  at: Date;
  code: string;
  text: string;
  depot: string;
}

const HOUR_MS = 3_600_000;

const TEXTS: Readonly<Record<string, string>> = {
  '700': 'DATI SPEDIZ. TRASMESSI A BRT',
  '701': 'RITIRATA',
  '702': 'PARTITA',
  '703': 'ARRIVATA IN FILIALE',
  '704': 'CONSEGNATA',
  MIC: 'IN CONSEGNA',
  AVV: 'DESTINATARIO ASSENTE, LASCIATO AVVISO',
  '017': 'ASSENTE DOPO AVVISO',
  '001': 'RIFIUTA SENZA MOTIVO',
  G02: 'IN ATTESA DI APERTURA GIACENZA',
  G05: 'IN ATTESA DI APERTURA GIACENZA',
  G: 'IN GIACENZA',
  N: 'DA CONSEGNARE',
  '708': 'RESA AL MITTENTE',
  '722': 'ARRIVATA AL BRT-FERMOPOINT',
  '724': 'RITIRATA AL BRT-FERMOPOINT',
};

type Step = readonly [hours: number, code: string];

const ON_THE_ROAD: readonly Step[] = [
  [0, '700'],
  [4, '701'],
  [12, '702'],
  [24, '703'],
  [28, 'MIC'],
];
/** Chosen by a word in the recipient's address or in the notes. A giacenza waits until it is decided in the portal. */
const ENDINGS: readonly (readonly [word: RegExp, steps: readonly Step[]])[] = [
  [
    /GIACENZA/i,
    [
      [33, 'AVV'],
      [52, '017'],
      [54, 'G02'],
      [57, 'G'],
    ],
  ],
  [
    /ASSENTE/i,
    [
      [33, 'AVV'],
      [52, 'MIC'],
      [57, '704'],
    ],
  ],
  // Announced, and then delivered after all.
  [
    /PREAVVISO/i,
    [
      [33, 'AVV'],
      [54, 'G05'],
      [76, 'MIC'],
      [81, '704'],
    ],
  ],
  [
    /RIFIUTA/i,
    [
      [33, '001'],
      [40, 'G02'],
      [57, 'G'],
    ],
  ],
];
const TO_POINT: readonly Step[] = [
  [33, '722'],
  [57, '724'],
];
const DELIVERED: readonly Step[] = [[33, '704']];
/** What follows a decision in the portal. */
export const DECISIONS: Readonly<Record<string, readonly Step[]>> = {
  redeliver: [
    [2, 'N'],
    [20, 'MIC'],
    [25, '704'],
  ],
  return: [[48, '708']],
  depot: [[24, '704']],
};
const AT_DEPARTURE = new Set(['700', '701', '702']);

/** What has happened to a shipment by now, oldest first. It moves once it is confirmed. */
export function journeyOf(shipment: Shipment, now: Date): JourneyEvent[] {
  const { confirmedAt } = shipment;
  if (confirmedAt === null) return [];
  const words = `${shipment.address} ${shipment.notes}`;
  const ending = ENDINGS.find(([word]) => word.test(words))?.[1] ?? (shipment.pudoId === '' ? DELIVERED : TO_POINT);
  const { decision } = shipment;
  const after = decision ? (DECISIONS[decision.name] ?? []) : [];
  return [...timed(confirmedAt, [...ON_THE_ROAD, ...ending]), ...timed(decision?.at ?? 0, after)]
    .map(({ at, code }) => ({
      at,
      code,
      text: TEXTS[code] ?? '',
      depot: AT_DEPARTURE.has(code) ? `FILIALE ${shipment.id.slice(0, 3)}` : shipment.place.depotName,
    }))
    .filter((event) => event.at <= now);
}

function timed(startMs: number, steps: readonly Step[]): { at: Date; code: string }[] {
  return steps.map(([hours, code]) => ({ at: new Date(startMs + hours * HOUR_MS), code }));
}

export function isHeld(shipment: Shipment, now: Date): boolean {
  return journeyOf(shipment, now).at(-1)?.code === 'G';
}
