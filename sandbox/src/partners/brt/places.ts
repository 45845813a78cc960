import { hasCap, localitiesNamed, routeOf } from '../gls-it/localities.ts';

/** Where BRT would bring a parcel. */
export interface Place {
  depot: string;
  depotName: string;
  terminal: string;
  zone: string;
  zip: string;
  city: string;
  province: string;
  isNormalised: boolean;
}

export interface Address {
  zip: string;
  city: string;
  province: string;
  country: string;
}

/**
 * Returns the place; null when there is no route. Italy has none for the postcode 00000 or one that is not five digits, an
 * unknown province, or INESISTENTE in the city. A known city gets its own postcode when another was given, and a missing province
 * is filled in.
 */
export function placeOf({ zip, city, province, country }: Address): Place | null {
  if (country !== 'IT') {
    if (/INESISTENTE/i.test(city)) return null;
    const foreign = { zip, city: city.toUpperCase(), province: '', isNormalised: false };
    return { ...foreign, depot: '999', depotName: `DPD ${country}`, terminal: '099', zone: '00' };
  }
  const [known] = localitiesNamed(city, province);
  const filled = province === '' ? (known?.province ?? '') : province.toUpperCase();
  const right = known && /^\d{5}$/.test(zip) && zip !== '00000' && !hasCap(known, zip) ? known.capFrom : zip;
  const route = routeOf({ city, zip: right, province: filled });
  if (!route) return null;
  const depot = numberOf(filled);
  return {
    depot,
    depotName: known ? known.name.toUpperCase() : `FILIALE ${filled}`,
    terminal: depot,
    zone: route.zone.slice(0, 2),
    zip: right,
    city: city.toUpperCase(),
    province: filled,
    isNormalised: right !== zip || filled !== province.toUpperCase(),
  };
}

/** Depots have numbers; this one follows from the province. */
function numberOf(province: string): string {
  const [first = 0, second = 0] = [...province].map((letter) => letter.charCodeAt(0) - 64);
  return String(first * 30 + second).padStart(3, '0');
}

export interface Point {
  id: string;
  name: string;
  type: 'SHOP' | 'LOCKER';
  street: string;
  number: string;
  zip: string;
  city: string;
  country: string;
}

export const POINTS: readonly Point[] = [
  {
    id: 'IT10001',
    name: 'TABACCHERIA DUOMO',
    type: 'SHOP',
    street: 'VIA TORINO',
    number: '5',
    zip: '20123',
    city: 'MILANO',
    country: 'ITA',
  },
  {
    id: 'IT10002',
    name: 'LOCKER CENTRALE',
    type: 'LOCKER',
    street: 'PIAZZA DUCA D AOSTA',
    number: '1',
    zip: '20124',
    city: 'MILANO',
    country: 'ITA',
  },
  {
    id: 'IT10003',
    name: 'EDICOLA TERMINI',
    type: 'SHOP',
    street: 'VIA GIOLITTI',
    number: '40',
    zip: '00185',
    city: 'ROMA',
    country: 'ITA',
  },
  {
    id: 'IT10004',
    name: 'CARTOLERIA CHIUSA',
    type: 'SHOP',
    street: 'VIA MANIN',
    number: '9',
    zip: '20121',
    city: 'MILANO',
    country: 'ITA',
  },
];
/** Listed, and not open to new parcels. */
export const CLOSED_POINT = 'IT10004';
