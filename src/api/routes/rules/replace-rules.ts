import { readRules, replaceRules } from '../../../usecases/rules/shipping-rules.ts';
import { defineRoute } from '../../http/route.ts';
import { ProblemBody } from '../../http/schemas.ts';
import { RuleList } from './schemas.ts';

export const replaceRulesRoute = defineRoute({
  method: 'put',
  scope: 'rules:write',
  path: '/rules',
  tag: 'Rules',
  summary: 'Replace the shipping rules',
  description:
    'An addition to the contract. Replaces all rules of the company; an empty list removes them. A rule has the same form as in the apply file. They count for bookings that name no contract, of orders that name none.',
  body: RuleList,
  responses: {
    200: { description: 'All rules in their order', schema: RuleList },
    422: { description: 'A contract or warehouse that is not there', schema: ProblemBody },
  },
  async handle(deps, { companyId, body }) {
    await replaceRules(deps, { companyId, rules: body.rules });
    return { status: 200, body: { rules: await readRules(deps, companyId) } };
  },
});
