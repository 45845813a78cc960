import { Company, Connection, Contract, MarketplaceRow, Warehouse } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { type RuleSubject, type ShippingRule, WEEKDAYS } from '../../domain/shipping-rules.ts';
import type { Deps } from '../../engine/deps.ts';
import { unprocessable } from '../../engine/find.ts';
import type { ShippableOrder } from '../../engine/shipment-draft.ts';
import { wallClock } from '../../lib/clock.ts';
import { weightGrams } from '../quotes/eligibility.ts';

/** The marketplace of an order that a client created. */
const NO_MARKETPLACE = 'api';

interface RuleFault {
  path: (string | number)[];
  message: string;
}

export async function readRules(deps: Pick<Deps, 'orm'>, companyId: number): Promise<ShippingRule[]> {
  return (await companyEm(deps.orm, companyId).findOneOrFail(Company, companyId)).shippingRules;
}

/** Replaces all rules of a company. Throws a `Problem` that points at each contract or warehouse that is not there. */
export async function replaceRules(
  deps: Pick<Deps, 'orm'>,
  { companyId, rules }: { companyId: number; rules: ShippingRule[] },
): Promise<void> {
  await companyEm(deps.orm, companyId).transactional(async (tx) => {
    const faults = await ruleFaults(tx, { companyId, rules });
    if (faults.length > 0) {
      const violations = faults.map(({ path, message }) => ({ pointer: `/rules/${path.join('/')}`, message }));
      throw unprocessable('Some rules name what the company does not have', violations);
    }
    await tx.nativeUpdate(Company, companyId, { shippingRules: rules });
  });
}

/** Lists the contracts, services and warehouses that rules name and the company does not have. */
export async function ruleFaults(
  em: Em,
  { companyId, rules }: { companyId: number; rules: readonly ShippingRule[] },
): Promise<RuleFault[]> {
  const contracts = new Set((await em.find(Contract, { companyId, deleteFlag: false })).map(({ key }) => key));
  const warehouses = new Set((await em.find(Warehouse, { companyId })).map(({ key }) => key));
  return rules.flatMap(({ when, then }, index) => [
    ...(then.contract === undefined || contracts.has(then.contract)
      ? []
      : [{ path: [index, 'then', 'contract'], message: `There is no contract ${then.contract}` }]),
    ...[
      ...(then.warehouse === undefined ? [] : [{ path: ['then', 'warehouse'], key: then.warehouse }]),
      ...(when.warehouse ?? []).map((key, at) => ({ path: ['when', 'warehouse', at], key })),
    ].flatMap(({ path, key }) =>
      warehouses.has(key) ? [] : [{ path: [index, ...path], message: `There is no warehouse ${key}` }],
    ),
  ]);
}

/** Reads what rules look at, for orders of one company: their rows, and the clock of the company. */
export async function readRuleFacts(
  em: Em,
  { company, now }: { company: Company; now: Date },
): Promise<(shippable: ShippableOrder) => RuleSubject> {
  const names = await readNames(em);
  const moment = momentOf(now, company.settings.timeZone);
  return ({ order, address, items, parcels }) => ({
    ...moment,
    grams: weightGrams(parcels),
    grossCents: order.grossCents,
    countryCode: address.countryCode,
    province: address.state,
    zip: address.zip,
    skus: items.map(({ sku }) => sku),
    marketplace: names.marketplace(order.connectionId),
    hasCod: order.codCents !== null,
    options: order.carrierOptions,
    warehouse: names.warehouse(order.warehouseId),
  });
}

/** Reads the names by which rules know connections and warehouses of a company. */
export async function readNames(em: Em): Promise<{
  marketplace(connectionId: number | null): string;
  warehouse(id: number | null): string | null;
}> {
  const platforms = new Map((await em.find(MarketplaceRow, {})).map(({ id, code }) => [id, code]));
  const connections = await em.find(Connection, {}, { fields: ['marketplaceId'] });
  const codes = new Map(connections.map(({ id, marketplaceId }) => [id, platforms.get(marketplaceId) ?? '']));
  const warehouses = new Map((await em.find(Warehouse, {})).map(({ id, key }) => [id, key]));
  return {
    marketplace: (connectionId) => (connectionId === null ? NO_MARKETPLACE : (codes.get(connectionId) ?? '')),
    warehouse: (id) => (id === null ? null : (warehouses.get(id) ?? null)),
  };
}

/** Returns weekday and time on the wall of a time zone. */
export function momentOf(at: Date, timeZone: string): Pick<RuleSubject, 'weekday' | 'time'> {
  const { date, time } = wallClock(at, timeZone);
  const weekday = WEEKDAYS[new Date(`${date}T12:00:00Z`).getUTCDay()] ?? 'sun';
  return { weekday, time: time.slice(0, 5) };
}
