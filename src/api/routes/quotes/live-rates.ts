import { z } from 'zod';
import { requestLiveRates } from '../../../usecases/quotes/request-live-rates.ts';
import { CARRIER_PROBLEMS, replyWhenSettled } from '../../http/operation-reply.ts';
import { defineRoute } from '../../http/route.ts';
import { IdText, ProblemBody } from '../../http/schemas.ts';
import { LiveRates } from './schemas.ts';

export const liveRatesRoute = defineRoute({
  method: 'get',
  scope: 'quotes:read',
  path: '/shipment/live-rates',
  tag: 'Shipments',
  summary: 'List live rates of a carrier for an order, cheapest first',
  description: 'An addition to the contract, for carriers that give prices. The request books nothing.',
  query: z.object({ orderId: IdText, carrierCompanyId: IdText }),
  responses: {
    200: { description: 'One element per service the account may use', schema: LiveRates },
    202: { description: 'The carrier has not answered yet, see Location', schema: LiveRates },
    422: { description: 'The contract cannot take the order, or its carrier gives no prices', schema: ProblemBody },
    ...CARRIER_PROBLEMS,
  },
  async handle(deps, request) {
    const { origin, query } = request;
    const opened = await requestLiveRates(deps, {
      ...origin,
      orderId: query.orderId,
      contractId: query.carrierCompanyId,
    });
    return replyWhenSettled(deps, request, opened.operationId);
  },
});
