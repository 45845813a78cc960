import {
  CarrierOutage,
  CarrierRow,
  CarrierServiceRow,
  Connection,
  Contract,
  ContractOutage,
  MarketplaceRow,
  Warehouse,
} from '../../db/entities/index.ts';
import { companyEm } from '../../db/orm.ts';
import { readSetUp } from '../../db/queries/read-set-up.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound, unprocessable } from '../../engine/find.ts';
import { loadShippable } from '../../engine/shipment-draft.ts';
import { type PricedOffer, Pricer } from '../quotes/quote-shipment.ts';

type Reader = Pick<Deps, 'orm'>;

export interface ContractView {
  contract: Contract;
  carrier: CarrierRow;
  /** Null: its polls are answered. */
  outage: ContractOutage | null;
  isCarrierAway: boolean;
}

/** Lists the company's carrier contracts with their carriers. */
export async function listContracts(deps: Reader, companyId: number): Promise<ContractView[]> {
  const em = companyEm(deps.orm, companyId);
  const carriers = new Map((await em.find(CarrierRow, {})).map((row) => [row.id, row]));
  const contracts = await em.find(Contract, { deleteFlag: false }, { orderBy: { id: 'asc' } });
  const outages = new Map(
    (await em.find(ContractOutage, { since: { $ne: null } })).map((row) => [row.contractId, row]),
  );
  const away = new Set((await em.find(CarrierOutage, { since: { $ne: null } })).map((row) => row.carrierId));
  return contracts.flatMap((contract) => {
    const carrier = carriers.get(contract.carrierId);
    if (!carrier) return [];
    const outage = outages.get(contract.id) ?? null;
    return [{ contract, carrier, outage, isCarrierAway: away.has(carrier.id) }];
  });
}

/** Lists the company's warehouses. */
export async function listWarehouses(deps: Reader, companyId: number): Promise<Warehouse[]> {
  return companyEm(deps.orm, companyId).find(Warehouse, {}, { orderBy: { id: 'asc' } });
}

export async function listServices(
  deps: Reader,
  input: { companyId: number; carrierId: number },
): Promise<{ carrier: CarrierRow; services: CarrierServiceRow[] }> {
  const em = companyEm(deps.orm, input.companyId);
  const carrier = await em.findOne(CarrierRow, input.carrierId);
  if (!carrier) throw notFound('carrier');
  const services = await em.find(
    CarrierServiceRow,
    { carrierId: carrier.id },
    { orderBy: { sortOrder: 'asc', id: 'asc' } },
  );
  return { carrier, services };
}

export async function listConnections(
  deps: Reader,
  companyId: number,
): Promise<{ connection: Connection; marketplace: MarketplaceRow }[]> {
  const em = companyEm(deps.orm, companyId);
  const marketplaces = new Map((await em.find(MarketplaceRow, {})).map((row) => [row.id, row]));
  const connections = await em.find(Connection, { deleteFlag: false }, { orderBy: { id: 'asc' } });
  return connections.flatMap((connection) => {
    const marketplace = marketplaces.get(connection.marketplaceId);
    return marketplace ? [{ connection, marketplace }] : [];
  });
}

/**
 * Returns the price of an order under a contract, also under a disabled one, with `is_connected: false`. Throws a `Problem` with the
 * reason when there is no price.
 */
export async function quoteOrder(
  deps: Pick<Deps, 'orm' | 'carriers' | 'priceBooks' | 'now'>,
  input: { companyId: number; orderId: number; contractId: number },
): Promise<PricedOffer> {
  const em = companyEm(deps.orm, input.companyId);
  const setUp = await readSetUp(deps.orm, input.companyId);
  const [shippable] = await loadShippable(deps.orm, setUp, [input.orderId]);
  if (!shippable) throw notFound('order');
  const contract = await em.findOne(Contract, { id: input.contractId, deleteFlag: false });
  if (!contract) throw notFound('carrier contract');
  const pricer = await Pricer.open(deps, em, { setUp, shippables: [shippable] });
  const { quote, ...offer } = await pricer.offer(contract, shippable);
  if ('refused' in quote) throw unprocessable(quote.refused);
  return { ...offer, quote };
}
