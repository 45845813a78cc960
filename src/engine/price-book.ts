import { TariffEdition } from '../db/entities/index.ts';
import type { Em } from '../db/orm.ts';
import type { EditionHead } from '../db/queries/read-set-up.ts';
import { type CompiledPriceList, compilePriceList } from '../domain/pricing/compile.ts';
import { PriceList } from '../domain/pricing/price-list.ts';

/** The current price lists of a company, including changes by other processes. */
export interface PriceBook {
  /** Returns the prices of a tariff on a day (YYYY-MM-DD), or the reason why there are none. */
  pricesOn(tariffId: number, day: string): Promise<CompiledPriceList | { refused: string }>;
}

/**
 * Opens the price book of the entity manager's company. Price lists are cached, because reading one costs far more than pricing with it.
 * @param editions those of the company, when they were read already
 */
export type PriceBooks = (em: Em, editions?: readonly EditionHead[]) => Promise<PriceBook>;

const MAX_KEPT = 200;
const HEAD = ['id', 'tariffId', 'validFrom', 'validTo', 'revision'] as const;

export function createPriceBooks(): PriceBooks {
  /** LRU cache by edition and revision, most recently used last. */
  const kept = new Map<string, CompiledPriceList>();

  const read = async (em: Em, { id, revision }: EditionHead): Promise<CompiledPriceList> => {
    const key = `${id}/${revision}`;
    const prices = kept.get(key) ?? compilePriceList(await storedList(em, id));
    kept.delete(key);
    kept.set(key, prices);
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? '');
    return prices;
  };

  return async (em, editions) => {
    const heads = editions ?? (await em.find(TariffEdition, {}, { fields: HEAD, orderBy: { validFrom: 'asc' } }));
    const ofTariff = Map.groupBy(heads, ({ tariffId }) => tariffId);
    return {
      async pricesOn(tariffId, day) {
        const editions = ofTariff.get(tariffId) ?? [];
        const edition = editions.findLast(({ validFrom }) => validFrom <= day);
        if (edition && (edition.validTo === null || day <= edition.validTo)) return read(em, edition);
        return { refused: `The tariff has no price list for ${day}: ${spans(editions)}` };
      },
    };
  };
}

async function storedList(em: Em, id: number): Promise<PriceList> {
  const edition = await em.findOneOrFail(TariffEdition, id, { refresh: true });
  return PriceList.parse(edition.priceList);
}

function spans(editions: readonly EditionHead[]): string {
  if (editions.length === 0) return 'it has none for any day';
  return editions
    .map(({ validFrom, validTo }) => [validFrom && `from ${validFrom}`, validTo && `until ${validTo}`])
    .map((ends) => `it has one ${ends.filter(Boolean).join(' ')}`)
    .join(', ');
}
