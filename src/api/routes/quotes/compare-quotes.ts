import { z } from 'zod';
import { readOperation } from '../../../engine/read-operation.ts';
import { centsToString } from '../../../lib/decimal.ts';
import { type ComparedQuote, compareQuotes } from '../../../usecases/quotes/compare-quotes.ts';
import { requestAllLiveRates } from '../../../usecases/quotes/request-live-rates.ts';
import { isoOrNull } from '../../http/format.ts';
import { type ApiDeps, defineRoute, type RouteRequest } from '../../http/route.ts';
import { Decimal, Flag, IdText } from '../../http/schemas.ts';
import { quoteBody } from './quote-body.ts';
import { QuoteBody } from './schemas.ts';

const Steps = z.array(z.object({ rule: z.string(), amount: Decimal.nullable() }));

const Compared = z
  .object({
    carrier_company_id: z.number().int(),
    contract_label: z.string(),
    carrier_name: z.string(),
    service_code: z.string().nullable().describe("null: the contract's default service"),
    service_name: z.string().nullable(),
    eligible: z.boolean(),
    shippable: z.boolean().describe('The contract takes the order, if need be without a price'),
    reason: z.string().nullable().describe('Why it cannot take the order or has no price'),
    price: Decimal.nullable().describe('Without VAT; a live price treats VAT as the carrier does'),
    currency: z.string().nullable(),
    live: z.boolean().describe("true: the carrier's own price; false: from a price list of the company"),
    as_of: z.iso.datetime().nullable().describe('When the carrier gave the price'),
    delivery_date: z.string().nullable().describe('YYYY-MM-DD, if the carrier promises one'),
    quote: QuoteBody.nullable(),
    steps: Steps.describe('With explain=true: the parts of the price; they add up to total_price_with_vat'),
    purchase_steps: Steps.describe("The same for the carrier's price; they add up to purchase.total_price"),
  })
  .meta({ id: 'ComparedQuote' });

const Query = z.object({ orderId: IdText, explain: Flag, live: Flag });

export const compareQuotesRoute = defineRoute({
  method: 'get',
  scope: 'quotes:read',
  isQueryStrict: true,
  path: '/shipment/quotes',
  tag: 'Shipments',
  summary: 'Compare quotes for an order, cheapest first',
  description:
    'An addition to the contract. It prices the order under every contract and service. Contracts that cannot take the order come last, with the reason. With live=true the request asks the carriers that give prices and waits for them. Without it, only their prices of the last quarter of an hour are shown.',
  query: Query,
  responses: {
    200: { description: 'One element per contract and service with a price of its own', schema: z.array(Compared) },
  },
  async handle(deps, request) {
    const { companyId, query } = request;
    const silent = query.live ? await askAll(deps, request) : new Map<number, string>();
    const wanted = { companyId, orderId: query.orderId, isExplained: query.explain, silent };
    const compared = await compareQuotes(deps, wanted);
    return { status: 200, body: compared.map((one) => comparedBody(one, deps.settings.publicUrl)) };
  },
});

/** Waits for the carriers. Returns why one gave no price, by contract. */
async function askAll(
  deps: ApiDeps,
  { origin, query, waitMs }: RouteRequest<unknown, z.infer<typeof Query>, unknown>,
): Promise<Map<number, string>> {
  const asked = await requestAllLiveRates(deps, { ...origin, orderId: query.orderId });
  await Promise.all(asked.map(({ operationId }) => deps.waitForOperation(operationId, waitMs)));
  const silent = new Map<number, string>();
  for (const { contractId, operationId } of asked) {
    const [item] = (await readOperation(deps, { companyId: origin.companyId, operationId })).items;
    if (item?.status === 'failed') silent.set(contractId, item.message);
    else if (item?.status !== 'succeeded') silent.set(contractId, 'The carrier has not answered yet');
  }
  return silent;
}

function comparedBody(compared: ComparedQuote, publicUrl: string) {
  const { contract, carrier, service, refused, isShippable, price, priced, live } = compared;
  return {
    carrier_company_id: contract.id,
    contract_label: contract.label,
    carrier_name: carrier.name,
    service_code: service?.code ?? null,
    service_name: service?.name ?? null,
    eligible: refused === null,
    shippable: isShippable,
    reason: refused,
    price: price && centsToString(price.cents),
    currency: price?.currency ?? null,
    live: live !== null,
    as_of: isoOrNull(live?.askedAt ?? null),
    delivery_date: live?.deliveryDate ?? null,
    quote: priced && quoteBody(priced, publicUrl),
    steps: compared.steps.map(stepBody),
    purchase_steps: compared.purchaseSteps.map(stepBody),
  };
}

function stepBody({ rule, amount }: ComparedQuote['steps'][number]) {
  return { rule, amount: amount === null ? null : centsToString(amount) };
}
