import { CarrierRow, type Shipment } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { lockActiveShipments, moveShipments } from '../../db/queries/move-shipments.ts';
import { findAwaited } from '../../db/queries/operations.ts';
import { intArray } from '../../db/queries/sql.ts';
import { lockOrders, moveOrders } from '../../db/queries/statuses.ts';
import type { Deps } from '../../engine/deps.ts';
import { enqueueByCarrier } from '../../engine/enqueue.ts';
import { type Origin, originOf } from '../../engine/idempotency.ts';
import { type BatchElement, type NewItem, type OpenedBatch, openBatch } from '../../engine/open-operation.ts';
import { unknownOrder } from '../../engine/unknown-orders.ts';
import type { JobRequest } from '../../queue/jobs.ts';
import { openAutomaticSends } from '../marketplaces/automatic-sends.ts';

/** Shipments per call to a carrier. */
const CHUNK = 100;

/**
 * Queues the confirmation of booked shipments to their carriers, once for joined orders. Shipments that need none settle at once. With
 * `shipmentId` the other parts of a split order stay as they are.
 */
export async function requestTransmit(
  deps: Deps,
  input: Origin & { orderIds: readonly number[]; shipmentId?: number },
): Promise<OpenedBatch> {
  const em = companyEm(deps.orm, input.companyId);
  const orderIds = [...new Set(input.orderIds)];
  const carriers = new Map((await em.find(CarrierRow, {})).map((row) => [row.id, row.code]));
  const needsConfirmation = (shipment: Shipment): boolean =>
    deps.carriers.get(carriers.get(shipment.carrierId) ?? '')?.transmitShipments !== undefined;

  const open: Shipment[] = [];
  const opened = await em.transactional(async (tx) => {
    const shipments = await lockActiveShipments(tx, { companyId: input.companyId, orderIds });
    const shipmentIds = [...shipments.values()].flat().map(({ id }) => id);
    const cancelling = await findAwaited(tx, { shipmentIds, kind: 'cancel' });
    const known = await knownOrders(
      tx,
      input.companyId,
      orderIds.filter((orderId) => !shipments.has(orderId)),
    );
    const items: BatchElement[] = [];
    const silent: Shipment[] = [];
    const take = (orderId: number, shipment: Shipment): void => {
      const item = { orderId, shipmentId: shipment.id };
      const settled = settledBefore(shipment, cancelling);
      if (settled) {
        items.push({ ...item, settled });
      } else if (needsConfirmation(shipment)) {
        if (!open.includes(shipment)) open.push(shipment);
        items.push(item);
      } else {
        if (!silent.includes(shipment)) silent.push(shipment);
        items.push({ ...item, settled: { status: 'succeeded', message: '' } });
      }
    };
    for (const orderId of orderIds) {
      const all = shipments.get(orderId);
      const own = input.shipmentId === undefined ? all : all?.filter(({ id }) => id === input.shipmentId);
      for (const shipment of own ?? []) take(orderId, shipment);
      if (own?.length) continue;
      items.push(
        known.has(orderId) || all
          ? { orderId, settled: refused(unknownOrder('transmit', orderId)) }
          : { unknownOrderId: orderId },
      );
    }
    await markTransmitted(deps, tx, {
      claims: silent.map((shipment) => ({ shipment, fence: shipment.fence })),
      requestId: input.requestId,
    });
    return openBatch(tx, { ...originOf(input), kind: 'transmit' }, items);
  });
  const { operationId } = opened;
  if (operationId !== null)
    await enqueueByCarrier(deps, transmitJobs(open, { operationId, requestId: input.requestId }));
  return opened;
}

async function knownOrders(em: Em, companyId: number, orderIds: readonly number[]): Promise<Set<number>> {
  const rows = await em.execute<{ id: number }[]>('select id from orders where company_id = ? and id = any(?::int[])', [
    companyId,
    intArray(orderIds),
  ]);
  return new Set(rows.map(({ id }) => id));
}

function refused(message: string): { status: 'failed'; message: string } {
  return { status: 'failed', message };
}

/** `cancelling`: the shipments that a cancellation waits for, because a client or a correction wants it. */
function settledBefore(shipment: Shipment, cancelling: ReadonlySet<number>): NewItem['settled'] | null {
  switch (shipment.processStatus) {
    case 'transmitted':
      return { status: 'succeeded', message: '' };
    case 'created':
    case 'transmitting':
      return cancelling.has(shipment.id) ? refused('The shipment is being cancelled: try again later') : null;
    case 'queued':
    case 'submitting':
      return refused('The shipment is not created yet: transmit it later');
    default:
      return refused(shipment.failure?.message ?? `The shipment is ${shipment.processStatus}`);
  }
}

/** Builds the jobs that confirm shipments, in batches of the carrier's size. */
export function transmitJobs(
  shipments: readonly Shipment[],
  origin: { operationId: number; requestId: string },
): { carrierId: number; job: JobRequest }[] {
  const byContract = Map.groupBy(shipments, (shipment) => shipment.contractId);
  return [...byContract].flatMap(([contractId, own]) => {
    const jobs = [];
    for (let at = 0; at < own.length; at += CHUNK) {
      const chunk = own.slice(at, at + CHUNK);
      jobs.push({
        carrierId: own[0]?.carrierId ?? 0,
        job: {
          name: 'transmit' as const,
          id: `transmit-${origin.operationId}-${contractId}-${at}`,
          companyId: own[0]?.companyId ?? 0,
          payload: { shipmentIds: chunk.map((shipment) => shipment.id), requestId: origin.requestId },
        },
      });
    }
    return jobs;
  });
}

/**
 * Sets shipments and their orders to transmitted. Returns the ids that changed; a shipment that another run took over stays with that
 * run.
 */
export async function markTransmitted(
  deps: Pick<Deps, 'now' | 'marketplaces' | 'vault'>,
  tx: Em,
  { claims, requestId }: { claims: readonly { shipment: Shipment; fence: number }[]; requestId: string },
): Promise<number[]> {
  const moved = await moveShipments(tx, {
    ids: claims.map(({ shipment }) => shipment.id),
    fences: claims.map(({ fence }) => fence),
    from: ['created', 'transmitting'],
    to: 'transmitted',
    set: { transmitted_at: deps.now(), failure: null, exhausted_at: null },
  });
  const ids = new Set(moved.map((row) => row.id));
  const shipments = claims.map(({ shipment }) => shipment).filter((shipment) => ids.has(shipment.id));
  const companyId = shipments[0]?.companyId;
  if (companyId === undefined) return [];
  const orderIds = shipments.map((shipment) => shipment.orderId);
  await lockOrders(tx, { companyId, orderIds });
  await moveOrders(tx, { companyId, orderIds }, 'transmitted');
  await tx.execute(
    `update orders set sent_to_carrier_at = coalesce(sent_to_carrier_at, ?)
      where company_id = ? and (id = any(?::int[]) or joined_into = any(?::int[]))`,
    [deps.now(), companyId, intArray(orderIds), intArray(orderIds)],
  );
  await openAutomaticSends(deps, tx, { companyId, requestId, shipmentIds: [...ids] });
  return [...ids];
}
