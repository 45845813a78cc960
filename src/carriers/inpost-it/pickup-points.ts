import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, PickupPoint, PickupPointQuestion } from '../adapter.ts';
import { notAsked } from './refusals.ts';
import { type Account, Point, PointList } from './schema.ts';
import { call } from './wire.ts';

const MAX_POINTS = 25;

/** Lockers and shops around a postcode, or of a city. */
export async function findPickupPoints(
  context: CarrierContext<Account>,
  { zip, city, countryCode }: PickupPointQuestion,
): Promise<PickupPoint[]> {
  if (countryCode.toUpperCase() !== 'IT') return [];
  const place = zip.trim() === '' ? city.trim() : zip.trim();
  if (place === '') throw notAsked('it looks for points by postcode or city');
  const where: Record<string, string> = zip.trim() === '' ? { city: place } : { relative_post_code: place };
  const { items } = await call(
    context,
    {
      operation: 'points',
      effect: 'read',
      method: 'GET',
      path: '/v1/points',
      query: { ...where, limit: String(MAX_POINTS), per_page: String(MAX_POINTS) },
      host: context.account.pointsBaseUrl,
      isPublic: true,
    },
    PointList,
  );
  return readEach(Point, items, warnOf(context.log, 'pickup points'))
    .filter(({ status }) => status.toLowerCase() === 'operating')
    .toSorted((a, b) => (a.distance ?? Infinity) - (b.distance ?? Infinity))
    .map(pointOf);
}

/** Shops are also marked as lockers, since what goes to a locker may go there: that they are shops is in the other marks. */
const SHOP_TYPES = new Set(['pop', 'pok', 'parcel_locker_superpop']);

function pointOf(point: Point): PickupPoint {
  const { street = '', building_number = '', city = '', post_code = '', province = '' } = point.address_details ?? {};
  return {
    id: point.name,
    name: [point.name, point.location_description].filter((part) => part !== '').join(', '),
    type: point.type.some((type) => SHOP_TYPES.has(type)) ? 'shop' : 'locker',
    address: `${street} ${building_number}`.trim() || (point.address?.line1 ?? ''),
    city,
    // A postcode written as a number has lost the zeros in front.
    zip: /^\d{1,5}$/.test(post_code) ? post_code.padStart(5, '0') : post_code,
    province,
    countryCode: 'IT',
    latitude: point.location?.latitude ?? null,
    longitude: point.location?.longitude ?? null,
    openingHours: point.opening_hours,
    takesCod: point.payment_available ?? null,
  };
}
