/** From the warehouse to the customer, or a customer's return. */
export const DIRECTIONS = ['outbound', 'return'] as const;
export type Direction = (typeof DIRECTIONS)[number];
