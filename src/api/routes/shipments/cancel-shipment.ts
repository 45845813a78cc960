import { z } from 'zod';
import { requestCancel } from '../../../usecases/shipments/cancel-shipment.ts';
import { CARRIER_PROBLEMS, replyWhenSettled } from '../../http/operation-reply.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath, ProblemBody } from '../../http/schemas.ts';

export const cancelShipmentRoute = defineRoute({
  method: 'delete',
  scope: 'shipments:write',
  path: '/shipment/{id}',
  tag: 'Shipments',
  summary: 'Cancel a shipment',
  description:
    'Sets the order to pending again. A shipment on a bordero, or one whose parcel has moved, cannot be cancelled. Repeating a cancellation succeeds.',
  params: IdPath,
  responses: {
    200: { description: 'Cancelled, also at the carrier if it supports that', schema: z.literal(true) },
    202: { description: 'The carrier has not answered yet, see Location', schema: z.literal(false) },
    409: { description: 'In transit, on a bordero, or in progress', schema: ProblemBody },
    ...CARRIER_PROBLEMS,
  },
  async handle(deps, request) {
    const opened = await requestCancel(deps, { ...request.origin, shipmentId: request.params.id });
    return opened ? replyWhenSettled(deps, request, opened.operationId) : { status: 200, body: true };
  },
  recover: replyWhenSettled,
});
