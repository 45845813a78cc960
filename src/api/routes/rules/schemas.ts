import { z } from 'zod';
import { ShippingRules } from '../../../domain/shipping-rules.ts';
import { DECIDERS } from '../../../usecases/rules/choose-way.ts';
import { Id, NullableText, Text } from '../../http/schemas.ts';

export const RuleList = z.object({ rules: ShippingRules }).meta({ id: 'ShippingRules' });

export const CarrierChoice = z
  .object({
    carrierCompanyId: Id.nullable().describe('The contract; null: the order would be refused'),
    carrierOptions: z.array(Text).describe('Options of the order, the rule and the price'),
    warehouseId: Id.nullable().describe('Where it leaves; null: the default warehouse'),
    decidedBy: z
      .enum(DECIDERS)
      .nullable()
      .describe('The order names a contract, a rule matched, the company has a default, or the price decides'),
    rule: NullableText.describe('Key of the rule that matched'),
    refusal: NullableText.describe('Why it would be refused'),
    rules: z
      .array(
        z.object({
          key: Text,
          isMatch: z.boolean(),
          mismatches: z.array(Text).describe('Conditions that do not hold'),
        }),
      )
      .describe('All rules in their order'),
  })
  .meta({ id: 'CarrierChoice' });
