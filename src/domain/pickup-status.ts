/** `unknown`: the carrier's answer was lost, so a courier may or may not come; `failed`: none will come. */
export const PICKUP_STATUSES = ['requested', 'booked', 'failed', 'unknown', 'cancelled'] as const;
export type PickupStatus = (typeof PICKUP_STATUSES)[number];
