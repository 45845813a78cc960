import type { Readable } from 'node:stream';
import { Document, type DocumentKind, Shipment } from '../../db/entities/index.ts';
import { companyEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';
import type { DocumentHandle } from '../../engine/document-store.ts';
import { notFound } from '../../engine/find.ts';

export interface DocumentSummary {
  id: number;
  kind: DocumentKind;
  contentType: string;
  /** Bytes. */
  size: number;
  createdAt: Date;
}

/** Lists the documents of a shipment, including the carrier's lists that contain it. */
export async function listDocuments(
  deps: Pick<Deps, 'orm'>,
  input: { companyId: number; shipmentId: number },
): Promise<DocumentSummary[]> {
  const { companyId, shipmentId } = input;
  const em = companyEm(deps.orm, companyId);
  const shipment = await em.findOne(Shipment, shipmentId);
  if (!shipment) throw notFound('shipment');
  const rows = await em.execute<
    { id: number; kind: DocumentKind; content_type: string; size: number; created_at: Date }[]
  >(
    `select id, kind, content_type, coalesce(octet_length(bytes), size) as size, created_at from documents
      where company_id = ?
        and id in (select id from documents where company_id = ? and shipment_id = ?
                   union all select document_id from document_shipments where company_id = ? and shipment_id = ?)
      order by array_position('{label,return_label,customs_invoice,manifest}'::text[], kind), position, id`,
    [companyId, companyId, shipmentId, companyId, shipmentId],
  );
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    contentType: row.content_type,
    size: row.size,
    createdAt: new Date(row.created_at),
  }));
}

/** Reads the label ids of a shipment, in the order of its parcels. */
export async function listLabels(
  deps: Pick<Deps, 'orm'>,
  { companyId, shipmentId }: { companyId: number; shipmentId: number },
): Promise<number[]> {
  const rows = await companyEm(deps.orm, companyId).find(
    Document,
    { shipmentId, kind: 'label' },
    { orderBy: { position: 'asc' }, fields: ['id'] },
  );
  return rows.map(({ id }) => id);
}

/** Maximum validity of a link. */
export const MAX_LINK_MS = 7 * 86_400_000;

/** Permission to read one document without an API key. */
export interface DocumentLink {
  id: number;
  /** Epoch seconds. */
  expires: number;
  signature: string;
}

/** Returns a link that expires at a full hour, so that repeated requests get the same link. */
export function linkTo(
  { vault, now }: Pick<Deps, 'vault' | 'now'>,
  { companyId, id }: DocumentHandle,
  lifeMs: number = MAX_LINK_MS,
): DocumentLink {
  const hours = Math.floor((now().getTime() + Math.min(lifeMs, MAX_LINK_MS)) / 3_600_000);
  const expires = hours * 3600;
  return { id, expires, signature: `${companyId}.${vault.sign(signedText({ companyId, id }, expires))}` };
}

/** Includes the company in the signed text, so a link opens only documents of that company. */
function signedText({ companyId, id }: DocumentHandle, expires: number): string {
  return `document ${companyId} ${id} ${expires}`;
}

export interface OpenedDocument {
  id: number;
  kind: DocumentKind;
  contentType: string;
  content: Readable;
}

/** Reads a document by its link. Throws the same 404 for a wrong link, an expired one and a deleted document. */
export async function openLink(
  deps: Pick<Deps, 'orm' | 'vault' | 'now' | 'documents'>,
  { id, expires, signature }: DocumentLink,
): Promise<OpenedDocument> {
  const [, company = '0', mac = ''] = /^([1-9]\d{0,8})\.(.+)$/.exec(signature) ?? [];
  const companyId = Number(company);
  const isSigned = deps.vault.isSigned(signedText({ companyId, id }, expires), mac);
  const leftMs = expires * 1000 - deps.now().getTime();
  if (!isSigned || !(leftMs > 0 && leftMs <= MAX_LINK_MS)) throw notFound('document');
  const document = await companyEm(deps.orm, companyId).findOne(Document, id);
  if (!document) throw notFound('document');
  const { kind, contentType } = document;
  return { id, kind, contentType, content: await deps.documents.get({ companyId, id }) };
}
