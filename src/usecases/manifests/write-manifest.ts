import { type CarrierRow, type Company, Manifest, ManifestItem, type Shipment } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { moveOrders } from '../../db/queries/statuses.ts';
import type { Deps } from '../../engine/deps.ts';
import { wallClock } from '../../lib/clock.ts';

/** Second key of the advisory lock; the first is the id of the company. */
const MANIFESTS = 77;

/**
 * Locks the creation of borderos of a company until the transaction ends. Two requests must not both find an order free, and
 * numbers must have no gaps.
 */
export async function lockManifests(tx: Em, companyId: number): Promise<void> {
  await tx.execute('select pg_advisory_xact_lock(?, ?)', [companyId, MANIFESTS]);
}

/** Inserts one bordero for shipments of one contract, in their order. The caller holds `lockManifests` and the rows of the shipments. */
export async function writeManifest(
  deps: Pick<Deps, 'now'>,
  tx: Em,
  input: { company: Company; carrier: CarrierRow; shipments: readonly Shipment[]; firstId?: number | null },
): Promise<Manifest> {
  const { company, carrier, shipments, firstId = null } = input;
  const companyId = company.id;
  const { date } = wallClock(deps.now(), company.settings.timeZone);
  const manifest = tx.create(Manifest, {
    companyId,
    carrierId: carrier.id,
    contractId: shipments[0]?.contractId ?? 0,
    firstId,
    number: await nextNumber(tx, { company, carrier, year: date.slice(0, 4) }),
    status: 'created',
    manifestDate: deps.now(),
    totalShipments: shipments.length,
    totalParcels: shipments.reduce((sum, shipment) => sum + shipment.parcelCount, 0),
    totalWeightGrams: shipments.reduce((sum, shipment) => sum + shipment.weightGrams, 0),
    codCents: shipments.reduce((sum, shipment) => sum + (shipment.codCents ?? 0), 0),
    createdAt: deps.now(),
    updatedAt: deps.now(),
  });
  await tx.persist(manifest).flush();
  const items = shipments.map(({ id, orderId }) => ({ companyId, manifestId: manifest.id, orderId, shipmentId: id }));
  await tx.insertMany(ManifestItem, items);
  await moveOrders(tx, { companyId, orderIds: shipments.map(({ orderId }) => orderId) }, 'manifested');
  return manifest;
}

/** Returns the next number, such as `<CARRIER>-2026-00001`, per company, carrier and year. Without deletions there are no gaps. */
async function nextNumber(tx: Em, input: { company: Company; carrier: CarrierRow; year: string }): Promise<string> {
  const prefix = `${input.carrier.code.toUpperCase()}-${input.year}-`;
  const rows = await tx.execute<{ next: number }[]>(
    `select coalesce(max(substring(number from ?)::int), 0) + 1 as next from manifests
      where company_id = ? and number like ?`,
    ['[0-9]+$', input.company.id, `${prefix}%`],
  );
  return `${prefix}${String(rows[0]?.next ?? 1).padStart(5, '0')}`;
}
