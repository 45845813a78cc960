import { CarrierRow, ManifestItem, Order, Shipment } from '../../db/entities/index.ts';
import { companyEm } from '../../db/orm.ts';
import { before, type Condition, equal, fromWarehouse, given, oneOf, within } from '../../db/queries/conditions.ts';
import { listByIds, listRows } from '../../db/queries/list-rows.ts';
import { isListed, shipmentIn } from '../../db/queries/stages.ts';
import type { Direction } from '../../domain/direction.ts';
import type { ShipmentStage } from '../../domain/shipment-stages.ts';
import type { Deps } from '../../engine/deps.ts';
import type { Period, Today } from '../../lib/period.ts';
import type { Page } from './page.ts';

/** Null: any. */
export interface ShipmentFilter {
  companyId: number;
  /** A word of `SHIPMENT_STATUS`. */
  status: string | null;
  carrierId: number | null;
  contractId: number | null;
  /** Id or key. */
  warehouse: string | null;
  created: Period;
  transmitted: Period;
  delivered: Period;
  trackingNumber: string | null;
  reference: string | null;
  orderId: number | null;
  /** `none`: on no bordero. */
  manifestId: number | 'none' | null;
  isPrinted: boolean | null;
  direction: Direction | null;
  stage: ShipmentStage | null;
  /** The company's present day, for `stage`. */
  today: Today;
}

export interface ListedShipment {
  shipment: Shipment;
  order: Pick<Order, 'id' | 'orderNumber'>;
  carrier: Pick<CarrierRow, 'id' | 'name'>;
  /** Null: on no bordero. */
  manifestId: number | null;
}

/** The word that clients see, in SQL; `shipmentStatus` of the API returns the same. */
export const SHIPMENT_STATUS = (table: string): string =>
  `case when ${table}.expired_at is not null then 'expired'
        when ${table}.process_status = 'queued' and ${table}.exhausted_at is not null then 'failed'
        else coalesce(${table}.tracking_status, ${table}.process_status) end`;

/** Lists the company's shipments, newest first. */
export async function listShipments(
  deps: Pick<Deps, 'orm'>,
  filter: ShipmentFilter,
  page: Page,
): Promise<ListedShipment[]> {
  const em = companyEm(deps.orm, filter.companyId);
  const { companyId, carrierId, contractId, trackingNumber, reference, orderId, direction } = filter;
  const shipments = await listRows(em, Shipment, {
    companyId,
    where: [
      ...equal({ carrier_id: carrierId, contract_id: contractId, tracking_number: trackingNumber }),
      ...equal({ reference, order_id: orderId, direction }),
      ...conditionsOf(filter),
      ...before(page.beforeId),
    ],
    limit: page.limit,
  });
  const ids = shipments.map(({ id }) => id);
  const [orders, carriers, items] = await Promise.all([
    listByIds(em, Order, { companyId, ids: shipments.map((row) => row.orderId) }),
    em.find(CarrierRow, {}),
    listRows(em, ManifestItem, {
      companyId,
      where: [oneOf('shipment_id', ids), { sql: 'row.restored_at is null', params: [] }],
    }),
  ]);
  const orderOf = new Map(orders.map((row) => [row.id, row]));
  const carrierOf = new Map(carriers.map((row) => [row.id, row]));
  const manifestOf = new Map(items.map((row) => [row.shipmentId, row.manifestId]));
  return shipments.flatMap((shipment) => {
    const order = orderOf.get(shipment.orderId);
    const carrier = carrierOf.get(shipment.carrierId);
    if (!order || !carrier) return [];
    return [{ shipment, order, carrier, manifestId: manifestOf.get(shipment.id) ?? null }];
  });
}

function conditionsOf(filter: ShipmentFilter): Condition[] {
  const { companyId, contractId, today } = filter;
  return [
    ...given(filter.stage, (stage) => shipmentIn(stage, { companyId, contractId, today })),
    ...given(filter.status, (status) => ({ sql: `${SHIPMENT_STATUS('row')} = ?`, params: [status] })),
    ...within('created_at', filter.created),
    ...within('transmitted_at', filter.transmitted),
    ...within('delivered_at', filter.delivered),
    ...given(filter.warehouse, (warehouse) =>
      fromWarehouse('(select o.warehouse_id from orders o where o.id = row.order_id)', companyId, warehouse),
    ),
    ...given(filter.manifestId, (manifest) =>
      manifest === 'none'
        ? { sql: `not ${isListed('row')}`, params: [] }
        : {
            sql: `row.id in (select i.shipment_id from manifest_items i
                    where i.company_id = ? and i.manifest_id = ? and i.restored_at is null)`,
            params: [companyId, manifest],
          },
    ),
    ...given(filter.isPrinted, (isPrinted) => ({
      sql: `row.printed_at is ${isPrinted ? 'not null' : 'null'}`,
      params: [],
    })),
  ];
}
