import { z } from 'zod';
import { planShipmentLabels } from '../../../usecases/documents/print-labels.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { LabelLayoutText, labelFile } from './label-file.ts';

export const readLabelRoute = defineRoute({
  method: 'get',
  scope: 'documents:read',
  path: '/shipment/{id}/label',
  tag: 'Shipments',
  summary: 'Read the label of a shipment',
  description:
    'An addition to the contract. The label is as the carrier made it, or laid out for a paper format. The labels of several parcels are one document.',
  params: IdPath,
  query: z.object({ format: LabelLayoutText }),
  responses: {
    200: { description: 'PDF or ZPL, as the contract asks for', contentTypes: ['application/pdf', 'application/zpl'] },
  },
  async handle(deps, { companyId, params, query }) {
    const layout = query.format;
    const plan = await planShipmentLabels(deps, { companyId, shipmentId: params.id, layout });
    return { status: 200, file: await labelFile(deps, plan, { layout, startAt: 1, name: `label-${params.id}` }) };
  },
});
