import { z } from 'zod';
import { setPrinted } from '../../../usecases/shipments/mark-printed.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath, ProblemBody } from '../../http/schemas.ts';
import { PrintedLabel } from './schemas.ts';

export const markPrintedRoute = defineRoute({
  method: 'post',
  scope: 'shipments:write',
  path: '/shipment/{id}/printed',
  tag: 'Shipments',
  summary: "Mark a shipment's label as printed",
  description:
    'An addition to the contract. Without a body, or with `{"printed": true}`, the label counts as printed; a label that was marked before keeps its time. `{"printed": false}` removes the mark.',
  params: IdPath,
  body: z.object({ printed: z.boolean().default(true) }).meta({ id: 'PrintedMark' }),
  isBodyOptional: true,
  responses: {
    200: {
      description: 'When it was first printed; null: not printed',
      schema: PrintedLabel,
    },
    422: { description: 'The shipment has no label yet', schema: ProblemBody },
  },
  async handle(deps, { companyId, params, body }) {
    const printedAt = await setPrinted(deps, { companyId, shipmentId: params.id, isPrinted: body.printed });
    return { status: 200, body: { shipmentId: params.id, printedAt: printedAt?.toISOString() ?? null } };
  },
});
