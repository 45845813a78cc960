import type { BookedShipment, LabelFile } from '../../carriers/adapter.ts';
import { Document, type DocumentKind, Shipment, type Surplus } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import type { BookingClaim } from '../../db/queries/claim-booking.ts';
import { type NewDocument, settleBooking } from '../../db/queries/settle-booking.ts';
import { nextPollMs } from '../../domain/tracking-cadence.ts';
import type { Deps } from '../../engine/deps.ts';
import type { StoredBytes } from '../../engine/document-store.ts';

/** Stores a booking, if this run still holds the shipment. */
export async function settleBooked(
  deps: Deps,
  outcome: BookingClaim & {
    shipment: Shipment;
    booked: BookedShipment;
    hasLabelElsewhere?: boolean;
    isLookUp?: boolean;
  },
): Promise<boolean> {
  const { shipment, booked, hasLabelElsewhere = false } = outcome;
  const extra = booked.parcelCount - shipment.parcelCount;
  const files = await storeFiles(deps, shipment, [...booked.labels.map(asLabel), ...(booked.documents ?? [])]);
  const columns = {
    tracking_number: booked.trackingNumber,
    carrier_reference: booked.carrierReference,
    warnings: booked.warnings,
    ...(extra > 0 ? { surplus: surplusParcels(extra) } : {}),
    ...(isLabelled(booked) || hasLabelElsewhere ? {} : { label_missing_since: deps.now() }),
    booked_at: deps.now(),
    next_poll_at: firstPollAt(deps),
  };
  const { fence, attemptId, isLookUp = false } = outcome;
  return settleBooking(deps.orm, { shipment, fence, attemptId, isLookUp, columns, documents: documentRows(files) });
}

function isLabelled({ labels, lacksLabels = false }: BookedShipment): boolean {
  return labels.length > 0 && !lacksLabels;
}

/** First poll after a booking: until then the parcel waits for its pickup. */
function firstPollAt({ now, settings }: Pick<Deps, 'now' | 'settings'>): Date {
  const { trackingIntervalMs: baseMs, trackingExpireMs: expireMs } = settings;
  const pause = nextPollMs({ status: null, silentMs: 0, baseMs, expireMs }) ?? baseMs;
  return new Date(now().getTime() + pause);
}

type ShipmentFile = LabelFile & { kind: DocumentKind };
type StoredFile = StoredBytes & { kind: DocumentKind };

function asLabel(file: LabelFile): ShipmentFile {
  return { ...file, kind: 'label' };
}

/** Stores label bytes. Call it outside of transactions, because a bucket is a network call. */
async function storeFiles(
  deps: Pick<Deps, 'documents'>,
  { companyId }: Shipment,
  files: readonly ShipmentFile[],
): Promise<StoredFile[]> {
  return Promise.all(
    files.map(async ({ kind, ...file }) => ({ ...(await deps.documents.put(companyId, file)), kind })),
  );
}

async function insertFiles(em: Em, shipment: Shipment, files: readonly StoredFile[]): Promise<void> {
  const { id: shipmentId, companyId } = shipment;
  // With several parcels, some labels may have come with the booking.
  const there = await em.count(Document, { companyId, shipmentId, kind: 'label' });
  const rows = documentRows(files).map((row) => ({ companyId, shipmentId, ...row, position: there + row.position }));
  await em.insertMany(Document, rows);
}

/** Adds the position of each document among those of its kind. */
function documentRows(files: readonly StoredFile[]): NewDocument[] {
  const positions = new Map<DocumentKind, number>();
  return files.map((file) => {
    const position = (positions.get(file.kind) ?? 0) + 1;
    positions.set(file.kind, position);
    return { position, ...file };
  });
}

/** Prepares labels that arrive after their shipment, or none when the person has them already. */
export interface MissingLabels {
  shipment: Shipment;
  files: StoredFile[];
}

export async function storeMissingLabels(
  deps: Pick<Deps, 'documents'>,
  shipment: Shipment,
  labels: readonly LabelFile[],
): Promise<MissingLabels> {
  return { shipment, files: await storeFiles(deps, shipment, labels.map(asLabel)) };
}

/** Returns false when the shipment has its labels already. */
export async function settleMissingLabels(em: Em, { shipment, files }: MissingLabels): Promise<boolean> {
  const { id, companyId } = shipment;
  const where = { id, companyId, labelMissingSince: { $ne: null } };
  if ((await em.nativeUpdate(Shipment, where, { labelMissingSince: null, printedAt: null })) === 0) return false;
  await insertFiles(em, shipment, files);
  return true;
}

/** Records a surplus of parcels that the carrier did not cancel. */
export function surplusParcels(count: number): Surplus {
  return { message: `The carrier counts ${count} ${count === 1 ? 'parcel' : 'parcels'} too many`, trackingNumbers: [] };
}
