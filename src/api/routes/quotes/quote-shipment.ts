import { z } from 'zod';
import { quoteOrder } from '../../../usecases/partners/read-lists.ts';
import { defineRoute } from '../../http/route.ts';
import { IdText, ProblemBody } from '../../http/schemas.ts';
import { quoteBody } from './quote-body.ts';
import { QuoteBody } from './schemas.ts';

export const quoteShipmentRoute = defineRoute({
  method: 'get',
  scope: 'quotes:read',
  path: '/shipment/quote',
  tag: 'Shipments',
  summary: 'Quote an order under a carrier contract',
  description:
    'Counted with the price list of the contract; the carrier is not asked. A price that the carrier gives is under `GET /shipment/live-rates`.',
  query: z.object({ orderId: IdText, carrierCompanyId: IdText }),
  responses: {
    200: { description: 'Prices in the currency of the price list, weights in kilograms', schema: QuoteBody },
    422: { description: 'The reason why there is no price', schema: ProblemBody },
  },
  async handle(deps, { companyId, query }) {
    const priced = await quoteOrder(deps, {
      companyId,
      orderId: query.orderId,
      contractId: query.carrierCompanyId,
    });
    return { status: 200, body: quoteBody(priced, deps.settings.publicUrl) };
  },
});
