import { Company, Contract } from '../../db/entities/index.ts';
import { companyEm, systemEm } from '../../db/orm.ts';
import { type PastShipment, pastShipments } from '../../db/queries/past-shipments.ts';
import type { CompiledPriceList } from '../../domain/pricing/compile.ts';
import { type PriceDifference, PriceDifferences } from '../../domain/pricing/price-difference.ts';
import { quote } from '../../domain/pricing/quote.ts';
import type { QuoteInput, Side } from '../../domain/pricing/quote-input.ts';
import type { Deps } from '../../engine/deps.ts';
import type { PriceBook } from '../../engine/price-book.ts';
import { instantOf } from '../../lib/clock.ts';
import { UsageError } from '../../lib/errors.ts';

export interface WhatIfQuestion {
  companyKey: string;
  /** YYYY-MM-DD, both included, in the company's time zone. */
  from: string;
  to: string;
  /** Key of the contract to price the shipments on. */
  contractKey: string;
  /** One of its services with a tariff of its own; null: its own tariff. */
  service: string | null;
  side: Side;
  /** YYYY-MM-DD: prices of the other contract on this day; null: on the day of each shipment. */
  pricesOf: string | null;
}

export interface WhatIf {
  rows: PriceDifference[];
  total: PriceDifference;
  /** Shipments that could not be compared, by reason, the most frequent first. */
  left: { reason: string; shipments: number }[];
}

/** Compares past shipments, before VAT: the price by their own price list and the price on another contract. */
export async function whatIf(deps: Pick<Deps, 'orm' | 'priceBooks'>, question: WhatIfQuestion): Promise<WhatIf> {
  if (question.to < question.from) throw new UsageError('The period ends before it begins');
  const company = await systemEm(deps.orm).findOne(Company, { key: question.companyKey });
  if (!company) throw new UsageError(`There is no company ${question.companyKey}`);
  const em = companyEm(deps.orm, company.id);
  const contracts = new Map((await em.find(Contract, {})).map((contract) => [contract.id, contract]));
  const other = otherWay([...contracts.values()], question);
  const book = await deps.priceBooks(em);

  const differences = new PriceDifferences();
  const reasons = new Map<string, number>();
  const { timeZone } = company.settings;
  const period = { from: instantOf(question.from, '00:00', timeZone), to: dayAfter(question.to, timeZone) };
  for await (const shipments of pastShipments(em, { companyId: company.id, timeZone, ...period })) {
    for (const shipment of shipments) {
      const compared = await compare(book, shipment, { contracts, other, question });
      if ('left' in compared) reasons.set(compared.left, (reasons.get(compared.left) ?? 0) + 1);
      else differences.add({ ...compared, month: shipment.day.slice(0, 7) });
    }
  }
  const left = [...reasons].map(([reason, count]) => ({ reason, shipments: count }));
  return {
    rows: differences.rows(),
    total: differences.total(),
    left: left.toSorted((a, b) => b.shipments - a.shipments || a.reason.localeCompare(b.reason)),
  };
}

/** The contract and tariff that shipments are priced on instead. */
export interface Way {
  contract: Contract;
  tariffId: number;
}

/** Finds the contract of a question. Throws a `UsageError` when it has no prices. */
export function otherWay(
  contracts: readonly Contract[],
  { contractKey, service }: Pick<WhatIfQuestion, 'contractKey' | 'service'>,
): Way {
  const contract = contracts.find(({ key }) => key === contractKey);
  if (!contract) throw new UsageError(`There is no contract ${contractKey}`);
  const ofService = contract.serviceTariffs.find((one) => one.service === service);
  if (service !== null && !ofService) throw new UsageError(`The contract ${contractKey} has no tariff for ${service}`);
  const tariffId = ofService?.tariffId ?? contract.tariffId;
  if (tariffId === null) throw new UsageError(`The contract ${contractKey} has no price list`);
  return { contract, tariffId };
}

export type Compared = { zone: string; nowCents: number; otherCents: number } | { left: string };

/** Prices a past shipment by its own price list and by another, or returns why it cannot be compared. */
export async function compare(
  book: PriceBook,
  shipment: PastShipment,
  context: {
    contracts: ReadonlyMap<number, Contract>;
    other: Way;
    question: Pick<WhatIfQuestion, 'side' | 'pricesOf'>;
  },
): Promise<Compared> {
  const { contracts, other, question } = context;
  const { day } = shipment;
  const contract = contracts.get(shipment.contract_id);
  const ofService = contract?.serviceTariffs.find(({ service }) => shipment.options.includes(service));
  const tariffId = ofService?.tariffId ?? contract?.tariffId ?? null;
  if (!contract || tariffId === null) return { left: `Now: the contract ${contract?.label} has no price list` };
  const { side } = question;
  if (shipment.cod_cents !== null && !other.contract.supportCod)
    return { left: 'Then: the contract takes no cash on delivery' };
  if (shipment.insured_cents !== null && !other.contract.supportInsurance)
    return { left: 'Then: the contract takes no insurance' };

  const otherDay = question.pricesOf ?? day;
  const [prices, otherPrices] = [await book.pricesOn(tariffId, day), await book.pricesOn(other.tariffId, otherDay)];
  if ('refused' in prices) return { left: `Now: ${prices.refused}` };
  if ('refused' in otherPrices) return { left: `Then: ${otherPrices.refused}` };
  const optionCodes = shipment.options.filter((code) => code !== ofService?.service);
  const now = sideOf(
    questionOf(shipment, { prices, day, contract, optionCodes, paymentType: shipment.cod_payment_type }),
    side,
  );
  if ('left' in now) return { left: `Now: ${now.left}` };
  const then = sideOf(
    questionOf(shipment, {
      prices: otherPrices,
      day: otherDay,
      contract: other.contract,
      optionCodes: commonCodes(prices, optionCodes),
      paymentType: other.contract.defaultCodPaymentType,
    }),
    side,
  );
  if ('left' in then) return { left: `Then: ${then.left}` };
  return { zone: now.zone, nowCents: now.cents, otherCents: then.cents };
}

/** Translates an option by its meaning, because another carrier uses another code: `07` means `SATURDAY`, for example. */
export function commonCodes({ list }: CompiledPriceList, codes: readonly string[]): string[] {
  return codes.map((code) => list.options.find(({ carrierCodes }) => carrierCodes?.includes(code))?.code ?? code);
}

/** Makes the input of the pricing for a past shipment. */
export function questionOf(
  shipment: PastShipment,
  on: { prices: CompiledPriceList; day: string; contract: Contract; optionCodes: string[]; paymentType: string },
): QuoteInput {
  const { contract, paymentType, ...rest } = on;
  return {
    ...rest,
    contract: { coefficient: contract.coefficient, maxWeightGrams: contract.maxWeightGrams },
    destination: {
      countryCode: shipment.country_code,
      province: shipment.province || null,
      city: shipment.city,
      zip: shipment.zip,
    },
    parcels: (shipment.parcels ?? []).map(([weightGrams, lengthMm, widthMm, heightMm]) => ({
      weightGrams,
      lengthMm,
      widthMm,
      heightMm,
    })),
    cod: shipment.cod_cents === null ? null : { amountCents: shipment.cod_cents, paymentType },
    insuredCents: shipment.insured_cents,
    isToPickupPoint: shipment.pickup_point_id !== null,
    vat: { percent: '0', reason: 'compared without' },
  };
}

/** Prices one side of a past shipment, or returns why it has no price. */
export function sideOf(input: QuoteInput, side: Side): { zone: string; cents: number } | { left: string } {
  const priced = quote(input);
  if ('refused' in priced) return { left: priced.refused };
  const cents = side === 'sale' ? priced.totalPrice : priced.purchase?.totalPrice;
  if (cents === undefined) {
    return { left: `Price list "${input.prices.list.name}" has no purchase prices in zone ${priced.zone.code}` };
  }
  return { zone: priced.zone.name, cents };
}

/** Returns the instant at which the day after begins. */
export function dayAfter(day: string, timeZone: string): Date {
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return instantOf(next, '00:00', timeZone);
}
