import { readPickup } from '../../../usecases/pickups/read-pickups.ts';
import { requestPickupCancel } from '../../../usecases/pickups/request-pickup.ts';
import { CARRIER_PROBLEMS, replyWhenSettled } from '../../http/operation-reply.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath, ProblemBody } from '../../http/schemas.ts';
import { PickupFields, pickupBody } from './pickup-body.ts';

export const cancelPickupRoute = defineRoute({
  method: 'delete',
  scope: 'pickups:write',
  path: '/pickups/{id}',
  tag: 'Pickups',
  summary: 'Cancel a pickup',
  description:
    'An addition to the contract. A pickup with an unknown outcome becomes cancelled without a call to the carrier, so ask the carrier first.',
  params: IdPath,
  responses: {
    200: { description: 'Cancelled', schema: PickupFields },
    202: { description: 'The carrier has not answered yet, see Location', schema: PickupFields },
    422: { description: 'The pickup is in progress, or its carrier cannot cancel pickups', schema: ProblemBody },
    ...CARRIER_PROBLEMS,
  },
  async handle(deps, request) {
    const { companyId, origin, params } = request;
    const opened = await requestPickupCancel(deps, { ...origin, pickupId: params.id });
    if (opened) return replyWhenSettled(deps, request, opened.operationId);
    return { status: 200, body: pickupBody(await readPickup(deps, { companyId, pickupId: params.id })) };
  },
  recover: replyWhenSettled,
});
