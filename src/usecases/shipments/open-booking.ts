import type { Shipment } from '../../db/entities/index.ts';
import { companyEm, type Em, type Orm } from '../../db/orm.ts';
import { batched } from '../../db/queries/batched.ts';
import { lockActiveShipments } from '../../db/queries/move-shipments.ts';
import { type Runner, runTransaction } from '../../db/queries/prepared.ts';
import { refuseOrders } from '../../db/queries/statuses.ts';
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
  openBatches,
} from '../../engine/open-operation.ts';
import { unknownOrder } from '../../engine/unknown-orders.ts';
import { bookJobId, type JobRequest } from '../../queue/jobs.ts';
import { assignWarehouses, insertShipments, type OpenShipment } from './insert-shipments.ts';
import { type BookingPlan, isFew, keyOf } from './planning.ts';

/** Statuses in which a shipment has its label. */
const BOOKED = new Set(['created', 'transmitting', 'transmitted']);

export function hasLabel({ processStatus }: Pick<Shipment, 'processStatus'>): boolean {
  return BOOKED.has(processStatus);
}

/** Plans with the request that they were made for. */
interface Opening {
  deps: Pick<Deps, 'vault'>;
  origin: Origin;
  direction: Direction;
  plans: readonly BookingPlan[];
}

interface Opened {
  batch: OpenedBatch;
  jobs: { carrierId: number; job: JobRequest }[];
}

/** Inserts a shipment for each plan that needs one, opens the operation, and queues the bookings. */
export async function openBooking(
  deps: Deps,
  origin: Origin,
  { direction, plans }: { direction: Direction; plans: readonly BookingPlan[] },
): Promise<OpenedBatch> {
  const opening = { deps, origin, direction, plans };
  const [opened] = isFew(plans) ? [await openWithOthers(deps.orm, opening)] : await openAll(deps.orm, [opening]);
  const { batch, jobs } = opened as Opened;
  await enqueueByCarrier(deps, jobs);
  return batch;
}

/** Bookings of single orders come at the same moment: they share statements and a commit. */
const openWithOthers = batched(openAll, {
  keyOf: ({ origin, direction }: Opening) => `${origin.companyId} ${direction}`,
});

/** Opens bookings of one company and direction in one transaction. */
async function openAll(orm: Orm, openings: readonly Opening[]): Promise<Opened[]> {
  const [{ deps, origin, direction }] = openings as [Opening];
  const { companyId } = origin;
  const requests = openings.map(({ origin: { requestId }, plans }) => ({ requestId, plans }));
  const run = (overtaken: ReadonlySet<string>) =>
    runTransaction(orm, async (tx) => {
      const booked = await book(deps, tx, { companyId, direction, requests, overtaken });
      const batches = openings.map((one, at) => ({
        origin: originOf(one.origin),
        elements: booked[at]?.items ?? [],
      }));
      const opened = await openBatches(tx, { companyId, kind: 'create' }, batches);
      return opened.map((batch, at) => ({ batch, jobs: booked[at]?.jobs ?? [] }));
    });
  return againWhenOvertaken(run);
}

/** Plans whose orders had a shipment, or had changed, when theirs was to be inserted. */
class Overtaken extends Error {
  readonly keys: readonly string[];

  constructor(plans: readonly BookingPlan[]) {
    super('Overtaken by another request');
    this.keys = plans.map(keyOf);
  }
}

/**
 * Runs a transaction again when requests were faster, with the keys of the plans that were overtaken. Waiting here for
 * their shipments would be a deadlock, because a run that has one may wait for its order, which the insertion has locked.
 */
async function againWhenOvertaken<Result>(
  transaction: (overtaken: ReadonlySet<string>) => Promise<Result>,
): Promise<Result> {
  const overtaken = new Set<string>();
  for (;;) {
    try {
      return await transaction(overtaken);
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
      for (const key of error.keys) overtaken.add(key);
    }
  }
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
  const requests = [{ requestId: origin.requestId, plans }];
  const jobs = await againWhenOvertaken((overtaken) =>
    companyEm(deps.orm, companyId).transactional(async (tx) => {
      if (!(await claim(tx))) return [];
      const [booked] = await book(deps, tx, { companyId, direction: 'outbound', requests, overtaken });
      await addItems(tx, { companyId, operationId, kind: 'create' }, booked?.items.map(kept) ?? []);
      return booked?.jobs ?? [];
    }),
  );
  await enqueueByCarrier(deps, jobs);
}

/** Returns the item of an element. The operation was open before, so it also keeps what turned out not to exist. */
function kept(element: BatchElement): NewItem {
  if (isItem(element)) return element;
  const { unknownOrderId: orderId, message = unknownOrder('create', orderId) } = element;
  return { orderId, settled: { status: 'failed', message } };
}

interface Booked {
  items: BatchElement[];
  /** To queue after the commit. */
  jobs: { carrierId: number; job: JobRequest }[];
}

/** Writes the shipments of the plans of some requests. Returns the items of each request's operation, and its jobs. */
async function book(
  deps: Pick<Deps, 'vault'>,
  tx: Runner,
  {
    companyId,
    direction,
    requests,
    overtaken,
  }: {
    companyId: number;
    direction: Direction;
    requests: readonly { requestId: string; plans: readonly BookingPlan[] }[];
    overtaken: ReadonlySet<string>;
  },
): Promise<Booked[]> {
  const plans = requests.flatMap((request) => request.plans);
  const isFresh = (plan: BookingPlan): boolean => 'shippable' in plan && !overtaken.has(keyOf(plan));
  // Shipments before orders, which the insertion locks: a split or a correction locks them in this order too.
  const orderIds = plans.filter((plan) => !isFresh(plan)).map(({ orderId }) => orderId);
  const locked = await lockActiveShipments(tx, { companyId, orderIds, direction });
  const shipments = new Map<string, OpenShipment>([...locked.values()].flat().map((row) => [keyOf(row), row]));
  const fresh = plans.filter(isFresh);
  const made = await insertShipments(deps, tx, { companyId, direction, plans: fresh });
  const late = fresh.filter((plan) => !made.has(keyOf(plan)));
  if (late.length > 0) throw new Overtaken(late);
  await assignWarehouses(tx, companyId, fresh);
  for (const [key, shipment] of made) shipments.set(key, shipment);
  const answered: Booked[] = [];
  for (const request of requests) answered.push(await answer(tx, { companyId, ...request, shipments }));
  if (direction === 'outbound') await refuseOrders(tx, companyId, plans.flatMap(refusalsOf));
  return answered;
}

function refusalsOf(plan: BookingPlan): { orderId: number; revision: number; message: string }[] {
  if (!('refused' in plan) || plan.revision === null) return [];
  const { orderId, revision, refused: message, joined = [] } = plan;
  return [{ id: orderId, revision }, ...joined].map((order) => ({
    orderId: order.id,
    revision: order.revision,
    message,
  }));
}

/** Returns what each plan of a request comes to, when the shipments of its orders are known and locked. */
async function answer(
  tx: Runner,
  request: {
    companyId: number;
    requestId: string;
    plans: readonly BookingPlan[];
    shipments: ReadonlyMap<string, OpenShipment>;
  },
): Promise<Booked> {
  const { companyId, requestId, plans, shipments } = request;
  const booked: Booked = { items: [], jobs: [] };
  for (const plan of plans) {
    const add = (element: BatchElement, asked: number): void => {
      for (const orderId of plan.asking ?? [asked]) {
        booked.items.push(isItem(element) ? { ...element, orderId } : { ...element, unknownOrderId: orderId });
      }
    };
    if ('unknownOrderId' in plan) {
      const { unknownOrderId, message } = plan;
      add({ unknownOrderId, ...(message === undefined ? {} : { message }) }, unknownOrderId);
      continue;
    }
    if ('refused' in plan) {
      add({ settled: { status: 'failed', message: plan.refused } }, plan.orderId);
      continue;
    }
    const shipment = shipments.get(keyOf(plan));
    if (!shipment) {
      // Since it was planned, the order was corrected, split or joined, or its shipment was cancelled or rejected.
      add({ settled: { status: 'failed', message: 'The order changed at this moment: try again' } }, plan.orderId);
      continue;
    }
    const item = await itemFor(tx, shipment);
    add(item.item, plan.orderId);
    if (item.enqueue) {
      const payload = { shipmentId: shipment.id, requestId };
      const job = { name: 'book' as const, id: bookJobId(shipment.id, item.generation), companyId, payload };
      booked.jobs.push({ carrierId: shipment.carrierId, job });
    }
  }
  return booked;
}

/** Returns the item for an order's existing shipment. A booking with exhausted retries starts again. */
async function itemFor(
  tx: Runner,
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
  // Another request that shares the transaction joins this new start.
  const [started] = rows;
  if (started) Object.assign(shipment, { exhaustedAt: null, generation: started.generation });
  return { item: base, enqueue: started !== undefined, generation: started?.generation ?? 0 };
}
