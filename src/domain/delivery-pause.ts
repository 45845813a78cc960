/** A receiver that failed for so long without a single success gets nothing any more. */
export const GIVE_UP_MS = 72 * 3_600_000;

const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 4 * 3_600_000;

/**
 * Milliseconds until the next try after so many failures in a row: doubling from ten seconds to four hours, the upper half of it
 * by chance. What the receiver asked for is a floor, up to the longest pause.
 */
export function deliveryPauseMs(failures: number, options: { askedMs?: number | undefined; random?: number } = {}) {
  const ceiling = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(30, Math.max(0, failures - 1)));
  const jittered = ceiling / 2 + (options.random ?? Math.random()) * (ceiling / 2);
  return Math.round(Math.max(jittered, Math.min(LONGEST_PAUSE_MS, options.askedMs ?? 0)));
}
