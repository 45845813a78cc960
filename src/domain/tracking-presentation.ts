import type { EventStatus } from './tracking-status.ts';

export const LANGUAGES = ['it', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The display of a status; `classStyle`, `color` and `icon` as the tracking endpoint answers them. */
export interface Presentation {
  label: string;
  classStyle: string;
  color: string;
  icon: string;
}

const TABLE: Record<EventStatus, Omit<Presentation, 'label'> & { label: Record<Language, string> }> = {
  awaiting_pickup: {
    label: { it: 'In attesa di ritiro', en: 'Awaiting collection' },
    classStyle: 'pending',
    color: '#64748b',
    icon: 'clock',
  },
  picked_up: { label: { it: 'Ritirato', en: 'Collected' }, classStyle: 'info', color: '#0284c7', icon: 'package' },
  in_transit: { label: { it: 'In transito', en: 'In transit' }, classStyle: 'info', color: '#0284c7', icon: 'truck' },
  out_for_delivery: {
    label: { it: 'In consegna', en: 'Out for delivery' },
    classStyle: 'primary',
    color: '#4f46e5',
    icon: 'truck-delivery',
  },
  available_for_pickup: {
    label: { it: 'Disponibile per il ritiro', en: 'Ready to be picked up' },
    classStyle: 'primary',
    color: '#4f46e5',
    icon: 'store',
  },
  attempt_failed: {
    label: { it: 'Tentativo di consegna fallito', en: 'Delivery attempt failed' },
    classStyle: 'warning',
    color: '#d97706',
    icon: 'alert',
  },
  held: {
    label: { it: 'In giacenza', en: 'Held by the carrier' },
    classStyle: 'warning',
    color: '#d97706',
    icon: 'warehouse',
  },
  exception: {
    label: { it: 'Anomalia', en: 'Something is wrong' },
    classStyle: 'danger',
    color: '#dc2626',
    icon: 'alert',
  },
  returning: {
    label: { it: 'In rientro al mittente', en: 'On its way back to the sender' },
    classStyle: 'warning',
    color: '#d97706',
    icon: 'undo',
  },
  delivered: { label: { it: 'Consegnato', en: 'Delivered' }, classStyle: 'success', color: '#16a34a', icon: 'check' },
  returned: {
    label: { it: 'Reso al mittente', en: 'Returned to the sender' },
    classStyle: 'secondary',
    color: '#475569',
    icon: 'undo',
  },
  lost: { label: { it: 'Smarrito', en: 'Lost' }, classStyle: 'danger', color: '#dc2626', icon: 'x' },
  destroyed: { label: { it: 'Distrutto', en: 'Destroyed' }, classStyle: 'danger', color: '#dc2626', icon: 'x' },
  unrecognised: {
    label: { it: 'Stato del corriere', en: 'Carrier status' },
    classStyle: 'secondary',
    color: '#475569',
    icon: 'info',
  },
};

/** Returns the display of a status. */
export function presentationOf(status: EventStatus, language: Language): Presentation {
  const { label, ...rest } = TABLE[status];
  return { label: label[language], ...rest };
}
