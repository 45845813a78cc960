import type { CarrierEvent, HeldParcel } from '../../carriers/adapter.ts';
import { Contract, Shipment } from '../../db/entities/index.ts';
import { systemEm } from '../../db/orm.ts';
import { callContract, supported } from '../../engine/call-contract.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { enqueue } from '../../engine/enqueue.ts';
import { wallClock } from '../../lib/clock.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { trackingQueue } from '../../queue/jobs.ts';
import { afterCall } from '../../queue/retry.ts';
import { noteListed } from '../held/follow-held.ts';
import { applyReport } from './take-report.ts';

/** Code of an event that comes from the carrier's list of held parcels, not from its tracking. */
const LISTED = 'HELD_LIST';

/** Queues a read of the held parcels for every contract whose carrier lists them, once per tracking interval. */
export async function queueDueHeldLists(deps: Deps): Promise<number> {
  const able = [...deps.carriers.values()].filter((carrier) => carrier.listHeld).map((carrier) => carrier.id);
  const due = await systemEm(deps.orm).execute<{ id: number; company_id: number; code: string }[]>(
    `update contracts k set held_listed_at = ? from carriers c
      where c.id = k.carrier_id and c.code = any(string_to_array(?, ',')) and k.is_connected and not k.delete_flag
        and (k.held_listed_at is null or k.held_listed_at <= ?)
        and exists (select 1 from shipments s where s.contract_id = k.id and s.next_poll_at is not null)
      returning k.id, k.company_id, c.code`,
    [deps.now(), able.join(','), new Date(deps.now().getTime() - deps.settings.trackingIntervalMs)],
  );
  for (const { id, company_id: companyId, code } of due) {
    const name = 'held' as const;
    const job = { name, id: `held-${id}-${deps.now().getTime()}`, companyId, payload: { contractId: id } };
    await enqueue(deps, trackingQueue(code), [job]);
  }
  return due.length;
}

/** Reads the carrier's list of held parcels, and stores those that tracking does not show as held. */
export async function watchHeld(deps: Deps, input: { contractId: number } & JobContext): Promise<void> {
  const em = systemEm(deps.orm);
  const contract = await em.findOne(Contract, { id: input.contractId, deleteFlag: false });
  if (!contract) return;
  let held: HeldParcel[];
  try {
    const call = { ...input, contract, shipmentId: null, attemptId: null };
    held = await callContract(deps, call, (carrier, context) =>
      supported(carrier.listHeld?.bind(carrier), carrier, 'list of held parcels')(context),
    );
  } catch (error) {
    if (!(error instanceof IntegrationError)) throw error;
    throw afterCall(error);
  }
  const shipments = await em.find(Shipment, {
    companyId: contract.companyId,
    contractId: contract.id,
    nextPollAt: { $ne: null },
    $or: [
      { trackingNumber: { $in: held.map((parcel) => parcel.trackingNumber) } },
      { reference: { $in: held.map((parcel) => parcel.reference) } },
    ],
  });
  for (const shipment of shipments) {
    const parcel = held.find(
      ({ trackingNumber, reference }) => trackingNumber === shipment.trackingNumber || reference === shipment.reference,
    );
    if (!parcel) continue;
    const events = [eventOf(parcel, shipment.heldSince ?? deps.now())];
    await applyReport(deps, shipment, { events, related: [], found: true });
    await noteListed(em, shipment, parcel);
  }
}

/** Identifies the event, so that the same parcel in the next list adds no event. */
function eventOf({ reason, cause, since, deadline, isReleasable }: HeldParcel, seenAt: Date): CarrierEvent {
  const until = deadline === null ? [] : [`until ${wallClock(deadline, 'Europe/Rome').date}`];
  const note = [...until, ...(isReleasable ? [] : ['can no longer be released'])].join(', ');
  return {
    code: LISTED,
    text: reason,
    at: since ?? seenAt,
    location: '',
    note,
    status: 'held',
    context: 'list',
    heldReason: cause,
  };
}
