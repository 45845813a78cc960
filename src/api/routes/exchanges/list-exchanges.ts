import { z } from 'zod';
import { listShipmentExchanges } from '../../../usecases/exchanges/read-exchanges.ts';
import { nextPage, PageLimit } from '../../http/paging.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath, IdText } from '../../http/schemas.ts';
import { ExchangeFields, exchangeBody } from './exchange-body.ts';

const DEFAULT_LIMIT = 100;

export const listExchangesRoute = defineRoute({
  method: 'get',
  scope: 'exchanges:read',
  isQueryStrict: true,
  path: '/shipment/{id}/exchanges',
  tag: 'Shipments',
  summary: 'List exchanges about a shipment, newest first',
  description:
    'An addition to the contract. An exchange is one request to a carrier or marketplace and its answer. Successful reads are kept for seven days, the others for RETENTION_DAYS. The Link header leads to the next page.',
  params: IdPath,
  query: z.object({ limit: PageLimit.optional(), cursor: IdText.optional() }),
  responses: { 200: { description: 'One page of exchanges', schema: z.array(ExchangeFields) } },
  async handle(deps, { companyId, params, query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const exchanges = await listShipmentExchanges(deps, {
      companyId,
      shipmentId: params.id,
      limit,
      beforeId: query.cursor ?? null,
    });
    const ids = exchanges.map((exchange) => exchange.id);
    return {
      status: 200,
      body: exchanges.map(exchangeBody),
      ...nextPage(`/shipment/${params.id}/exchanges`, { ids, limit, query: { limit } }),
    };
  },
});
