import type { CarrierService } from '../adapter.ts';
import { collectionModes } from '../collection.ts';

/** National products and accessory services, from a public client of Poste Delivery Business as read on 2026-11-21. */

export const STANDARD = 'APT000902';
export const EXPRESS = 'APT000901';
export const PRODUCTS: readonly CarrierService[] = [
  { code: STANDARD, name: 'PosteDelivery Business Standard' },
  { code: EXPRESS, name: 'PosteDelivery Business Express' },
];

/** Hours of the same delivery, so one at most. */
export const TIME_DEFINITE = ['APT000905', 'APT000906', 'APT000907'] as const;

/**
 * Services that are ordered by their code alone. Services with a date, a slot or another parameter that a draft lacks
 * are left out (909, 912, 982 to 1005). Returns and round trips (928, 929, 979 to 981) and international services are
 * left out too.
 */
export const ACCESSORIES: readonly CarrierService[] = [
  { code: 'APT000905', name: 'Consegna entro le 9' },
  { code: 'APT000906', name: 'Consegna entro le 10' },
  { code: 'APT000907', name: 'Consegna entro le 12' },
  { code: 'APT000908', name: 'Consegna su appuntamento' },
  { code: 'APT000910', name: 'Consegna di sabato' },
  { code: 'APT000911', name: 'Consegna di sera' },
  { code: 'APT000913', name: 'Consegna al piano' },
  { code: 'APT000914', name: 'Consegna al vicino' },
  { code: 'APT000915', name: 'Ritiro su appuntamento' },
  { code: 'APT000917', name: 'Ritiro al piano' },
  { code: 'APT000946', name: 'Consegna a domicilio' },
];

/** Ordered by what the draft says. */
export const COD = 'APT000918';
export const FULL_COVER = 'APT000919';
export const MULTI_PARCEL = 'APT000945';

/** The two kinds of points that `deliveryPoint` knows and a parcel can be sent to, with the service that does it. */
export const POINT_SERVICES = { APT: 'APT000948', RTZ: 'APT000947' } as const;
export type PointKind = keyof typeof POINT_SERVICES;

export function isProduct(option: string): boolean {
  return PRODUCTS.some(({ code }) => code === option);
}

export function isAccessory(option: string): boolean {
  return ACCESSORIES.some(({ code }) => code === option);
}

/** Returns paymentMode; undefined for a payment type that Poste has no code for. */
export const collectionMode = collectionModes('CON', {
  CON: 'CON',
  ACM: 'ACM', // circular cheque to the sender
  ABM: 'ABM', // bank cheque to the sender
});
