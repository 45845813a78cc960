import { type Order, Unit } from './schema.ts';

/** Values of `OrderUnitStatus` (2.27.0) for a piece that has left; some of them have come back. */
const SENT = new Set(['sent', 'sent_and_autopaid', 'received', 'returned', 'returned_paid']);

export function isSent({ status }: Unit): boolean {
  return SENT.has(status);
}

export function isCancelled({ status }: Unit): boolean {
  return status === 'cancelled';
}

/** Reads the units. `unreadable` holds the places of those that cannot be read, counted from 1. */
export function unitsOf({ order_units }: Order): { units: Unit[]; unreadable: number[] } {
  const units: Unit[] = [];
  const unreadable: number[] = [];
  for (const [index, raw] of (order_units ?? []).entries()) {
    const unit = Unit.safeParse(raw);
    if (unit.success) units.push(unit.data);
    else unreadable.push(index + 1);
  }
  return { units, unreadable };
}
