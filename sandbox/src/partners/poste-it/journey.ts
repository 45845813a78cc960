import { endingFor, happened, type Journey } from '../../journey.ts';
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

const TO_DOOR: Journey = { 4: 'ZZP', 12: 'PCP', 24: 'PCP', 28: 'ZZC' };
const DELIVERED: Journey = { 33: 'ZZK' };
/** Hours after the creation until a parcel of these is held. */
const HELD_AFTER = 57;
/** A word in the recipient's address chooses one. */
const ENDINGS: Readonly<Record<string, Journey>> = {
  GIACENZA: { 33: 'ZZA', 52: 'ZZA', [HELD_AFTER]: '003' },
  ASSENTE: { 33: 'ZZA', 52: 'ZZC', 57: 'ZZK' },
  RIFIUTA: { 33: 'ZZR', [HELD_AFTER]: '003' },
};
/** Why a parcel of that ending is held. */
const REASONS: Readonly<Record<string, string>> = { ZZA: 'DESTASS', ZZR: 'RIFDEST' };
const AFTER_RELEASE: Readonly<Record<string, Journey>> = {
  AZ0001: { 20: 'ZZC', 25: 'ZZK' },
  AZ0002: { 20: 'ZZC', 25: 'ZZK' },
  AZ0003: { 24: 'ZZX' },
  AZ0005: { 36: 'ZZM' },
};
const COLLECTED: Journey = { 24: 'ZZK' };
const LOCAL_HOURS = 12;

/** Lists what has happened to a parcel by now, newest first. It moves from its creation on. */
export function journeyOf({ recipient, createdAt, release }: Waybill, now: Date): JourneyEvent[] {
  const ending = endingFor(recipient.address, ENDINGS) ?? DELIVERED;
  const after = release ? happened(AFTER_RELEASE[release.action] ?? COLLECTED, release.at, now) : [];
  const localUntil = createdAt + LOCAL_HOURS * HOUR_MS;
  return [...happened({ ...TO_DOOR, ...ending }, createdAt, now), ...after]
    .map(({ at, code }) => ({
      at,
      code,
      ...(EVENTS[code] ?? { text: '', phase: '' }),
      isLocal: at.getTime() <= localUntil,
    }))
    .toReversed();
}

export interface Holding {
  reason: string;
  status: 'INGIACENZA' | 'SVINCOLATA' | 'SCADUTA';
  start: Date;
  end: Date;
}

/** Returns the giacenza of a parcel that has come into one by now. */
export function holdingOf(waybill: Waybill, now: Date): Holding | null {
  const ending = endingFor(waybill.recipient.address, ENDINGS);
  const reason = ending?.[HELD_AFTER] === '003' ? REASONS[ending[33] ?? ''] : undefined;
  const start = new Date(waybill.createdAt + HELD_AFTER * HOUR_MS);
  if (reason === undefined || start > now) return null;
  const end = new Date(start.getTime() + HOLDING_HOURS * HOUR_MS);
  const status = waybill.release ? 'SVINCOLATA' : now > end ? 'SCADUTA' : 'INGIACENZA';
  return { reason, status, start, end };
}
