import type { CarrierRow, Company, Contract, Manifest } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import type { BorderoItem } from '../../documents/bordero.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound } from '../../engine/find.ts';
import { findManifest, readManifestHead } from '../manifests/read-manifests.ts';
import type { LabelPlan } from './print-labels.ts';

/** Rows per query. */
const CHUNK_ROWS = 500;

export interface ManifestToPrint {
  manifest: Manifest;
  company: Company;
  carrier: CarrierRow;
  contract: Contract;
  items: BorderoItem[];
}

/** Prints one bordero for its driver. */
export async function readManifestToPrint(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; manifestId: number },
): Promise<ManifestToPrint> {
  const em = companyEm(deps.orm, input.companyId);
  const head = await readManifestHead(em, input.manifestId);
  return { ...head, items: await readItems(em, head.manifest) };
}

interface ItemRow {
  id: number;
  tracking_number: string | null;
  order_number: string;
  full_name: string;
  company: string;
  address: string;
  address2: string;
  city: string;
  state: string;
  zip: string;
  country_code: string;
  parcel_count: number;
  weight_grams: number;
  cod_cents: number | null;
}

async function readItems(em: Em, { id: manifestId, companyId }: Manifest): Promise<BorderoItem[]> {
  const items: BorderoItem[] = [];
  for (let after = 0; ; ) {
    const rows = await em.execute<ItemRow[]>(
      `select i.id, s.tracking_number, o.order_number, a.full_name, a.company, a.address, a.address2, a.city, a.state, a.zip,
              a.country_code, s.parcel_count, s.weight_grams, s.cod_cents
         from manifest_items i
         join shipments s on s.id = i.shipment_id
         join orders o on o.id = i.order_id
         join customer_addresses a on a.id = o.customer_address_id
        where i.company_id = ? and i.manifest_id = ? and i.restored_at is null and i.id > ?
        order by i.id limit ?`,
      [companyId, manifestId, after, CHUNK_ROWS],
    );
    items.push(...rows.map(itemOf));
    if (rows.length < CHUNK_ROWS) return items;
    after = rows.at(-1)?.id ?? 0;
  }
}

function itemOf(row: ItemRow): BorderoItem {
  return {
    trackingNumber: row.tracking_number ?? '',
    orderRef: row.order_number,
    recipientName: row.company || row.full_name,
    recipientAddress: [row.address, row.address2].filter(Boolean).join(', '),
    recipientCity: row.city,
    recipientProvince: row.state,
    recipientZip: row.zip,
    recipientCountryCode: row.country_code,
    parcelsCount: row.parcel_count,
    weightGrams: row.weight_grams,
    codCents: row.cod_cents,
  };
}

/**
 * Returns the carrier's own lists of the shipments on a bordero. Null when there are none or when they lack a shipment. Unless
 * `mayListMore`, also null when they have other shipments.
 */
export async function planCarrierManifest(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; manifestId: number; mayListMore: boolean },
): Promise<LabelPlan | null> {
  const { companyId, manifestId } = input;
  const em = companyEm(deps.orm, companyId);
  const manifest = await findManifest(em, manifestId);
  const rows = await em.execute<{ id: number; sha256: string; listed: number; ours: number }[]>(
    `with ours as (select shipment_id from manifest_items where company_id = ? and manifest_id = ? and restored_at is null)
     select document_id as id, max(d.sha256) as sha256, count(*)::int as listed, count(*) filter (where s.shipment_id in (select * from ours))::int as ours
       from document_shipments s join documents d on d.id = s.document_id
      where s.company_id = ? and s.document_id in (select document_id from document_shipments
                                                where company_id = ? and shipment_id in (select * from ours))
      group by document_id order by document_id`,
    [companyId, manifestId, companyId, companyId],
  );
  const covered = rows.reduce((sum, { ours }) => sum + ours, 0);
  const isExact = rows.every(({ listed, ours }) => listed === ours);
  if (covered < manifest.totalShipments || rows.length === 0 || !(isExact || input.mayListMore)) return null;
  const name = `Distinta ${manifest.number}`;
  const contentType = 'application/pdf';
  return {
    companyId,
    contentType,
    labels: rows.map(({ id, sha256 }) => ({ id, shipmentId: 0, contentType, sha256, name })),
  };
}

/** Returns the carrier's own lists. Throws a `Problem` when there are none. */
export async function requireCarrierManifest(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; manifestId: number },
): Promise<LabelPlan> {
  const plan = await planCarrierManifest(deps, { ...input, mayListMore: true });
  if (!plan) throw notFound("carrier's list of this bordero");
  return plan;
}
