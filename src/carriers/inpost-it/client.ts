import { type FailureKind, IntegrationError } from '../../lib/errors.ts';
import type {
  BookedShipment,
  CarrierContext,
  FoundShipment,
  LabelFile,
  ShipmentDraft,
  ShipmentHandle,
} from '../adapter.ts';
import { labelOf } from './labels.ts';
import { createBody } from './mapping.ts';
import { PROVIDER } from './refusals.ts';
import { type Account, Shipment } from './schema.ts';
import { listShipments, shipxId } from './shipment-list.ts';
import { call } from './wire.ts';

type Context = CarrierContext<Account>;

/** Before these end, a shipment has neither number nor label, and can still be cancelled. */
const UNCONFIRMED = new Set(['created', 'offers_prepared', 'offer_selected']);
const MAKING_MS = 1000;

/**
 * Books with one write. ShipX books afterwards: its answer mostly has no number yet, and proves only that InPost took
 * the order. So `findByReference` looks the outcome up, and nothing is written again.
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
      promised: 201,
    },
    Shipment,
  );
  if (created.reference !== draft.reference) throw new Error('The answer is about another shipment');
  return bookedOf(context, draft, { number: numberOf(created, 'unknown-outcome'), shipment: created });
}

/**
 * Looks for our reference. InPost documents no filter by reference, so every page is read and references are compared
 * for equality. Several live shipments of one reference are parcels too many.
 */
export async function findByReference(context: Context, draft: ShipmentDraft): Promise<FoundShipment | null> {
  const own = await listShipments(context, { field: 'reference', value: draft.reference });
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

export async function fetchLabels(
  context: Context,
  draft: ShipmentDraft,
  shipment: ShipmentHandle,
): Promise<LabelFile[]> {
  return [await labelOf(context, await shipxId(context, shipment), draft.labelFormat)];
}
