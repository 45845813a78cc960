import { instantOf, wallClock } from '../lib/clock.ts';
import type { HeldAction } from './held-actions.ts';

/** A carrier's own action on a held parcel without a decision. */
export const HELD_DEFAULTS = ['return', 'destroy', 'return_or_destroy'] as const;
export type HeldDefault = (typeof HELD_DEFAULTS)[number];

/** Days after the one on which giacenza opened; working days are Monday to Friday. */
export interface HeldTerm {
  days: number;
  of: 'calendar' | 'working';
}

/** A carrier's known rules for parcels in giacenza; null is unknown, and shown so. */
export interface HeldPolicy {
  /** Actions that only its portal offers. */
  portalActions: readonly HeldAction[] | null;
  /** True when it charges for a decision; a missing action is unknown. */
  billed: Partial<Record<HeldAction, boolean>>;
  /** When the carrier decides by itself. */
  term: HeldTerm | null;
  byDefault: HeldDefault | null;
  /** Steps in the portal, one sentence each. */
  portalSteps: readonly string[] | null;
}

export const UNKNOWN_POLICY: HeldPolicy = {
  portalActions: null,
  billed: {},
  term: null,
  byDefault: null,
  portalSteps: null,
};

/** Depots of the carriers here are in Italy. */
const TIME_ZONE = 'Europe/Rome';

/**
 * Returns the last moment at which a decision is certainly in time: the beginning of the day that the term ends on.
 * Holidays are not subtracted, so it may only be too early.
 */
export function deadlineOf(openedAt: Date, term: HeldTerm | null): Date | null {
  if (term === null) return null;
  const day = new Date(`${wallClock(openedAt, TIME_ZONE).date}T00:00:00Z`);
  for (let left = term.days; left > 0; ) {
    day.setUTCDate(day.getUTCDate() + 1);
    if (term.of === 'calendar' || isWeekday(day)) left -= 1;
  }
  return instantOf(day.toISOString().slice(0, 10), '00:00', TIME_ZONE);
}

function isWeekday(day: Date): boolean {
  return day.getUTCDay() !== 0 && day.getUTCDay() !== 6;
}

export interface OfferedAction {
  action: HeldAction;
  via: 'api' | 'portal';
  /** Null: unknown. */
  billed: boolean | null;
}

/**
 * Returns the possible decisions: by the carrier's interface, and in its portal those that only the portal offers.
 * Null: unknown.
 */
export function offeredActions(byApi: readonly HeldAction[], policy: HeldPolicy): OfferedAction[] | null {
  if (byApi.length === 0 && policy.portalActions === null) return null;
  const offer = (via: OfferedAction['via']) => (action: HeldAction) => ({
    action,
    via,
    billed: policy.billed[action] ?? null,
  });
  const inPortal = (policy.portalActions ?? []).filter((action) => !byApi.includes(action));
  return [...byApi.map(offer('api')), ...inPortal.map(offer('portal'))];
}
