/** What a shipper may decide about a parcel in giacenza. */
export const HELD_ACTIONS = [
  'REDISPATCH_SAME_ADDRESS',
  'REDISPATCH_NEW_ADDRESS',
  'RETURN_TO_SENDER',
  'DESTROY',
  'PICKUP_AT_DEPOT',
] as const;

export type HeldAction = (typeof HELD_ACTIONS)[number];

export function isHeldAction(text: string): text is HeldAction {
  return (HELD_ACTIONS as readonly string[]).includes(text);
}
