import { mergeLabels } from '../../documents/merge-labels.ts';
import { readLabels } from '../../usecases/read-orders.ts';
import { defineRoute } from '../route.ts';
import { IdPath } from '../schemas.ts';

export const readLabelRoute = defineRoute({
  method: 'get',
  path: '/shipment/{id}/label',
  tag: 'Shipments',
  summary: 'The label of a shipment, as the carrier made it',
  description: 'An addition of ours. The labels of several parcels are one document.',
  params: IdPath,
  responses: { 200: { description: 'PDF or ZPL, as the contract asks for', contentType: 'application/pdf' } },
  async handle(deps, { companyId, params }) {
    const labels = await readLabels(deps, { companyId, shipmentId: params.id });
    const contentType = labels[0]?.contentType ?? 'application/pdf';
    const isPdf = contentType === 'application/pdf';
    const bytes = await mergeLabels(
      labels.map((label) => label.bytes as Buffer),
      isPdf,
    );
    return {
      status: 200,
      file: { contentType, bytes, name: `label-${params.id}.${isPdf ? 'pdf' : 'zpl'}` },
    };
  },
});
