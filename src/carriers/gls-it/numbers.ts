/** Seen by one public client where a shipment was refused (2026-11-21). */
const ERROR_NUMBER = '999999999';

export function isNumber(number: string): boolean {
  return number.length === 9 && number !== ERROR_NUMBER;
}

/** Returns true for the number of a shipment without a route ("GLS Check"), which GLS's list leaves out. */
export function isUnrouted(number: string): boolean {
  return number.startsWith('8');
}
