import { instantOf, wallClock } from '../lib/clock.ts';
import type { HeldAction } from './held-actions.ts';

/** What a carrier does with a held parcel that nobody decides about. */
export const HELD_DEFAULTS = ['return', 'destroy', 'return_or_destroy'] as const;
export type HeldDefault = (typeof HELD_DEFAULTS)[number];

/** Days after the one on which giacenza opened; working days are Monday to Friday. */
export interface HeldTerm {
  days: number;
  of: 'calendar' | 'working';
}

/** How a carrier treats parcels in giacenza, as far as it is known; null is unknown, and shown so. */
export interface HeldPolicy {
  /** What only its portal offers. */
  portalActions: readonly HeldAction[] | null;
  /** Whether it charges for a decision; one that is not named is unknown. */
  billed: Partial<Record<HeldAction, boolean>>;
  /** When it decides by itself. */
  term: HeldTerm | null;
  byDefault: HeldDefault | null;
  /** How a person decides in the portal, one sentence each. */
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

/** The last moment at which a decision is surely in time: the beginning of the day that the term ends on. Holidays are not counted out, which makes it earlier at most. */
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

/** What can be decided: by the carrier's interface, and in its portal what only that offers. Null: nobody knows what there is. */
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
