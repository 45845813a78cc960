import { Company, type Contract, Parcel, Shipment } from '../db/entities/index.ts';
import { companyEm, type Em } from '../db/orm.ts';
import { drawIds } from '../db/queries/draw-ids.ts';
import { lockActiveShipments } from '../db/queries/move-shipments.ts';
import { moveOrders } from '../db/queries/statuses.ts';
import { carrierReference } from '../domain/carrier-reference.ts';
import { bookJobId, type JobRequest } from '../queue/jobs.ts';
import type { Deps } from './deps.ts';
import { orderRefusal, volumeCm3, weightGrams } from './eligibility.ts';
import { enqueueByCarrier } from './enqueue.ts';
import { type Origin, originOf } from './idempotency.ts';
import { type NewItem, type OpenedOperation, openOperation } from './open-operation.ts';
import { cheapest, Pricer, usableContracts } from './quote-shipment.ts';
import { carrierOptions, loadShippable, type ShippableOrder } from './shipment-draft.ts';

export interface ShipmentRequest {
  orderId: number;
  /** Wins over the order's contract, the company's default and the cheapest one. */
  contractId: number | null;
}

/** Statuses in which an order has its label. */
const BOOKED = new Set(['created', 'transmitting', 'transmitted']);

/** What was decided about one order before anything is written. */
type Plan =
  | { orderId: number; refused: string }
  | { orderId: number; isBooked: true }
  | { orderId: number; shippable: ShippableOrder; way: Way };

interface Way {
  contract: Contract;
  /** The carrier's service that was chosen because it costs least; null: as the order says. */
  service: string | null;
}

/**
 * Checks every order, writes a shipment for each that has none, and queues them towards their carriers. Asking again for
 * an order that has its label is a success with that label.
 */
export async function requestShipments(
  deps: Deps,
  input: Origin & { requests: readonly ShipmentRequest[] },
): Promise<OpenedOperation> {
  const em = companyEm(deps.orm, input.companyId);
  const company = await em.findOneOrFail(Company, input.companyId);
  const requests = [...new Map(input.requests.map((request) => [request.orderId, request])).values()];
  const plans = await planAll(deps, em, company, requests);

  const jobs: { carrierId: number; job: JobRequest }[] = [];
  const opened = await em.transactional(async (tx) => {
    await insertShipments(deps, tx, company, plans);
    const active = await lockActiveShipments(tx, {
      companyId: company.id,
      orderIds: plans.map((plan) => plan.orderId),
    });
    const items: NewItem[] = [];
    const failed: { orderId: number; message: string }[] = [];
    for (const plan of plans) {
      if ('refused' in plan) {
        failed.push({ orderId: plan.orderId, message: plan.refused });
        items.push({ orderId: plan.orderId, settled: { status: 'failed', message: plan.refused } });
        continue;
      }
      const shipment = active.get(plan.orderId);
      if (!shipment) {
        // It was there when the order was looked at: cancelled or refused since.
        items.push({
          orderId: plan.orderId,
          settled: { status: 'failed', message: 'The shipment is no more: try again' },
        });
        continue;
      }
      const item = await itemFor(tx, shipment);
      items.push(item.item);
      if (item.enqueue) {
        jobs.push({
          carrierId: shipment.carrierId,
          job: {
            name: 'book',
            id: bookJobId(shipment.id, item.generation),
            payload: { shipmentId: shipment.id, requestId: input.requestId },
          },
        });
      }
    }
    for (const { orderId, message } of failed) {
      await moveOrders(tx, { companyId: company.id, orderIds: [orderId] }, 'error', { error: message });
    }
    return openOperation(tx, { ...originOf(input), kind: 'create', input: {} }, items);
  });
  await enqueueByCarrier(deps, jobs);
  return opened;
}

async function planAll(deps: Deps, em: Em, company: Company, requests: readonly ShipmentRequest[]): Promise<Plan[]> {
  const orderIds = requests.map((request) => request.orderId);
  const shippables = new Map(
    (await loadShippable(em, company, orderIds)).map((shippable) => [shippable.order.id, shippable]),
  );
  const active = await em.find(Shipment, {
    orderId: { $in: orderIds },
    processStatus: { $nin: ['cancelled', 'rejected'] },
  });
  const activeByOrder = new Map(active.map((shipment) => [shipment.orderId, shipment]));
  const contracts = await usableContracts(em);
  const pricer = await Pricer.open(deps, em, { company, shippables: [...shippables.values()] });

  const plans: Plan[] = [];
  for (const { orderId, contractId } of requests) {
    const shippable = shippables.get(orderId);
    const existing = activeByOrder.get(orderId);
    if (!shippable) plans.push({ orderId, refused: `There is no order ${orderId}` });
    else if (existing) plans.push({ orderId, isBooked: true });
    else {
      const chosen = await chooseWay(pricer, { contracts, shippable, contractId });
      plans.push(typeof chosen === 'string' ? { orderId, refused: chosen } : { orderId, shippable, way: chosen });
    }
  }
  return plans;
}

/** The contract to ship with, or why there is none. */
async function chooseWay(
  pricer: Pricer,
  input: { contracts: readonly Contract[]; shippable: ShippableOrder; contractId: number | null },
): Promise<Way | string> {
  const { contracts, shippable } = input;
  const refused = orderRefusal(shippable);
  if (refused !== null) return refused;
  const wanted = input.contractId ?? shippable.order.contractId ?? pricer.company.defaultContractId;
  if (wanted !== null) {
    const contract = contracts.find(({ id }) => id === wanted);
    if (!contract) return `There is no carrier contract ${wanted}`;
    return pricer.refusal(shippable, contract) ?? { contract, service: null };
  }
  const offers = await Promise.all(contracts.map((contract) => pricer.offers(contract, shippable)));
  const able = offers.flat().filter((one) => pricer.refusal(shippable, one.contract, one.service?.code) === null);
  const best = cheapest(able);
  if (!best) return 'No carrier contract can take this order: name one, or give the company a default';
  return { contract: best.contract, service: best.service?.code ?? null };
}

/** Inserts all new shipments at once; one that another request made meanwhile is left out and joined instead. */
async function insertShipments(deps: Deps, tx: Em, company: Company, plans: readonly Plan[]): Promise<void> {
  const fresh = plans.filter((plan) => 'shippable' in plan);
  if (fresh.length === 0) return;
  const ids = await drawIds(tx, 'shipments', fresh.length);
  const rows = fresh.map(({ shippable, way: { contract, service } }, index) => {
    const { order, parcels } = shippable;
    const id = ids[index] ?? 0;
    return {
      id,
      company_id: company.id,
      order_id: order.id,
      contract_id: contract.id,
      carrier_id: contract.carrierId,
      reference: carrierReference(deps.vault.installationCode, id),
      parcel_count: parcels.length,
      weight_grams: weightGrams(parcels),
      volume_cm3: volumeCm3(parcels),
      cod_cents: order.codCents,
      cod_payment_type: contract.defaultCodPaymentType,
      insured_cents: order.insurance ? order.grossCents : null,
      options: carrierOptions(order, service),
    };
  });
  const inserted = await tx.execute<{ id: number }[]>(
    `insert into shipments (id, company_id, order_id, contract_id, carrier_id, reference, parcel_count, weight_grams,
                            volume_cm3, cod_cents, cod_payment_type, insured_cents, options, warnings)
     select id, company_id, order_id, contract_id, carrier_id, reference, parcel_count, weight_grams,
            volume_cm3, cod_cents, cod_payment_type, insured_cents, options, '[]'::jsonb
       from jsonb_to_recordset(?::jsonb) as row (id int, company_id int, order_id int, contract_id int, carrier_id int,
            reference text, parcel_count int, weight_grams int, volume_cm3 int, cod_cents int, cod_payment_type text,
            insured_cents int, options jsonb)
     on conflict (order_id) where process_status not in ('cancelled', 'rejected') do nothing returning id`,
    [JSON.stringify(rows)],
  );
  const kept = new Set(inserted.map((row) => row.id));
  const parcels = rows.flatMap((row, index) =>
    kept.has(row.id)
      ? (fresh[index]?.shippable.parcels ?? []).map((parcel, at) => ({
          companyId: company.id,
          shipmentId: row.id,
          position: at + 1,
          ...parcel,
        }))
      : [],
  );
  if (parcels.length > 0) await tx.insertMany(Parcel, parcels);
}

/** What the operation says about an order's shipment as it stands. A booking whose tries were used up starts anew. */
async function itemFor(tx: Em, shipment: Shipment): Promise<{ item: NewItem; enqueue: boolean; generation: number }> {
  const base = { orderId: shipment.orderId, shipmentId: shipment.id };
  if (BOOKED.has(shipment.processStatus)) {
    return { item: { ...base, settled: { status: 'succeeded', message: '' } }, enqueue: false, generation: 0 };
  }
  if (shipment.processStatus === 'cancelling') {
    const message = 'The shipment is being cancelled: try again when that is over';
    return { item: { ...base, settled: { status: 'failed', message } }, enqueue: false, generation: 0 };
  }
  if (shipment.exhaustedAt === null) {
    return { item: base, enqueue: shipment.processStatus === 'queued', generation: shipment.generation };
  }
  if (shipment.processStatus !== 'queued') {
    const message = shipment.failure?.message ?? 'Nobody knows whether the label was sold';
    return { item: { ...base, settled: { status: 'failed', message } }, enqueue: false, generation: 0 };
  }
  const rows = await tx.execute<{ generation: number }[]>(
    `update shipments set exhausted_at = null, generation = generation + 1, updated_at = now()
      where id = ? and process_status = 'queued' returning generation`,
    [shipment.id],
  );
  return { item: base, enqueue: rows.length > 0, generation: rows[0]?.generation ?? 0 };
}
