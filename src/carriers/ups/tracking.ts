import { instantOf } from '../../lib/clock.ts';
import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, CarrierEvent, ShipmentHandle, TrackingReport } from '../adapter.ts';
import { TIME_ZONE } from './mapping.ts';
import { refusalOf } from './refusals.ts';
import { type Account, Activity, TrackAnswer, TrackedPackage } from './schema.ts';
import { timeZoneOf } from './time-zones.ts';
import { isUnheardOf, meaningOf, noteOfType } from './tracking-codes.ts';
import { ask } from './wire.ts';

type Context = CarrierContext<Account>;

const LOCALE = 'it_IT';

/** Events of the package whose number it is: UPS lists the others of a shipment under their own numbers. */
export async function track(context: Context, { trackingNumber }: ShipmentHandle): Promise<TrackingReport> {
  const own = await trackNumber(context, trackingNumber);
  if (!own) return { found: false, events: [], related: [] };
  const activities = readEach(DatedActivity, own.activity, warnOf(context.log, 'tracking events'));
  return { found: true, events: activities.map(eventOf), related: [] };
}

/** Tracks one number. Returns null when UPS does not know it yet. */
export async function trackNumber(context: Context, number: string): Promise<TrackedPackage | null> {
  const raws = await packagesOf(context, `/track/v1/details/${encodeURIComponent(number)}`, {
    returnSignature: 'false',
    returnMilestones: 'false',
    returnPOD: 'false',
  });
  const packages = readEach(TrackedPackage, raws, warnOf(context.log, 'packages'));
  const own = packages.find(({ trackingNumber }) => trackingNumber === number);
  if (!own && raws.length > 0) throw new Error('The answer holds other packages only');
  return own ?? null;
}

/** Finds every package under a reference of the account, picked up between two days YYYYMMDD. */
export async function trackReference(
  context: Context,
  reference: string,
  { from, to }: { from: string; to: string },
): Promise<TrackedPackage[]> {
  const raws = await packagesOf(context, `/track/v1/reference/details/${encodeURIComponent(reference)}`, {
    fromPickUpDate: from,
    toPickUpDate: to,
    shipperNum: context.account.shipperNumber,
    refNumType: 'SmallPackage',
  });
  return readEach(TrackedPackage, raws, () => {
    // It may be ours.
    throw new Error('The answer holds a package that cannot be read');
  });
}

/** The warning of a 200. Which code a 404 has was not found: any of tracking's own counts, and none of a gateway. */
const NOT_FOUND = 'TW0001';
const OF_TRACKING = /^T[VW]\d+$/;

/** "Not found" is 404 by the description, and 200 with a warning in practice. */
async function packagesOf(context: Context, path: string, query: Record<string, string>): Promise<unknown[]> {
  const operation = path.includes('/reference/') ? 'trackReference' : 'track';
  const question = { operation, effect: 'read', method: 'GET', path, query: { locale: LOCALE, ...query } } as const;
  const answer = await ask(context, question, TrackAnswer);
  if ('refusal' in answer) {
    if (answer.status === 404 && answer.refusal.every(({ code }) => OF_TRACKING.test(code))) return [];
    throw refusalOf(answer);
  }
  const { shipment } = answer.value.trackResponse;
  const isSilent = shipment.length === 0 || shipment.some((one) => one.package.length + one.warnings.length === 0);
  if (isSilent) throw new Error('The answer holds neither packages nor a warning why');
  const packages = shipment.flatMap((one) => one.package);
  const other = shipment.flatMap(({ warnings }) => warnings).find(({ code }) => code !== NOT_FOUND);
  if (packages.length === 0 && other) throw new Error(`UPS warned of ${other.code} instead of showing packages`);
  return packages;
}

function eventOf(activity: Activity): CarrierEvent {
  const { location, status } = activity;
  const code = status.statusCode || status.type;
  const { city = '', countryCode = '', country = '' } = location?.address ?? {};
  const event = { code, text: status.description, note: isUnheardOf(code) ? noteOfType(status.type) : '' };
  return {
    ...event,
    at: instantOfActivity(activity),
    location: [city, countryCode || country].filter((part) => part !== '').join(', '),
    status: 'unrecognised',
    ...meaningOf(event),
  };
}

/** Times are those of the place, with its offset from UTC; where UPS leaves that out, the clock of the place's country is taken. */
function instantOfActivity({ date, time, gmtOffset, location }: Activity): Date {
  const day = date.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
  const [hours, minutes, seconds] = time.padStart(6, '0').match(/\d{2}/g) ?? [];
  const wall = `${day}T${hours}:${minutes}:${seconds}`;
  if (/^[+-]\d{2}:\d{2}$/.test(gmtOffset)) return new Date(`${wall}${gmtOffset}`);
  if (Number.isNaN(Date.parse(`${wall}Z`))) return new Date(Number.NaN);
  const { countryCode = '', country = '' } = location?.address ?? {};
  return instantOf(day, `${hours}:${minutes}`, timeZoneOf(countryCode || country) ?? TIME_ZONE);
}

/** An event without a time would lose the others when it is kept. */
const DatedActivity = Activity.refine((activity) => !Number.isNaN(instantOfActivity(activity).getTime()), {
  path: ['date'],
});
