import { type CarrierRow, Company, type Contract } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { purchaseSteps, type QuoteStep, quoteSteps } from '../../domain/pricing/quote-steps.ts';
import { usableContracts } from '../../engine/contracts.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound } from '../../engine/find.ts';
import { freshRates, type RatesAnswer, rateQuestion } from '../../engine/kept-rates.ts';
import { loadShippable, type ShippableOrder } from '../../engine/shipment-draft.ts';
import { type Offer, type PricedOffer, Pricer } from './quote-shipment.ts';
import { rateDraft } from './request-live-rates.ts';

/** One way to send an order, with its price or the reason why there is none. */
export interface ComparedQuote {
  contract: Contract;
  carrier: CarrierRow;
  /** Null: whatever the contract ships by default. */
  service: Offer['service'];
  /** Why it cannot take the order, or has no price for it; null when it can and has. */
  refused: string | null;
  /** Before VAT; null where there is none. */
  price: { cents: number; currency: string } | null;
  /** From a price list of ours. */
  priced: PricedOffer | null;
  /** From the carrier itself. */
  live: { askedAt: Date; deliveryDate: string | null } | null;
  /** How the price came about, and the cost; empty unless asked for. */
  steps: QuoteStep[];
  purchaseSteps: QuoteStep[];
}

interface Wanted {
  companyId: number;
  orderId: number;
  isExplained: boolean;
  /** Of carriers that were asked and gave no price, by contract. */
  silent?: ReadonlyMap<number, string>;
}

/**
 * Every usable contract and each of its services that has a price of its own, and what carriers themselves said a moment ago,
 * side by side: those that can take the order first, cheapest first, then the others with their reasons.
 */
export async function compareQuotes(
  deps: Pick<Deps, 'orm' | 'carriers' | 'priceBooks' | 'now'>,
  wanted: Wanted,
): Promise<ComparedQuote[]> {
  const em = companyEm(deps.orm, wanted.companyId);
  const company = await em.findOneOrFail(Company, wanted.companyId);
  const [shippable] = await loadShippable(deps.orm, company, [wanted.orderId]);
  if (!shippable) throw notFound('order');
  const pricer = await Pricer.open(deps, em, { company, shippables: [shippable] });
  const contracts = await usableContracts(em);

  const offers = await Promise.all(contracts.map((contract) => pricer.offers(contract, shippable)));
  const own = offers.flat().map((offer) => ({
    ...comparedOffer(offer, pricer.refusal(shippable, offer.contract, offer.service?.code)),
    ...(wanted.isExplained ? explained(offer) : {}),
  }));
  const able = contracts.filter(
    (contract) => pricer.specOf(contract)?.rates && pricer.refusal(shippable, contract) === null,
  );
  const rates = await ratesOf(em, { contracts: able, company, shippable, now: deps.now() });
  const carriers = new Map(own.map(({ contract, carrier }) => [contract.id, carrier]));
  const live = able.flatMap((contract) => {
    const base = { ...NO_PRICE, contract, carrier: carriers.get(contract.id) as CarrierRow };
    return comparedRates(base, { answer: rates.get(contract.id), silence: wanted.silent?.get(contract.id) });
  });
  return [...own, ...live].toSorted((a, b) => rank(a) - rank(b));
}

const NO_PRICE = { service: null, refused: null, price: null, priced: null, live: null, steps: [], purchaseSteps: [] };

function comparedOffer({ quote, ...offer }: Offer, whyNot: string | null): ComparedQuote {
  const base = { ...NO_PRICE, contract: offer.contract, carrier: offer.carrier, service: offer.service };
  if ('refused' in quote) return { ...base, refused: whyNot ?? quote.refused };
  const currency = offer.input?.prices.list.currency ?? '';
  return { ...base, refused: whyNot, price: { cents: quote.totalPrice, currency }, priced: { ...offer, quote } };
}

function explained({ quote, input }: Offer): Pick<ComparedQuote, 'steps' | 'purchaseSteps'> {
  if (!input || 'refused' in quote) return { steps: [], purchaseSteps: [] };
  return { steps: quoteSteps(input, quote), purchaseSteps: purchaseSteps(input, quote) };
}

function ratesOf(
  em: Em,
  asked: { contracts: readonly Contract[]; company: Company; shippable: ShippableOrder; now: Date },
): Promise<Map<number, RatesAnswer>> {
  const { contracts, company, shippable, now } = asked;
  const questions = contracts.map((contract) => ({
    contractId: contract.id,
    question: rateQuestion(rateDraft(shippable, { company, contract })),
  }));
  return freshRates(em, { questions, now });
}

function comparedRates(
  base: ComparedQuote,
  { answer, silence }: { answer: RatesAnswer | undefined; silence: string | undefined },
): ComparedQuote[] {
  if (!answer) return silence === undefined ? [] : [{ ...base, refused: silence }];
  return answer.rates.map((rate) => ({
    ...base,
    service: { code: rate.serviceCode, name: rate.serviceName },
    price: { cents: rate.amountCents, currency: rate.currency },
    live: { askedAt: answer.askedAt, deliveryDate: rate.deliveryDate },
  }));
}

const OTHER_CURRENCY = 1e12;

/** The price in cents, other currencies after the euro; what cannot be had comes after everything that can. */
function rank({ refused, price }: ComparedQuote): number {
  if (refused !== null || !price) return Number.MAX_VALUE;
  return price.cents + (price.currency === 'EUR' ? 0 : OTHER_CURRENCY);
}
