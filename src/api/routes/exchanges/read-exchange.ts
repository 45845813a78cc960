import { readExchange } from '../../../usecases/exchanges/read-exchanges.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { ExchangeDetail, exchangeBody } from './exchange-body.ts';

export const readExchangeRoute = defineRoute({
  method: 'get',
  scope: 'exchanges:read',
  path: '/exchanges/{id}',
  tag: 'Shipments',
  summary: 'Read an exchange with a carrier or marketplace',
  description:
    'An addition to the contract. The texts lack credentials and label bytes, and long ones are cut. They hold names and addresses and are kept for EXCHANGE_BODY_DAYS.',
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
