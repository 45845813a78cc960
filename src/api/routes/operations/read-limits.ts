import { defineRoute } from '../../http/route.ts';
import { Limits } from './schemas.ts';

export const readLimitsRoute = defineRoute({
  method: 'get',
  scope: null,
  path: '/limits',
  tag: 'Operations',
  summary: "Read the company's limits and what is left of them",
  description:
    'An addition to the contract. Every answer says the same of points in its headers RateLimit and RateLimit-Policy.',
  responses: { 200: { description: 'The limits of the company, whichever key asks', schema: Limits } },
  async handle({ points, permits, company }, { companyId }) {
    const [balance, limit] = await Promise.all([points.balance(companyId), permits.limitOf(companyId)]);
    const share = (await company(companyId))?.settings.limits?.share ?? 1;
    return { status: 200, body: { points: balance, concurrentRequests: { limit }, share } };
  },
});
