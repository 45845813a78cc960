import { statusInContext } from '../../domain/tracking-status.ts';
import { carriedTime, instantOf } from '../../lib/clock.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, CarrierEvent, TrackingReport } from '../adapter.ts';
import { isoDate, TrackedEvent } from './schema.ts';
import { meaningOf } from './tracking-codes.ts';
import { childOf, fieldsOf, findAll, type XmlNode } from './xml.ts';

const TIME_ZONE = 'Europe/Rome';
type Context = Pick<CarrierContext<unknown>, 'log'>;

/** Reads the tracking document. A return is another shipment: its "delivered" means returned to the sender. */
export function readTracking(context: Context, root: XmlNode): TrackingReport {
  const [shipment] = findAll(root, ({ name }) => name === 'SPEDIZIONE');
  if (!shipment) {
    if (findAll(root, ({ name }) => name === 'TESTOERRORE').length === 0)
      throw new Error('The answer holds no shipment');
    return { events: [], related: [], found: false };
  }
  const report: TrackingReport = { events: readEvents(context, shipment), related: [], found: true };
  for (const other of findAll(
    shipment,
    ({ name }) => name === 'SPEDIZIONEDINOLTRO' || name === 'SPEDIZIONEDIRIENTRO',
  )) {
    const type = other.name === 'SPEDIZIONEDIRIENTRO' ? 'return' : 'forward';
    const { NumSped = '', SedePartenza = '', DataPartenza = '' } = fieldsOf(other);
    const trackingNumber = /^\d+$/.test(NumSped) ? `${SedePartenza}${NumSped}` : NumSped;
    if (trackingNumber !== '') report.related.push({ type, trackingNumber, date: readDate(DataPartenza) });
    const events = readEvents(context, other);
    report.events.push(...(type === 'return' ? events.map(asReturn) : events));
  }
  return report;
}

function asReturn(event: CarrierEvent): CarrierEvent {
  return { ...event, context: 'return', status: statusInContext(event.status, 'return') };
}

/**
 * The events directly under one shipment, oldest first. GLS writes Data, Ora, Luogo, Stato, Note, Codice again and again
 * without a wrapper, newest first: a new event starts at every Data.
 */
function readEvents({ log }: Context, shipment: XmlNode): CarrierEvent[] {
  const raw: Record<string, string>[] = [];
  for (const { name, text } of childOf(shipment, 'TRACKING')?.children ?? []) {
    const current = raw.at(-1);
    if (current === undefined || name === 'Data' || name in current) raw.push({ [name]: text });
    else current[name] = text;
  }
  const events: CarrierEvent[] = [];
  for (const event of readEach(TrackedEvent, raw.reverse(), warnOf(log, 'tracking events'))) {
    const meaning = meaningOf(event.Codice);
    events.push({
      code: event.Codice.trim(),
      text: event.Stato,
      at: instantOfEvent(event, events.at(-1)?.at),
      location: event.Luogo,
      note: event.Note,
      status: 'unrecognised',
      ...meaning,
    });
  }
  return events;
}

/** An event without a time is not earlier than the one before it. */
function instantOfEvent(event: TrackedEvent, before: Date | undefined): Date {
  const date = isoDate(event.Data) ?? '';
  const carried = carriedTime(date, event.Ora);
  if (carried) return instantOf(carried.date, carried.time, TIME_ZONE);
  const midnight = instantOf(date, '00:00', TIME_ZONE);
  const nextMidnight = midnight.getTime() + 86_400_000;
  return before && before > midnight && before.getTime() < nextMidnight ? before : midnight;
}

function readDate(text: string): Date | null {
  const date = isoDate(text);
  return date === null ? null : instantOf(date, '00:00', TIME_ZONE);
}
