import type { Contract, Warehouse } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import type { ShippingSetUp } from '../../db/queries/read-set-up.ts';
import { mismatches, type RuleSubject, type ShippingRule } from '../../domain/shipping-rules.ts';
import { pickContract, switchedOff, usableOf } from '../../engine/contracts.ts';
import type { Deps } from '../../engine/deps.ts';
import type { ShippableOrder } from '../../engine/shipment-draft.ts';
import { orderRefusal } from '../quotes/eligibility.ts';
import { cheapest, Pricer } from '../quotes/quote-shipment.ts';
import { readRuleFacts } from './shipping-rules.ts';

/** Who decided on the contract, from the strongest voice to the weakest. */
export const DECIDERS = ['request', 'order', 'rule', 'default', 'price'] as const;

/** How an order is shipped, and why. */
export interface Way {
  contract: Contract;
  /** Carrier options that the rule and the price add to those of the order. */
  options: string[];
  /** The order as it is shipped: from the warehouse of the rule, when the order names none. */
  shippable: ShippableOrder;
  decidedBy: (typeof DECIDERS)[number];
  /** Key of the rule that matched; null: none did. */
  rule: string | null;
}

/** A question to the chooser about one order. */
export interface Choice {
  shippable: ShippableOrder;
  /** The contract that the request names; null: none. */
  contractId: number | null;
  /** Ignores problems of the import. */
  shipAnyway?: boolean;
}

/** Chooses contract, service and warehouse for orders of one company. Made per request, so that everything is read once. */
export class WayChooser {
  readonly #pricer: Pricer;
  readonly #contracts: readonly Contract[];
  readonly #warehouses: readonly Warehouse[];
  readonly #rules: readonly ShippingRule[];
  readonly #subjectOf: (shippable: ShippableOrder) => RuleSubject;

  private constructor(read: {
    pricer: Pricer;
    contracts: readonly Contract[];
    warehouses: readonly Warehouse[];
    subjectOf: (shippable: ShippableOrder) => RuleSubject;
  }) {
    this.#pricer = read.pricer;
    this.#contracts = read.contracts;
    this.#warehouses = read.warehouses;
    this.#rules = read.pricer.company.shippingRules;
    this.#subjectOf = read.subjectOf;
  }

  static async open(
    deps: Pick<Deps, 'orm' | 'carriers' | 'priceBooks' | 'now'>,
    em: Em,
    { setUp, shippables }: { setUp: ShippingSetUp; shippables: readonly ShippableOrder[] },
  ): Promise<WayChooser> {
    const { company, contracts, warehouses } = setUp;
    const pricer = await Pricer.open(deps, em, { setUp, shippables });
    // Most companies have no rules, and read nothing for them.
    if (company.shippingRules.length === 0)
      return new WayChooser({ pricer, contracts, warehouses, subjectOf: noSubject });
    return new WayChooser({
      pricer,
      contracts,
      warehouses,
      subjectOf: await readRuleFacts(em, { company, now: deps.now() }),
    });
  }

  /** Returns how an order is shipped, or the reason why it cannot be. */
  async choose(choice: Choice): Promise<Way | string> {
    const { order } = choice.shippable;
    const refused = orderRefusal(choice.shippable, choice);
    if (refused !== null) return refused;
    const rule = this.explain(choice.shippable).find(({ mismatches: faults }) => faults.length === 0)?.rule ?? null;
    const shippable = this.#from(choice.shippable, rule);
    const way = { shippable, options: rule?.then.options ?? [], rule: rule?.key ?? null };
    const named = choice.contractId ?? order.contractId;
    if (named !== null) {
      const contract = pickContract(this.#contracts, named);
      const decidedBy = choice.contractId === null ? 'order' : 'request';
      return this.#fit({ ...way, decidedBy }, contract, null);
    }
    if (rule?.then.contract !== undefined) {
      const service = rule.then.service ?? null;
      const chosen = await this.#fit({ ...way, decidedBy: 'rule' }, this.#byKey(rule.then.contract), service);
      return typeof chosen === 'string' ? `Rule ${rule.key}: ${chosen}` : chosen;
    }
    const { defaultContractId } = this.#pricer.company;
    if (defaultContractId !== null) {
      return this.#fit(
        { ...way, decidedBy: 'default' },
        pickContract(this.#contracts, defaultContractId),
        rule?.then.service ?? null,
      );
    }
    return this.#cheapest({ ...way, decidedBy: 'price' });
  }

  /** Lists the rules in their order, each with the conditions that do not hold for an order. */
  explain(shippable: ShippableOrder): { rule: ShippingRule; mismatches: string[] }[] {
    if (this.#rules.length === 0) return [];
    const subject = this.#subjectOf(shippable);
    return this.#rules.map((rule) => ({ rule, mismatches: mismatches(rule, subject) }));
  }

  #from(shippable: ShippableOrder, rule: ShippingRule | null): ShippableOrder {
    const warehouse = this.#warehouses.find(({ key }) => key === rule?.then.warehouse);
    if (!warehouse || shippable.order.warehouseId !== null) return shippable;
    return { ...shippable, warehouse, order: { ...shippable.order, warehouseId: warehouse.id } };
  }

  #byKey(key: string): Contract | string {
    const contract = this.#contracts.find((one) => one.key === key);
    if (!contract) return `There is no contract ${key}`;
    return contract.isConnected ? contract : switchedOff('Contract', contract);
  }

  #fit(way: Omit<Way, 'contract'>, contract: Contract | string, service: string | null): Way | string {
    if (typeof contract === 'string') return contract;
    const refused = this.#pricer.contractRefusal(way.shippable, contract, service);
    return refused ?? { ...way, contract, options: [...way.options, ...(service === null ? [] : [service])] };
  }

  async #cheapest(way: Omit<Way, 'contract'>): Promise<Way | string> {
    const { shippable } = way;
    const offers = await Promise.all(
      usableOf(this.#contracts).map((contract) => this.#pricer.offers(contract, shippable)),
    );
    const able = offers
      .flat()
      .filter((one) => this.#pricer.contractRefusal(shippable, one.contract, one.service?.code) === null);
    const best = cheapest(able);
    if (!best) return 'No carrier contract can take this order: name one, or give the company a default';
    return { ...way, contract: best.contract, options: [...way.options, ...(best.service ? [best.service.code] : [])] };
  }
}

function noSubject(): never {
  throw new Error('A company without rules has no subject of rules');
}
