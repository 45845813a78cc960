import type { Carrier, CarrierContext, ShipmentHandle, TrackingReport } from '../../carriers/adapter.ts';
import { Contract, RelatedShipment, Shipment } from '../../db/entities/index.ts';
import { type Em, systemEm } from '../../db/orm.ts';
import { intArray } from '../../db/queries/sql.ts';
import { isFinal, statusInContext } from '../../domain/tracking-status.ts';
import { callContract, carrierOf, supported } from '../../engine/call-contract.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { handleOf } from '../../engine/shipment-draft.ts';
import type { BudgetRule } from '../../lib/budgets.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { afterCall, RetryLater } from '../../queue/retry.ts';
import { askLeave, noteAnswer, noteSilence } from './outages.ts';
import { applyReport } from './take-report.ts';

type Input = { shipmentIds: number[] } & JobContext;

/** Budget for a carrier that publishes no limit: a rate that no account was refused for. */
const POLL_BUDGET: BudgetRule = { capacity: 50, perSecond: 10 };

/** Polls the carrier for parcels and stores new events. */
export async function trackShipments(deps: Deps, input: Input): Promise<void> {
  const em = systemEm(deps.orm);
  const shipments = await em.find(Shipment, { id: { $in: input.shipmentIds } });
  const open = shipments.filter(
    ({ trackingNumber, trackingStatus }) => trackingNumber !== null && !isFinal(trackingStatus),
  );
  for (const [contractId, own] of Map.groupBy(open, (shipment) => shipment.contractId)) {
    const contract = await em.findOneOrFail(Contract, contractId);
    const carrier = await carrierOf(deps, contract.carrierId);
    const leave = await askLeave(em, contract);
    if (leave) await postpone(em, own, leave.until);
    else await trackContract(deps, input, { contract, carrier, shipments: own });
  }
}

/** Returns the rate budget for polls of one account. */
export function pollBudgetOf(carrier: Carrier): BudgetRule {
  return carrier.pollBudget ?? POLL_BUDGET;
}

/** Polls one shipment; the caller has charged the budget. Throws the carrier's failure. */
export async function trackOne(deps: Deps, input: JobContext, shipment: Shipment): Promise<void> {
  const em = systemEm(deps.orm);
  const contract = await em.findOneOrFail(Contract, shipment.contractId);
  const carrier = await carrierOf(deps, contract.carrierId);
  const leave = await askLeave(em, contract);
  if (leave) throw inOutage(carrier, leave.until);
  try {
    const refusal = await track(
      deps,
      { ...input, shipmentIds: [shipment.id] },
      { contract, carrier, shipments: [shipment] },
    );
    if (refusal) throw refusal;
  } catch (error) {
    const isSilence = error instanceof IntegrationError && error.kind === 'retryable' && error.status !== 429;
    if (isSilence) await noteSilence(em, contract, error.code);
    throw error;
  }
}

function inOutage({ id, label }: Carrier, until: Date): IntegrationError {
  const message = `${label} does not answer; the next call is at ${until.toISOString()}`;
  return new IntegrationError(message, { kind: 'retryable', provider: id, code: 'outage' });
}

interface Polled {
  contract: Contract;
  carrier: Carrier;
  shipments: Shipment[];
}

async function trackContract(deps: Deps, input: Input, { contract, carrier, shipments }: Polled): Promise<void> {
  const em = systemEm(deps.orm);
  const size = carrier.trackMany?.max ?? 1;
  const missingMs = await deps.budgets.take(
    `poll:${contract.id}`,
    pollBudgetOf(carrier),
    Math.ceil(shipments.length / size),
  );
  if (missingMs > 0) return postpone(em, shipments, new Date(deps.now().getTime() + missingMs));

  let refusal: IntegrationError | null = null;
  for (let at = 0; at < shipments.length; at += size) {
    if (input.signal.aborted) throw new RetryLater('The worker is stopping');
    const asked = shipments.slice(at, at + size);
    try {
      refusal = (await track(deps, input, { contract, carrier, shipments: asked })) ?? refusal;
    } catch (error) {
      if (!(error instanceof IntegrationError)) throw error;
      if (error.kind !== 'retryable') {
        refusal = error;
        continue;
      }
      // An outage or a rate limit: the rest waits too. A rate limit counts as an answer.
      const outage = error.status === 429 ? null : await noteSilence(em, contract, error.code);
      if (outage) return postpone(em, shipments.slice(at), outage.until);
      throw afterCall(error, false);
    }
  }
  if (refusal) throw afterCall(refusal, true);
}

/** Returns the refusal of one of them, if any; the others have their reports by then. */
async function track(
  deps: Deps,
  input: Input,
  { contract, carrier, shipments }: Polled,
): Promise<IntegrationError | null> {
  const em = systemEm(deps.orm);
  const [only] = shipments;
  const call = { ...input, contract, shipmentId: shipments.length === 1 ? (only?.id ?? null) : null, attemptId: null };
  const reports = await callContract(deps, call, (spec, context) => ask(spec, context, shipments.map(handleOf)));
  await noteAnswer(em, contract);
  let refusal: IntegrationError | null = null;
  for (const [at, shipment] of shipments.entries()) {
    const report = reports[at];
    if (report instanceof IntegrationError) refusal = report;
    else if (report) {
      const whole = await withRelated(deps, call, { shipment, report });
      await applyReport(deps, shipment, whole, carrier.trackingCodes?.version);
    }
  }
  return refusal;
}

async function ask(
  carrier: Carrier,
  context: CarrierContext<unknown>,
  handles: readonly ShipmentHandle[],
): Promise<(TrackingReport | IntegrationError)[]> {
  const [only] = handles;
  if (carrier.trackMany) return carrier.trackMany.track(context, handles);
  const one = supported(carrier.track?.bind(carrier), carrier, 'tracking');
  return only ? [await one(context, only)] : [];
}

/** Adds events under further numbers of a parcel, for its onward or return transport. */
async function withRelated(
  deps: Deps,
  call: Parameters<typeof callContract>[1],
  { shipment, report }: { shipment: Shipment; report: TrackingReport },
): Promise<TrackingReport> {
  const known = await systemEm(deps.orm).find(RelatedShipment, {
    shipmentId: shipment.id,
    companyId: shipment.companyId,
  });
  const others = new Map([...known, ...report.related].map(({ type, trackingNumber }) => [trackingNumber, type]));
  const events = [...report.events];
  for (const [trackingNumber, type] of others) {
    const handle = { reference: '', carrierReference: '', trackingNumber };
    const [other] = await callContract(deps, call, (carrier, context) => ask(carrier, context, [handle])).catch(
      tolerate,
    );
    if (!other || other instanceof IntegrationError) continue;
    const context = type === 'return' ? ('return' as const) : ('' as const);
    for (const event of other.events) {
      events.push(context ? { ...event, context, status: statusInContext(event.status, context) } : event);
    }
  }
  return { ...report, events };
}

/** Returns nothing when a second number fails: the next poll retries it, and the events of the first number are not lost. */
function tolerate(error: unknown): [] {
  if (error instanceof IntegrationError) return [];
  throw error;
}

async function postpone(em: Em, shipments: readonly Shipment[], until: Date): Promise<void> {
  await em.execute(
    `update shipments set next_poll_at = ?::timestamptz + random() * interval '30 seconds'
      where id = any(?::int[]) and next_poll_at is not null`,
    [until, intArray(shipments.map(({ id }) => id))],
  );
}
