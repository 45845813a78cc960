import { z } from 'zod';
import type { Deps, JobContext } from '../engine/deps.ts';
import { describeFailure, IntegrationError } from '../lib/errors.ts';
import { seeingCompanies } from '../lib/visible-companies.ts';
import { JOBS, type JobName, type JobPayload } from '../queue/jobs.ts';
import type { ReceivedJob } from '../queue/queue-system.ts';
import { giveUp, isGivenUp, RetryLater } from '../queue/retry.ts';
import { askCarrier } from '../usecases/addresses/ask-carrier.ts';
import { rebookCorrected } from '../usecases/corrections/rebook-corrected.ts';
import { deliverEvents } from '../usecases/events/deliver-events.ts';
import { testEndpoint } from '../usecases/events/test-endpoint.ts';
import { releaseHeld } from '../usecases/held/release-held.ts';
import { askShop } from '../usecases/marketplaces/ask-shop.ts';
import { importOneOrder, importOrders } from '../usecases/marketplaces/import-orders.ts';
import { sendToMarketplace } from '../usecases/marketplaces/send-to-marketplace.ts';
import { verifyContract } from '../usecases/partners/verify-contract.ts';
import { bookPickup, cancelPickup } from '../usecases/pickups/book-pickup.ts';
import { printLabel } from '../usecases/printers/print-label.ts';
import { bookShipment } from '../usecases/shipments/book-shipment.ts';
import { cancelShipment } from '../usecases/shipments/cancel-shipment.ts';
import { fetchLabels } from '../usecases/shipments/fetch-labels.ts';
import { reconcileShipment } from '../usecases/shipments/reconcile-shipment.ts';
import { transmitShipments } from '../usecases/shipments/transmit-shipments.ts';
import { pollShipment } from '../usecases/tracking/poll-shipment.ts';
import { trackShipments } from '../usecases/tracking/track-shipments.ts';
import { watchHeld } from '../usecases/tracking/watch-held.ts';

type Handlers = { [Name in JobName]: (deps: Deps, input: JobPayload<Name> & JobContext) => Promise<unknown> };

const HANDLERS: Handlers = {
  book: bookShipment,
  reconcile: reconcileShipment,
  labels: fetchLabels,
  transmit: transmitShipments,
  cancel: cancelShipment,
  release: releaseHeld,
  'check-address': askCarrier,
  'pickup-points': askCarrier,
  'live-rates': askCarrier,
  'book-pickup': bookPickup,
  'cancel-pickup': cancelPickup,
  poll: pollShipment,
  correct: rebookCorrected,
  held: watchHeld,
  track: trackShipments,
  send: sendToMarketplace,
  import: importOrders,
  'import-order': importOneOrder,
  verify: askShop,
  'import-now': askShop,
  'test-endpoint': testEndpoint,
  'verify-contract': verifyContract,
  print: printLabel,
  deliver: deliverEvents,
};

/** A job of the release before names no company, and neither does a delivery of events. */
const Owned = z.object({ companyId: z.number().int().optional() });

/** Runs one job: parses the payload, writes one log line, and rethrows errors for the queue to act on. */
export async function runJob(
  deps: Deps,
  job: ReceivedJob,
  { signal, endTurn }: Pick<JobContext, 'signal' | 'endTurn'>,
): Promise<void> {
  const started = performance.now();
  if (!Object.hasOwn(JOBS, job.name)) throw giveUp(`Unknown job name: ${job.name}`);
  const name = job.name as JobName;
  const parsed = JOBS[name].safeParse(job.data);
  if (!parsed.success) throw giveUp(`Invalid payload of job ${name} ${job.id}`);
  const log = { job: job.id, name, requestId: parsed.data.requestId };
  const run = HANDLERS[name] as (deps: Deps, input: object) => Promise<unknown>;
  try {
    const work = () => run(deps, { ...parsed.data, signal, endTurn, isLastTry: job.isLastTry });
    const { companyId } = Owned.parse(job.data);
    await (companyId === undefined ? work() : seeingCompanies([companyId], work));
    deps.log.info({ ...log, ms: Math.round(performance.now() - started) }, 'job done');
  } catch (error) {
    const willRetry = error instanceof RetryLater && !job.isLastTry;
    const ms = Math.round(performance.now() - started);
    if (willRetry) deps.log.warn({ ...log, ms, reason: error.message }, 'job will be retried');
    // A refusal is for the client to read. Only a failure that reached no client needs an operator.
    else if (error instanceof Error && isGivenUp(error))
      deps.log.warn({ ...log, ms, reason: error.message }, 'job refused');
    else deps.log.error({ ...log, ms, err: error }, 'job failed');
    // A partner's words must not stay with the failed job.
    throw error instanceof IntegrationError ? new Error(describeFailure(error)) : error;
  }
}
