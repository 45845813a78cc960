import { CarrierRow, Company, Contract, Manifest, type Shipment, Warehouse } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { lockActiveShipments } from '../../db/queries/move-shipments.ts';
import { AWAITS_DRIVER, IS_LISTED } from '../../db/queries/stages.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound, unprocessable } from '../../engine/find.ts';
import { markMade, type Origin } from '../../engine/idempotency.ts';
import { manifestRefusals } from './manifest-fitness.ts';
import { lockManifests, writeManifest } from './write-manifest.ts';

/** The same limit as for `orderIds`. */
const MAX_SHIPMENTS = 5000;

/** Filters open shipments; null: no filter. */
export interface OpenFilter {
  carrierId: number | null;
  contractId: number | null;
  /** Id or key of the warehouse. */
  warehouse: number | string | null;
  transmittedBefore: Date | null;
}

/**
 * Puts all open shipments that match the filter on borderos: transmitted, on no bordero, and not scanned by the carrier yet. Creates
 * one bordero per contract, because each contract has its own driver, in the order of contract ids.
 */
export async function createOpenManifests(
  deps: Deps,
  input: Pick<Origin, 'companyId' | 'once'> & { filter: OpenFilter },
): Promise<Manifest[]> {
  const em = companyEm(deps.orm, input.companyId);
  const company = await em.findOneOrFail(Company, input.companyId);
  const warehouse = await checkFilter(em, input.filter);

  return em.transactional(async (tx) => {
    await lockManifests(tx, company.id);
    const orderIds = await findOpen(tx, { companyId: company.id, filter: input.filter, warehouse });
    const locked = [...(await lockActiveShipments(tx, { companyId: company.id, orderIds })).values()].flat();
    const carriers = await tx.find(CarrierRow, { id: { $in: locked.map(({ carrierId }) => carrierId) } });
    // Read again under the lock, because a cancellation or a scan may have come first.
    const refusalOf = await manifestRefusals(deps, tx, { shipments: locked, carriers });
    const open = locked.filter((shipment) => isOpen(shipment) && refusalOf(shipment) === null);
    const byContract = [...Map.groupBy(open, ({ contractId }) => contractId)].toSorted(([a], [b]) => a - b);
    refuseSize(byContract.map(([, shipments]) => shipments.length));

    const manifests: Manifest[] = [];
    for (const [, shipments] of byContract) {
      const carrier = carriers.find(({ id }) => id === shipments[0]?.carrierId);
      if (!carrier) throw new Error(`Contract ${shipments[0]?.contractId} has no carrier`);
      const firstId = manifests[0]?.id ?? null;
      manifests.push(await writeManifest(deps, tx, { company, carrier, shipments, firstId }));
    }
    await markMade(tx, input.once, manifests[0]?.id ?? 0);
    return manifests;
  });
}

/** Reads all borderos of one request by the id of the first, also for a request with `orderIds`. */
export async function readManifestsMade(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; firstId: number },
): Promise<Manifest[]> {
  const em = companyEm(deps.orm, input.companyId);
  const made = await em.find(
    Manifest,
    { $or: [{ id: input.firstId }, { firstId: input.firstId }], status: { $ne: 'deleted' } },
    { orderBy: { id: 'asc' } },
  );
  if (made.length === 0) throw notFound('bordero');
  return made;
}

/** Returns the warehouse of the filter. Throws when the filter names a missing row. */
async function checkFilter(em: Em, { carrierId, contractId, warehouse: named }: OpenFilter): Promise<Warehouse | null> {
  const faults: { pointer: string; message: string }[] = [];
  if (carrierId !== null && (await em.count(CarrierRow, carrierId)) === 0) {
    faults.push({ pointer: '/carrierId', message: 'There is no such carrier' });
  }
  if (contractId !== null && (await em.count(Contract, contractId)) === 0) {
    faults.push({ pointer: '/carrierCompanyId', message: 'There is no such carrier contract' });
  }
  const place = typeof named === 'string' ? { key: named } : { id: named ?? 0 };
  const warehouse = named === null ? null : await em.findOne(Warehouse, place);
  if (named !== null && !warehouse) faults.push({ pointer: '/warehouseId', message: 'There is no such warehouse' });
  if (faults.length > 0) throw unprocessable('The filter names rows that do not exist', faults);
  return warehouse;
}

async function findOpen(
  tx: Em,
  input: { companyId: number; filter: OpenFilter; warehouse: Warehouse | null },
): Promise<number[]> {
  const { carrierId, contractId, transmittedBefore } = input.filter;
  const where: string[] = [];
  const params: unknown[] = [input.companyId];
  const add = (condition: string, ...values: unknown[]): void => {
    where.push(`and ${condition}`);
    params.push(...values);
  };
  if (carrierId !== null) add('s.carrier_id = ?', carrierId);
  if (contractId !== null) add('s.contract_id = ?', contractId);
  if (transmittedBefore !== null) add('s.transmitted_at < ?', transmittedBefore);
  // An order that names no warehouse leaves from the default one.
  if (input.warehouse?.isDefault) add('coalesce(o.warehouse_id, ?) = ?', input.warehouse.id, input.warehouse.id);
  else if (input.warehouse) add('o.warehouse_id = ?', input.warehouse.id);
  const rows = await tx.execute<{ order_id: number }[]>(
    `select s.order_id from shipments s join orders o on o.company_id = s.company_id and o.id = s.order_id
      where s.company_id = ? and ${AWAITS_DRIVER} and not ${IS_LISTED} ${where.join(' ')} order by s.id`,
    params,
  );
  return rows.map((row) => row.order_id);
}

function isOpen({ processStatus, pickedUpAt, expiredAt }: Shipment): boolean {
  return processStatus === 'transmitted' && pickedUpAt === null && expiredAt === null;
}

function refuseSize(sizes: readonly number[]): void {
  const all = { pointer: '/allTransmitted' };
  if (sizes.length === 0) {
    const message = 'No transmitted shipment waits for its driver under this filter';
    throw unprocessable('There are no open shipments', [{ ...all, message }]);
  }
  const largest = Math.max(...sizes);
  if (largest <= MAX_SHIPMENTS) return;
  const message = `${largest} shipments of one contract are open, and a bordero takes ${MAX_SHIPMENTS}: narrow the filter by warehouseId or transmittedBefore`;
  throw unprocessable('Too many open shipments for one bordero', [{ ...all, message }]);
}
