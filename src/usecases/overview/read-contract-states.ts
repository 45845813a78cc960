import { CarrierServiceRow, Tariff } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { quotedArray } from '../../db/queries/sql.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound, readCompany } from '../../engine/find.ts';
import type { BudgetRule } from '../../lib/budgets.ts';
import { wallClock } from '../../lib/clock.ts';
import { type ContractView, listContracts } from '../partners/read-lists.ts';
import type { ContractCheckOutcome } from '../partners/verify-contract.ts';
import { pollBudgetOf } from '../tracking/track-shipments.ts';
import { type CarrierHealth, readCarrierHealth } from './read-carrier-health.ts';

/** A price list as a card shows it. */
export interface ListHead {
  name: string;
  /** YYYY-MM-DD; empty: no first day. */
  from: string;
  to: string | null;
  zones: number;
  /** Brackets of all zones, on both sides. */
  prices: number;
}

/** The last question whether the carrier accepts the credentials. */
export interface ContractCheckState {
  status: 'pending' | 'running' | 'succeeded' | 'failed';
  message: string;
  failureKind: 'retryable' | 'permanent' | 'unknown-outcome' | null;
  /** Null: it is still open. */
  result: ContractCheckOutcome | null;
}

/** A contract with everything that is known about its health and its prices. */
export interface ContractState extends ContractView {
  health: CarrierHealth | null;
  /** Null: it is not polled. */
  pollBudget: BudgetRule | null;
  isVerifiable: boolean;
  lastCheck: ContractCheckState | null;
  services: CarrierServiceRow[];
  /** Null: the contract has no price list of its own. */
  tariff: { key: string; inForce: ListHead | null; next: ListHead | null } | null;
}

/** Reads the state of the company's carrier contracts. */
export async function readContractStates(deps: Deps, companyId: number): Promise<ContractState[]> {
  const em = companyEm(deps.orm, companyId);
  const company = await readCompany(deps.orm, companyId);
  if (!company) throw notFound('company');
  const views = await listContracts(deps, companyId);
  const { byContract } = await readCarrierHealth(deps, em, { companyId, contracts: views });
  const checks = await readChecks(em, { companyId, ids: views.map(({ contract }) => contract.id) });
  const carrierIds = [...new Set(views.map(({ carrier }) => carrier.id))];
  const services = Map.groupBy(
    await em.find(
      CarrierServiceRow,
      { carrierId: { $in: carrierIds }, isActive: true },
      { orderBy: { sortOrder: 'asc', id: 'asc' } },
    ),
    ({ carrierId }) => carrierId,
  );
  const tariffs = new Map((await em.find(Tariff, {})).map((tariff) => [tariff.id, tariff.key]));
  const lists = await readListHeads(em, companyId);
  const today = wallClock(deps.now(), company.settings.timeZone).date;
  return views.map((view) => {
    const adapter = deps.carriers.get(view.carrier.code);
    const { id, tariffId } = view.contract;
    const key = tariffId === null ? undefined : tariffs.get(tariffId);
    return {
      ...view,
      health: byContract.get(id) ?? null,
      pollBudget: adapter?.track || adapter?.trackMany ? pollBudgetOf(adapter) : null,
      isVerifiable: adapter?.verifyAccount !== undefined,
      lastCheck: checks.get(id) ?? null,
      services: services.get(view.carrier.id) ?? [],
      tariff: key === undefined ? null : { key, ...headsOn(lists.get(tariffId ?? 0) ?? [], today) },
    };
  });
}

function headsOn(heads: readonly ListHead[], today: string): { inForce: ListHead | null; next: ListHead | null } {
  const begun = heads.findLast(({ from }) => from <= today);
  const inForce = begun && (begun.to === null || begun.to >= today) ? begun : null;
  return { inForce, next: heads.find(({ from }) => from > today) ?? null };
}

/** Reads the editions without their prices, oldest first per tariff. */
async function readListHeads(em: Em, companyId: number): Promise<Map<number, ListHead[]>> {
  const rows = await em.execute<(ListHead & { tariffId: number })[]>(
    `select tariff_id as "tariffId", valid_from as "from", valid_to as "to", price_list ->> 'name' as name,
            jsonb_array_length(price_list -> 'zones') as zones,
            (select count(*)::int from jsonb_path_query(price_list, '$.zones[*].*.brackets[*]')) as prices
       from tariff_editions where company_id = ? order by tariff_id, valid_from`,
    [companyId],
  );
  return Map.groupBy(rows, ({ tariffId }) => tariffId);
}

async function readChecks(
  em: Em,
  { companyId, ids }: { companyId: number; ids: readonly number[] },
): Promise<Map<number, ContractCheckState>> {
  const rows = await em.execute<(ContractCheckState & { contractId: number })[]>(
    `select c.id as "contractId", i.status, i.message, i.failure_kind as "failureKind", i.result
       from unnest(?::int[]) as c (id)
      cross join lateral (select status, message, failure_kind, result from operation_items
                           where company_id = ? and contract_id = c.id and kind = 'verify-contract'
                           order by id desc limit 1) i`,
    [quotedArray(ids.map(String)), companyId],
  );
  return new Map(rows.map(({ contractId, ...check }) => [contractId, check]));
}
