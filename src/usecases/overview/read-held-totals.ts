import type { Em } from '../../db/orm.ts';
import { deadlineOf, type HeldPolicy, UNKNOWN_POLICY } from '../../domain/held-policy.ts';
import type { Deps } from '../../engine/deps.ts';
import { type Counted, counted, MAX_COUNTED, READ_ROWS } from '../../lib/counted.ts';

/** The parcels that wait at depots now. */
export interface HeldTotals {
  /** They need a decision. */
  open: Counted;
  /** A decision was taken, and tracking has not shown it. */
  decided: Counted;
  /** All full days of all of them. */
  days: number;
  oldestSince: Date | null;
  /** The next moment at which a carrier decides by itself; null: unknown. */
  nextDeadline: Date | null;
  /** Open ones whose carrier is known to charge for a decision, to charge for none, or neither. */
  billed: { charged: number; free: number; unknown: number };
}

interface Row {
  openedAt: string;
  deadline: string | null;
  isDecided: boolean;
  code: string;
}

const DAY_MS = 86_400_000;

/** Reads the parcels in giacenza. Policies say whether a carrier charges, and none says how much. */
export async function readHeldTotals(deps: Deps, em: Em, companyId: number): Promise<HeldTotals> {
  const rows = await em.execute<Row[]>(
    `select h.opened_at as "openedAt", h.deadline, h.decided_at is not null as "isDecided", c.code
       from held_cases h join shipments s on s.company_id = h.company_id and s.id = h.shipment_id
            join carriers c on c.id = s.carrier_id
      where h.company_id = ? and h.closed_at is null and h.opened_at is not null
        and s.process_status not in ('cancelled', 'rejected') limit ?`,
    [companyId, READ_ROWS],
  );
  const isCapped = rows.length > MAX_COUNTED;
  const now = deps.now().getTime();
  const open = rows.filter(({ isDecided }) => !isDecided);
  const policyOf = ({ code }: Row): HeldPolicy => deps.carriers.get(code)?.held ?? UNKNOWN_POLICY;
  const deadlines = open.flatMap((row) => {
    const at = row.deadline === null ? deadlineOf(new Date(row.openedAt), policyOf(row).term) : new Date(row.deadline);
    return at === null || at.getTime() < now ? [] : [at.getTime()];
  });
  const billed = open.map((row) => chargeOf(policyOf(row)));
  const since = rows.map(({ openedAt }) => Date.parse(openedAt));
  return {
    open: { ...counted(open.length), isCapped },
    decided: { ...counted(rows.length - open.length), isCapped },
    days: since.reduce((days, at) => days + Math.max(0, Math.floor((now - at) / DAY_MS)), 0),
    oldestSince: earliest(since),
    nextDeadline: earliest(deadlines),
    billed: {
      charged: billed.filter((one) => one === true).length,
      free: billed.filter((one) => one === false).length,
      unknown: billed.filter((one) => one === null).length,
    },
  };
}

function chargeOf({ billed }: HeldPolicy): boolean | null {
  const known = Object.values(billed);
  if (known.length === 0) return null;
  return known.includes(true);
}

function earliest(times: readonly number[]): Date | null {
  return times.length === 0 ? null : new Date(times.reduce((first, at) => Math.min(first, at)));
}
