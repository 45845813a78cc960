import { statusInContext } from '../../domain/tracking-status.ts';
import { dayAfter, instantOf, wallClock } from '../../lib/clock.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, CarrierEvent, ShipmentHandle, TrackingReport } from '../adapter.ts';
import { unclearAt } from '../refusals.ts';
import { SEARCH_DAYS } from './limits.ts';
import { TIME_ZONE } from './mapping.ts';
import { NO_NUMBER, PROVIDER, refusalOf } from './refusals.ts';
import {
  type Account,
  CompleteResult,
  type FedexError,
  PackageIdentifier,
  ScanEvent,
  TrackAnswer,
  type TrackResult,
} from './schema.ts';
import { meaningOf } from './tracking-codes.ts';
import { ask } from './wire.ts';

type Context = CarrierContext<Account>;

/** FedEx's parcels and its refusals: both can be in one answer. */
interface Tracked {
  results: NumberedResult[];
  /** Refusals of single numbers; that of the whole question has an empty number. */
  refused: { number: string; error: FedexError }[];
  status: number;
}

type NumberedResult = TrackResult & { number: string };

/** The limit of the description. */
export const MAX_NUMBERS = 30;

/** Tracks the parcel of the number: FedEx lists the others of a shipment under their own numbers. */
export async function track(context: Context, shipment: ShipmentHandle): Promise<TrackingReport> {
  const [report] = await trackMany(context, [shipment]);
  if (!report || report instanceof IntegrationError) throw report ?? new Error('The answer holds nothing');
  return report;
}

export async function trackMany(
  context: Context,
  shipments: readonly ShipmentHandle[],
): Promise<(TrackingReport | IntegrationError)[]> {
  const numbers = shipments.map(({ trackingNumber }) => trackingNumber);
  const answer = await trackNumbers(context, shipments);
  const whole = answer.refused.filter(({ number }) => !numbers.includes(number)).map(({ error }) => error);
  const isUnknown = whole.every(({ code }) => code === NO_NUMBER);
  if (whole.length > 0 && answer.results.length === 0) {
    if (isUnknown) return shipments.map(() => NOT_FOUND);
    throw refusalOf({ refusal: whole, status: answer.status });
  }
  return shipments.map((shipment) => reportOf(context, shipment, answer));
}

const NOT_FOUND: TrackingReport = { found: false, events: [], related: [] };

function reportOf(
  context: Context,
  shipment: ShipmentHandle,
  { results, refused, status }: Tracked,
): TrackingReport | IntegrationError {
  const own = ownOf(results, shipment);
  if (own) return { found: true, events: eventsOf(context, own), related: relatedOf(own) };
  const errors = refused.filter(({ number }) => number === shipment.trackingNumber).map(({ error }) => error);
  if (errors.length === 0) return unclearAt(PROVIDER, 'answered about other parcels only');
  if (errors.every(({ code }) => code === NO_NUMBER)) return NOT_FOUND;
  return refusalOf({ refusal: errors, status });
}

export async function trackNumbers(
  context: Context,
  shipments: readonly Pick<ShipmentHandle, 'trackingNumber' | 'bookedAt'>[],
): Promise<Tracked> {
  const trackingInfo = shipments.map(({ trackingNumber, bookedAt }) => ({
    trackingNumberInfo: { trackingNumber },
    ...shipDatesOf(bookedAt ?? null, context.now()),
  }));
  const body = { includeDetailedScans: true, trackingInfo };
  const answer = await tracked(context, { operation: 'track', path: '/track/v1/trackingnumbers', body });
  return readTracked(answer, warnOf(context.log, 'tracked parcels'));
}

/** FedEx's headquarters are in Memphis: a day that has not begun there is refused as a future one. */
const ZONE_OF_FEDEX = 'America/Chicago';

/**
 * Days that tell a parcel from earlier ones of its number, as the description recommends. FedEx may date a shipment by the day of its
 * first scan, so the window is as long as it may be.
 */
function shipDatesOf(bookedAt: Date | null, now: Date): { shipDateBegin?: string; shipDateEnd?: string } {
  if (bookedAt === null) return {};
  const last = dayAfter(bookedAt, SEARCH_DAYS - 2, TIME_ZONE);
  const today = wallClock(now, ZONE_OF_FEDEX).date;
  // Booked today, before that day begins in Memphis: no window would hold it.
  if (wallClock(bookedAt, TIME_ZONE).date > today) return {};
  return { shipDateBegin: dayAfter(bookedAt, -1, TIME_ZONE), shipDateEnd: last < today ? last : today };
}

/** Finds every parcel under a reference of the account, of shipments dated between two days YYYY-MM-DD. */
export async function trackReference(
  context: Context,
  reference: string,
  { from, to }: { from: string; to: string },
): Promise<Tracked> {
  const body = {
    includeDetailedScans: false,
    referencesInformation: {
      type: 'CUSTOMER_REFERENCE',
      value: reference,
      accountNumber: context.account.accountNumber,
      shipDateBegin: from,
      // The description lists the one and shows the other in its example.
      shipDateEndDate: to,
      shipDateEnd: to,
    },
  };
  const answer = await tracked(context, { operation: 'trackReference', path: '/track/v1/referencenumbers', body });
  return readTracked(answer, () => {
    // It may be ours.
    throw new Error('The answer holds a parcel that cannot be read');
  });
}

function tracked(context: Context, question: { operation: string; path: string; body: unknown }) {
  return ask(context, { ...question, effect: 'read', method: 'POST' }, TrackAnswer);
}

function readTracked(
  answer: Awaited<ReturnType<typeof tracked>>,
  onUnreadable: Parameters<typeof readEach>[2],
): Tracked {
  if ('refusal' in answer) {
    return { results: [], refused: answer.refusal.map((error) => ({ number: '', error })), status: answer.status };
  }
  const complete = readEach(CompleteResult, answer.value.output.completeTrackResults, onUnreadable);
  const all = complete.flatMap(({ trackingNumber, trackResults }) =>
    trackResults.map((one) => ({ ...one, number: one.trackingNumberInfo?.trackingNumber || trackingNumber })),
  );
  if (all.length === 0) throw new Error('The answer holds neither parcels nor a reason why');
  return {
    results: all.filter(({ error }) => !error),
    refused: all.flatMap(({ number, error }) => (error ? [{ number, error }] : [])),
    status: 200,
  };
}

/**
 * Numbers are used again after some time: among several parcels, ours is the newest that shows our reference, else the newest that
 * shows none. One that shows other references is another shipper's.
 */
function ownOf(results: Tracked['results'], { trackingNumber, reference }: ShipmentHandle) {
  const candidates = results.filter(({ number }) => number === trackingNumber);
  if (candidates.length <= 1) return candidates[0];
  const newestFirst = candidates.toSorted((one, other) => shippedAt(other) - shippedAt(one));
  return (
    newestFirst.find((one) => referencesOf(one)?.includes(reference)) ??
    newestFirst.find((one) => (referencesOf(one) ?? []).length === 0)
  );
}

const SHIPPED = new Set(['SHIP', 'ACTUAL_TENDER', 'ACTUAL_PICKUP', 'SHIPMENT_DATA_RECEIVED']);

/** When a parcel was shipped, else its last event; the beginning of time when FedEx shows neither. */
function shippedAt({ dateAndTimes, scanEvents }: TrackResult): number {
  const days = dateAndTimes.filter(({ type }) => SHIPPED.has(type)).map(({ dateTime }) => Date.parse(dateTime));
  const known = days.filter((at) => !Number.isNaN(at));
  if (known.length > 0) return Math.max(...known);
  const events = readEach(DatedEvent, scanEvents, () => {});
  return Math.max(0, ...events.map(({ date }) => instantOfEvent(date).getTime()));
}

/** Returns the references of a parcel; null when FedEx does not show them in a readable way. */
export function referencesOf(result: TrackResult): string[] | null {
  const raws = result.additionalTrackingInfo?.packageIdentifiers ?? null;
  const identifiers = identifiersOf(result);
  return raws === null || identifiers.length < raws.length ? null : identifiers.flatMap(({ values }) => values);
}

/** Returns the identifiers that can be read. */
export function identifiersOf({ additionalTrackingInfo }: TrackResult) {
  return readEach(PackageIdentifier, additionalTrackingInfo?.packageIdentifiers ?? [], () => {});
}

const RELATED = { RETURNED_TO_SHIPPER_TRACKING_NUMBER: 'return', REROUTE_TRACKING_NUMBER: 'forward' } as const;

function relatedOf(result: Tracked['results'][number]): TrackingReport['related'] {
  return identifiersOf(result).flatMap(({ type, values }) => {
    if (!Object.hasOwn(RELATED, type)) return [];
    const others = values.filter((value) => value !== '' && value !== result.number);
    return others.map((trackingNumber) => ({
      type: RELATED[type as keyof typeof RELATED],
      trackingNumber,
      date: null,
    }));
  });
}

/** A delivery after a turn back is one to the shipper: FedEx has the same code for both. */
function eventsOf({ log }: Context, { scanEvents }: TrackResult): CarrierEvent[] {
  const events = readEach(DatedEvent, scanEvents, warnOf(log, 'tracking events')).map(eventOf);
  const turns = events.filter(({ status }) => status === 'returning').map(({ at }) => at.getTime());
  const turnedBackAt = Math.min(...turns);
  return events.map((event) =>
    event.status === 'delivered' && event.at.getTime() > turnedBackAt
      ? { ...event, context: 'return', status: statusInContext(event.status, 'return') }
      : event,
  );
}

function eventOf(event: ScanEvent): CarrierEvent {
  const code = event.eventType || event.derivedStatusCode;
  const meaning = meaningOf(code);
  const { city = '', countryCode = '' } = event.scanLocation ?? {};
  const isLate = meaning?.delayed === true || event.delayDetail?.status === 'DELAYED';
  return {
    code,
    text: event.eventDescription,
    at: instantOfEvent(event.date),
    location: [city, countryCode].filter((part) => part !== '').join(', '),
    note: [event.exceptionDescription, event.exceptionCode && `[${event.exceptionCode}]`].filter(Boolean).join(' '),
    status: meaning?.status ?? 'unrecognised',
    ...(isLate ? { delayed: true } : {}),
  };
}

/** Times are those of the place, with its distance from Greenwich; where FedEx leaves that out, the Italian clock is taken. */
function instantOfEvent(date: string): Date {
  if (/(Z|[+-]\d{2}:\d{2})$/.test(date)) return new Date(date);
  const [day, time] = [date.slice(0, 10), date.slice(11, 16) || '00:00'];
  return Number.isNaN(Date.parse(`${day}T${time}Z`)) ? new Date(Number.NaN) : instantOf(day, time, TIME_ZONE);
}

/** An event without a time would lose the others when it is kept. */
const DatedEvent = ScanEvent.refine(({ date }) => !Number.isNaN(instantOfEvent(date).getTime()), { path: ['date'] });
