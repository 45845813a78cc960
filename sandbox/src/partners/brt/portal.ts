import type { Books } from './books.ts';
import { DECISIONS, isHeld } from './journey.ts';
import { trackingIdOf } from './shipment.ts';

/**
 * Takes a decision about a parcel in giacenza, as a person does in BRT's portal, which has no interface. Returns what is wrong;
 * null when done.
 */
export function decideInPortal(
  books: Books,
  { number, decision }: { number?: unknown; decision?: unknown },
): string | null {
  const shipment = books.find((known) => known.id === number || trackingIdOf(known, 1) === number);
  if (!shipment) return 'There is no such shipment';
  if (typeof decision !== 'string' || !Object.hasOwn(DECISIONS, decision)) {
    return `decision must be one of ${Object.keys(DECISIONS).join(', ')}`;
  }
  if (!isHeld(shipment, books.now())) return 'The shipment is not in giacenza';
  books.decide(shipment, decision);
  return null;
}
