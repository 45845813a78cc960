import { z } from 'zod';
import { Day } from '../../../domain/pricing/price-list.ts';
import { centsToString } from '../../../lib/decimal.ts';
import { listContracts } from '../../../usecases/partners/read-lists.ts';
import { whatIfPlaces } from '../../../usecases/quotes/what-if-places.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath, ProblemBody } from '../../http/schemas.ts';
import { WhatIf } from './schemas.ts';

const MAX_DAYS = 31;
const DAY_MS = 86_400_000;
/** It prices up to 20,000 shipments twice. */
const POINTS = 50;

export const whatIfRoute = defineRoute({
  method: 'get',
  scope: 'quotes:read',
  path: '/carriers/contracts/{id}/what-if',
  tag: 'Carriers',
  summary: 'Price past shipments on a contract',
  description:
    'An addition to the contract: what the shipments of a period cost by their own price lists (`now`) and on this contract (`then`), by contract and province, before VAT. `smista quotes what-if` does the same without limits.',
  params: IdPath,
  query: z
    .object({
      from: Day.describe('First day, YYYY-MM-DD'),
      to: Day.describe('Last day, at most 31 days in all'),
      side: z.enum(['sale', 'purchase']).default('sale').describe('Whose prices'),
      pricesOf: Day.optional().describe('Prices of the contract on this day; absent: on the day of each shipment'),
    })
    .refine(({ from, to }) => from <= to, { error: 'The period ends before it begins', path: ['to'] })
    .refine(({ from, to }) => Date.parse(to) - Date.parse(from) < MAX_DAYS * DAY_MS, {
      error: `The period has more than ${MAX_DAYS} days`,
      path: ['to'],
    }),
  isQueryStrict: true,
  responses: {
    200: { description: 'The sums by contract and province', schema: WhatIf },
    422: { description: 'The contract has no price list', schema: ProblemBody },
  },
  points: () => POINTS,
  async handle(deps, { companyId, params, query }) {
    const { from, to, side, pricesOf = null } = query;
    const question = { companyId, contractId: params.id, from, to, side, pricesOf };
    const { rows, left, isCapped } = await whatIfPlaces(deps, question);
    const labels = new Map((await listContracts(deps, companyId)).map(({ contract }) => [contract.id, contract.label]));
    const sum = (of: 'shipments' | 'nowCents' | 'otherCents'): number =>
      rows.reduce((total, row) => total + row[of], 0);
    return {
      status: 200,
      body: {
        carrierCompanyId: params.id,
        ...{ from, to, isCapped, left },
        total: {
          shipments: sum('shipments'),
          now: centsToString(sum('nowCents')),
          then: centsToString(sum('otherCents')),
        },
        rows: rows.map(({ contractId, countryCode, province, shipments, nowCents, otherCents }) => ({
          carrierCompanyId: contractId,
          contractLabel: labels.get(contractId) ?? '',
          countryCode,
          province: province === '' ? null : province,
          shipments,
          now: centsToString(nowCents),
          then: centsToString(otherCents),
        })),
      },
    };
  },
});
