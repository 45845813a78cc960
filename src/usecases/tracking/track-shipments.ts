import type { Carrier } from '../../carriers/adapter.ts';
import { Contract, Shipment } from '../../db/entities/index.ts';
import { type Em, systemEm } from '../../db/orm.ts';
import { intArray } from '../../db/queries/sql.ts';
import { isFinal } from '../../domain/tracking-status.ts';
import { carrierOf } from '../../engine/call-contract.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import type { BudgetRule } from '../../lib/budgets.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { afterCall, RetryLater } from '../../queue/retry.ts';
import { type Answer, askTogether, type Polled, readRelated, takeAnswers } from './ask-together.ts';
import { askLeave, noteSilence } from './outages.ts';

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
    else await trackContract(deps, input, { contract, carrier, shipments: own, related: await readRelated(em, own) });
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
  const polled = { contract, carrier, shipments: [shipment], related: await readRelated(em, [shipment]) };
  try {
    const refusal = await takeAnswers(deps, polled, [await askTogether(deps, input, polled)]);
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

async function trackContract(deps: Deps, input: Input, polled: Polled): Promise<void> {
  const { contract, carrier, shipments } = polled;
  const em = systemEm(deps.orm);
  const size = carrier.trackMany?.max ?? 1;
  const missingMs = await deps.budgets.take(
    `poll:${contract.id}`,
    pollBudgetOf(carrier),
    Math.ceil(shipments.length / size),
  );
  if (missingMs > 0) return postpone(em, shipments, new Date(deps.now().getTime() + missingMs));

  const { answers, refusal, stop } = await askAll(deps, input, polled, size);
  // Together, because nearly all bring nothing new: then they share three statements.
  const refused = (await takeAnswers(deps, polled, answers)) ?? refusal;
  if (!stop) {
    if (refused) throw afterCall(refused, true);
    return;
  }
  if (!(stop.error instanceof IntegrationError)) throw stop.error;
  // An outage or a rate limit: the rest waits too. A rate limit counts as an answer.
  const outage = stop.error.status === 429 ? null : await noteSilence(em, contract, stop.error.code);
  if (outage) return postpone(em, shipments.slice(stop.at), outage.until);
  throw afterCall(stop.error, false);
}

interface Asked {
  answers: Answer[];
  /** The last call that the carrier refused for good. */
  refusal: IntegrationError | null;
  /** Null: all were asked. */
  stop: { at: number; error: unknown } | null;
}

/** Asks about `size` parcels at a time until all were asked or one call fails in a way that the others would too. */
async function askAll(deps: Deps, input: Input, polled: Polled, size: number): Promise<Asked> {
  const asked: Asked = { answers: [], refusal: null, stop: null };
  for (let at = 0; at < polled.shipments.length && !asked.stop; at += size) {
    try {
      if (input.signal.aborted) throw new RetryLater('The worker is stopping');
      const shipments = polled.shipments.slice(at, at + size);
      asked.answers.push(await askTogether(deps, input, { ...polled, shipments }));
    } catch (error) {
      if (error instanceof IntegrationError && error.kind !== 'retryable') asked.refusal = error;
      else asked.stop = { at, error };
    }
  }
  return asked;
}

async function postpone(em: Em, shipments: readonly Shipment[], until: Date): Promise<void> {
  await em.execute(
    `update shipments set next_poll_at = ?::timestamptz + random() * interval '30 seconds'
      where id = any(?::int[]) and next_poll_at is not null`,
    [until, intArray(shipments.map(({ id }) => id))],
  );
}
