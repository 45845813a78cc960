import { dayAfter } from '../../lib/clock.ts';
import type { CarrierContext, FoundShipment, ShipmentDraft } from '../adapter.ts';
import { joined } from '../parcels.ts';
import { unclearAt } from '../refusals.ts';
import { SEARCH_DAYS } from './limits.ts';
import { TIME_ZONE } from './mapping.ts';
import { NO_REFERENCE, PROVIDER, refusalOf } from './refusals.ts';
import type { Account, TrackResult } from './schema.ts';
import { identifiersOf, referencesOf, trackReference } from './tracking.ts';
import { isCancelled } from './tracking-codes.ts';

type Parcel = TrackResult & { number: string };

/**
 * Looks for our reference. Null only when FedEx says that it has no such reference, or shows other parcels and
 * cancelled ones only. FedEx gives a label out with the answer to its shipment, and never again. So reconciliation
 * takes the find back and books a shipment whose label we get.
 */
export async function findByReference(
  context: CarrierContext<Account>,
  { reference }: ShipmentDraft,
): Promise<FoundShipment | null> {
  const { results, refused, status } = await trackReference(context, reference, lately(context.now()));
  const objections = refused.map(({ error }) => error).filter(({ code }) => code !== NO_REFERENCE);
  if (objections.length > 0) throw refusalOf({ refusal: objections, status });
  const own = ownLive(results, reference);
  const shipments = [...Map.groupBy(own, masterOf)];
  const [first, ...others] = shipments.map(([number]) => number);
  if (first === undefined) return null;
  return {
    trackingNumber: first,
    carrierReference: joined([first, ...others]),
    parcelCount: shipments.reduce((sum, [, parcels]) => sum + countOf(parcels), 0),
    labels: [],
    warnings: [
      'FedEx has the shipment, but gives its label out once only: cancel it and create it again',
      ...(others.length > 0 ? [`FedEx also has ${others.join(', ')} under this reference`] : []),
    ],
    canBeTakenBack: true,
  };
}

function lately(now: Date): { from: string; to: string } {
  const day = (daysAgo: number): string => dayAfter(now, -daysAgo, TIME_ZONE);
  return { from: day(SEARCH_DAYS - 1), to: day(0) };
}

/**
 * Keeps parcels that are ours and not cancelled. A parcel without its references is neither adopted nor taken for
 * absent.
 */
function ownLive(parcels: readonly Parcel[], reference: string): Parcel[] {
  const live = parcels.filter(({ latestStatusDetail }) => !isCancelled(latestStatusDetail));
  const hidden = live.find((parcel) => referencesOf(parcel) === null);
  if (hidden) throw unclearAt(PROVIDER, `shows ${hidden.number} for ${reference} without its references`);
  return live.filter((parcel) => referencesOf(parcel)?.includes(reference));
}

/** The number of the shipment: that of its first parcel, which the others name. */
function masterOf(parcel: Parcel): string {
  const [master] = identifiersOf(parcel)
    .filter(({ type }) => type === 'STANDARD_MPS')
    .flatMap(({ values }) => values);
  return master || parcel.number;
}

/** FedEx's own count, and at least the parcels that it shows. */
function countOf(parcels: readonly Parcel[]): number {
  return Math.max(parcels.length, ...parcels.map(({ packageDetails }) => Number(packageDetails?.count) || 0));
}
