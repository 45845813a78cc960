/** The decisions that a shipper may take about a parcel in giacenza. */
export const HELD_ACTIONS = [
  'REDISPATCH_SAME_ADDRESS',
  'REDISPATCH_NEW_ADDRESS',
  'RETURN_TO_SENDER',
  'DESTROY',
  'PICKUP_AT_DEPOT',
  'PICKUP_AT_OFFICE',
  'PICKUP_AT_LOCKER',
  'PICKUP_AT_SHOP',
] as const;

export type HeldAction = (typeof HELD_ACTIONS)[number];

/** Actions that send the parcel to a named place of the carrier's. */
const TO_POINT: readonly string[] = ['PICKUP_AT_OFFICE', 'PICKUP_AT_LOCKER', 'PICKUP_AT_SHOP'];

export function isHeldAction(text: string): text is HeldAction {
  return (HELD_ACTIONS as readonly string[]).includes(text);
}

export function isToPoint(action: string): boolean {
  return TO_POINT.includes(action);
}
