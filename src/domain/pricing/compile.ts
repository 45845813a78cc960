import { NAMED_AREAS } from '../addresses/named-areas.ts';
import { centsOf, tenThousandths } from './amount.ts';
import type { AreaMatch } from './match.ts';
import { type Destination, PlaceIndex } from './place-index.ts';
import type {
  PriceList,
  PriceListOption,
  PriceListSurcharge,
  PriceListTransport,
  PriceListZone,
} from './price-list.ts';

/** Percentages and their bases are ten-thousandths, all other amounts cents. */
export interface CompiledTransport {
  brackets: readonly { upToGrams: number; price: number }[];
  /** Beyond the last bracket; null: there is no price. */
  step: { grams: number; price: number } | null;
  minimum: number;
}

export interface CompiledZone {
  zone: PriceListZone;
  sale: CompiledTransport;
  purchase: CompiledTransport | null;
}

export interface DatedAmount {
  /** YYYY-MM-DD, both included; empty `from`: no first day; `~` as `to`: no last day. */
  from: string;
  to: string;
  /** Ten-thousandths of a euro or of a percent. */
  sale: number;
  purchase: number;
  /** The amount as the list writes it. */
  rate: Record<'sale' | 'purchase', string>;
}

export interface CompiledSurcharge {
  surcharge: PriceListSurcharge;
  /** Oldest first. */
  amounts: readonly DatedAmount[];
  minimum: number;
  /** From its areas and its postal codes; null where it has no such condition. */
  areas: PlaceIndex<true> | null;
  postalCodes: PlaceIndex<true> | null;
}

export interface CompiledOption {
  option: PriceListOption;
  price: Record<'sale' | 'purchase', number>;
  minimum: Record<'sale' | 'purchase', number>;
  maximum: number;
}

/** A price list in a shape for pricing: indexes instead of searches, whole numbers instead of texts. */
export interface CompiledPriceList {
  list: PriceList;
  zoneOf(destination: Destination): CompiledZone | undefined;
  surcharges: readonly CompiledSurcharge[];
  options: readonly CompiledOption[];
}

const FOR_EVER = '~';

export function compilePriceList(list: PriceList): CompiledPriceList {
  const areas = areasOf(list);
  const zones = new PlaceIndex<CompiledZone>(areas);
  for (const zone of list.zones) {
    const purchase = zone.purchase ? compileTransport(zone.purchase) : null;
    zones.add(zone.match, { zone, sale: compileTransport(zone.sale), purchase });
  }
  return {
    list,
    zoneOf: (destination) => zones.find(destination),
    surcharges: list.surcharges.map((surcharge) => compileSurcharge(surcharge, { list, areas })),
    options: list.options.map(compileOption),
  };
}

/** Includes the areas that geography defines; the list's own areas win. */
function areasOf(list: PriceList): ReadonlyMap<string, AreaMatch> {
  return new Map([...NAMED_AREAS, ...list.areas].map(({ code, match }) => [code, match]));
}

function compileTransport({ brackets, stepGrams, stepPrice, minimum }: PriceListTransport): CompiledTransport {
  return {
    brackets: brackets.map(({ upToGrams, price }) => ({ upToGrams, price: centsOf(tenThousandths(price)) })),
    step:
      stepGrams === undefined || stepPrice === undefined
        ? null
        : { grams: stepGrams, price: tenThousandths(stepPrice) },
    minimum: centsOf(tenThousandths(minimum ?? 0)),
  };
}

function compileSurcharge(
  surcharge: PriceListSurcharge,
  { list, areas }: { list: PriceList; areas: ReadonlyMap<string, AreaMatch> },
): CompiledSurcharge {
  const { amount, purchaseAmount, when } = surcharge;
  const dated = surcharge.amounts ?? [{ amount: amount ?? 0, purchaseAmount }];
  const zones = list.zones.filter(({ code }) => when?.zones?.includes(code));
  const indexOf = (match: { areas?: readonly string[]; postalCodes?: readonly string[] }) => {
    const index = new PlaceIndex<true>(areas);
    // Postal codes are Italian unless the zones named with them say otherwise.
    const countries = zones.length > 0 ? zones.flatMap((zone) => zone.match.countries ?? ['IT']) : ['IT'];
    index.add({ ...match, countries }, true);
    return index;
  };
  return {
    surcharge,
    amounts: dated.map((one) => ({
      from: ('from' in one ? one.from : undefined) ?? '',
      to: ('to' in one ? one.to : undefined) ?? FOR_EVER,
      sale: tenThousandths(one.amount),
      purchase: tenThousandths(one.purchaseAmount ?? one.amount),
      rate: { sale: String(one.amount), purchase: String(one.purchaseAmount ?? one.amount) },
    })),
    minimum: centsOf(tenThousandths(surcharge.minimum ?? 0)),
    areas: when?.areas ? indexOf({ areas: when.areas }) : null,
    postalCodes: when?.postalCodes ? indexOf({ postalCodes: when.postalCodes }) : null,
  };
}

function compileOption(option: PriceListOption): CompiledOption {
  const isOwnCost = option.purchasePrice !== undefined;
  const minimum = centsOf(tenThousandths(option.minimum ?? 0));
  return {
    option,
    price: {
      sale: tenThousandths(option.price),
      purchase: tenThousandths(option.purchasePrice ?? option.price),
    },
    minimum: {
      sale: minimum,
      purchase: isOwnCost ? centsOf(tenThousandths(option.purchaseMinimum ?? 0)) : minimum,
    },
    maximum: option.maximum === undefined ? Number.POSITIVE_INFINITY : centsOf(tenThousandths(option.maximum)),
  };
}
