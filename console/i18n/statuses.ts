import { currentLanguage } from './index.ts';

const NAMES: Readonly<Record<string, { en: string; it: string }>> = {
  pending: { en: 'to ship', it: 'da spedire' },
  shipment_created: { en: 'label bought', it: 'etichetta creata' },
  transmitted: { en: 'transmitted', it: 'trasmesso' },
  manifested: { en: 'on a bordero', it: 'in borderò' },
  shipped: { en: 'on its way', it: 'in viaggio' },
  delivered: { en: 'delivered', it: 'consegnato' },
  held: { en: 'held', it: 'in giacenza' },
  returned: { en: 'returned', it: 'reso' },
  cancelled: { en: 'cancelled', it: 'annullato' },
  error: { en: 'refused', it: 'rifiutato' },
  queued: { en: 'waiting', it: 'in coda' },
  submitting: { en: 'asking the carrier', it: 'richiesta in corso' },
  created: { en: 'label bought', it: 'etichetta creata' },
  rejected: { en: 'refused', it: 'rifiutato' },
  failed: { en: 'failed', it: 'fallito' },
  unknown_outcome: { en: 'outcome unknown', it: 'esito ignoto' },
  expired: { en: 'no longer followed', it: 'non più seguito' },
  in_transit: { en: 'on its way', it: 'in viaggio' },
  out_for_delivery: { en: 'out for delivery', it: 'in consegna' },
};

/** Returns the word for a status of an order or a shipment; an unknown one is shown as it is. */
export function statusName(status: string): string {
  return NAMES[status]?.[currentLanguage()] ?? status.replaceAll('_', ' ');
}
