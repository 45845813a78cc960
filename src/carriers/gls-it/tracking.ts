import { statusInContext } from '../../domain/tracking-status.ts';
import { instantOf } from '../../lib/clock.ts';
import type { CarrierEvent, TrackingReport } from '../contract.ts';
import { TrackedEvent } from './schema.ts';
import { meaningOf } from './tracking-codes.ts';
import { childOf, fieldsOf, findAll, type XmlNode } from './xml.ts';

const TIME_ZONE = 'Europe/Rome';

/** The tracking document as a report. A return is another shipment: its "delivered" means returned to the sender. */
export function readTracking(root: XmlNode): TrackingReport {
  const [shipment] = findAll(root, ({ name }) => name === 'SPEDIZIONE');
  if (!shipment) {
    if (findAll(root, ({ name }) => name === 'TESTOERRORE').length === 0)
      throw new Error('The answer holds no shipment');
    return { events: [], related: [], found: false };
  }
  const report: TrackingReport = { events: readEvents(shipment), related: [], found: true };
  for (const other of findAll(
    shipment,
    ({ name }) => name === 'SPEDIZIONEDINOLTRO' || name === 'SPEDIZIONEDIRIENTRO',
  )) {
    const type = other.name === 'SPEDIZIONEDIRIENTRO' ? 'return' : 'forward';
    const { NumSped = '', SedePartenza = '', DataPartenza = '' } = fieldsOf(other);
    const trackingNumber = /^\d+$/.test(NumSped) ? `${SedePartenza}${NumSped}` : NumSped;
    if (trackingNumber !== '') report.related.push({ type, trackingNumber, date: readDate(DataPartenza) });
    const events = readEvents(other);
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
function readEvents(shipment: XmlNode): CarrierEvent[] {
  const raw: Record<string, string>[] = [];
  for (const { name, text } of childOf(shipment, 'TRACKING')?.children ?? []) {
    const current = raw.at(-1);
    if (current === undefined || name === 'Data' || name in current) raw.push({ [name]: text });
    else current[name] = text;
  }
  const events: CarrierEvent[] = [];
  for (const fields of raw.reverse()) {
    const event = TrackedEvent.parse(fields);
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
  const [, hour, minute] = /^(\d{1,2})[:.](\d{2})/.exec(event.Ora) ?? [];
  if (hour !== undefined) return instantOf(isoDate(event.Data), `${hour.padStart(2, '0')}:${minute}`, TIME_ZONE);
  const midnight = instantOf(isoDate(event.Data), '00:00', TIME_ZONE);
  const nextMidnight = midnight.getTime() + 86_400_000;
  return before && before > midnight && before.getTime() < nextMidnight ? before : midnight;
}

function readDate(text: string): Date | null {
  return /^\d{2}\/\d{2}\/\d{2}(\d{2})?$/.test(text) ? instantOf(isoDate(text), '00:00', TIME_ZONE) : null;
}

/** dd/MM/yy as YYYY-MM-DD. */
function isoDate(text: string): string {
  const [day, month, year = ''] = text.split('/');
  return `${year.length === 2 ? `20${year}` : year}-${month}-${day}`;
}
