import { endingFor, happened, type Journey } from '../../journey.ts';
import type { Shipment } from './shipment.ts';

export interface JourneyEvent {
  at: Date;
  code: string;
  text: string;
  depot: string;
}

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

const ON_THE_ROAD: Journey = { 0: '700', 4: '701', 12: '702', 24: '703', 28: 'MIC' };
/** A word in the recipient's address or in the notes chooses one. A giacenza waits for a decision in the portal. */
const ENDINGS: Readonly<Record<string, Journey>> = {
  GIACENZA: { 33: 'AVV', 52: '017', 54: 'G02', 57: 'G' },
  ASSENTE: { 33: 'AVV', 52: 'MIC', 57: '704' },
  // Announced, and then delivered after all.
  PREAVVISO: { 33: 'AVV', 54: 'G05', 76: 'MIC', 81: '704' },
  RIFIUTA: { 33: '001', 40: 'G02', 57: 'G' },
};
const TO_POINT: Journey = { 33: '722', 57: '724' };
const DELIVERED: Journey = { 33: '704' };
/** The journey after each decision in the portal. */
export const DECISIONS: Readonly<Record<string, Journey>> = {
  redeliver: { 2: 'N', 20: 'MIC', 25: '704' },
  return: { 48: '708' },
  depot: { 24: '704' },
};
const AT_DEPARTURE = new Set(['700', '701', '702']);

/** Lists what has happened to a shipment by now, oldest first. It moves once it is confirmed. */
export function journeyOf(shipment: Shipment, now: Date): JourneyEvent[] {
  const { confirmedAt, decision, address, notes, pudoId } = shipment;
  if (confirmedAt === null) return [];
  const ending = endingFor(`${address} ${notes}`, ENDINGS) ?? (pudoId === '' ? DELIVERED : TO_POINT);
  const after = decision ? happened(DECISIONS[decision.name] ?? {}, decision.at, now) : [];
  return [...happened({ ...ON_THE_ROAD, ...ending }, confirmedAt, now), ...after].map(({ at, code }) => ({
    at,
    code,
    text: TEXTS[code] ?? '',
    depot: AT_DEPARTURE.has(code) ? `FILIALE ${shipment.id.slice(0, 3)}` : shipment.place.depotName,
  }));
}

export function isHeld(shipment: Shipment, now: Date): boolean {
  return journeyOf(shipment, now).at(-1)?.code === 'G';
}
