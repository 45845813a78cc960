/**
 * Where a parcel is, by rank: a higher rank wins, a lower one is stored and changes nothing; ranks 2 and 3 move freely
 * between each other, since a parcel that was out for delivery does go back to the depot.
 */
export const TRACKING_STATUSES = {
  awaiting_pickup: 0,
  picked_up: 1,
  in_transit: 2,
  out_for_delivery: 3,
  available_for_pickup: 3,
  attempt_failed: 3,
  held: 3,
  exception: 3,
  returning: 4,
  delivered: 9,
  returned: 9,
  lost: 9,
  destroyed: 9,
} as const;

export type TrackingStatus = keyof typeof TRACKING_STATUSES;

/** What an adapter may say of an event; `unrecognised` keeps the raw code and never moves a shipment. */
export type EventStatus = TrackingStatus | 'unrecognised';

export const FINAL_RANK = 9;
const FREE_RANKS = new Set([2, 3]);

export function isFinal(status: TrackingStatus | null): boolean {
  return status !== null && TRACKING_STATUSES[status] === FINAL_RANK;
}

/** The status after an event: never backwards, never out of a final one. */
export function nextTrackingStatus(current: TrackingStatus | null, event: EventStatus): TrackingStatus | null {
  if (event === 'unrecognised') return current;
  if (current === null) return event;
  const from = TRACKING_STATUSES[current];
  const to = TRACKING_STATUSES[event];
  if (from === FINAL_RANK) return current;
  if (to > from || (FREE_RANKS.has(from) && FREE_RANKS.has(to))) return event;
  return current;
}

export interface Presentation {
  label: string;
  classStyle: string;
  color: string;
  icon: string;
}

/** How a status is shown: Italian label, style class, colour and icon name, as the tracking endpoint answers them. */
export const PRESENTATION: Record<EventStatus, Presentation> = {
  awaiting_pickup: { label: 'In attesa di ritiro', classStyle: 'pending', color: '#64748b', icon: 'clock' },
  picked_up: { label: 'Ritirato', classStyle: 'info', color: '#0284c7', icon: 'package' },
  in_transit: { label: 'In transito', classStyle: 'info', color: '#0284c7', icon: 'truck' },
  out_for_delivery: { label: 'In consegna', classStyle: 'primary', color: '#4f46e5', icon: 'truck-delivery' },
  available_for_pickup: { label: 'Disponibile per il ritiro', classStyle: 'primary', color: '#4f46e5', icon: 'store' },
  attempt_failed: { label: 'Tentativo di consegna fallito', classStyle: 'warning', color: '#d97706', icon: 'alert' },
  held: { label: 'In giacenza', classStyle: 'warning', color: '#d97706', icon: 'warehouse' },
  exception: { label: 'Anomalia', classStyle: 'danger', color: '#dc2626', icon: 'alert' },
  returning: { label: 'In rientro al mittente', classStyle: 'warning', color: '#d97706', icon: 'undo' },
  delivered: { label: 'Consegnato', classStyle: 'success', color: '#16a34a', icon: 'check' },
  returned: { label: 'Reso al mittente', classStyle: 'secondary', color: '#475569', icon: 'undo' },
  lost: { label: 'Smarrito', classStyle: 'danger', color: '#dc2626', icon: 'x' },
  destroyed: { label: 'Distrutto', classStyle: 'danger', color: '#dc2626', icon: 'x' },
  unrecognised: { label: 'Stato del corriere', classStyle: 'secondary', color: '#475569', icon: 'info' },
};
