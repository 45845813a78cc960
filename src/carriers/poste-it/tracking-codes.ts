import type { EventStatus, TrackingStatus } from '../../domain/tracking-status.ts';

/**
 * The meaning of Poste's events. No list of its codes or phases is public. Public clients show `PCP` and `IN TRANSITO` (read on
 * 2026-11-21). Customers of Poste are given `003` and the other phases (2026-11-22). Everything else is `unrecognised`:
 * add a line per code or phase to these two tables.
 */

/** `status`, three letters. It says more than the phase does, so it is looked at first. */
export const TRACKING_CODES: Readonly<Record<string, { status: TrackingStatus }>> = {
  PCP: { status: 'in_transit' }, // in transit at a postal operations centre
  '003': { status: 'held' }, // giacenza, in whatever phase
};

/** `phase`, in capitals: for every code that is not in the other table. */
export const TRACKING_PHASES: Readonly<Record<string, { status: TrackingStatus }>> = {
  'PRESA IN CARICO': { status: 'picked_up' },
  'IN TRANSITO': { status: 'in_transit' },
  'IN CONSEGNA': { status: 'out_for_delivery' },
  CONSEGNATA: { status: 'delivered' },
  'RESO AL MITTENTE': { status: 'returned' },
};

export function statusOf({ status, phase }: { status: string; phase: string }): EventStatus {
  // Written as a number, a code has lost the zeros in front.
  const code = /^\d{1,2}$/.test(status) ? status.padStart(3, '0') : status;
  const byCode = Object.hasOwn(TRACKING_CODES, code) ? TRACKING_CODES[code] : undefined;
  const wanted = phase.toUpperCase();
  const byPhase = Object.hasOwn(TRACKING_PHASES, wanted) ? TRACKING_PHASES[wanted] : undefined;
  return (byCode ?? byPhase)?.status ?? 'unrecognised';
}
