import type { Contract, Order, Shipment } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { drawIds } from '../../db/queries/draw-ids.ts';
import { lockActiveShipments } from '../../db/queries/move-shipments.ts';
import { intArray } from '../../db/queries/sql.ts';
import { refuseOrders } from '../../db/queries/statuses.ts';
import { carrierReference } from '../../domain/carrier-reference.ts';
import type { Direction } from '../../domain/direction.ts';
import type { Deps } from '../../engine/deps.ts';
import { enqueueByCarrier } from '../../engine/enqueue.ts';
import { type Origin, originOf } from '../../engine/idempotency.ts';
import {
  addItems,
  type BatchElement,
  isItem,
  type NewItem,
  type OpenedBatch,
  openBatch,
  type UnknownOrder,
} from '../../engine/open-operation.ts';
import type { ShippableOrder } from '../../engine/shipment-draft.ts';
import { unknownOrder } from '../../engine/unknown-orders.ts';
import { bookJobId, type JobRequest } from '../../queue/jobs.ts';
import { volumeCm3, weightGrams } from '../quotes/eligibility.ts';
import { keyOf } from './planning.ts';

/**
 * The decision about an order, or about one part of a split order, before anything is written. A refusal with the revision
 * of its order marks the order; one without is about the request.
 */
export type BookingPlan = Place &
  (
    | UnknownOrder
    | { refused: string; revision: number | null }
    | { isBooked: true }
    | { shippable: ShippableOrder; contract: Contract; wishes: Wishes; hasRuleWarehouse?: boolean }
  );

/** The order, or the part of one, that gets a shipment. */
interface Place {
  /** The order that leads, when it is joined. */
  orderId: number;
  partId: number | null;
  /** The orders that the request named, each with an answer of its own; absent: `orderId`. */
  asking?: readonly number[];
  /** The other orders in its shipment. */
  joined?: readonly Pick<Order, 'id' | 'revision'>[];
}

/** Services that the carrier provides in addition to the transport. */
export type Wishes = Pick<Shipment, 'codCents' | 'insuredCents' | 'options'>;

/** Statuses in which a shipment has its label. */
const BOOKED = new Set(['created', 'transmitting', 'transmitted']);

export function hasLabel({ processStatus }: Pick<Shipment, 'processStatus'>): boolean {
  return BOOKED.has(processStatus);
}

/** Inserts a shipment for each plan that needs one, opens the operation, and queues the bookings. */
export async function openBooking(
  deps: Deps,
  origin: Origin,
  { direction, plans }: { direction: Direction; plans: readonly BookingPlan[] },
): Promise<OpenedBatch> {
  const { opened, jobs } = await companyEm(deps.orm, origin.companyId).transactional(async (tx) => {
    const booked = await book(deps, tx, { ...originOf(origin), direction, plans });
    return {
      ...booked,
      opened: await openBatch(tx, { ...originOf(origin), kind: 'create' }, booked.items),
    };
  });
  await enqueueByCarrier(deps, jobs);
  return opened;
}

/**
 * Books like `openBooking`, as part of an open operation. `claim` takes the work in the same transaction; when it returns
 * false, another run has it, and nothing is booked.
 */
export async function joinBooking(
  deps: Deps,
  origin: Origin,
  {
    plans,
    operationId,
    claim,
  }: { plans: readonly BookingPlan[]; operationId: number; claim: (tx: Em) => Promise<boolean> },
): Promise<void> {
  const { companyId } = origin;
  const jobs = await companyEm(deps.orm, companyId).transactional(async (tx) => {
    if (!(await claim(tx))) return [];
    const booked = await book(deps, tx, { ...origin, direction: 'outbound', plans });
    await addItems(tx, { companyId, operationId, kind: 'create' }, booked.items.map(kept));
    return booked.jobs;
  });
  await enqueueByCarrier(deps, jobs);
}

/** Returns the item of an element. The operation was open before, so it also keeps what turned out not to exist. */
function kept(element: BatchElement): NewItem {
  if (isItem(element)) return element;
  const { unknownOrderId: orderId, message = unknownOrder('create', orderId) } = element;
  return { orderId, settled: { status: 'failed', message } };
}

/** Writes the shipments of the plans. Returns the items of their operation and the jobs to queue after the commit. */
async function book(
  deps: Deps,
  tx: Em,
  { companyId, requestId, direction, plans }: Origin & { direction: Direction; plans: readonly BookingPlan[] },
): Promise<{ items: BatchElement[]; jobs: { carrierId: number; job: JobRequest }[] }> {
  const jobs: { carrierId: number; job: JobRequest }[] = [];
  const lock = async (wanted: readonly BookingPlan[]): Promise<(readonly [string, OpenShipment])[]> => {
    const orderIds = wanted.map(({ orderId }) => orderId);
    const locked = await lockActiveShipments(tx, { companyId, orderIds, direction });
    return [...locked.values()].flat().map((shipment) => [keyOf(shipment), shipment]);
  };
  // Shipments before orders, which the insertion locks: a split or a correction locks them in this order too.
  const there = new Map(await lock(plans));
  const fresh = plans.filter((plan) => !there.has(keyOf(plan)));
  const made = await insertShipments(deps, tx, { companyId, direction, plans: fresh });
  await assignWarehouses(
    tx,
    companyId,
    plans.filter((plan) => made.has(keyOf(plan))),
  );
  // A concurrent request was first with these.
  const late = fresh.filter((plan) => 'shippable' in plan && !made.has(keyOf(plan)));
  for (const [key, shipment] of await lock(late)) there.set(key, shipment);
  const items: BatchElement[] = [];
  const refused: { orderId: number; revision: number; message: string }[] = [];
  for (const plan of plans) {
    const { orderId, joined = [] } = plan;
    const answer = (item: NewItem) => items.push(...(plan.asking ?? [orderId]).map((id) => ({ ...item, orderId: id })));
    if ('unknownOrderId' in plan) {
      const { unknownOrderId, message } = plan;
      const words = message === undefined ? {} : { message };
      items.push(...(plan.asking ?? [unknownOrderId]).map((id) => ({ unknownOrderId: id, ...words })));
      continue;
    }
    if ('refused' in plan) {
      if (plan.revision !== null) {
        for (const { id, revision } of [{ id: orderId, revision: plan.revision }, ...joined]) {
          refused.push({ orderId: id, revision, message: plan.refused });
        }
      }
      answer({ settled: { status: 'failed', message: plan.refused } });
      continue;
    }
    const shipment = made.get(keyOf(plan)) ?? there.get(keyOf(plan));
    if (!shipment) {
      // Since it was planned, the order was corrected, split or joined, or its shipment was cancelled or rejected.
      answer({ settled: { status: 'failed', message: 'The order changed at this moment: try again' } });
      continue;
    }
    const item = await itemFor(tx, shipment);
    answer(item.item);
    if (item.enqueue) {
      jobs.push({
        carrierId: shipment.carrierId,
        job: {
          name: 'book',
          id: bookJobId(shipment.id, item.generation),
          companyId,
          payload: { shipmentId: shipment.id, requestId },
        },
      });
    }
  }
  if (direction === 'outbound') await refuseOrders(tx, companyId, refused);
  return { items, jobs };
}

/** The columns of a shipment that an operation needs. */
type OpenShipment = Pick<
  Shipment,
  'id' | 'orderId' | 'partId' | 'carrierId' | 'processStatus' | 'exhaustedAt' | 'generation' | 'failure'
>;

/**
 * Inserts all new shipments with one statement and returns them by order and part. It omits shipments that a concurrent
 * request created, which the caller joins instead. It also omits orders that have changed since they were planned, or that
 * wait for the cancellation of their labels.
 */
async function insertShipments(
  deps: Deps,
  tx: Em,
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
async function assignWarehouses(tx: Em, companyId: number, plans: readonly BookingPlan[]): Promise<void> {
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

/** Returns the item for an order's existing shipment. A booking with exhausted retries starts again. */
async function itemFor(
  tx: Em,
  shipment: OpenShipment,
): Promise<{ item: NewItem; enqueue: boolean; generation: number }> {
  const base = { orderId: shipment.orderId, shipmentId: shipment.id };
  if (hasLabel(shipment)) {
    return { item: { ...base, settled: { status: 'succeeded', message: '' } }, enqueue: false, generation: 0 };
  }
  if (shipment.processStatus === 'cancelling') {
    const message = 'The shipment is being cancelled: try again later';
    return { item: { ...base, settled: { status: 'failed', message } }, enqueue: false, generation: 0 };
  }
  if (shipment.exhaustedAt === null) {
    return { item: base, enqueue: shipment.processStatus === 'queued', generation: shipment.generation };
  }
  if (shipment.processStatus !== 'queued') {
    const message = shipment.failure?.message ?? 'Unknown whether the label was sold';
    return { item: { ...base, settled: { status: 'failed', message } }, enqueue: false, generation: 0 };
  }
  const rows = await tx.execute<{ generation: number }[]>(
    `update shipments set exhausted_at = null, generation = generation + 1, updated_at = now()
      where id = ? and process_status = 'queued' returning generation`,
    [shipment.id],
  );
  return { item: base, enqueue: rows.length > 0, generation: rows[0]?.generation ?? 0 };
}
