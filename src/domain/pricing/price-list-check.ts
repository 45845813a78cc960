import type { PriceList } from './price-list.ts';
import { type Claim, claimsOf } from './zone-claims.ts';

/** A rule that a price list breaks, at its place in the list. */
export interface PriceListProblem {
  path: (string | number)[];
  message: string;
}

/**
 * Lists the broken rules of a written list, beyond its schema. No two zones may claim the same place at the same
 * closeness, since the first one would silently win. Sale and purchase may differ in everything.
 */
export function priceListProblems(list: PriceList): PriceListProblem[] {
  const claims = claimsOf(list);
  const problems: PriceListProblem[] = [];
  const told = new Set<string>();
  const report = (one: Claim, other: Claim, words: string): void => {
    const [first, second] = one.zone < other.zone ? [one, other] : [other, one];
    const message = `The zones ${list.zones[first.zone]?.code} and ${list.zones[second.zone]?.code} both claim ${words}`;
    if (told.has(message)) return;
    told.add(message);
    problems.push({ path: second.path, message });
  };
  for (const same of Map.groupBy(claims, ({ key }) => key).values()) {
    if (same[0]?.range) reportOverlaps(same, report);
    else reportShared(same, report);
  }
  return problems;
}

function reportShared(same: readonly Claim[], report: (one: Claim, other: Claim, words: string) => void): void {
  const [first, ...others] = same;
  for (const other of others) {
    if (first && other.zone !== first.zone) report(first, other, other.words);
  }
}

/** Sorts ranges by their beginning: each is compared with the open ones before it. */
function reportOverlaps(same: readonly Claim[], report: (one: Claim, other: Claim, words: string) => void): void {
  const ranges = same
    .flatMap((claim) => (claim.range ? [{ claim, ...claim.range }] : []))
    .toSorted((a, b) => (a.from < b.from ? -1 : a.from > b.from ? 1 : 0));
  let open: typeof ranges = [];
  for (const range of ranges) {
    open = open.filter(({ to }) => to >= range.from);
    for (const other of open) {
      if (other.claim.zone === range.claim.zone) continue;
      const end = other.to < range.to ? other.to : range.to;
      const shared = range.from === end ? `code ${end}` : `codes ${range.from}-${end}`;
      report(other.claim, range.claim, `the postal ${shared}`);
    }
    open.push(range);
  }
}
