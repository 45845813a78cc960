import { CarrierRow, Company } from '../db/entities/index.ts';
import { companyEm } from '../db/orm.ts';
import { type QuoteStep, quoteSteps } from '../domain/quote-steps.ts';
import type { Deps } from './deps.ts';
import { contractRefusal, orderRefusal } from './eligibility.ts';
import { notFound } from './find.ts';
import { type ContractQuote, quoteContract, usableContracts } from './quote-shipment.ts';
import { loadShippable } from './shipment-draft.ts';

export interface ComparedQuote extends ContractQuote {
  /** Why the contract cannot take the order, or has no price for it; null when it can and has. */
  refused: string | null;
  /** How the price came about; empty unless asked for. */
  steps: QuoteStep[];
}

/** Every usable contract side by side: those that can take the order first, cheapest first, then the others with their reasons. */
export async function compareQuotes(
  deps: Pick<Deps, 'orm' | 'carriers'>,
  wanted: { companyId: number; orderId: number; isExplained: boolean },
): Promise<ComparedQuote[]> {
  const em = companyEm(deps.orm, wanted.companyId);
  const company = await em.findOneOrFail(Company, wanted.companyId);
  const [shippable] = await loadShippable(em, company, [wanted.orderId]);
  if (!shippable) throw notFound('order');
  const codes = new Map((await em.find(CarrierRow, {})).map((row) => [row.id, row.code]));
  const unfit = orderRefusal(shippable);

  const compared: ComparedQuote[] = [];
  for (const contract of await usableContracts(em)) {
    const carrier = deps.carriers.get(codes.get(contract.carrierId) ?? '');
    const priced = await quoteContract(em, { company, contract, shippable });
    const { quote, input } = priced;
    const refused =
      unfit ??
      contractRefusal(shippable, { company, contract, carrier }) ??
      ('refused' in quote ? quote.refused : null);
    const steps = wanted.isExplained && input && !('refused' in quote) ? quoteSteps(input, quote) : [];
    compared.push({ ...priced, refused, steps });
  }
  return compared.toSorted((a, b) => rank(a) - rank(b));
}

/** The price in cents; what cannot be had comes after everything that can. */
function rank({ refused, quote }: ComparedQuote): number {
  return refused !== null || 'refused' in quote ? Number.POSITIVE_INFINITY : quote.totalPrice;
}
