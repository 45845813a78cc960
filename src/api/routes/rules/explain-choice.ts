import { type ExplainedChoice, explainChoice } from '../../../usecases/rules/explain-choice.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { CarrierChoice } from './schemas.ts';

export const explainChoiceRoute = defineRoute({
  method: 'get',
  scope: 'rules:read',
  path: '/orders/{id}/carrier-choice',
  tag: 'Rules',
  summary: 'Explain how an order would be shipped',
  description:
    'An addition to the contract. Tells which contract, options and warehouse a booking without `carrierCompanyId` would use now, who decided it, and for each rule which conditions do not hold. It books nothing.',
  params: IdPath,
  responses: { 200: { description: 'The choice and its reasons', schema: CarrierChoice } },
  async handle(deps, { companyId, params }) {
    return { status: 200, body: choiceBody(await explainChoice(deps, { companyId, orderId: params.id })) };
  },
});

function choiceBody({ way, rules }: ExplainedChoice) {
  const isRefused = typeof way === 'string';
  return {
    carrierCompanyId: isRefused ? null : way.contract.id,
    carrierOptions: isRefused ? [] : [...new Set([...way.shippable.order.carrierOptions, ...way.options])],
    warehouseId: isRefused ? null : way.shippable.order.warehouseId,
    decidedBy: isRefused ? null : way.decidedBy,
    rule: isRefused ? null : way.rule,
    refusal: isRefused ? way : null,
    rules: rules.map(({ key, mismatches }) => ({ key, isMatch: mismatches.length === 0, mismatches })),
  };
}
