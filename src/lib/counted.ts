/** Counting stops here, so that no backlog makes the answer slow. */
export const MAX_COUNTED = 5000;
/** Rows that a statement reads at most: one more tells that there are others. */
export const READ_ROWS = MAX_COUNTED + 1;

/** A number of rows. When it is capped, there may be others. */
export interface Counted {
  count: number;
  isCapped: boolean;
}

export const NONE: Counted = { count: 0, isCapped: false };

/** Returns a count of at most `READ_ROWS` rows. */
export function counted(rows: number): Counted {
  return { count: Math.min(rows, MAX_COUNTED), isCapped: rows > MAX_COUNTED };
}

/** Adds counts up; a sum with a capped part is capped. */
export function summed(counts: readonly Counted[]): Counted {
  return {
    count: counts.reduce((sum, { count }) => sum + count, 0),
    isCapped: counts.some(({ isCapped }) => isCapped),
  };
}
