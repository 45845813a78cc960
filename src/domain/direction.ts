/** From the warehouse to the customer, or what the customer sends back. */
export const DIRECTIONS = ['outbound', 'return'] as const;
export type Direction = (typeof DIRECTIONS)[number];
