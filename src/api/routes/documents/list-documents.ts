import { listDocuments } from '../../../usecases/documents/read-documents.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { documentUrl } from './document-url.ts';
import { DocumentList } from './schemas.ts';

export const listDocumentsRoute = defineRoute({
  method: 'get',
  isQueryStrict: true,
  path: '/shipment/{id}/documents',
  tag: 'Shipments',
  summary: 'Everything that is kept of a shipment: labels, customs invoices, lists of the carrier',
  description: 'An addition of ours. Each url opens its document without a key, for a week at most.',
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
