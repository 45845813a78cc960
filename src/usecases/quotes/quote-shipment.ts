import type { Carrier } from '../../carriers/adapter.ts';
import type { CarrierRow, Company, Contract } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import type { ShippingSetUp } from '../../db/queries/read-set-up.ts';
import { type Quote, quote } from '../../domain/pricing/quote.ts';
import type { QuoteInput, QuoteRefusal } from '../../domain/pricing/quote-input.ts';
import { transportVat } from '../../domain/vat.ts';
import type { Deps } from '../../engine/deps.ts';
import type { PriceBook } from '../../engine/price-book.ts';
import { type ShippableOrder, senderOf } from '../../engine/shipment-draft.ts';
import { wallClock } from '../../lib/clock.ts';
import { Verdicts } from '../addresses/address-verdicts.ts';
import { contractRefusal, orderRefusal } from './eligibility.ts';

/** A contract and service with a price of its own. */
export interface Offer {
  contract: Contract;
  carrier: CarrierRow;
  /** The carrier's service; null: the contract's default. */
  service: { code: string; name: string } | null;
  quote: Quote | QuoteRefusal;
  /** Input of the pricing; null without a price list. */
  input: QuoteInput | null;
}

/** An option with a price. */
export type PricedOffer = Omit<Offer, 'quote'> & { quote: Quote };

/** Finds eligible contracts and prices for orders of one company. Made per request, so that everything is read once. */
export class Pricer {
  readonly company: Company;
  readonly #carriers: ReadonlyMap<number, CarrierRow>;
  readonly #specs: Deps['carriers'];
  readonly #book: PriceBook;
  readonly #verdicts: Verdicts;
  readonly #day: string;

  private constructor(
    company: Company,
    read: {
      carriers: readonly CarrierRow[];
      specs: Deps['carriers'];
      book: PriceBook;
      verdicts: Verdicts;
      day: string;
    },
  ) {
    this.company = company;
    this.#carriers = new Map(read.carriers.map((row) => [row.id, row]));
    this.#specs = read.specs;
    this.#book = read.book;
    this.#verdicts = read.verdicts;
    this.#day = read.day;
  }

  static async open(
    deps: Pick<Deps, 'orm' | 'carriers' | 'priceBooks' | 'now'>,
    em: Em,
    { setUp, shippables }: { setUp: ShippingSetUp; shippables: readonly ShippableOrder[] },
  ): Promise<Pricer> {
    const now = deps.now();
    const { company, carriers, editions } = setUp;
    const { date: day } = wallClock(now, company.settings.timeZone);
    const book = await deps.priceBooks(em, editions);
    const addresses = shippables.map(({ address }) => address);
    const verdicts = await Verdicts.read(deps.orm, { companyId: company.id, addresses, now });
    return new Pricer(company, { carriers, specs: deps.carriers, book, verdicts, day });
  }

  /** Returns the adapter of a contract, undefined when it is no longer supported. */
  specOf({ carrierId }: Contract): Carrier | undefined {
    return this.#specs.get(this.#carriers.get(carrierId)?.code ?? '');
  }

  /** Returns why a contract cannot take an order, with a service if one is named; null when it can. */
  refusal(shippable: ShippableOrder, contract: Contract, service: string | null = null): string | null {
    return orderRefusal(shippable) ?? this.contractRefusal(shippable, contract, service);
  }

  /** Works like `refusal`, but ignores problems of the import, for a person who ships anyway. */
  contractRefusal(shippable: ShippableOrder, contract: Contract, service: string | null = null): string | null {
    const { company } = this;
    const chosen = { company, contract, carrier: this.specOf(contract), service, verdicts: this.#verdicts };
    return contractRefusal(shippable, chosen);
  }

  /** Lists the options of a contract: the service that the order names, else the default and each service with a tariff. */
  async offers(contract: Contract, shippable: ShippableOrder): Promise<Offer[]> {
    const named = contract.serviceTariffs.filter(({ service }) => shippable.order.carrierOptions.includes(service));
    const plain = { service: null, tariffId: contract.tariffId };
    const hasDefault = contract.tariffId !== null || contract.serviceTariffs.length === 0;
    const all = named.length > 0 ? named : [...(hasDefault ? [plain] : []), ...contract.serviceTariffs];
    return Promise.all(all.map((way) => this.#price(contract, shippable, way)));
  }

  /** Returns the price of an order under a contract: of the named service, else of the default, else of the cheapest service. */
  async offer(contract: Contract, shippable: ShippableOrder): Promise<Offer> {
    const offers = await this.offers(contract, shippable);
    const [first] = offers;
    if (first?.service === null) return first;
    return cheapest(offers) ?? (first as Offer);
  }

  async #price(
    contract: Contract,
    shippable: ShippableOrder,
    way: { service: string | null; tariffId: number | null },
  ): Promise<Offer> {
    const carrier = this.#carriers.get(contract.carrierId) as CarrierRow;
    const service = this.#serviceOf(contract, way.service);
    const base = { contract, carrier, service };
    if (way.tariffId === null) {
      return { ...base, quote: { refused: `The contract ${contract.label} has no price list` }, input: null };
    }
    const prices = await this.#book.pricesOn(way.tariffId, this.#day);
    if ('refused' in prices) return { ...base, quote: prices, input: null };
    const input = this.#question(contract, shippable, { prices, service: way.service });
    return { ...base, quote: quote(input), input };
  }

  #serviceOf(contract: Contract, code: string | null): Offer['service'] {
    if (code === null) return null;
    const known = this.specOf(contract)?.services.find((service) => service.code === code);
    return { code, name: known?.name ?? code };
  }

  #question(
    contract: Contract,
    shippable: ShippableOrder,
    { prices, service }: { prices: QuoteInput['prices']; service: string | null },
  ): QuoteInput {
    const { order, address, parcels } = shippable;
    const sender = senderOf(this.company, shippable.warehouse);
    const { vatRate, vatRates = {} } = this.company.settings;
    return {
      prices,
      day: this.#day,
      contract: { coefficient: contract.coefficient, maxWeightGrams: contract.maxWeightGrams },
      destination: {
        countryCode: address.countryCode,
        province: address.state || null,
        city: address.city,
        zip: address.zip,
        areas: this.#verdicts.areas(contract.carrierId, address),
      },
      parcels,
      cod:
        order.codCents === null ? null : { amountCents: order.codCents, paymentType: contract.defaultCodPaymentType },
      insuredCents: order.insurance ? order.grossCents : null,
      optionCodes: order.carrierOptions.filter((code) => code !== service),
      isToPickupPoint: order.pickupPointId !== null,
      vat: transportVat({ vatRate, vatRates }, { from: sender, to: address }),
    };
  }
}

/** Returns the cheapest option before VAT, null when none has a price. */
export function cheapest(offers: readonly Offer[]): PricedOffer | null {
  const priced = offers.filter((offer): offer is PricedOffer => !('refused' in offer.quote));
  return priced.toSorted((a, b) => a.quote.totalPrice - b.quote.totalPrice)[0] ?? null;
}
