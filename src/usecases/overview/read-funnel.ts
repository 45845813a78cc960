import { Pickup } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { BEFORE_DRIVER, DELIVERED_WITHIN, STAGE_BEFORE_DRIVER, TO_SHIP, WITH_DRIVER } from '../../db/queries/stages.ts';
import { ORDER_STAGES, type OrderStage } from '../../domain/shipment-stages.ts';
import { type Counted, counted, MAX_COUNTED, NONE, READ_ROWS, summed } from '../../lib/counted.ts';
import type { Today } from '../../lib/period.ts';

export type Stages = Record<OrderStage, Counted>;

export interface Funnel {
  total: Stages;
  /** Orders that a carrier refused, of any contract. */
  refused: Counted;
  /** The key is the contract's id; null: no contract is chosen. */
  byContract: ReadonlyMap<number | null, Stages>;
  /** Couriers of today, by contract id. */
  pickups: ReadonlyMap<number, Pickup[]>;
}

interface Asked {
  companyId: number;
  today: Today;
}

interface StageCount {
  contractId: number | null;
  stage: OrderStage;
  counted: Counted;
}

/** Reads how many orders and shipments are in each stage, by contract. */
export async function readFunnel(em: Em, asked: Asked): Promise<Funnel> {
  const { refused, toShip } = await countOrders(em, asked.companyId);
  const counts = [...toShip, ...(await countBeforeDriver(em, asked.companyId)), ...(await countOnTheWay(em, asked))];
  const pickups = await em.find(Pickup, { date: asked.today.day, status: { $in: ['requested', 'booked', 'unknown'] } });
  const byContract = Map.groupBy(counts, ({ contractId }) => contractId);
  return {
    refused,
    total: stagesOf(counts),
    byContract: new Map([...byContract].map(([contractId, own]) => [contractId, stagesOf(own)])),
    pickups: Map.groupBy(pickups, ({ contractId }) => contractId),
  };
}

function stagesOf(counts: readonly StageCount[]): Stages {
  const of = (stage: OrderStage): Counted =>
    summed([NONE, ...counts.filter((one) => one.stage === stage).map((one) => one.counted)]);
  return Object.fromEntries(ORDER_STAGES.map((stage) => [stage, of(stage)])) as Stages;
}

/** Pending orders that are being booked are few, and the others to ship are found among those that this reads. */
const EXAMINED = 4 * MAX_COUNTED;

async function countOrders(em: Em, companyId: number): Promise<{ refused: Counted; toShip: StageCount[] }> {
  const rows = await em.execute<{ contractId: number | null; isRefused: boolean; count: number }[]>(
    `select "contractId", false as "isRefused", count(*)::int as count from (
       select o.contract_id as "contractId" from (
         select * from orders where company_id = ? and status = 'pending' limit ?) o where ${TO_SHIP} limit ?) x group by 1
     union all
     select null, true, count(*)::int from (select 1 from orders o where o.company_id = ? and o.status = 'error' limit ?) x`,
    [companyId, EXAMINED, READ_ROWS, companyId, READ_ROWS],
  );
  const pending = rows.filter(({ isRefused }) => !isRefused);
  return {
    refused: counted(rows.find(({ isRefused }) => isRefused)?.count ?? 0),
    toShip: capTogether(pending.map((row) => ({ ...row, stage: 'to_ship' as const }))),
  };
}

/** Counts of rows that one limited statement read: when it stopped, each of them may be larger. */
function capTogether(rows: readonly { contractId: number | null; stage: OrderStage; count: number }[]): StageCount[] {
  const isCapped = rows.reduce((sum, { count }) => sum + count, 0) > MAX_COUNTED;
  return rows.map(({ contractId, stage, count }) => ({
    contractId,
    stage,
    counted: { count: Math.min(count, MAX_COUNTED), isCapped },
  }));
}

async function countBeforeDriver(em: Em, companyId: number): Promise<StageCount[]> {
  const rows = await em.execute<{ contractId: number; stage: OrderStage; count: number }[]>(
    `select k.id as "contractId", x.stage, count(*)::int as count
       from contracts k cross join lateral (
         select ${STAGE_BEFORE_DRIVER} as stage from shipments s
          where s.company_id = ? and s.contract_id = k.id and ${BEFORE_DRIVER} limit ?) x
      where k.company_id = ? group by 1, 2`,
    [companyId, READ_ROWS, companyId],
  );
  return [...Map.groupBy(rows, ({ contractId }) => contractId).values()].flatMap(capTogether);
}

async function countOnTheWay(em: Em, { companyId, today }: Asked): Promise<StageCount[]> {
  const rows = await em.execute<{ contractId: number; withDriver: number; delivered: number }[]>(
    `select k.id as "contractId", w.count as "withDriver", d.count as delivered
       from contracts k cross join lateral (
         select count(*)::int as count from (select 1 from shipments s
          where s.company_id = ? and s.contract_id = k.id and ${WITH_DRIVER} limit ?) x) w
       cross join lateral (
         select count(*)::int as count from (select 1 from shipments s
          where s.company_id = ? and s.contract_id = k.id and ${DELIVERED_WITHIN} limit ?) x) d
      where k.company_id = ?`,
    [companyId, READ_ROWS, companyId, today.from, today.until, READ_ROWS, companyId],
  );
  return rows.flatMap(({ contractId, withDriver, delivered }) => [
    { contractId, stage: 'with_driver' as const, counted: counted(withDriver) },
    { contractId, stage: 'delivered_today' as const, counted: counted(delivered) },
  ]);
}
