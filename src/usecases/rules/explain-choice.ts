import { companyEm } from '../../db/orm.ts';
import { readSetUp } from '../../db/queries/read-set-up.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound } from '../../engine/find.ts';
import { loadShippable } from '../../engine/shipment-draft.ts';
import { type Way, WayChooser } from './choose-way.ts';

export interface ExplainedChoice {
  /** The way of a booking now, or the reason why it would be refused. */
  way: Way | string;
  /** All rules in their order, each with the conditions that do not hold. */
  rules: { key: string; mismatches: string[] }[];
}

/** Tells how an order would be shipped now without a contract in the request, and which rules said so. Books nothing. */
export async function explainChoice(
  deps: Pick<Deps, 'orm' | 'carriers' | 'priceBooks' | 'now'>,
  { companyId, orderId }: { companyId: number; orderId: number },
): Promise<ExplainedChoice> {
  const em = companyEm(deps.orm, companyId);
  const setUp = await readSetUp(deps.orm, companyId);
  const [shippable] = await loadShippable(deps.orm, setUp, [orderId]);
  if (!shippable) throw notFound('order');
  const chooser = await WayChooser.open(deps, em, { setUp, shippables: [shippable] });
  return {
    way: await chooser.choose({ shippable, contractId: null }),
    rules: chooser.explain(shippable).map(({ rule, mismatches }) => ({ key: rule.key, mismatches })),
  };
}
