import type { Log } from '../lib/log.ts';
import type { CarrierEvent, EventMeaning, RawEvent } from './contract.ts';

/** A table of codes for `trackingCodes`: what it does not have is `unrecognised`. */
export function codeTable(
  version: number,
  meaningOf: (event: RawEvent) => EventMeaning | undefined,
): { version: number; read(event: RawEvent): EventMeaning } {
  return { version, read: (event) => meaningOf(event) ?? { status: 'unrecognised' } };
}

/** One event that cannot be read keeps none of the others away; what the carrier wrote is in the exchange. */
export function readEach<Raw>(log: Log, raw: readonly Raw[], read: (one: Raw) => CarrierEvent): CarrierEvent[] {
  const events: CarrierEvent[] = [];
  for (const one of raw) {
    try {
      events.push(read(one));
    } catch (err) {
      log.warn({ err: (err as Error).message }, 'a tracking event cannot be read and is left out');
    }
  }
  return events;
}
