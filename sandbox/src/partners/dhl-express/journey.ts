import { endingFor, happened, type Journey } from '../../journey.ts';
import type { Shipment } from './books.ts';

export interface JourneyEvent {
  at: Date;
  code: string;
  text: string;
  isLocal: boolean;
}

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

const TO_DOOR: Journey = { 0: 'DUMMY_PU', 4: 'PU', 6: 'PL', 8: 'DF', 12: 'AF', 24: 'AR', 28: 'WC' };
const CUSTOMS: Journey = { 14: 'IC', 20: 'CR' };
/** A word in the recipient's address chooses one. DHL has no release: what is held stays held. */
const ENDINGS: Readonly<Record<string, Journey>> = {
  GIACENZA: { 33: 'NH', 52: 'NH', 57: 'OH' },
  ASSENTE: { 33: 'NH', 52: 'WC', 57: 'OK' },
  RIFIUTA: { 33: 'RD', 57: 'OH' },
};
const DELIVERED: Journey = { 33: 'OK' };
const LOCAL = new Set(['DUMMY_PU', 'PU', 'PL', 'DF']);

/** Lists what has happened to a shipment by now, newest first as DHL does. It moves from its creation on. */
export function journeyOf({ recipient, isDeclarable, createdAt }: Shipment, now: Date): JourneyEvent[] {
  const ending = endingFor(recipient.wholeAddress, ENDINGS) ?? DELIVERED;
  return happened({ ...TO_DOOR, ...(isDeclarable ? CUSTOMS : {}), ...ending }, createdAt, now)
    .map(({ at, code }) => ({ at, code, text: TEXTS[code] ?? '', isLocal: LOCAL.has(code) }))
    .toReversed();
}
