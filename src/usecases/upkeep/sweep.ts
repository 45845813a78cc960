import { type OperationKind, Shipment } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import { findOpenShipments, type OpenShipment } from '../../db/queries/find-open-shipments.ts';
import { moveShipments } from '../../db/queries/move-shipments.ts';
import { loseAttempts } from '../../engine/attempts.ts';
import type { Deps } from '../../engine/deps.ts';
import {
  bookJobId,
  carrierQueue,
  EVENTS_QUEUE,
  type JobName,
  type JobRequest,
  labelsJobId,
  marketplaceQueue,
  PRINTERS_QUEUE,
  reconcileJobId,
} from '../../queue/jobs.ts';
import { recordRelease } from '../held/decide-held.ts';
import { CAN_BE_SENT_AGAIN } from '../marketplaces/told-numbers.ts';

/** A younger row is still being enqueued by its own request. */
const GRACE_SECONDS = 10;
const MAX_PER_SWEEP = 2000;
/** How long to retry missing labels before they are left to the desk. */
const LABEL_HOURS = 24;

/** Retry period and pauses of a confirmation that failed for a reason other than a refusal by the marketplace. */
const SEND_AGAIN_HOURS = 72;
const SEND_AGAIN_MINUTES = 5;
/** Limit per connection: the outage of one shop must not fill the queue that all shops share. */
const SENDS_AGAIN_AT_ONCE = 10;

/** Kinds that are simply queued again after a lost worker. */
const HARMLESS =
  "'cancel', 'check-address', 'pickup-points', 'live-rates', 'cancel-pickup', 'send', 'poll', 'correct', 'verify', 'import', 'test-endpoint', 'verify-contract'";
/** Kinds that are left to people, because a repeat is billed or sends a second courier. */
const ONCE = "'release', 'book-pickup'";
/** The paper may exist. */
const PRINT = "'print'";

const ITEM_JOBS = {
  cancel: 'cancel',
  release: 'release',
  'check-address': 'check-address',
  'pickup-points': 'pickup-points',
  'live-rates': 'live-rates',
  'book-pickup': 'book-pickup',
  'cancel-pickup': 'cancel-pickup',
  send: 'send',
  poll: 'poll',
  correct: 'correct',
  verify: 'verify',
  import: 'import-now',
  'test-endpoint': 'test-endpoint',
  'verify-contract': 'verify-contract',
  print: 'print',
} as const satisfies Partial<Record<OperationKind, JobName>>;
/** Kinds that a shop answers. */
const OF_SHOPS: ReadonlySet<OperationKind> = new Set<OperationKind>(['send', 'verify', 'import']);
const LOST = 'Unknown whether it was carried out';

/**
 * Finds open work by its rows and enqueues it again. Job ids are deterministic, so a job that the queue still has is a no-op, and an
 * emptied queue is filled again. Returns how many rows it found.
 */
export async function sweep(deps: Deps): Promise<number> {
  const found = [...(await openShipments(deps)), ...(await missingLabels(deps)), ...(await openItems(deps))];
  for (const [queue, own] of Map.groupBy(found, ({ queue }) => queue)) {
    await deps.queues
      .revive(
        queue,
        own.map(({ job }) => job),
      )
      .catch((err) => deps.log.warn({ err, queue, jobs: own.length }, 'enqueue failed; the next sweep will retry'));
  }
  return found.length;
}

interface Found {
  queue: string;
  job: JobRequest;
}

/** Bookings, confirmations and unknown outcomes. */
async function openShipments(deps: Deps): Promise<Found[]> {
  await freeLostConfirmations(deps);
  const rows = await findOpenShipments(systemEm(deps.orm), {
    graceSeconds: GRACE_SECONDS,
    stuckSeconds: deps.settings.callLimitMs / 1000,
    limit: MAX_PER_SWEEP,
  });
  return rows.map((row) => ({ queue: carrierQueue(row.code), job: shipmentJob(row) }));
}

/** Finds labels that did not arrive with their booking, for carriers that can return them later. */
async function missingLabels(deps: Deps): Promise<Found[]> {
  const able = [...deps.carriers.values()].filter((carrier) => carrier.fetchLabels).map((carrier) => carrier.id);
  const rows = await systemEm(deps.orm).execute<{ id: number; company_id: number; code: string }[]>(
    `select s.id, s.company_id, c.code from shipments s join carriers c on c.id = s.carrier_id
      where s.label_missing_since > now() - make_interval(hours => ?) and c.code = any(string_to_array(?, ','))
        and s.process_status in ('created', 'transmitting', 'transmitted') order by s.label_missing_since limit ?`,
    [LABEL_HOURS, able.join(','), MAX_PER_SWEEP],
  );
  return rows.map(({ id, company_id: companyId, code }) => ({
    queue: carrierQueue(code),
    job: { name: 'labels', id: labelsJobId(id), companyId, payload: { shipmentId: id } },
  }));
}

/** Frees confirmations whose worker is lost; a repeat is harmless. */
async function freeLostConfirmations(deps: Deps): Promise<void> {
  await systemEm(deps.orm).transactional(async (tx) => {
    const lost = await tx.find(Shipment, { processStatus: 'transmitting' }, { fields: ['id'], limit: MAX_PER_SWEEP });
    const moved = await moveShipments(tx, {
      ids: lost.map((shipment) => shipment.id),
      from: ['transmitting'],
      to: 'created',
      claim: true,
      idleSeconds: deps.settings.callLimitMs / 1000,
    });
    const ids = moved.map((row) => row.id);
    await loseAttempts(tx, ids);
  });
}

function shipmentJob(row: OpenShipment): JobRequest {
  const { company_id: companyId } = row;
  switch (row.process_status) {
    case 'queued':
      return {
        name: 'book',
        id: bookJobId(row.id, row.generation),
        companyId,
        payload: { shipmentId: row.id },
      };
    case 'created':
      return {
        name: 'transmit',
        id: `transmit-item-${row.item_id}`,
        companyId,
        payload: { shipmentIds: [row.id] },
      };
    default:
      return {
        name: 'reconcile',
        id: reconcileJobId(row.id, row.attempt_id ?? 0),
        companyId,
        payload: { shipmentId: row.id },
      };
  }
}

interface OpenItem {
  id: number;
  company_id: number;
  kind: keyof typeof ITEM_JOBS;
  carrier: string | null;
  marketplace: string | null;
}

/** Cancellations, releases, address questions and marketplace confirmations. */
async function openItems(deps: Deps): Promise<Found[]> {
  const em = systemEm(deps.orm);
  const stuck = deps.settings.callLimitMs / 1000;
  // A release with a lost worker is not repeated, because it is billed and tracking will show it.
  await em.execute(
    `update operation_items set status = 'pending', attempt = attempt + 1, updated_at = now(),
            failure_kind = case when kind = 'cancel-pickup' then 'unknown-outcome' else failure_kind end
      where status = 'running' and kind in (${HARMLESS})
        and updated_at < now() - make_interval(secs => ?)`,
    [stuck],
  );
  await em.execute(
    `update operation_items set status = 'failed', settled_at = now(), updated_at = now(),
            failure_kind = 'unknown-outcome', message = 'worker-lost'
      where status = 'running' and kind in (${PRINT}) and updated_at < now() - make_interval(secs => ?)`,
    [stuck],
  );
  await reopenSends(deps);
  const lost = await em.execute<{ id: number; shipment_id: number | null }[]>(
    `with lost as (update operation_items set status = 'failed', settled_at = now(), updated_at = now(),
                failure_kind = 'unknown-outcome', message = ?
        where status = 'running' and kind in (${ONCE}) and updated_at < now() - make_interval(secs => ?)
        returning id, shipment_id, pickup_id),
      pickup as (update pickups p set status = 'unknown', message = ?, updated_at = now() from lost where p.id = lost.pickup_id)
     select id, shipment_id from lost`,
    [`${LOST}: watch the tracking before repeating it`, stuck, `${LOST}: ask the carrier`],
  );
  await loseAttempts(
    em,
    lost.flatMap((row) => row.shipment_id ?? []),
    ['release'],
  );
  for (const { id } of lost) await recordRelease(em, { itemId: id, isCertain: false, at: deps.now() });
  const rows = await em.execute<OpenItem[]>(
    `select i.id, i.company_id, i.kind, ca.code as carrier, m.code as marketplace
       from operation_items i
       left join shipments s on s.id = i.shipment_id
       left join contracts co on co.id = coalesce(i.contract_id, s.contract_id)
       left join carriers ca on ca.id = co.carrier_id
       left join connections cn on cn.id = i.connection_id
       left join marketplaces m on m.id = cn.marketplace_id
      where i.status = 'pending' and i.kind in (${HARMLESS}, ${ONCE}, ${PRINT})
        and i.updated_at < now() - make_interval(secs => ?) order by i.updated_at limit ?`,
    [GRACE_SECONDS, MAX_PER_SWEEP],
  );
  return rows.flatMap((row) => {
    const name = ITEM_JOBS[row.kind];
    const queue = queueOf(row);
    const { id: itemId, company_id: companyId } = row;
    return queue ? [{ queue, job: { name, id: `${name}-${itemId}`, companyId, payload: { itemId } } }] : [];
  });
}

function queueOf({ kind, carrier, marketplace }: OpenItem): string | null {
  if (kind === 'test-endpoint') return EVENTS_QUEUE;
  if (kind === 'print') return PRINTERS_QUEUE;
  if (OF_SHOPS.has(kind)) return marketplace && marketplaceQueue(marketplace);
  return carrier && carrierQueue(carrier);
}

/** Retries failed confirmations, so that a shop gets them soon after its maintenance. Adapters read first, so a repeat writes nothing twice. */
async function reopenSends(deps: Deps): Promise<void> {
  await systemEm(deps.orm).execute(
    `with failed as (
       select i.id, i.company_id, i.connection_id,
              row_number() over (partition by i.company_id, i.connection_id order by i.id) as place
         from operation_items i join shipments s on s.company_id = i.company_id and s.id = i.shipment_id
        where ${CAN_BE_SENT_AGAIN}
          and i.settled_at between now() - make_interval(hours => ?) and now() - make_interval(mins => ?)
     )
     update operation_items i set status = 'pending', settled_at = null, attempt = i.attempt + 1, updated_at = now()
       from (select * from failed where place <= ?) failed where i.id = failed.id and i.status = 'failed'
        and failed.place <= ? - (select count(*) from operation_items open where open.company_id = failed.company_id
                                  and open.connection_id = failed.connection_id and open.kind = 'send'
                                  and open.status in ('pending', 'running'))`,
    [SEND_AGAIN_HOURS, SEND_AGAIN_MINUTES, SENDS_AGAIN_AT_ONCE, SENDS_AGAIN_AT_ONCE],
  );
}
