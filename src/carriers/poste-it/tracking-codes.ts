import type { EventStatus, TrackingStatus } from '../../domain/tracking-status.ts';

/**
 * What Poste's events mean. No list of its codes or phases is public: here is what public clients show (read on 2026-11-21), and
 * everything else is `unrecognised`. Poste gives its customers the list: add a line per code or phase to these two tables.
 */

/** `status`, three letters. It says more than the phase does, so it is looked at first. */
export const TRACKING_CODES: Readonly<Record<string, { status: TrackingStatus }>> = {
  PCP: { status: 'in_transit' }, // in transit at a postal operations centre
};

/** `phase`, in capitals: for every code that is not in the other table. */
export const TRACKING_PHASES: Readonly<Record<string, { status: TrackingStatus }>> = {
  'IN TRANSITO': { status: 'in_transit' },
};

export function statusOf({ status, phase }: { status: string; phase: string }): EventStatus {
  const byCode = Object.hasOwn(TRACKING_CODES, status) ? TRACKING_CODES[status] : undefined;
  const wanted = phase.toUpperCase();
  const byPhase = Object.hasOwn(TRACKING_PHASES, wanted) ? TRACKING_PHASES[wanted] : undefined;
  return (byCode ?? byPhase)?.status ?? 'unrecognised';
}
