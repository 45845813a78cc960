import { Company } from '../../db/entities/index.ts';
import { companyEm, systemEm } from '../../db/orm.ts';
import { type Found, findIdentifiers, type MatchedField } from '../../db/queries/find-identifiers.ts';
import { findNames } from '../../db/queries/find-names.ts';
import { intArray } from '../../db/queries/sql.ts';
import type { Deps } from '../../engine/deps.ts';
import { seeingEveryCompany } from '../../lib/visible-companies.ts';
import { SHIPMENT_STATUS } from './list-shipments.ts';

export { MATCHED_FIELDS } from '../../db/queries/find-identifiers.ts';
export const MATCH_KINDS = ['exact', 'prefix', 'similar'] as const;

export interface SearchHit {
  type: 'order' | 'shipment';
  id: number;
  orderId: number;
  orderNumber: string;
  /** The shipment's status where a shipment was found, else the order's. */
  status: string;
  matched: MatchedField;
  value: string;
  match: (typeof MATCH_KINDS)[number];
}

interface Ranked extends Found {
  match: SearchHit['match'];
  /** The smallest comes first. */
  rank: number;
}

/** Ranks of identifiers and names; a similar name has between 4 and 5. */
const RANKS = { exact: 0, exactName: 1, prefix: 2, similar: 4 };

/** Finds orders and shipments by one text, best first. An order is found once, by its best match. */
export async function search(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; text: string; limit: number },
): Promise<SearchHit[]> {
  const { companyId, limit } = input;
  // Row-level security would keep their operators from the indexes. What they find is read again below, under it.
  const [identifiers, names] = await seeingEveryCompany(() =>
    Promise.all([findIdentifiers(deps.orm, input), findNames(companyEm(deps.orm, companyId), input)]),
  );
  const ranked: Ranked[] = [
    ...identifiers.map((found) => ({
      ...found,
      match: found.isExact ? ('exact' as const) : ('prefix' as const),
      rank: found.isExact ? RANKS.exact : RANKS.prefix,
    })),
    ...names.map((found) => ({
      ...found,
      match: found.isExact ? ('exact' as const) : ('similar' as const),
      rank: found.isExact ? RANKS.exactName : RANKS.similar + 1 - found.score,
    })),
  ];
  ranked.sort((one, other) => one.rank - other.rank || other.orderId - one.orderId);
  const seen = new Set<number>();
  const best = ranked.filter(({ orderId }) => !seen.has(orderId) && seen.add(orderId)).slice(0, limit);
  return withStatus(deps, companyId, best);
}

/** Searches every company, for the command line. Each hit has the key of its company. */
export async function searchCompanies(
  deps: Pick<Deps, 'orm'>,
  input: { text: string; limit: number },
): Promise<(SearchHit & { company: string })[]> {
  const companies = await systemEm(deps.orm).find(Company, {}, { orderBy: { id: 'asc' } });
  const found: (SearchHit & { company: string })[] = [];
  for (const { id, key } of companies) {
    const hits = await search(deps, { companyId: id, ...input });
    found.push(...hits.map((hit) => ({ company: key, ...hit })));
  }
  return found;
}

async function withStatus(deps: Pick<Deps, 'orm'>, companyId: number, found: readonly Ranked[]): Promise<SearchHit[]> {
  if (found.length === 0) return [];
  const em = companyEm(deps.orm, companyId);
  const orders = await em.execute<{ id: number; order_number: string; status: string }[]>(
    'select id, order_number, status from orders where company_id = ? and id = any(?::int[])',
    [companyId, intArray(found.map(({ orderId }) => orderId))],
  );
  const shipments = await em.execute<{ id: number; status: string }[]>(
    `select s.id, ${SHIPMENT_STATUS('s')} as status from shipments s where s.company_id = ? and s.id = any(?::int[])`,
    [companyId, intArray(found.flatMap(({ shipmentId }) => shipmentId ?? []))],
  );
  const orderOf = new Map(orders.map((row) => [row.id, row]));
  const shipmentOf = new Map(shipments.map((row) => [row.id, row]));
  return found.flatMap(({ orderId, shipmentId, matched, value, match }) => {
    const order = orderOf.get(orderId);
    if (!order) return [];
    const shipment = shipmentId === null ? undefined : shipmentOf.get(shipmentId);
    const base = { orderId, orderNumber: order.order_number, matched, value, match };
    return shipment
      ? { type: 'shipment' as const, id: shipment.id, status: shipment.status, ...base }
      : { type: 'order' as const, id: orderId, status: order.status, ...base };
  });
}
