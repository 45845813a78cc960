import {
  HeldCase,
  Manifest,
  ManifestItem,
  OrderCorrection,
  OrderPart,
  Shipment,
  ShipmentAttempt,
  TrackingEvent,
} from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import { type OrderView, readOrder } from './read-orders.ts';

/** The largest number of entries. The newest are kept, because a person asks for what happened last. */
export const MAX_ENTRIES = 500;

export const TIMELINE_KINDS = [
  'imported',
  'created',
  'corrected',
  'cancelled',
  'split',
  'attempt',
  'shipment-cancelled',
  'printed',
  'bordero',
  'tracking',
  'held',
  'confirmed',
] as const;

/** One thing that happened. Codes and numbers, and the words of the partner; sentences are for the reader to make. */
export interface TimelineEntry {
  at: Date;
  kind: (typeof TIMELINE_KINDS)[number];
  shipmentId: number | null;
  /** An operation, a decision or a status: it depends on the kind. */
  code: string | null;
  outcome: string | null;
  /** The partner's own words, or pointers of fields. */
  details: string[];
  requestId: string | null;
}

export interface Timeline {
  /** Oldest first. */
  entries: TimelineEntry[];
  /** False: older entries are left out. */
  isComplete: boolean;
}

type Fact = Partial<TimelineEntry> & Pick<TimelineEntry, 'at' | 'kind'>;

/** Reads everything that happened to an order, also in the shipment that it is joined into. Throws a 404 for none. */
export async function readTimeline(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; orderId: number },
): Promise<Timeline> {
  const view = await readOrder(deps, input);
  const em = companyEm(deps.orm, input.companyId);
  const shipmentIds = view.shipments.map(({ id }) => id);
  const lists = await Promise.all([
    orderFacts(view),
    correctionFacts(em, input.orderId),
    splitFacts(em, input.orderId),
    shipmentFacts(em, shipmentIds),
    attemptFacts(em, shipmentIds),
    trackingFacts(em, shipmentIds),
    heldFacts(em, shipmentIds),
    borderoFacts(em, shipmentIds),
  ]);
  const facts = lists.flat().sort((one, other) => one.at.getTime() - other.at.getTime());
  return { entries: facts.slice(-MAX_ENTRIES).map(entryOf), isComplete: facts.length <= MAX_ENTRIES };
}

function entryOf(fact: Fact): TimelineEntry {
  return { shipmentId: null, code: null, outcome: null, details: [], requestId: null, ...fact };
}

function orderFacts({ order, marketplace }: OrderView): Fact[] {
  const begun: Fact = marketplace
    ? { at: order.importedAt, kind: 'imported', code: marketplace.code }
    : { at: order.createdAt, kind: 'created' };
  return [begun, ...at(order.sentToMarketplaceAt, { kind: 'confirmed', code: marketplace?.code ?? null })];
}

async function shipmentFacts(em: Em, shipmentIds: number[]): Promise<Fact[]> {
  const rows = await em.find(Shipment, { id: { $in: shipmentIds } }, { fields: ['printedAt', 'cancelledAt'] });
  return rows.flatMap(({ id: shipmentId, printedAt, cancelledAt }) => [
    ...at(printedAt, { kind: 'printed', shipmentId }),
    ...at(cancelledAt, { kind: 'shipment-cancelled', shipmentId }),
  ]);
}

/** Returns the fact when it has a time. */
function at(time: Date | null, fact: Omit<Fact, 'at'>): Fact[] {
  return time === null ? [] : [{ ...fact, at: time }];
}

async function correctionFacts(em: Em, orderId: number): Promise<Fact[]> {
  // Without the new values, which are personal data.
  const rows = await em.find(OrderCorrection, { orderId }, { exclude: ['change'], ...newest() });
  return rows.map(({ createdAt, kind, status, changed }) => ({
    at: createdAt,
    kind: kind === 'cancel' ? 'cancelled' : 'corrected',
    outcome: status,
    details: changed,
  }));
}

/** Tells of each split once: its parts are written at one time. */
async function splitFacts(em: Em, orderId: number): Promise<Fact[]> {
  const parts = await em.find(OrderPart, { orderId }, newest());
  const times = Map.groupBy(parts, ({ createdAt }) => createdAt.getTime());
  return [...times].map(([time, together]) => ({ at: new Date(time), kind: 'split', code: String(together.length) }));
}

async function attemptFacts(em: Em, shipmentIds: number[]): Promise<Fact[]> {
  const rows = await em.find(ShipmentAttempt, { shipmentId: { $in: shipmentIds } }, newest());
  return rows.map(({ startedAt, shipmentId, operation, outcome, code, message, requestId }) => ({
    at: startedAt,
    kind: 'attempt',
    shipmentId,
    code: operation,
    outcome,
    details: [code ?? '', message ?? ''].filter((one) => one !== ''),
    requestId: requestId === '' ? null : requestId,
  }));
}

async function trackingFacts(em: Em, shipmentIds: number[]): Promise<Fact[]> {
  const rows = await em.find(TrackingEvent, { shipmentId: { $in: shipmentIds } }, newest());
  return rows.map(({ occurredAt, shipmentId, status, description, location }) => ({
    at: occurredAt,
    kind: 'tracking',
    shipmentId,
    code: status,
    details: [description, location].filter((one) => one !== ''),
  }));
}

async function heldFacts(em: Em, shipmentIds: number[]): Promise<Fact[]> {
  const rows = await em.find(HeldCase, { shipmentId: { $in: shipmentIds } }, newest());
  return rows.flatMap((stay) => {
    const { shipmentId } = stay;
    const fact = { kind: 'held', shipmentId } as const;
    return [
      ...at(stay.warnedAt, { ...fact, outcome: 'announced', details: [stay.reasonText] }),
      ...at(stay.openedAt, { ...fact, outcome: 'opened', details: [stay.reasonText] }),
      ...at(stay.decidedAt, {
        ...fact,
        code: stay.decidedAction,
        outcome: stay.isDecisionCertain ? 'decided' : 'unknown',
        requestId: stay.decidedRequestId === '' ? null : stay.decidedRequestId,
      }),
      ...at(stay.confirmedAt, { ...fact, code: stay.decidedAction, outcome: 'shown' }),
      ...at(stay.closedAt, { ...fact, outcome: 'closed' }),
    ];
  });
}

async function borderoFacts(em: Em, shipmentIds: number[]): Promise<Fact[]> {
  const items = await em.find(ManifestItem, { shipmentId: { $in: shipmentIds }, restoredAt: null }, newest());
  const manifests = await em.find(Manifest, { id: { $in: items.map(({ manifestId }) => manifestId) } });
  return items.flatMap(({ shipmentId, manifestId }) =>
    manifests
      .filter(({ id }) => id === manifestId)
      .map((manifest) => ({ at: manifest.createdAt, kind: 'bordero', shipmentId, code: String(manifest.id) })),
  );
}

/** One more than is shown, so that it is known when something is left out. */
function newest() {
  return { orderBy: { id: 'desc' }, limit: MAX_ENTRIES + 1 } as const;
}
