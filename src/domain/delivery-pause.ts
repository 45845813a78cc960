/** Milliseconds of failures without a success until an endpoint is disabled. */
export const GIVE_UP_MS = 72 * 3_600_000;

const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 4 * 3_600_000;

/**
 * Returns the milliseconds until the next try, by the number of failures in a row. The backoff doubles from ten seconds
 * to four hours, and its upper half is random. The receiver's Retry-After is a floor, up to the longest pause.
 */
export function deliveryPauseMs(failures: number, options: { askedMs?: number | undefined; random?: number } = {}) {
  const ceiling = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(30, Math.max(0, failures - 1)));
  const jittered = ceiling / 2 + (options.random ?? Math.random()) * (ceiling / 2);
  return Math.round(Math.max(jittered, Math.min(LONGEST_PAUSE_MS, options.askedMs ?? 0)));
}
