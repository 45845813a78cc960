import { requestSend } from '../../../usecases/marketplaces/send-to-marketplace.ts';
import { replyWhenSettled } from '../../http/operation-reply.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { SendResult } from './schemas.ts';

export const sendToMarketplaceRoute = defineRoute({
  method: 'post',
  scope: 'marketplaces:write',
  path: '/orders/{id}/send-to-marketplace',
  tag: 'Orders',
  summary: 'Confirm the shipment of an order to its marketplace',
  description:
    'Needs a booked shipment and an order that came from a connected marketplace; else `ErrorType` is `configuration`. Sending twice tells the marketplace once. Of a split order, every part that has a tracking number is confirmed with its lines, or all parts at once where the shop takes no parts.',
  params: IdPath,
  responses: {
    200: { description: 'Settled: Result is OK or KO', schema: SendResult },
    202: { description: 'Still in progress: Result is PENDING, see Location', schema: SendResult },
  },
  async handle(deps, request) {
    const opened = await requestSend(deps, { ...request.origin, orderId: request.params.id });
    return replyWhenSettled(deps, request, opened.operationId);
  },
  recover: replyWhenSettled,
});
