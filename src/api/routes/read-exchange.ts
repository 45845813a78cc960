import { readExchange } from '../../usecases/read-exchanges.ts';
import { ExchangeDetail, exchangeBody } from '../exchange-body.ts';
import { defineRoute } from '../route.ts';
import { IdPath } from '../schemas.ts';

export const readExchangeRoute = defineRoute({
  method: 'get',
  path: '/exchanges/{id}',
  tag: 'Shipments',
  summary: 'One request to a carrier or marketplace and its answer',
  description:
    'An addition of ours. Without credentials and label bytes, long texts cut; they hold names and addresses and are kept for EXCHANGE_BODY_DAYS.',
  params: IdPath,
  responses: { 200: { description: 'Found', schema: ExchangeDetail } },
  async handle(deps, { companyId, params }) {
    const { exchange, bodies } = await readExchange(deps, { companyId, exchangeId: params.id });
    return {
      status: 200,
      body: { ...exchangeBody(exchange), request: bodies?.request ?? null, response: bodies?.response ?? null },
    };
  },
});
