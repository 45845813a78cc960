import { CarrierRow, Contract, Warehouse } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { AWAITS_DRIVER, IS_LISTED } from '../../db/queries/stages.ts';
import type { ProcessStatus } from '../../domain/shipment-status.ts';
import type { TrackingStatus } from '../../domain/tracking-status.ts';
import type { Deps } from '../../engine/deps.ts';

/** The shipments of one contract and warehouse that no driver has taken yet. */
export interface OpenGroup {
  contract: Contract;
  carrier: CarrierRow;
  /** Null: the company has none. */
  warehouse: Warehouse | null;
  takesPickups: boolean;
  /** `allTransmitted` puts these on borderos. */
  open: OpenTotals;
  /** On a bordero. */
  listed: OpenTotals;
  /** Oldest first. */
  untransmitted: UntransmittedShipment[];
}

export interface OpenTotals {
  shipments: number;
  parcels: number;
  weightGrams: number;
  codCents: number;
}

export interface UntransmittedShipment {
  id: number;
  orderId: number;
  orderNumber: string;
  trackingNumber: string | null;
  processStatus: ProcessStatus;
  trackingStatus: TrackingStatus | null;
  exhaustedAt: Date | null;
  expiredAt: Date | null;
  message: string | null;
}

interface Place {
  contractId: number;
  warehouseId: number | null;
}

const MAX_UNTRANSMITTED = 5000;
const NOTHING: OpenTotals = { shipments: 0, parcels: 0, weightGrams: 0, codCents: 0 };

/** Reads everything that waits at the company's warehouses, by contract and warehouse. */
export async function readOpenShipments(deps: Deps, companyId: number): Promise<OpenGroup[]> {
  const em = companyEm(deps.orm, companyId);
  const warehouses = await em.find(Warehouse, {});
  const defaultId = warehouses.find(({ isDefault }) => isDefault)?.id ?? null;
  const totals = await readTotals(em, { companyId, defaultId });
  const untransmitted = await readUntransmitted(em, { companyId, defaultId });
  const places = new Map([...totals, ...untransmitted].map((place) => [keyOf(place), place]));
  const contracts = await em.find(Contract, { id: { $in: [...places.values()].map(({ contractId }) => contractId) } });
  const carriers = await em.find(CarrierRow, {});
  const waiting = Map.groupBy(untransmitted, keyOf);
  const groups = [...places].flatMap(([key, { contractId, warehouseId }]) => {
    const contract = contracts.find(({ id }) => id === contractId);
    const carrier = carriers.find(({ id }) => id === contract?.carrierId);
    if (!contract || !carrier) return [];
    return [
      {
        contract,
        carrier,
        warehouse: warehouses.find(({ id }) => id === warehouseId) ?? null,
        takesPickups: deps.carriers.get(carrier.code)?.bookPickup !== undefined,
        open: totals.find((one) => keyOf(one) === key && !one.isListed) ?? NOTHING,
        listed: totals.find((one) => keyOf(one) === key && one.isListed) ?? NOTHING,
        untransmitted: waiting.get(key) ?? [],
      },
    ];
  });
  return groups.toSorted((a, b) => a.contract.id - b.contract.id || (a.warehouse?.id ?? 0) - (b.warehouse?.id ?? 0));
}

function keyOf({ contractId, warehouseId }: Place): string {
  return `${contractId} ${warehouseId}`;
}

interface Scope {
  companyId: number;
  /** An order that names no warehouse leaves from the default one. */
  defaultId: number | null;
}

function readTotals(em: Em, { companyId, defaultId }: Scope): Promise<(OpenTotals & Place & { isListed: boolean })[]> {
  return em.execute(
    `select s.contract_id as "contractId", coalesce(o.warehouse_id, ?::int) as "warehouseId", ${IS_LISTED} as "isListed",
            count(*)::int as shipments,
            sum(s.parcel_count)::int as parcels, sum(s.weight_grams)::float8 as "weightGrams",
            coalesce(sum(s.cod_cents), 0)::float8 as "codCents"
       from shipments s join orders o on o.company_id = s.company_id and o.id = s.order_id
      where s.company_id = ? and ${AWAITS_DRIVER} group by 1, 2, 3`,
    [defaultId, companyId],
  );
}

async function readUntransmitted(em: Em, { companyId, defaultId }: Scope): Promise<(UntransmittedShipment & Place)[]> {
  const rows = await em.execute<
    (Omit<UntransmittedShipment & Place, 'exhaustedAt'> & { exhaustedAt: string | null })[]
  >(
    `select s.id, s.order_id as "orderId", o.order_number as "orderNumber", s.tracking_number as "trackingNumber",
            s.process_status as "processStatus", s.tracking_status as "trackingStatus", s.exhausted_at as "exhaustedAt",
            null as "expiredAt", s.failure ->> 'message' as message,
            s.contract_id as "contractId", coalesce(o.warehouse_id, ?::int) as "warehouseId"
       from shipments s join orders o on o.company_id = s.company_id and o.id = s.order_id
      where s.company_id = ? and s.direction = 'outbound'
        and s.process_status in ('queued', 'submitting', 'unknown_outcome', 'created', 'transmitting')
        and s.picked_up_at is null and s.expired_at is null order by s.id limit ?`,
    [defaultId, companyId, MAX_UNTRANSMITTED],
  );
  return rows.map((row) => ({ ...row, exhaustedAt: row.exhaustedAt === null ? null : new Date(row.exhaustedAt) }));
}
