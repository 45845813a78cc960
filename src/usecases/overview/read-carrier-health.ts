import type { Em } from '../../db/orm.ts';
import { quotedArray } from '../../db/queries/sql.ts';
import type { Deps } from '../../engine/deps.ts';
import type { ContractView } from '../partners/read-lists.ts';
import { pollBudgetOf } from '../tracking/track-shipments.ts';

const HOUR_MS = 3_600_000;
const POINTS = 12;
const POINT_SECONDS = HOUR_MS / 1000 / POINTS;
/** A busy hour is judged by its last calls. */
const MAX_CALLS = 20_000;

/** The calls of five minutes. */
export interface HealthPoint {
  calls: number;
  failures: number;
}

/** The exchanges of a contract within the last hour. */
export interface CarrierHealth extends HealthPoint {
  /** Milliseconds; null: there were no calls. */
  p50Ms: number | null;
  p95Ms: number | null;
  /** Oldest first. */
  points: HealthPoint[];
  /** Between 0 and 1; null: it is not polled. */
  pollBudgetUsed: number | null;
}

export interface HealthOfCarriers {
  since: Date;
  /** True: there were more calls, and only the last ones were read. */
  isCapped: boolean;
  byContract: ReadonlyMap<number, CarrierHealth>;
}

interface Row {
  contractId: number;
  /** Null: the whole hour. */
  point: number | null;
  calls: number;
  failures: number;
  p50: number;
  p95: number;
}

/** A refusal such as 404 or 422 is an answer. A partner that refuses our account does not work for us. */
const HAS_FAILED = `(e.error is not null or e.status is null or e.status >= 500 or e.status in (401, 403, 408, 429))`;

/** Reads how the carriers of these contracts answered within the last hour. */
export async function readCarrierHealth(
  deps: Deps,
  em: Em,
  { companyId, contracts }: { companyId: number; contracts: readonly ContractView[] },
): Promise<HealthOfCarriers> {
  const since = new Date(deps.now().getTime() - HOUR_MS);
  const rows = await em.execute<Row[]>(
    `select contract_id as "contractId", point, count(*)::int as calls, count(*) filter (where failed)::int as failures,
            percentile_disc(0.5) within group (order by duration_ms) as p50,
            percentile_disc(0.95) within group (order by duration_ms) as p95
       from (select e.contract_id, e.duration_ms, ${HAS_FAILED} as failed,
                    least(${POINTS - 1}, floor(extract(epoch from e.started_at - ?::timestamptz) / ${POINT_SECONDS}))::int as point
               from exchanges e where e.company_id = ? and e.started_at >= ? and e.contract_id is not null
              order by e.started_at desc limit ?) recent
      group by grouping sets ((contract_id), (contract_id, point))`,
    [since, companyId, since, MAX_CALLS],
  );
  const used = await readBudgets(deps, em, contracts);
  const byContract = Map.groupBy(rows, ({ contractId }) => contractId);
  const health = contracts.map(({ contract: { id } }) => {
    return [id, healthOf(byContract.get(id) ?? [], used.get(id) ?? null)] as const;
  });
  const calls = rows.filter(({ point }) => point === null).reduce((sum, row) => sum + row.calls, 0);
  return { since, isCapped: calls >= MAX_CALLS, byContract: new Map(health) };
}

function healthOf(rows: readonly Row[], pollBudgetUsed: number | null): CarrierHealth {
  const hour = rows.find(({ point }) => point === null);
  return {
    calls: hour?.calls ?? 0,
    failures: hour?.failures ?? 0,
    p50Ms: hour?.p50 ?? null,
    p95Ms: hour?.p95 ?? null,
    points: Array.from({ length: POINTS }, (_, index) => {
      const { calls = 0, failures = 0 } = rows.find(({ point }) => point === index) ?? {};
      return { calls, failures };
    }),
    pollBudgetUsed,
  };
}

/** A bucket refills by the time, and its row is written only when something is taken. */
async function readBudgets(deps: Deps, em: Em, contracts: readonly ContractView[]): Promise<Map<number, number>> {
  const polled = contracts.flatMap(({ contract, carrier }) => {
    const adapter = deps.carriers.get(carrier.code);
    return adapter?.track || adapter?.trackMany ? [{ id: contract.id, rule: pollBudgetOf(adapter) }] : [];
  });
  const rows = await em.execute<{ key: string; tokens: number; seconds: number }[]>(
    `select key, tokens, extract(epoch from clock_timestamp() - updated_at)::float8 as seconds
       from partner_budgets where key = any(?::text[])`,
    [quotedArray(polled.map(({ id }) => `poll:${id}`))],
  );
  return new Map(
    polled.map(({ id, rule: { capacity, perSecond } }) => {
      const { tokens = capacity, seconds = 0 } = rows.find(({ key }) => key === `poll:${id}`) ?? {};
      const left = Math.max(0, Math.min(capacity, tokens + seconds * perSecond));
      return [id, 1 - left / capacity];
    }),
  );
}
