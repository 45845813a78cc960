import { type FailureKind, IntegrationError } from '../../lib/errors.ts';
import type {
  BookedShipment,
  CarrierContext,
  FoundShipment,
  LabelFile,
  ShipmentDraft,
  ShipmentHandle,
} from '../contract.ts';
import { labelOf } from './labels.ts';
import { createBody } from './mapping.ts';
import { PROVIDER, refusalOf } from './refusals.ts';
import { type Account, Shipment, ShipmentList } from './schema.ts';
import { Anything, ask, call, isUnknownThing, type Refused } from './wire.ts';

type Context = CarrierContext<Account>;

/** Before these end, a shipment has neither number nor label, and can still be cancelled. */
const UNCONFIRMED = new Set(['created', 'offers_prepared', 'offer_selected']);
/** The most that InPost gives at once. */
const PER_PAGE = 100;
/** Should InPost ignore the filter, two thousand shipments are read before a person is asked. */
const MAX_PAGES = 20;
const MAKING_MS = 1000;

/**
 * One write. ShipX books afterwards: its answer mostly has no number yet. What is then known is that InPost took the order, so the
 * outcome is looked up by `findByReference`, and nothing is written again.
 */
export async function createShipment(context: Context, draft: ShipmentDraft): Promise<BookedShipment> {
  const created = await call(
    context,
    {
      operation: 'createShipment',
      effect: 'write',
      method: 'POST',
      path: `/v1/organizations/${context.account.organizationId}/shipments`,
      body: createBody(context.account, draft),
    },
    Shipment,
  );
  return bookedOf(context, draft, { number: numberOf(created, 'unknown-outcome'), shipment: created });
}

/**
 * InPost documents no filter by reference: it is asked for, but references are compared for equality, and every page is read.
 * Several live shipments of one reference are parcels too many.
 */
export async function findByReference(context: Context, draft: ShipmentDraft): Promise<FoundShipment | null> {
  const own = await list(context, { reference: draft.reference }, ({ reference }) => reference === draft.reference);
  // "canceled" is also what InPost makes of an order that it did not take in the end.
  const live = own.filter(({ status }) => status !== 'canceled').toSorted((a, b) => a.id - b.id);
  const numbers = live.map((shipment) => numberOf(shipment, 'retryable'));
  const [shipment] = live;
  const [number, ...others] = numbers;
  if (shipment === undefined || number === undefined) return null;
  const booked = await bookedOf(context, draft, { number, shipment });
  return {
    ...booked,
    parcelCount: live.reduce((sum, { parcels }) => sum + (parcels?.length || 1), 0),
    warnings: [
      ...booked.warnings,
      ...(others.length > 0 ? [`InPost also has ${others.join(', ')} under this reference: leave them unused`] : []),
    ],
    canBeTakenBack: false,
  };
}

/** A shipment is sold when it has its number: a label that does not come now is asked for again. */
async function bookedOf(
  context: Context,
  draft: ShipmentDraft,
  { number, shipment }: { number: string; shipment: Shipment },
): Promise<BookedShipment> {
  const booked = { trackingNumber: number, carrierReference: String(shipment.id) };
  const parcelCount = shipment.parcels?.length || draft.parcels.length;
  try {
    const label = await labelOf(context, booked.carrierReference, draft.labelFormat);
    return { ...booked, parcelCount, labels: [label], warnings: [] };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      ...booked,
      parcelCount,
      labels: [],
      warnings: [`InPost sold the shipment, its label did not come: ${why}`],
    };
  }
}

/** The number, once InPost has confirmed the shipment. */
function numberOf({ id, status, tracking_number }: Shipment, kind: FailureKind): string {
  if (tracking_number !== null && !UNCONFIRMED.has(status)) return tracking_number;
  throw new IntegrationError(`${PROVIDER} took the order and is still giving it a number (shipment ${id}, ${status})`, {
    kind,
    provider: PROVIDER,
    code: 'being-made',
    ...(kind === 'retryable' ? { retryAfterMs: MAKING_MS } : {}),
  });
}

/** Shipments of the organisation, newest first. Throws rather than leave one out. */
async function list(
  context: Context,
  filter: Record<string, string>,
  isWanted: (shipment: Shipment) => boolean,
): Promise<Shipment[]> {
  const found = new Map<number, Shipment>();
  let seen = 0;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { count, items } = await call(
      context,
      {
        operation: 'listShipments',
        effect: 'read',
        method: 'GET',
        path: `/v1/organizations/${context.account.organizationId}/shipments`,
        query: { ...filter, page: String(page), per_page: String(PER_PAGE), sort_by: 'id', sort_order: 'desc' },
      },
      ShipmentList,
    );
    for (const shipment of items.filter(isWanted)) found.set(shipment.id, shipment);
    seen += items.length;
    if (seen >= count) return [...found.values()];
    if (items.length === 0) throw new Error(`The list ended after ${seen} of ${count} shipments`);
  }
  throw new IntegrationError(`${PROVIDER} does not filter its list, which has more than ${seen} shipments`, {
    kind: 'permanent',
    provider: PROVIDER,
    code: 'not-supported',
  });
}

/** Reads the newest shipments, which proves token and organisation. */
export async function verifyAccount(context: Context): Promise<void> {
  await call(
    context,
    {
      operation: 'listShipments',
      effect: 'read',
      method: 'GET',
      path: `/v1/organizations/${context.account.organizationId}/shipments`,
      query: { page: '1', per_page: '1' },
    },
    ShipmentList,
  );
}

export async function fetchLabels(
  context: Context,
  draft: ShipmentDraft,
  shipment: ShipmentHandle,
): Promise<LabelFile[]> {
  return [await labelOf(context, await shipxId(context, shipment), draft.labelFormat)];
}

/** Possible before InPost has confirmed the shipment only. */
export async function cancelShipment(context: Context, shipment: ShipmentHandle): Promise<void> {
  const path = `/v1/shipments/${encodeURIComponent(await shipxId(context, shipment))}`;
  const answer = await ask(context, { operation: 'cancelShipment', effect: 'write', method: 'DELETE', path }, Anything);
  if (!('refusal' in answer) || isUnknownThing(answer) || isCancelled(answer)) return;
  throw refusalOf(answer.refusal, answer.status);
}

/** With `invalid_action`, ShipX names the status that forbids it. */
function isCancelled({ refusal }: Refused): boolean {
  const { shipment_status: status } = (refusal.details ?? {}) as { shipment_status?: unknown };
  return refusal.error === 'invalid_action' && status === 'canceled';
}

/** How ShipX names a shipment; of a label that a person brought, only the tracking number is known. */
export async function shipxId(context: Context, { carrierReference, trackingNumber }: ShipmentHandle): Promise<string> {
  if (carrierReference !== '') return carrierReference;
  const [shipment] = await list(
    context,
    { tracking_number: trackingNumber },
    ({ tracking_number }) => tracking_number === trackingNumber,
  );
  if (shipment) return String(shipment.id);
  throw new IntegrationError(`${PROVIDER} has no shipment ${trackingNumber} of this organisation`, {
    kind: 'permanent',
    provider: PROVIDER,
    code: 'not-found-at-partner',
  });
}
