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
  G: 'IN GIACENZA',
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
/** Chosen by a word in the recipient's address or in the notes. A giacenza waits for ever: it is decided in the portal. */
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
const AT_DEPARTURE = new Set(['700', '701', '702']);

/** What has happened to a shipment by now, oldest first. It moves once it is confirmed. */
export function journeyOf(shipment: Shipment, now: Date): JourneyEvent[] {
  const { confirmedAt } = shipment;
  if (confirmedAt === null) return [];
  const words = `${shipment.address} ${shipment.notes}`;
  const ending = ENDINGS.find(([word]) => word.test(words))?.[1] ?? (shipment.pudoId === '' ? DELIVERED : TO_POINT);
  return [...ON_THE_ROAD, ...ending]
    .map(([hours, code]) => ({
      at: new Date(confirmedAt + hours * HOUR_MS),
      code,
      text: TEXTS[code] ?? '',
      depot: AT_DEPARTURE.has(code) ? `FILIALE ${shipment.id.slice(0, 3)}` : shipment.place.depotName,
    }))
    .filter((event) => event.at <= now);
}
