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
  const manifests = await em.find(
    Manifest,
    {
      status: { $ne: 'deleted' },
      ...(input.beforeId === null ? {} : { id: { $lt: input.beforeId } }),
      ...(input.year === null
        ? {}
        : {
            manifestDate: {
              $gte: instantOf(`${pad(input.year)}-01-01`, '00:00', timeZone),
              $lt: instantOf(`${pad(input.year + 1)}-01-01`, '00:00', timeZone),
            },
          }),
    },
    { orderBy: { id: 'desc' }, limit: input.limit },
  );
  const carriers = new Map((await em.find(CarrierRow, {})).map((row) => [row.id, row]));
  const warehouses = await em.find(Warehouse, {}, { orderBy: { id: 'asc' } });
  const items = await em.find(ManifestItem, { manifestId: { $in: manifests.map((row) => row.id) }, restoredAt: null });
  const orders = new Map(
    (await em.find(Order, { id: { $in: items.map((item) => item.orderId) } })).map((row) => [row.id, row]),
  );
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

function pad(year: number): string {
  return String(year).padStart(4, '0');
}
