import type { CarrierRow, Company, Contract } from '../../db/entities/index.ts';
import { companyEm, type Em } from '../../db/orm.ts';
import { readSetUp } from '../../db/queries/read-set-up.ts';
import { purchaseSteps, type QuoteStep, quoteSteps } from '../../domain/pricing/quote-steps.ts';
import { usableOf } from '../../engine/contracts.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound } from '../../engine/find.ts';
import { freshRates, type RatesAnswer, rateQuestion } from '../../engine/kept-rates.ts';
import { loadShippable, type ShippableOrder } from '../../engine/shipment-draft.ts';
import { type Offer, type PricedOffer, Pricer } from './quote-shipment.ts';
import { rateDraft } from './request-live-rates.ts';

/** One contract and service for an order, with the price or the reason why there is none. */
export interface ComparedQuote {
  contract: Contract;
  carrier: CarrierRow;
  /** Null: the contract's default service. */
  service: Offer['service'];
  /** Why it cannot take the order or has no price; null when it can and has one. */
  refused: string | null;
  /** True: it takes the order, if need be without a price. */
  isShippable: boolean;
  /** Before VAT; null without a price. */
  price: { cents: number; currency: string } | null;
  /** From a price list of ours. */
  priced: PricedOffer | null;
  /** From the carrier itself. */
  live: { askedAt: Date; deliveryDate: string | null } | null;
  /** The steps of price and cost; empty unless requested. */
  steps: QuoteStep[];
  purchaseSteps: QuoteStep[];
}

interface Wanted {
  companyId: number;
  orderId: number;
  isExplained: boolean;
  /** Reasons of carriers that were asked and gave no price, by contract. */
  silent?: ReadonlyMap<number, string>;
}

/**
 * Lists all usable contracts, each of their services with a price of its own, and the cached live rates. Entries that can take the
 * order come first, cheapest first, then the others with their reasons.
 */
export async function compareQuotes(
  deps: Pick<Deps, 'orm' | 'carriers' | 'priceBooks' | 'now'>,
  wanted: Wanted,
): Promise<ComparedQuote[]> {
  const em = companyEm(deps.orm, wanted.companyId);
  const setUp = await readSetUp(deps.orm, wanted.companyId);
  const [shippable] = await loadShippable(deps.orm, setUp, [wanted.orderId]);
  if (!shippable) throw notFound('order');
  const pricer = await Pricer.open(deps, em, { setUp, shippables: [shippable] });
  const { company } = setUp;
  const contracts = usableOf(setUp.contracts);

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

const NO_PRICE = {
  service: null,
  refused: null,
  isShippable: true,
  price: null,
  priced: null,
  live: null,
  steps: [],
  purchaseSteps: [],
};

function comparedOffer({ quote, ...offer }: Offer, whyNot: string | null): ComparedQuote {
  const { contract, carrier, service } = offer;
  const base = { ...NO_PRICE, isShippable: whyNot === null, contract, carrier, service };
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

/** Sort key: the price in cents, the euro before other currencies, and entries without a price last. */
function rank({ refused, price }: ComparedQuote): number {
  if (refused !== null || !price) return Number.MAX_VALUE;
  return price.cents + (price.currency === 'EUR' ? 0 : OTHER_CURRENCY);
}
