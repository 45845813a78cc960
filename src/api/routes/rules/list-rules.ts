import { readRules } from '../../../usecases/rules/shipping-rules.ts';
import { defineRoute } from '../../http/route.ts';
import { RuleList } from './schemas.ts';

export const listRulesRoute = defineRoute({
  method: 'get',
  scope: 'rules:read',
  path: '/rules',
  tag: 'Rules',
  summary: 'List the shipping rules',
  description: 'An addition to the contract. The first rule that matches an order counts.',
  responses: { 200: { description: 'All rules in their order', schema: RuleList } },
  async handle(deps, { companyId }) {
    return { status: 200, body: { rules: await readRules(deps, companyId) } };
  },
});
