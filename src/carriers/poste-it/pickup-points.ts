import { readEach, warnOf } from '../../lib/read-each.ts';
import type { CarrierContext, PickupPoint, PickupPointQuestion } from '../adapter.ts';
import { degrees } from '../fields.ts';
import { failureOfOutcome, isFine, notAsked } from './codes.ts';
import type { ChosenPoint } from './mapping.ts';
import { type Account, DeliveryPoint, PointsAnswer } from './schema.ts';
import { POINT_SERVICES, type PointKind } from './services.ts';
import { ask } from './wire.ts';

type Context = CarrierContext<Account>;

const TYPES: Readonly<Record<PointKind, PickupPoint['type']>> = { APT: 'locker', RTZ: 'shop' };

/** Reads kind, postcode and Poste's own code. A waybill wants a point's name too, which is found again by these. */
export function readPointId(id: string): { kind: PointKind; zip: string; node: string } | null {
  const [, kind = '', zip = '', node = ''] = /^(APT|RTZ)-(\d{5})-(\S+)$/.exec(id) ?? [];
  return Object.hasOwn(POINT_SERVICES, kind) ? { kind: kind as PointKind, zip, node } : null;
}

/** Lockers and PuntoPoste shops of a postcode. Poste says nothing of distances: they are in its own order. */
export async function findPickupPoints(context: Context, question: PickupPointQuestion): Promise<PickupPoint[]> {
  const zip = question.zip.trim();
  if (question.countryCode.toUpperCase() !== 'IT') return [];
  if (!/^\d{5}$/.test(zip)) throw notAsked('it looks for points by a postcode of five digits');
  const found: PickupPoint[] = [];
  for (const kind of Object.keys(POINT_SERVICES) as PointKind[]) {
    const raws = await pointsOf(context, kind, zip);
    const points = readEach(DeliveryPoint, raws, warnOf(context.log, 'pickup points'));
    found.push(...points.map((point) => pickupPointOf(kind, zip, point)));
  }
  return found;
}

/** Looks the point up before anything is written: one that is gone would be refused, or worse. */
export async function chosenPoint(context: Context, id: string): Promise<ChosenPoint> {
  const wanted = readPointId(id);
  const raws = wanted ? await pointsOf(context, wanted.kind, wanted.zip) : [];
  let isWhole = true;
  const points = readEach(DeliveryPoint, raws, () => {
    isWhole = false;
  });
  const point = points.find(({ officeCode }) => officeCode === wanted?.node);
  // An element that cannot be read may be the wanted one: then it is not gone.
  if (!point && !isWhole) throw new Error(`The list of points is not whole, and ${id} is not in the rest`);
  if (!wanted || !point) throw notAsked(`it does not list the pick-up point ${id} any more: choose another one`);
  return { kind: wanted.kind, node: point.officeCode, name: point.officeDescription };
}

async function pointsOf(context: Context, kind: PointKind, zip: string): Promise<unknown[]> {
  const { return: said } = await ask(
    context,
    { operation: 'deliveryPoint', effect: 'read', method: 'GET', query: { zipCode: zip, serviceType: kind } },
    PointsAnswer,
  );
  if (said.outcome === 'KO' || !isFine({ errorCode: said.code })) {
    throw failureOfOutcome(said.code, '');
  }
  return said.deliveryPoint;
}

function pickupPointOf(kind: PointKind, zip: string, point: DeliveryPoint): PickupPoint {
  return {
    id: `${kind}-${zip}-${point.officeCode}`,
    name: point.officeDescription,
    type: TYPES[kind],
    address: point.address,
    city: point.place,
    zip: point.zipCode,
    province: point.province,
    countryCode: 'IT',
    latitude: degrees(point.YDegree),
    longitude: degrees(point.XDegree),
    openingHours: [
      hours('Lun-Ven', point.openTimeMon, point.closeTimeMon),
      hours('Sab', point.openTimeSat, point.closeTimeSat),
    ]
      .filter((part) => part !== '')
      .join(', '),
    takesCod: null,
  };
}

function hours(days: string, from: string, to: string): string {
  return from === '' || to === '' ? '' : `${days} ${from.slice(0, 5)}-${to.slice(0, 5)}`;
}
