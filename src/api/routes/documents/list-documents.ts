import { listDocuments } from '../../../usecases/documents/read-documents.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { documentUrl } from './document-url.ts';
import { DocumentList } from './schemas.ts';

export const listDocumentsRoute = defineRoute({
  method: 'get',
  scope: 'documents:read',
  isQueryStrict: true,
  path: '/shipment/{id}/documents',
  tag: 'Shipments',
  summary: 'List the documents of a shipment',
  description:
    "An addition to the contract: labels, customs invoices and the carrier's lists. Each url needs no key and expires within a week.",
  params: IdPath,
  responses: { 200: { description: 'Labels first', schema: DocumentList } },
  async handle(deps, { companyId, params }) {
    const documents = await listDocuments(deps, { companyId, shipmentId: params.id });
    return {
      status: 200,
      body: documents.map(({ id, kind, contentType, size, createdAt }) => ({
        id,
        kind,
        contentType,
        size,
        createdAt: createdAt.toISOString(),
        url: documentUrl(deps, { companyId, id }),
      })),
    };
  },
});
