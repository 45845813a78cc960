import { z } from 'zod';
import { centsToString } from '../../lib/decimal.ts';
import { type ComparedQuote, compareQuotes } from '../../usecases/compare-quotes.ts';
import { quoteBody } from '../quote-body.ts';
import { defineRoute } from '../route.ts';
import { Decimal, Flag, IdText, QuoteBody } from '../schemas.ts';

const Compared = z
  .object({
    carrier_company_id: z.number().int(),
    contract_label: z.string(),
    carrier_name: z.string(),
    eligible: z.boolean(),
    reason: z.string().nullable().describe('Why the contract cannot take the order, or has no price for it'),
    quote: QuoteBody.nullable(),
    steps: z
      .array(z.object({ rule: z.string(), amount: Decimal.nullable() }))
      .describe('With explain=true: how the price came about; the amounts add up to total_price_with_vat'),
  })
  .meta({ id: 'ComparedQuote' });

export const compareQuotesRoute = defineRoute({
  method: 'get',
  path: '/shipment/quotes',
  tag: 'Shipments',
  summary: 'Price an order under every contract, cheapest first',
  description: 'An addition of ours. Contracts that cannot take the order come last, with the reason.',
  query: z.object({ orderId: IdText, explain: Flag }),
  responses: { 200: { description: 'One element per contract in use', schema: z.array(Compared) } },
  async handle(deps, { companyId, query }) {
    const compared = await compareQuotes(deps, {
      companyId,
      orderId: query.orderId,
      isExplained: query.explain,
    });
    return { status: 200, body: compared.map((one) => comparedBody(one, deps.settings.publicUrl)) };
  },
});

function comparedBody({ contract, carrier, quote, input, refused, steps }: ComparedQuote, publicUrl: string) {
  return {
    carrier_company_id: contract.id,
    contract_label: contract.label,
    carrier_name: carrier.name,
    eligible: refused === null,
    reason: refused,
    quote: 'refused' in quote ? null : quoteBody({ contract, carrier, quote, input }, publicUrl),
    steps: steps.map(({ rule, amount }) => ({ rule, amount: amount === null ? null : centsToString(amount) })),
  };
}
