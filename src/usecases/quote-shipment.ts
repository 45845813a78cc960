import { CarrierRow, type Company, Contract, Tariff } from '../db/entities/index.ts';
import type { Em } from '../db/orm.ts';
import { PriceList } from '../domain/price-list.ts';
import { type Quote, type QuoteRefusal, quote } from '../domain/quote.ts';
import type { ShippableOrder } from './shipment-draft.ts';

export interface ContractQuote {
  contract: Contract;
  carrier: CarrierRow;
  quote: Quote | QuoteRefusal;
}

/** Prices one order under one contract of the company. */
export async function quoteContract(
  em: Em,
  input: { company: Company; contract: Contract; shippable: ShippableOrder },
): Promise<ContractQuote> {
  const { company, contract, shippable } = input;
  const carrier = await em.findOneOrFail(CarrierRow, contract.carrierId);
  if (contract.tariffId === null) {
    return { contract, carrier, quote: { refused: `The contract ${contract.label} has no price list` } };
  }
  const tariff = await em.findOneOrFail(Tariff, contract.tariffId);
  const { order, address } = shippable;
  return {
    contract,
    carrier,
    quote: quote({
      priceList: PriceList.parse(tariff.priceList),
      contract: { coefficient: contract.coefficient, maxWeightGrams: contract.maxWeightGrams },
      destination: { countryCode: address.countryCode, province: address.state || null, zip: address.zip },
      parcels: shippable.parcels,
      cod: order.codCents === null ? null : { amountCents: order.codCents },
      insuredCents: order.insurance ? order.grossCents : null,
      optionCodes: order.carrierOptions,
      vatRate: company.settings.vatRate,
      vatApplies: true,
    }),
  };
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
