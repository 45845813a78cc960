import {
  CarrierRow,
  Company,
  Contract,
  CustomerAddress,
  Manifest,
  ManifestItem,
  Order,
  Shipment,
  Warehouse,
} from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { before, oneOf, within } from '../../db/queries/conditions.ts';
import { listByIds, listRows } from '../../db/queries/list-rows.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound } from '../../engine/find.ts';
import { instantOf } from '../../lib/clock.ts';

export interface ManifestLine {
  item: ManifestItem;
  shipment: Shipment;
  order: Order;
  address: CustomerAddress;
}

export interface ManifestView {
  manifest: Manifest;
  company: Company;
  carrier: CarrierRow;
  contract: Contract;
  lines: ManifestLine[];
}

/** Reads one bordero with its lines. */
export async function readManifest(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; manifestId: number },
): Promise<ManifestView> {
  const em = companyEm(deps.orm, input.companyId);
  const head = await readManifestHead(em, input.manifestId);
  return { ...head, lines: await manifestLines(em, head.manifest.id) };
}

/** Reads a bordero without its lines. */
export async function readManifestHead(em: Em, manifestId: number): Promise<Omit<ManifestView, 'lines'>> {
  const manifest = await findManifest(em, manifestId);
  const [company, carrier, contract] = await Promise.all([
    em.findOneOrFail(Company, manifest.companyId),
    em.findOneOrFail(CarrierRow, manifest.carrierId),
    em.findOneOrFail(Contract, manifest.contractId),
  ]);
  return { manifest, company, carrier, contract };
}

export async function findManifest(em: Em, manifestId: number): Promise<Manifest> {
  const manifest = await em.findOne(Manifest, { id: manifestId, status: { $ne: 'deleted' } });
  if (!manifest) throw notFound('bordero');
  return manifest;
}

export async function manifestLines(em: Em, manifestId: number): Promise<ManifestLine[]> {
  const items = await em.find(ManifestItem, { manifestId, restoredAt: null }, { orderBy: { id: 'asc' } });
  const shipments = new Map(
    (await em.find(Shipment, { id: { $in: items.map((item) => item.shipmentId) } })).map((row) => [row.id, row]),
  );
  const orders = new Map(
    (await em.find(Order, { id: { $in: items.map((item) => item.orderId) } })).map((row) => [row.id, row]),
  );
  const addressIds = [...orders.values()].map((order) => order.customerAddressId);
  const addresses = new Map((await em.find(CustomerAddress, { id: { $in: addressIds } })).map((row) => [row.id, row]));
  return items.flatMap((item) => {
    const shipment = shipments.get(item.shipmentId);
    const order = orders.get(item.orderId);
    const address = order && addresses.get(order.customerAddressId);
    return shipment && order && address ? [{ item, shipment, order, address }] : [];
  });
}

export interface ManifestSummary {
  manifest: Manifest;
  carrier: CarrierRow;
  warehouses: Warehouse[];
  orders: Order[];
}

/** Lists the company's borderos, newest first; `year` is in the company's time zone. */
export async function listManifests(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; year: number | null; limit: number; beforeId: number | null },
): Promise<ManifestSummary[]> {
  const em = companyEm(deps.orm, input.companyId);
  const company = await em.findOneOrFail(Company, input.companyId);
  const { timeZone } = company.settings;
  const { companyId } = input;
  const newYear = (year: number): Date => instantOf(`${String(year).padStart(4, '0')}-01-01`, '00:00', timeZone);
  const manifests = await listRows(em, Manifest, {
    companyId,
    where: [
      { sql: `row.status <> 'deleted'`, params: [] },
      ...(input.year === null
        ? []
        : within('manifest_date', { from: newYear(input.year), until: newYear(input.year + 1) })),
      ...before(input.beforeId),
    ],
    limit: input.limit,
  });
  const carriers = new Map((await em.find(CarrierRow, {})).map((row) => [row.id, row]));
  const warehouses = await em.find(Warehouse, {}, { orderBy: { id: 'asc' } });
  const manifestIds = manifests.map((row) => row.id);
  const items = await listRows(em, ManifestItem, {
    companyId,
    where: [oneOf('manifest_id', manifestIds), { sql: 'row.restored_at is null', params: [] }],
    orderBy: 'row.id',
  });
  const ids = [...new Set(items.map((item) => item.orderId))];
  const orders = new Map((await listByIds(em, Order, { companyId, ids })).map((row) => [row.id, row]));
  const itemsOf = Map.groupBy(items, (item) => item.manifestId);
  return manifests.flatMap((manifest) => {
    const carrier = carriers.get(manifest.carrierId);
    const own = (itemsOf.get(manifest.id) ?? []).flatMap((item) => orders.get(item.orderId) ?? []);
    const used = new Set(own.map((order) => order.warehouseId ?? warehouses.find((one) => one.isDefault)?.id));
    return carrier
      ? [{ manifest, carrier, orders: own, warehouses: warehouses.filter((warehouse) => used.has(warehouse.id)) }]
      : [];
  });
}
