import { defineEntity, p } from '@mikro-orm/core';
import { companyFilter, createdAt } from './columns.ts';
import { Company } from './company.ts';
import { Shipment } from './shipment.ts';

/** `manifest` is the carrier's own list of shipments, which belongs to several of them. */
export const DOCUMENT_KINDS = ['label', 'return_label', 'customs_invoice', 'manifest'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Where the bytes lie: in the row, or under `bucketKey` in the bucket. */
export const DOCUMENT_STORES = ['database', 'bucket'] as const;

const DocumentSchema = defineEntity({
  name: 'Document',
  tableName: 'documents',
  filters: companyFilter,
  uniques: [{ properties: ['shipmentId', 'kind', 'position'] }],
  indexes: [
    {
      name: 'documents_in_database',
      expression: "create index documents_in_database on documents (id) where store = 'database'",
    },
  ],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    /** Null for a document of several shipments: see `DocumentShipment`. */
    shipmentId: p.manyToOne(Shipment).mapToPk().fieldName('shipment_id').strictNullable(),
    kind: p.enum(DOCUMENT_KINDS),
    position: p.integer(),
    contentType: p.text(),
    sha256: p.text(),
    /** In bytes; 0 in rows older than the column, whose bytes lie in the row. */
    size: p.integer().default(0),
    store: p.enum(DOCUMENT_STORES).default('database'),
    bucketKey: p.text().default(''),
    /** Null when the bytes lie in the bucket. */
    bytes: p.blob().strictNullable().lazy(),
    createdAt: createdAt(),
  },
});
export class Document extends DocumentSchema.class {}
DocumentSchema.setClass(Document);

const DocumentShipmentSchema = defineEntity({
  name: 'DocumentShipment',
  tableName: 'document_shipments',
  filters: companyFilter,
  uniques: [{ properties: ['shipmentId', 'documentId'] }],
  indexes: [{ properties: ['documentId'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    documentId: p.manyToOne(Document).mapToPk().fieldName('document_id'),
    shipmentId: p.manyToOne(Shipment).mapToPk().fieldName('shipment_id'),
  },
});
/** One shipment on a carrier's own list. */
export class DocumentShipment extends DocumentShipmentSchema.class {}
DocumentShipmentSchema.setClass(DocumentShipment);
