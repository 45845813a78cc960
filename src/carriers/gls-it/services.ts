import type { CarrierService } from '../adapter.ts';
import { collectionModes } from '../collection.ts';

/**
 * Extra services of the national network (ServiziAccessori). 34, booking at a retail chain's warehouse, is left out
 * because it needs a booking date that a draft does not carry.
 */
export const SERVICES: readonly CarrierService[] = [
  { code: '01', name: 'Consegna entro le 12' },
  { code: '02', name: 'Consegna a ora fissa' },
  { code: '03', name: 'Consegna di primo mattino' },
  { code: '05', name: 'Consegna al piano' },
  { code: '06', name: 'Mezzo idoneo' },
  { code: '07', name: 'Consegna di sabato' },
  { code: '08', name: 'Verifica del contenuto' },
  { code: '14', name: 'Venezia, variante 14' },
  { code: '15', name: 'Venezia, variante 15' },
  { code: '16', name: 'Venezia, variante 16' },
  { code: '21', name: 'Venezia, variante 21' },
  { code: '22', name: 'Express12' },
  { code: '23', name: 'Ritorno documenti' },
  { code: '24', name: 'Scambio' },
  { code: '25', name: 'Preavviso telefonico' },
  { code: '27', name: 'Timbro' },
  { code: '28', name: 'e-ROD' },
  { code: '29', name: 'Consegna di sabato pomeriggio' },
  { code: '31', name: 'FlexDelivery' },
  { code: '36', name: 'Saturday Express' },
];

export const FLEX_DELIVERY = '31';
export const MAX_SERVICES = 6;

/** How the courier may take the money (ModalitaIncasso). */
const MODES = ['CONT', 'AC', 'AB', 'AP', 'ASS', 'ABP', 'ASR', 'ARM', 'ABC', 'ASRP', 'ARMP'];

/** Returns undefined for a payment type that the carrier has no code for. */
export const collectionMode = collectionModes('CONT', Object.fromEntries(MODES.map((mode) => [mode, mode])));
