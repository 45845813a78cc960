import { Company } from '../../db/entities/index.ts';
import { companyEm } from '../../db/orm.ts';
import type { AttentionReason } from '../../domain/attention.ts';
import type { Deps } from '../../engine/deps.ts';
import { type Counted, counted, MAX_COUNTED, READ_ROWS } from '../../lib/counted.ts';
import { todayOf } from '../../lib/period.ts';
import { readReasons } from '../attention/read-reasons.ts';
import { type ContractView, listContracts } from '../partners/read-lists.ts';
import { type HealthOfCarriers, readCarrierHealth } from './read-carrier-health.ts';
import { type Funnel, readFunnel } from './read-funnel.ts';
import { type HeldTotals, readHeldTotals } from './read-held-totals.ts';
import { type ImportState, readImportStates } from './read-import-state.ts';
import { type OpenWork, readOpenWork } from './read-open-work.ts';

export interface ReasonCount {
  reason: AttentionReason;
  counted: Counted;
  oldest: { shipmentId: number; since: Date };
}

export interface Overview {
  at: Date;
  /** YYYY-MM-DD on the company's wall clock. */
  day: string;
  hasOrders: boolean;
  contracts: ContractView[];
  funnel: Funnel;
  /** Oldest first. */
  attention: ReasonCount[];
  held: HeldTotals;
  health: HealthOfCarriers;
  work: OpenWork[];
  imports: ImportState[];
  /** Shipments that a shop does not know, or knows by a dead number. */
  untold: Counted;
}

/** Reads where the day of a company stands. Every number is counted from the rows, and none beyond a limit. */
export async function readOverview(deps: Deps, companyId: number): Promise<Overview> {
  const em = companyEm(deps.orm, companyId);
  const at = deps.now();
  const { settings } = await em.findOneOrFail(Company, companyId);
  const today = todayOf(at, settings.timeZone);
  const contracts = await listContracts(deps, companyId);
  const [orders] = await em.execute<{ some: boolean }[]>(
    'select exists (select 1 from orders where company_id = ?) as some',
    [companyId],
  );
  const funnel = await readFunnel(em, { companyId, today });
  const reasons = await readReasons(deps, em, { companyId, limit: READ_ROWS });
  const held = await readHeldTotals(deps, em, companyId);
  const health = await readCarrierHealth(deps, em, { companyId, contracts });
  const work = await readOpenWork(em, companyId);
  const imports = await readImportStates(deps, em, companyId);
  const isCapped = reasons.length > MAX_COUNTED;
  const untold = reasons.filter(({ notes }) => notes.some(({ reason }) => UNTOLD.includes(reason)));
  return {
    ...{ at, day: today.day, contracts, funnel, held, health, work, imports },
    hasOrders: orders?.some ?? false,
    attention: countReasons(reasons, isCapped),
    untold: { ...counted(untold.length), isCapped },
  };
}

const UNTOLD: readonly AttentionReason[] = ['marketplace-not-told', 'marketplace-told-another-number'];

function countReasons(cases: Awaited<ReturnType<typeof readReasons>>, isCapped: boolean): ReasonCount[] {
  const notes = cases.flatMap((one) =>
    one.notes.map(({ reason, since }) => ({ reason, oldest: { shipmentId: one.shipmentId, since } })),
  );
  return [...Map.groupBy(notes, ({ reason }) => reason)]
    .map(([reason, own]) => ({
      reason,
      counted: { ...counted(own.length), isCapped },
      oldest: own.reduce((first, one) => (one.oldest.since < first.oldest.since ? one : first)).oldest,
    }))
    .toSorted((a, b) => a.oldest.since.getTime() - b.oldest.since.getTime());
}
