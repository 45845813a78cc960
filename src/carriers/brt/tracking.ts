import { carriedTime, instantOf, wallClock } from '../../lib/clock.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, CarrierEvent, ShipmentHandle, TrackingReport } from '../adapter.ts';
import { apiUrl, readAnswer, refuseBad } from './rest.ts';
import { type Account, isoDate, isPadding, Tracked, TrackedEvent } from './schema.ts';
import { callSoap, esitoFailure, esitoOf, NOT_FOUND } from './soap.ts';
import { DELIVERY_DATE, meaningOf } from './tracking-codes.ts';

const TIME_ZONE = 'Europe/Rome';
const NOTHING: TrackingReport = { events: [], related: [], found: false };
type Context = CarrierContext<Account>;

/** Tracks a shipment or a parcel. SOAP alone knows a shipment's twelve digits, REST alone a parcel's fifteen. */
export async function track(context: Context, { trackingNumber }: ShipmentHandle): Promise<TrackingReport> {
  const tracked = /^\d{12}$/.test(trackingNumber)
    ? await trackShipment(context, trackingNumber)
    : await trackParcel(context, trackingNumber);
  return tracked === null ? NOTHING : reportOf(context, tracked);
}

async function trackParcel({ account, http }: Context, parcelId: string): Promise<Tracked | null> {
  const { status, body } = await http.send({
    operation: 'tracking',
    effect: 'read',
    method: 'GET',
    url: `${apiUrl(account)}/rest/v1/tracking/parcelID/${encodeURIComponent(parcelId)}`,
    headers: { userID: account.userID, password: account.password, accept: 'application/json' },
    accept: [404],
  });
  if (status === 404) return null;
  const answer = readAnswer(body, { operation: 'tracking', root: 'ttParcelIdResponse' });
  const isUnknown = answer.messages.some(({ code }) => code === NOT_FOUND);
  if (!isUnknown) refuseBad(answer);
  const tracked = Tracked.parse(answer.root);
  const esito = isUnknown ? NOT_FOUND : tracked.esito === '' ? 0 : esitoOf(tracked.esito);
  if (esito === NOT_FOUND) return null;
  if (esito !== 0) throw esitoFailure(esito);
  return tracked;
}

/**
 * Tracks by shipment id. BRT counts ids per year: in January the parcels of December are asked for in their own year.
 */
export async function trackShipment(context: Context, shipmentId: string, year = 0): Promise<Tracked | null> {
  const answer = await callSoap(context, 'BRT_TrackingByBRTshipmentID', {
    LINGUA_ISO639_ALPHA2: 'it',
    SPEDIZIONE_ANNO: String(year),
    SPEDIZIONE_BRT_ID: shipmentId,
  });
  const esito = esitoOf(answer.ESITO);
  if (esito === NOT_FOUND && year === 0) {
    const [thisYear = ''] = wallClock(context.now(), TIME_ZONE).date.split('-');
    return trackShipment(context, shipmentId, Number(thisYear) - 1);
  }
  if (esito === NOT_FOUND) return null;
  if (esito !== 0) throw esitoFailure(esito);
  return Tracked.parse(lowerCased({ ...answer, LISTA_EVENTI: eventsOf(answer.LISTA_EVENTI) }));
}

/** One list element per event, or one with all of them: both were seen. */
function eventsOf(list: unknown): unknown[] {
  return [list].flat().flatMap((one) => {
    const events = (one as { EVENTO?: unknown } | undefined)?.EVENTO;
    return [events].flat().map((event) => ({ EVENTO: event === '' ? undefined : event }));
  });
}

/** The SOAP service says the same as the REST one, in capitals; an empty element is an empty text, whatever it should hold. */
function lowerCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(lowerCased);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inside]) => inside !== '' && inside !== undefined);
  return Object.fromEntries(entries.map(([name, inside]) => [name.toLowerCase(), lowerCased(inside)]));
}

function reportOf(context: Context, tracked: Tracked): TrackingReport {
  const events = readEvents(context, tracked);
  const delivered = deliveryOf(context, tracked);
  // A delivery date without an event that says so still means that it was delivered.
  const isOver = events.some(({ status }) => ['delivered', 'returned'].includes(status));
  if (delivered && !isOver) events.push(delivered);
  const shipmentId = tracked.bolla?.dati_spedizione?.spedizione_id ?? '';
  const isFound = events.length > 0 || shipmentId.replace(/0/g, '') !== '';
  return { events, related: [], found: isFound };
}

/** Oldest first. BRT writes the newest first and fills the list up with empty events. */
function readEvents({ log }: Context, { lista_eventi: list }: Tracked): CarrierEvent[] {
  const events: CarrierEvent[] = [];
  const raws = list.filter((slot) => !isPadding(slot)).toReversed();
  for (const { evento } of readEach(TrackedEvent, raws, warnOf(log, 'tracking events'))) {
    const meaning = meaningOf(evento.id);
    events.push({
      code: evento.id,
      text: evento.descrizione,
      at: instantOfEvent(evento, events.at(-1)?.at),
      location: evento.filiale,
      note: '',
      status: 'unrecognised',
      ...meaning,
    });
  }
  return events;
}

function deliveryOf({ log }: Context, { bolla }: Tracked): CarrierEvent | null {
  const { data_consegna_merce: data = '', ora_consegna_merce: ora = '' } = bolla?.dati_consegna ?? {};
  if (!/[1-9]/.test(data)) return null;
  if (isoDate(data) === null) {
    log.warn({ field: 'data_consegna_merce' }, 'date of delivery not read');
    return null;
  }
  const at = instantOfEvent({ data, ora });
  return { code: DELIVERY_DATE, text: 'Consegnata', at, location: '', note: '', status: 'delivered' };
}

/** dd.MM.yyyy and HH.MM. An event without a time is not earlier than the one before it. */
function instantOfEvent({ data, ora }: { data: string; ora: string }, before?: Date): Date {
  const date = isoDate(data) ?? '';
  const carried = carriedTime(date, ora);
  if (carried) return instantOf(carried.date, carried.time, TIME_ZONE);
  const midnight = instantOf(date, '00:00', TIME_ZONE);
  const isSameDay = before !== undefined && wallClock(before, TIME_ZONE).date === date;
  return isSameDay ? before : midnight;
}
