import type { CarrierService } from '../adapter.ts';
import { collectionModes } from '../collection.ts';

/** Values of serviceType; the legacy `C` is left out. */
export const SERVICE_TYPES = ['E', 'H'] as const;
/** Values of particularDelivery1 and 2. */
export const PARTICULAR_DELIVERIES = ['A', 'F', 'P', 'S', 'X'] as const;
export const MAX_PARTICULAR_DELIVERIES = 2;
export const HOLD_FOR_PICKUP = 'holdForPickup';

/**
 * Services that can be ordered with a draft alone. B11 to B20 (brtServiceCode) want a return depot, an expiry date or a
 * shop of departure, which a draft lacks.
 */
export const SERVICES: readonly CarrierService[] = [
  { code: 'E', name: 'Priority' },
  { code: 'H', name: 'Consegna entro le 10:30' },
  { code: 'A', name: 'Consegna su appuntamento' },
  { code: 'F', name: 'Fuori misura' },
  { code: 'P', name: 'Consegna al piano' },
  { code: 'S', name: 'Consegna alla grande distribuzione' },
  { code: 'X', name: 'Zona disagiata' },
  { code: HOLD_FOR_PICKUP, name: 'Fermo deposito' },
];

/** Returns codPaymentType, where cash is an empty text; undefined for a payment type that BRT has no code for. */
export const collectionMode = collectionModes('', {
  BM: 'BM', // bank cheque to the sender
  CM: 'CM', // circular cheque to the sender
  BB: 'BB', // bank cheque to the courier, with indemnity
  OM: 'OM', // cheque to the original sender
  OC: 'OC', // circular cheque to the original sender
});
