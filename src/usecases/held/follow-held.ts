import type { CarrierEvent, HeldParcel } from '../../carriers/adapter.ts';
import { HeldCase, type Shipment } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { heldStepOf, isConfirmedBy } from '../../domain/held-case.ts';
import { deadlineOf, type HeldPolicy, UNKNOWN_POLICY } from '../../domain/held-policy.ts';
import type { HeldReason } from '../../domain/held-reasons.ts';
import type { TrackingStatus } from '../../domain/tracking-status.ts';
import type { Deps } from '../../engine/deps.ts';

const DAY_MS = 86_400_000;

const NOTHING_YET = {
  warnedAt: null,
  opensAt: null,
  openedAt: null,
  deadline: null,
  deadlineSource: null,
  isReleasable: null,
  askedAction: null,
  askedAt: null,
  decidedAction: null,
  decidedVia: null,
  decidedAt: null,
  confirmedAt: null,
  closedAt: null,
  outcome: null,
};

/**
 * Updates the held case of a shipment from its tracking: announced, opened, ended. The caller holds the shipment's lock and passes
 * the events that counted, oldest first. Late and repeated events are not among them, so one stay is one case.
 */
export async function followHeld(
  deps: Deps,
  tx: Em,
  shipment: Shipment,
  events: readonly CarrierEvent[],
): Promise<void> {
  const steps = events.flatMap((event) => {
    const step = heldStepOf(event);
    return step === null ? [] : [{ step, event }];
  });
  if (steps.length === 0) return;
  const own = { companyId: shipment.companyId, shipmentId: shipment.id };
  let current = await tx.findOne(HeldCase, { ...own, closedAt: null }, { refresh: true });
  for (const { step, event } of steps) {
    if (step === 'close') {
      if (!current) continue;
      close(deps, current, event);
      // Flushed before the next case begins, because a unique index allows one open case.
      await tx.flush();
      current = null;
      continue;
    }
    if (!current) {
      current = tx.create(HeldCase, { ...own, ...NOTHING_YET });
      await remember(tx, current, event);
    }
    if (step === 'warn') warn(current, event);
    else await open(deps, tx, current, event);
  }
  await tx.flush();
}

function warn(row: HeldCase, event: CarrierEvent): void {
  if (row.openedAt !== null) return;
  row.warnedAt ??= event.at;
  const inDays = event.announcesHeld?.inDays ?? null;
  if (inDays !== null) row.opensAt = new Date(event.at.getTime() + inDays * DAY_MS);
  explain(row, event);
}

async function open(deps: Deps, tx: Em, row: HeldCase, event: CarrierEvent): Promise<void> {
  explain(row, event);
  if (row.openedAt !== null) return;
  const { term } = await policyOf(deps, tx, row);
  row.openedAt = event.at;
  row.deadline = deadlineOf(event.at, term);
  row.deadlineSource = row.deadline === null ? null : 'rule';
  // The earlier decision did not prevent giacenza, so a person has to decide again. The attempts keep the first decision.
  row.decidedAction = null;
  row.decidedVia = null;
  row.decidedAt = null;
}

function close(deps: Deps, row: HeldCase, { status, at }: CarrierEvent): void {
  const ending = status as TrackingStatus;
  row.closedAt = at;
  row.outcome = ending;
  if (row.decidedAction === null) return;
  if (isConfirmedBy(row.decidedAction, ending)) row.confirmedAt = at;
  else {
    const { shipmentId, decidedAction } = row;
    deps.log.warn({ shipmentId, decidedAction, ending }, 'the carrier did something else with a held parcel');
  }
}

/** Prefers an event that names a cause to one that only says "held". */
function explain(row: HeldCase, { code, text, heldReason }: CarrierEvent): void {
  if (heldReason === undefined && row.reasonCode !== '') return;
  row.reasonCode = code;
  row.reasonText = text;
  row.cause = heldReason ?? 'unknown';
}

/** Finds the cause in an earlier event, such as a failed delivery that announced no giacenza. */
async function remember(tx: Em, row: HeldCase, event: CarrierEvent): Promise<void> {
  if (event.heldReason !== undefined) return;
  const [cause] = await tx.execute<{ code: string; description: string; held_reason: HeldReason }[]>(
    `select code, description, held_reason from tracking_events
      where company_id = ? and shipment_id = ? and held_reason is not null and occurred_at <= ?
        and occurred_at >= coalesce((select max(closed_at) from held_cases where company_id = ? and shipment_id = ?), '-infinity')
      order by occurred_at desc limit 1`,
    [row.companyId, row.shipmentId, event.at, row.companyId, row.shipmentId],
  );
  if (cause) explain(row, { ...event, code: cause.code, text: cause.description, heldReason: cause.held_reason });
}

async function policyOf(deps: Deps, tx: Em, row: HeldCase): Promise<HeldPolicy> {
  const [carrier] = await tx.execute<{ code: string }[]>(
    'select c.code from shipments s join carriers c on c.id = s.carrier_id where s.id = ? and s.company_id = ?',
    [row.shipmentId, row.companyId],
  );
  return deps.carriers.get(carrier?.code ?? '')?.held ?? UNKNOWN_POLICY;
}

/** Applies the carrier's own list of held parcels, which overrides our rules and may change from list to list. */
export async function noteListed(tx: Em, shipment: Shipment, parcel: HeldParcel): Promise<void> {
  const { deadline, isReleasable } = parcel;
  await tx.execute(
    `update held_cases set deadline = coalesce(?, deadline), is_releasable = ?, updated_at = now(),
            deadline_source = case when ?::timestamptz is null then deadline_source else 'carrier' end
      where company_id = ? and shipment_id = ? and closed_at is null and opened_at is not null`,
    [deadline, isReleasable, deadline, shipment.companyId, shipment.id],
  );
}
