import type { Carrier, CarrierContext, ShipmentHandle, TrackingReport } from '../../carriers/adapter.ts';
import { type Contract, RelatedShipment, type Shipment } from '../../db/entities/index.ts';
import { type Em, systemEm } from '../../db/orm.ts';
import { isSilent } from '../../db/queries/read-outages.ts';
import { statusInContext } from '../../domain/tracking-status.ts';
import { callContract, supported } from '../../engine/call-contract.ts';
import type { Deps, JobContext } from '../../engine/deps.ts';
import { PendingExchanges } from '../../engine/exchange-log.ts';
import { handleOf } from '../../engine/shipment-draft.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { noteAnswer } from './outages.ts';
import { applyReport, saysNothingNew } from './take-report.ts';

/** Parcels of one contract. */
export interface Polled {
  contract: Contract;
  carrier: Carrier;
  shipments: readonly Shipment[];
  /** The further numbers of each shipment that has any. */
  related: ReadonlyMap<number, RelatedShipment[]>;
}

/** The answer to one call, which may be about several parcels. */
export interface Answer {
  shipments: readonly Shipment[];
  reports: readonly (TrackingReport | IntegrationError)[];
  exchanges: PendingExchanges;
}

/** Reads the further numbers of shipments of one company. */
export async function readRelated(em: Em, shipments: readonly Shipment[]): Promise<Polled['related']> {
  const [first] = shipments;
  if (!first) return new Map();
  const rows = await em.find(RelatedShipment, {
    companyId: first.companyId,
    shipmentId: { $in: shipments.map(({ id }) => id) },
  });
  return Map.groupBy(rows, ({ shipmentId }) => shipmentId);
}

/** Asks the carrier about parcels in one call. Throws the carrier's failure. */
export async function askTogether(
  deps: Deps,
  input: JobContext,
  { contract, shipments, related }: Polled,
): Promise<Answer> {
  const exchanges = new PendingExchanges();
  const [only] = shipments;
  const shipmentId = shipments.length === 1 ? (only?.id ?? null) : null;
  const call = { ...input, contract, shipmentId, attemptId: null, pending: exchanges };
  try {
    const said = await callContract(deps, call, (spec, context) => ask(spec, context, shipments.map(handleOf)));
    const reports: Answer['reports'][number][] = [];
    for (const [at, report] of said.entries()) {
      const known = related.get(shipments[at]?.id ?? 0) ?? [];
      reports.push(report instanceof IntegrationError ? report : await withRelated(deps, call, { report, known }));
    }
    return { shipments, reports, exchanges };
  } catch (error) {
    await exchanges.store(deps, { hasNews: true });
    throw error;
  }
}

/** Stores what calls brought. Returns the refusal of one parcel, if any; the others have their reports by then. */
export async function takeAnswers(
  deps: Deps,
  { contract, carrier }: Pick<Polled, 'contract' | 'carrier'>,
  answers: readonly Answer[],
): Promise<IntegrationError | null> {
  if (answers.length === 0) return null;
  const withNews = new Set(answers);
  try {
    if (await isSilent(deps.orm, contract)) await noteAnswer(systemEm(deps.orm), contract);
    const judged = await Promise.all(answers.map((answer) => newReports(deps, answer)));
    for (const [at, { fresh }] of judged.entries()) {
      for (const { shipment, report } of fresh) {
        await applyReport(deps, shipment, report, carrier.trackingCodes?.version);
      }
      const answer = answers[at];
      if (answer && fresh.length === 0) withNews.delete(answer);
    }
    return judged.flatMap(({ refusals }) => refusals).at(-1) ?? null;
  } finally {
    await Promise.all(answers.map((one) => one.exchanges.store(deps, { hasNews: withNews.has(one) })));
  }
}

/** Returns the reports that say more than was known, and what was refused. */
async function newReports(deps: Deps, { shipments, reports }: Answer) {
  const refusals = reports.filter((report) => report instanceof IntegrationError);
  const fresh = await Promise.all(
    shipments.map(async (shipment, at) => {
      const report = reports[at];
      if (!report || report instanceof IntegrationError) return [];
      return (await saysNothingNew(deps, shipment, report)) ? [] : [{ shipment, report }];
    }),
  );
  return { fresh: fresh.flat(), refusals };
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
  { report, known }: { report: TrackingReport; known: readonly RelatedShipment[] },
): Promise<TrackingReport> {
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
