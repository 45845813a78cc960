import type { Shipment } from '../../db/entities/index.ts';
import { drawIds } from '../../db/queries/draw-ids.ts';
import type { Runner } from '../../db/queries/prepared.ts';
import { intArray } from '../../db/queries/sql.ts';
import { carrierReference } from '../../domain/carrier-reference.ts';
import type { Direction } from '../../domain/direction.ts';
import type { Deps } from '../../engine/deps.ts';
import { volumeCm3, weightGrams } from '../quotes/eligibility.ts';
import { type BookingPlan, keyOf } from './planning.ts';

/** The columns of a shipment that an operation needs. */
export type OpenShipment = Pick<
  Shipment,
  'id' | 'orderId' | 'partId' | 'carrierId' | 'processStatus' | 'exhaustedAt' | 'generation' | 'failure'
>;

/**
 * Inserts all new shipments with one statement and returns them by order and part. It omits shipments that a concurrent
 * request created, which the caller joins instead. It also omits orders that have changed since they were planned, or that
 * wait for the cancellation of their labels.
 */
export async function insertShipments(
  deps: Pick<Deps, 'vault'>,
  tx: Runner,
  { companyId, direction, plans }: { companyId: number; direction: Direction; plans: readonly BookingPlan[] },
): Promise<Map<string, OpenShipment>> {
  // Sorted by order id, so that concurrent requests wait for each other instead of deadlocking.
  const fresh = plans.filter((plan) => 'shippable' in plan).toSorted((a, b) => a.orderId - b.orderId);
  if (fresh.length === 0) return new Map();
  const ids = await drawIds(tx, 'shipments', fresh.length);
  const rows = fresh.map(({ partId, shippable: { order, parcels }, contract, wishes }, index) => {
    const id = ids[index] ?? 0;
    return {
      id,
      company_id: companyId,
      order_id: order.id,
      part_id: partId,
      revision: order.revision,
      contract_id: contract.id,
      carrier_id: contract.carrierId,
      direction,
      reference: carrierReference(deps.vault.installationCode, id),
      parcel_count: parcels.length,
      weight_grams: weightGrams(parcels),
      volume_cm3: volumeCm3(parcels),
      cod_cents: wishes.codCents,
      cod_payment_type: contract.defaultCodPaymentType,
      insured_cents: wishes.insuredCents,
      options: wishes.options,
    };
  });
  const parcels = fresh.flatMap(({ shippable }, index) =>
    shippable.parcels.map((parcel, at) => ({ shipment_id: ids[index] ?? 0, position: at + 1, ...parcel })),
  );
  const made = await tx.execute<OpenShipment[]>(
    `with wanted as (
       select * from jsonb_to_recordset(?::jsonb) as row (id int, company_id int, order_id int, part_id int, revision int,
              contract_id int, carrier_id int, direction text, reference text, parcel_count int, weight_grams int,
              volume_cm3 int, cod_cents int, cod_payment_type text, insured_cents int, options jsonb)
     ), unchanged as (
       select w.id from orders o join wanted w on w.order_id = o.id and w.company_id = o.company_id and w.revision = o.revision
        where o.id = any(?::int[]) and not exists (select 1 from order_corrections c where c.order_id = o.id and c.status = 'waiting')
        order by o.id for key share of o
     ), inserted as (
       insert into shipments (id, company_id, order_id, part_id, contract_id, carrier_id, direction, reference, parcel_count,
                              weight_grams, volume_cm3, cod_cents, cod_payment_type, insured_cents, options, warnings)
       select id, company_id, order_id, part_id, contract_id, carrier_id, direction, reference, parcel_count,
              weight_grams, volume_cm3, cod_cents, cod_payment_type, insured_cents, options, '[]'::jsonb
         from wanted where id in (select id from unchanged) order by order_id, part_id
       on conflict (order_id, (coalesce(part_id, 0)), direction) where process_status not in ('cancelled', 'rejected')
                                           and (direction = 'outbound' or delivered_at is null) do nothing
       returning id, company_id, order_id, part_id, carrier_id, process_status, exhausted_at, generation, failure
     ), boxes as (
       insert into parcels (company_id, shipment_id, position, weight_grams, length_mm, width_mm, height_mm)
       select company_id, id, position, "weightGrams", "lengthMm", "widthMm", "heightMm"
         from jsonb_to_recordset(?::jsonb) as row (shipment_id int, position int, "weightGrams" int, "lengthMm" int,
              "widthMm" int, "heightMm" int) join inserted on inserted.id = shipment_id
     )
     select id, order_id as "orderId", part_id as "partId", carrier_id as "carrierId", process_status as "processStatus",
            exhausted_at as "exhaustedAt", generation, failure
       from inserted`,
    // The ids a second time, because the planner takes the JSON for a hundred orders and would read the whole table.
    [JSON.stringify(rows), intArray(fresh.map(({ orderId }) => orderId)), JSON.stringify(parcels)],
  );
  return new Map(made.map((shipment) => [keyOf(shipment), shipment]));
}

/** Notes the warehouse that a rule chose for an order, which named none. */
export async function assignWarehouses(tx: Runner, companyId: number, plans: readonly BookingPlan[]): Promise<void> {
  const orders = plans.flatMap((plan) =>
    'shippable' in plan && plan.hasRuleWarehouse
      ? [plan.orderId, ...plan.shippable.joined.map(({ id }) => id)].map((id) => ({
          id,
          warehouse: plan.shippable.order.warehouseId,
        }))
      : [],
  );
  if (orders.length === 0) return;
  await tx.execute(
    `update orders set warehouse_id = chosen.warehouse, revision = revision + 1, updated_at = now()
       from jsonb_to_recordset(?::jsonb) as chosen (id int, warehouse int)
      where orders.id = chosen.id and orders.id in (select id from orders where company_id = ? and id = any(?::int[]) order by id for no key update)`,
    [JSON.stringify(orders), companyId, intArray(orders.map(({ id }) => id))],
  );
}
