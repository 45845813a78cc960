import { CarrierRow, type Company, Contract, Tariff } from '../db/entities/index.ts';
import type { Em } from '../db/orm.ts';
import { PriceList } from '../domain/price-list.ts';
import { type Quote, type QuoteInput, type QuoteRefusal, quote } from '../domain/quote.ts';
import type { ShippableOrder } from './shipment-draft.ts';

export interface ContractQuote {
  contract: Contract;
  carrier: CarrierRow;
  quote: Quote | QuoteRefusal;
  /** What was priced; null where there was no price list to do it with. */
  input: QuoteInput | null;
}

/** One that has a price. */
export type PricedContract = Omit<ContractQuote, 'quote'> & { quote: Quote };

/** Prices one order under one contract of the company. */
export async function quoteContract(
  em: Em,
  input: { company: Company; contract: Contract; shippable: ShippableOrder },
): Promise<ContractQuote> {
  const { company, contract, shippable } = input;
  const carrier = await em.findOneOrFail(CarrierRow, contract.carrierId);
  if (contract.tariffId === null) {
    return { contract, carrier, quote: { refused: `The contract ${contract.label} has no price list` }, input: null };
  }
  const tariff = await em.findOneOrFail(Tariff, contract.tariffId);
  const { order, address } = shippable;
  const question: QuoteInput = {
    priceList: priceListOf(tariff),
    contract: { coefficient: contract.coefficient, maxWeightGrams: contract.maxWeightGrams },
    destination: { countryCode: address.countryCode, province: address.state || null, zip: address.zip },
    parcels: shippable.parcels,
    cod: order.codCents === null ? null : { amountCents: order.codCents },
    insuredCents: order.insurance ? order.grossCents : null,
    optionCodes: order.carrierOptions,
    vatRate: company.settings.vatRate,
    vatApplies: true,
  };
  return { contract, carrier, quote: quote(question), input: question };
}

const MAX_KEPT = 200;
const kept = new Map<string, PriceList>();

/** Reading a price list costs more than pricing with it: it is kept as long as its row does not change. */
function priceListOf({ id, updatedAt, priceList }: Tariff): PriceList {
  const key = `${id}/${updatedAt.getTime()}`;
  const known = kept.get(key);
  if (known) return known;
  const read = PriceList.parse(priceList);
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(key, read);
  return read;
}

/** The contract that would carry the order for the least money; null when none can. */
export async function cheapestContract(
  em: Em,
  input: { company: Company; contracts: readonly Contract[]; shippable: ShippableOrder },
): Promise<Contract | null> {
  let best: { contract: Contract; price: number } | null = null;
  for (const contract of input.contracts) {
    const { quote: priced } = await quoteContract(em, { ...input, contract });
    if ('refused' in priced) continue;
    if (!best || priced.totalPrice < best.price) best = { contract, price: priced.totalPrice };
  }
  return best?.contract ?? null;
}

/** Contracts that may be used for new shipments. */
export function usableContracts(em: Em): Promise<Contract[]> {
  return em.find(Contract, { deleteFlag: false, isConnected: true }, { orderBy: { id: 'asc' } });
}
