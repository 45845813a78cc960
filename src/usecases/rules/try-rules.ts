import { Company, Contract } from '../../db/entities/index.ts';
import { companyEm, type Em, systemEm } from '../../db/orm.ts';
import { type PastShipment, pastShipments } from '../../db/queries/past-shipments.ts';
import type { Side } from '../../domain/pricing/quote-input.ts';
import { firstMatch, type RuleSubject, type ShippingRule } from '../../domain/shipping-rules.ts';
import { usableOf } from '../../engine/contracts.ts';
import type { Deps } from '../../engine/deps.ts';
import type { PriceBook } from '../../engine/price-book.ts';
import { UsageError } from '../../lib/errors.ts';
import { commonCodes, questionOf, sideOf } from '../quotes/what-if.ts';
import { momentOf, readNames } from './shipping-rules.ts';

export interface Trial {
  companyKey: string;
  /** Null: the rules that the company has. */
  rules: readonly ShippingRule[] | null;
  from: Date;
  to: Date;
  side: Side;
}

/** One contract in a trial. */
export interface ContractShift {
  contract: string;
  now: ShipmentSum;
  then: ShipmentSum;
}

export interface ShipmentSum {
  shipments: number;
  /** The price of those shipments that have one. */
  cents: number;
  /** Shipments without a price, which `cents` lacks. */
  unpriced: number;
  /** The mean of past deliveries under the contract, over these shipments; null: none has arrived yet. */
  days: number | null;
}

export interface TrialResult {
  contracts: ContractShift[];
  total: ContractShift;
  /** Shipments by the rule that matched; the empty key is no rule. */
  rules: { key: string; shipments: number }[];
  /** Shipments that would have left under another contract. */
  shifted: number;
}

/** Replays rules over everything that a company sent in a period. Nothing is written and no carrier is asked. */
export async function tryRules(deps: Pick<Deps, 'orm' | 'priceBooks'>, trial: Trial): Promise<TrialResult> {
  const company = await systemEm(deps.orm).findOne(Company, { key: trial.companyKey });
  if (!company) throw new UsageError(`There is no company ${trial.companyKey}`);
  const em = companyEm(deps.orm, company.id);
  const contracts = await em.find(Contract, {}, { orderBy: { id: 'asc' } });
  const byId = new Map(contracts.map((contract) => [contract.id, contract]));
  const byKey = new Map(contracts.map((contract) => [contract.key, contract]));
  const rules = trial.rules ?? company.shippingRules;
  const book = await deps.priceBooks(em);
  const subjectOf = await readPastFacts(em, company);
  const { timeZone } = company.settings;

  /** Returns the company's default contract, else the cheapest that has a price, else the one that was used. */
  const withoutRule = async (shipment: PastShipment, was: Contract): Promise<Contract> => {
    const ofCompany = byId.get(company.defaultContractId ?? 0);
    if (ofCompany) return ofCompany;
    let best: { contract: Contract; cents: number } | null = null;
    for (const contract of usableOf(contracts)) {
      const options = shipment.order_options;
      const cents = await priceOf(book, shipment, { was, contract, side: trial.side, options });
      if (cents !== null && (best === null || cents < best.cents)) best = { contract, cents };
    }
    return best?.contract ?? was;
  };

  const sums = new Map<string, { now: Sum; then: Sum }>();
  const ruleCounts = new Map(['', ...rules.map(({ key }) => key)].map((key) => [key, 0]));
  const transit = new Map<number, { days: number; count: number }>();
  let shifted = 0;
  for await (const shipments of pastShipments(em, {
    companyId: company.id,
    timeZone,
    from: trial.from,
    to: trial.to,
  })) {
    for (const shipment of shipments) {
      const was = byId.get(shipment.contract_id);
      if (!was) continue;
      noteTransit(transit, shipment);
      const subject = subjectOf(shipment);
      const rule = firstMatch(rules, subject);
      ruleCounts.set(rule?.key ?? '', (ruleCounts.get(rule?.key ?? '') ?? 0) + 1);
      const named = byId.get(shipment.named_contract_id ?? 0);
      const ruled = named ?? byKey.get(rule?.then.contract ?? '');
      // A rule in force has sent it there; without that rule it goes where orders without a rule go.
      const isFreed = !ruled && firstMatch(company.shippingRules, subject)?.then.contract === was.key;
      const chosen = ruled ?? (isFreed ? await withoutRule(shipment, was) : was);
      const isSame = chosen.id === was.id;
      const now = await priceOf(book, shipment, { was, contract: was, side: trial.side, options: shipment.options });
      const options = [
        ...shipment.order_options,
        ...(rule?.then.options ?? []),
        ...(rule?.then.service ? [rule.then.service] : []),
      ];
      const then =
        isSame && !rule?.then.service
          ? now
          : await priceOf(book, shipment, { was, contract: chosen, side: trial.side, options });
      if (!isSame) shifted += 1;
      sumOf(sums, was.key).now.add(was.id, now);
      sumOf(sums, chosen.key).then.add(chosen.id, then);
    }
  }
  const shown = [...sums].map(([contract, { now, then }]) => ({
    contract,
    now: now.shown(transit),
    then: then.shown(transit),
  }));
  const total = { now: new Sum(), then: new Sum() };
  for (const { now, then } of sums.values()) {
    total.now.join(now);
    total.then.join(then);
  }
  return {
    contracts: shown.toSorted((a, b) => b.now.shipments - a.now.shipments || a.contract.localeCompare(b.contract)),
    total: { contract: '', now: total.now.shown(transit), then: total.then.shown(transit) },
    rules: [...ruleCounts].map(([key, shipments]) => ({ key, shipments })),
    shifted,
  };
}

type Transit = ReadonlyMap<number, { days: number; count: number }>;

/** Adds up shipments, their price, and how many were of each contract. */
class Sum {
  shipments = 0;
  cents = 0;
  unpriced = 0;
  readonly byContract = new Map<number, number>();

  add(contractId: number, cents: number | null): void {
    this.shipments += 1;
    this.cents += cents ?? 0;
    this.unpriced += cents === null ? 1 : 0;
    this.byContract.set(contractId, (this.byContract.get(contractId) ?? 0) + 1);
  }

  join(other: Sum): void {
    this.shipments += other.shipments;
    this.cents += other.cents;
    this.unpriced += other.unpriced;
    for (const [id, count] of other.byContract) this.byContract.set(id, (this.byContract.get(id) ?? 0) + count);
  }

  shown(transit: Transit): ShipmentSum {
    let [days, known] = [0, 0];
    for (const [id, count] of this.byContract) {
      const past = transit.get(id);
      if (!past) continue;
      days += (past.days / past.count) * count;
      known += count;
    }
    const { shipments, cents, unpriced } = this;
    return { shipments, cents, unpriced, days: known === 0 ? null : days / known };
  }
}

function sumOf(sums: Map<string, { now: Sum; then: Sum }>, key: string): { now: Sum; then: Sum } {
  const known = sums.get(key) ?? { now: new Sum(), then: new Sum() };
  sums.set(key, known);
  return known;
}

function noteTransit(transit: Map<number, { days: number; count: number }>, shipment: PastShipment): void {
  if (shipment.transit_days === null) return;
  const { days, count } = transit.get(shipment.contract_id) ?? { days: 0, count: 0 };
  transit.set(shipment.contract_id, { days: days + shipment.transit_days, count: count + 1 });
}

/** Returns the price before VAT in cents, null when the contract has none for the shipment. */
async function priceOf(
  book: PriceBook,
  shipment: PastShipment,
  { was, contract, side, options }: { was: Contract; contract: Contract; side: Side; options: readonly string[] },
): Promise<number | null> {
  const ofService = contract.serviceTariffs.find(({ service }) => options.includes(service));
  const tariffId = ofService?.tariffId ?? contract.tariffId;
  if (tariffId === null) return null;
  const prices = await book.pricesOn(tariffId, shipment.day);
  if ('refused' in prices) return null;
  const codes = options.filter((code) => code !== ofService?.service);
  const own = was.tariffId === null ? null : await book.pricesOn(was.tariffId, shipment.day);
  const optionCodes = contract.id === was.id || own === null || 'refused' in own ? codes : commonCodes(own, codes);
  const paymentType = contract.id === was.id ? shipment.cod_payment_type : contract.defaultCodPaymentType;
  const priced = sideOf(questionOf(shipment, { prices, day: shipment.day, contract, optionCodes, paymentType }), side);
  return 'left' in priced ? null : priced.cents;
}

/** Reads what rules look at, for past shipments: their facts, and the moment in which each was made. */
async function readPastFacts(em: Em, company: Company): Promise<(shipment: PastShipment) => RuleSubject> {
  const names = await readNames(em);
  return (shipment) => ({
    ...momentOf(new Date(shipment.made_at), company.settings.timeZone),
    grams: (shipment.parcels ?? []).reduce((sum, [grams]) => sum + grams, 0),
    grossCents: shipment.gross_cents,
    countryCode: shipment.country_code,
    province: shipment.province,
    zip: shipment.zip,
    skus: shipment.skus ?? [],
    marketplace: names.marketplace(shipment.connection_id),
    hasCod: shipment.cod_cents !== null,
    options: shipment.order_options,
    warehouse: names.warehouse(shipment.warehouse_id),
  });
}
