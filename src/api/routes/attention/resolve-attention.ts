import { z } from 'zod';
import { ATTENTION_CHOICES } from '../../../domain/attention.ts';
import { readOperation } from '../../../engine/read-operation.ts';
import { isPdf } from '../../../lib/is-pdf.ts';
import { resolveAttention } from '../../../usecases/attention/resolve-attention.ts';
import { BASE_PATH } from '../../http/base-path.ts';
import { type ApiDeps, defineRoute, type Reply } from '../../http/route.ts';
import { Id, IdPath, ProblemBody, text } from '../../http/schemas.ts';

const Label = z
  .base64()
  .max(2_000_000)
  .transform((base64) => Buffer.from(base64, 'base64'))
  .refine(isPdf, 'must be a PDF in base64')
  .meta({ override: { type: 'string', contentEncoding: 'base64' } });

const Resolution = z
  .object({
    status: z.enum(['done', 'pending', 'failed']),
    message: z.string(),
    operationId: Id.nullable().describe('The operation that carries out the decision'),
  })
  .meta({ id: 'Resolution' });

export const resolveAttentionRoute = defineRoute({
  method: 'post',
  scope: 'attention:write',
  path: '/attention/{id}/resolve',
  tag: 'Attention',
  summary: 'Resolve a shipment that needs a person',
  description:
    'An addition to the contract. GET /attention lists the choices and explains each. To adopt a label that the carrier has, send its trackingNumber and, optionally, its PDF as label.',
  params: IdPath,
  body: z
    .object({
      choice: z.enum(ATTENTION_CHOICES),
      trackingNumber: text(60),
      label: Label.nullish(),
      note: text(500),
    })
    .meta({ id: 'Decision' }),
  responses: {
    200: { description: 'Carried out, or refused by the partner', schema: Resolution },
    202: { description: 'Queued but not settled yet: see Location', schema: Resolution },
    409: { description: 'The shipment changed in the meantime', schema: ProblemBody },
    422: { description: 'Not a choice for this shipment', schema: ProblemBody },
  },
  async handle(deps, request) {
    const { choice, trackingNumber, label, note } = request.body;
    const { operationId } = await resolveAttention(deps, {
      ...request.origin,
      shipmentId: request.params.id,
      choice,
      trackingNumber,
      label: label ? { contentType: 'application/pdf', bytes: label } : null,
      note,
    });
    return operationId === null
      ? { status: 200, body: { status: 'done', message: '', operationId } }
      : reply(deps, request, operationId);
  },
  recover: reply,
});

/** Describes the state of the queued work in the same words for every kind. */
async function reply(deps: ApiDeps, asker: { companyId: number; waitMs: number }, operationId: number): Promise<Reply> {
  await deps.waitForOperation(operationId, asker.waitMs);
  const { items, open } = await readOperation(deps, { companyId: asker.companyId, operationId });
  const failed = items.find((item) => item.status === 'failed');
  const status = open > 0 ? 'pending' : failed ? 'failed' : 'done';
  const body = { status, message: failed?.message ?? '', operationId };
  if (open === 0) return { status: 200, body };
  const headers = { Location: `${BASE_PATH}/operations/${operationId}`, 'Retry-After': '2' };
  return { status: 202, body, headers };
}
