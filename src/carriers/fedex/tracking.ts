import { statusInContext } from '../../domain/tracking-status.ts';
import { instantOf } from '../../lib/clock.ts';
import { IntegrationError } from '../../lib/errors.ts';
import type { CarrierContext, CarrierEvent, ShipmentHandle, TrackingReport } from '../contract.ts';
import { readEach } from '../tracking.ts';
import { TIME_ZONE } from './mapping.ts';
import { NO_NUMBER, refusalOf } from './refusals.ts';
import { type Account, type FedexError, type ScanEvent, TrackAnswer, type TrackResult } from './schema.ts';
import { meaningOf } from './tracking-codes.ts';
import { ask } from './wire.ts';

type Context = CarrierContext<Account>;

/** What FedEx has, and what it says no to: both can be in one answer. */
interface Tracked {
  results: NumberedResult[];
  /** Of single numbers; of the whole question the number is empty. */
  refused: { number: string; error: FedexError }[];
  status: number;
}

type NumberedResult = TrackResult & { number: string };

/** As the description says. */
export const MAX_NUMBERS = 30;

/** Of the parcel whose number it is: FedEx tells of the others of a shipment under their own numbers. */
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
  const answer = await trackNumbers(context, numbers);
  const whole = answer.refused.filter(({ number }) => !numbers.includes(number)).map(({ error }) => error);
  const isUnknown = whole.every(({ code }) => code === NO_NUMBER);
  if (whole.length > 0 && answer.results.length === 0) {
    if (isUnknown) return shipments.map(() => NOT_FOUND);
    throw refusalOf(whole, answer.status);
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
  if (errors.length === 0) return silence();
  if (errors.every(({ code }) => code === NO_NUMBER)) return NOT_FOUND;
  return refusalOf(errors, status);
}

function silence(): IntegrationError {
  return new IntegrationError('FedEx answered about other parcels only', {
    kind: 'retryable',
    provider: 'FedEx',
    code: 'answer-unreadable',
  });
}

export function trackNumbers(context: Context, numbers: readonly string[]): Promise<Tracked> {
  const trackingInfo = numbers.map((trackingNumber) => ({ trackingNumberInfo: { trackingNumber } }));
  const body = { includeDetailedScans: true, trackingInfo };
  return tracked(context, { operation: 'track', path: '/track/v1/trackingnumbers', body });
}

/** Every parcel that FedEx finds under a reference of the account, of shipments dated between two days YYYY-MM-DD. */
export function trackReference(
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
  return tracked(context, { operation: 'trackReference', path: '/track/v1/referencenumbers', body });
}

async function tracked(
  context: Context,
  question: { operation: string; path: string; body: unknown },
): Promise<Tracked> {
  const answer = await ask(context, { ...question, effect: 'read', method: 'POST' }, TrackAnswer);
  if ('errors' in answer) {
    return { results: [], refused: answer.errors.map((error) => ({ number: '', error })), status: answer.status };
  }
  const all = answer.value.output.completeTrackResults.flatMap(({ trackingNumber, trackResults }) =>
    trackResults.map((one) => ({ ...one, number: one.trackingNumberInfo?.trackingNumber || trackingNumber })),
  );
  if (all.length === 0) throw new Error('The answer holds neither parcels nor a reason why');
  return {
    results: all.filter(({ error }) => !error),
    refused: all.flatMap(({ number, error }) => (error ? [{ number, error }] : [])),
    status: 200,
  };
}

/** Numbers are used again after some time: among several parcels, ours is the one that shows our reference. */
function ownOf(results: Tracked['results'], { trackingNumber, reference }: ShipmentHandle) {
  const candidates = results.filter(({ number }) => number === trackingNumber);
  if (candidates.length <= 1) return candidates[0];
  return candidates.find((one) => referencesOf(one)?.includes(reference));
}

/** Everything that the parcel can be found by; null when FedEx does not show it. */
export function referencesOf(result: TrackResult): string[] | null {
  return identifiersOf(result)?.flatMap(({ values }) => values) ?? null;
}

export function identifiersOf({ additionalTrackingInfo }: TrackResult) {
  return additionalTrackingInfo?.packageIdentifiers ?? null;
}

const RELATED = { RETURNED_TO_SHIPPER_TRACKING_NUMBER: 'return', REROUTE_TRACKING_NUMBER: 'forward' } as const;

function relatedOf(result: Tracked['results'][number]): TrackingReport['related'] {
  return (identifiersOf(result) ?? []).flatMap(({ type, values }) => {
    if (!Object.hasOwn(RELATED, type)) return [];
    const others = values.filter((value) => value !== '' && value !== result.number);
    return others.map((trackingNumber) => ({
      type: RELATED[type as keyof typeof RELATED],
      trackingNumber,
      date: null,
    }));
  });
}

/** What is delivered after it turned back is delivered to the shipper: FedEx has the same code for both. */
function eventsOf({ log }: Context, { scanEvents }: TrackResult): CarrierEvent[] {
  const events = readEach(log, scanEvents, eventOf);
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
  const isWhole = /(Z|[+-]\d{2}:\d{2})$/.test(date);
  const at = isWhole ? new Date(date) : instantOf(date.slice(0, 10), date.slice(11, 16) || '00:00', TIME_ZONE);
  if (Number.isNaN(at.getTime())) throw new Error('An event has no readable time');
  return at;
}
