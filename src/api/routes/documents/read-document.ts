import { z } from 'zod';
import { openLink } from '../../../usecases/documents/read-documents.ts';
import { defineRoute } from '../../http/route.ts';

/** Any other form gets the same answer as a wrong signature. */
function numberOf(value: unknown): number {
  return typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : 0;
}

export const readDocumentRoute = defineRoute({
  method: 'get',
  scope: null,
  path: '/documents/{id}',
  tag: 'Shipments',
  summary: 'Read a document by an expiring link',
  description: 'An addition to the contract. Needs no API key: the link is signed for one document until its expiry.',
  access: 'signature',
  params: z.object({
    id: z
      .string()
      .transform(numberOf)
      .meta({ override: { type: 'integer', minimum: 1 } }),
  }),
  query: z.object({
    expires: z
      .unknown()
      .optional()
      .transform(numberOf)
      .meta({ override: { type: 'integer' } }),
    signature: z
      .unknown()
      .optional()
      .transform((value) => (typeof value === 'string' ? value : ''))
      .meta({ override: { type: 'string' } }),
  }),
  responses: { 200: { description: 'PDF or ZPL', contentTypes: ['application/pdf', 'application/zpl'] } },
  async handle(deps, { params, query }) {
    const { kind, contentType, content } = await openLink(deps, { id: params.id, ...query });
    const name = `${kind}-${params.id}.${contentType === 'application/zpl' ? 'zpl' : 'pdf'}`;
    return {
      status: 200,
      headers: { 'Cache-Control': 'private, no-store', 'Referrer-Policy': 'no-referrer' },
      file: { contentType, name, content },
    };
  },
});
