import { z } from 'zod';
import { openLink } from '../../../usecases/documents/read-documents.ts';
import { defineRoute } from '../../http/route.ts';

/** What is not of this form is nobody's: the answer is the same as for a wrong signature. */
function numberOf(value: unknown): number {
  return typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : 0;
}

export const readDocumentRoute = defineRoute({
  method: 'get',
  path: '/documents/{id}',
  tag: 'Shipments',
  summary: 'A document, by a link that expires',
  description: 'An addition of ours. Needs no key: the signature is one, for this document and until then.',
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
