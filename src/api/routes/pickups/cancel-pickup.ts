import { readPickup } from '../../../usecases/pickups/read-pickups.ts';
import { requestPickupCancel } from '../../../usecases/pickups/request-pickup.ts';
import { CARRIER_PROBLEMS, replyWhenSettled } from '../../http/operation-reply.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath, ProblemBody } from '../../http/schemas.ts';
import { PickupFields, pickupBody } from './pickup-body.ts';

export const cancelPickupRoute = defineRoute({
  method: 'delete',
  path: '/pickups/{id}',
  tag: 'Pickups',
  summary: 'Tell the carrier that nobody needs to come',
  description:
    'An addition of ours. A pickup whose outcome is unknown counts as cancelled without the carrier being told: whoever cancels it has asked.',
  params: IdPath,
  responses: {
    200: { description: 'Cancelled', schema: PickupFields },
    202: { description: 'The carrier has not answered yet, see Location', schema: PickupFields },
    422: { description: 'Being worked on, or of a carrier that cancels none', schema: ProblemBody },
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
