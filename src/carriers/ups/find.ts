import { dayAfter } from '../../lib/clock.ts';
import type { CarrierContext, FoundShipment, LabelFile, ShipmentDraft } from '../adapter.ts';
import { joined } from '../parcels.ts';
import { unclearAt } from '../refusals.ts';
import { recover } from './labels.ts';
import { TIME_ZONE } from './mapping.ts';
import { NO_SHIPMENT, PROVIDER, refusalOf, SHIPMENT_VOIDED } from './refusals.ts';
import type { Account, TrackedPackage } from './schema.ts';
import { trackNumber, trackReference } from './tracking.ts';
import { isVoided } from './tracking-codes.ts';

type Context = CarrierContext<Account>;

/**
 * The span that UPS searches by itself; a wider search was not found to be allowed. Shipments are dated the day they
 * are made.
 */
const SEARCH_DAYS = 14;

interface OwnShipment {
  id: string;
  trackingNumbers: string[];
  labels: LabelFile[];
}

/**
 * Looks for our reference: tracking finds packages, label recovery their shipments and labels. Returns null only when
 * neither of these two systems has a live one.
 */
export async function findByReference(context: Context, draft: ShipmentDraft): Promise<FoundShipment | null> {
  const tracked = await trackReference(context, draft.reference, lately(context.now()));
  let live = ownLive(tracked, draft.reference);
  if (live.length === 0) live = await recoverable(context, draft);
  const shipments = await shipmentsOf(context, draft, live);
  const [first, ...others] = shipments;
  if (!first) return null;
  return {
    trackingNumber: first.id,
    carrierReference: joined(shipments.map(({ id }) => id)),
    parcelCount: shipments.reduce((sum, { trackingNumbers }) => sum + trackingNumbers.length, 0),
    labels: first.labels,
    warnings: [
      ...(first.labels.length > 0 ? [] : ['UPS gave no label for the shipment yet: it is asked for again']),
      ...(others.length > 0 ? [`UPS also has ${others.map(({ id }) => id).join(', ')} under this reference`] : []),
    ],
    // Until it is picked up, which is not known here; a single one is kept, several are taken back.
    canBeTakenBack: others.length > 0,
  };
}

function lately(now: Date): { from: string; to: string } {
  const day = (daysAgo: number): string => dayAfter(now, -daysAgo, TIME_ZONE).replaceAll('-', '');
  return { from: day(SEARCH_DAYS), to: day(0) };
}

/**
 * Keeps packages that are ours and not cancelled. A package without its references is neither adopted nor taken for
 * absent.
 */
function ownLive(packages: readonly TrackedPackage[], reference: string): TrackedPackage[] {
  const live = packages.filter((one) => !isVoided(one));
  const hidden = live.find(({ referenceNumber }) => referenceNumber === null);
  if (hidden) throw unclearAt(PROVIDER, `shows ${hidden.trackingNumber} for ${reference} without its references`);
  return live.filter(({ referenceNumber }) => referenceNumber?.some(({ number }) => number === reference));
}

/** Packages that tracking did not find, but for which UPS has labels under the reference. */
async function recoverable(context: Context, { reference, labelFormat }: ShipmentDraft): Promise<TrackedPackage[]> {
  const answer = await recover(context, { reference }, labelFormat);
  if ('refusal' in answer) {
    const isGone = answer.refusal.every(({ code }) => code === NO_SHIPMENT || code === SHIPMENT_VOIDED);
    if (isGone) return [];
    throw refusalOf(answer);
  }
  const { shipment, trackingNumbers, candidates } = answer.value;
  const [first = ''] = trackingNumbers;
  const numbers = candidates.length > 0 ? candidates : [shipment || first].filter((number) => number !== '');
  if (numbers.length === 0)
    throw unclearAt(PROVIDER, `has a label for ${reference} and does not say of which shipment`);
  const packages: TrackedPackage[] = [];
  for (const number of numbers) {
    const one = await trackNumber(context, number);
    if (!one) throw unclearAt(PROVIDER, `has a label for ${reference}, but does not track ${number} yet`);
    packages.push(one);
  }
  return ownLive(packages, reference);
}

/** Tracking names packages, and not the shipment they are part of. */
async function shipmentsOf(
  context: Context,
  { labelFormat }: ShipmentDraft,
  packages: readonly TrackedPackage[],
): Promise<OwnShipment[]> {
  const shipments: OwnShipment[] = [];
  for (const { trackingNumber } of packages) {
    if (shipments.some(({ id, trackingNumbers }) => [id, ...trackingNumbers].includes(trackingNumber))) continue;
    const answer = await recover(context, { trackingNumber }, labelFormat);
    if ('refusal' in answer) throw refusalOf(answer);
    const { shipment, trackingNumbers, labels } = answer.value;
    shipments.push({
      id: shipment || trackingNumber,
      trackingNumbers: trackingNumbers.length > 0 ? trackingNumbers : [trackingNumber],
      labels,
    });
  }
  return shipments;
}
