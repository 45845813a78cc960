import { instantOf } from '../../lib/clock.ts';
import type { CarrierContext, CarrierEvent, ShipmentHandle, TrackingReport } from '../contract.ts';
import { readEach } from '../tracking.ts';
import { TIME_ZONE } from './mapping.ts';
import { refusalOf } from './refusals.ts';
import { type Account, type Activity, TrackAnswer, type TrackedPackage } from './schema.ts';
import { meaningOf } from './tracking-codes.ts';
import { ask } from './wire.ts';

type Context = CarrierContext<Account>;

const LOCALE = 'it_IT';

/** Of the package whose number it is: UPS tells of the others of a shipment under their own numbers. */
export async function track(context: Context, { trackingNumber }: ShipmentHandle): Promise<TrackingReport> {
  const own = await trackNumber(context, trackingNumber);
  if (!own) return { found: false, events: [], related: [] };
  return { found: true, events: readEach(context.log, own.activity, eventOf), related: [] };
}

/** Null when UPS does not know the number yet. */
export async function trackNumber(context: Context, number: string): Promise<TrackedPackage | null> {
  const packages = await packagesOf(context, `/track/v1/details/${encodeURIComponent(number)}`, {
    returnSignature: 'false',
    returnMilestones: 'false',
    returnPOD: 'false',
  });
  const own = packages.find(({ trackingNumber }) => trackingNumber === number);
  if (!own && packages.length > 0) throw new Error('The answer holds other packages only');
  return own ?? null;
}

/** Every package that UPS finds under a reference of the account, picked up between two days YYYYMMDD. */
export function trackReference(
  context: Context,
  reference: string,
  { from, to }: { from: string; to: string },
): Promise<TrackedPackage[]> {
  return packagesOf(context, `/track/v1/reference/details/${encodeURIComponent(reference)}`, {
    fromPickUpDate: from,
    toPickUpDate: to,
    shipperNum: context.account.shipperNumber,
    refNumType: 'SmallPackage',
  });
}

/** "Not found" is 404 by the description, and 200 with a warning in practice. */
async function packagesOf(context: Context, path: string, query: Record<string, string>): Promise<TrackedPackage[]> {
  const operation = path.includes('/reference/') ? 'trackReference' : 'track';
  const question = { operation, effect: 'read', method: 'GET', path, query: { locale: LOCALE, ...query } } as const;
  const answer = await ask(context, question, TrackAnswer);
  if ('errors' in answer) {
    if (answer.status === 404) return [];
    throw refusalOf(answer.errors, answer.status);
  }
  const { shipment } = answer.value.trackResponse;
  const isSilent = shipment.length === 0 || shipment.some((one) => one.package.length + one.warnings.length === 0);
  if (isSilent) throw new Error('The answer holds neither packages nor a warning why');
  return shipment.flatMap((one) => one.package);
}

function eventOf({ date, time, gmtOffset, location, status }: Activity): CarrierEvent {
  const code = status.statusCode || status.type;
  const meaning = meaningOf(code);
  const { city = '', countryCode = '', country = '' } = location?.address ?? {};
  return {
    code,
    text: status.description,
    at: instantOfActivity({ date, time, gmtOffset }),
    location: [city, countryCode || country].filter((part) => part !== '').join(', '),
    note: '',
    status: 'unrecognised',
    ...meaning,
  };
}

/** Times are those of the place, with its distance from Greenwich; where UPS leaves that out, the Italian clock is taken. */
function instantOfActivity({ date, time, gmtOffset }: Pick<Activity, 'date' | 'time' | 'gmtOffset'>): Date {
  const day = date.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
  const [hours, minutes, seconds] = time.padStart(6, '0').match(/\d{2}/g) ?? [];
  if (/^[+-]\d{2}:\d{2}$/.test(gmtOffset)) return new Date(`${day}T${hours}:${minutes}:${seconds}${gmtOffset}`);
  return instantOf(day, `${hours}:${minutes}`, TIME_ZONE);
}
