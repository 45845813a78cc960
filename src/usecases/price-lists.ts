import { Tariff, TariffEdition } from '../db/entities/index.ts';
import type { Em } from '../db/orm.ts';
import { type CompiledPriceList, compilePriceList } from '../domain/pricing/compile.ts';
import { PriceList } from '../domain/pricing/price-list.ts';
import { isSame } from '../lib/canonical.ts';

type EditionHead = Pick<TariffEdition, 'id' | 'tariffId' | 'validFrom' | 'validTo' | 'revision'>;

/** Reading a price list costs far more than pricing with it. */
const MAX_KEPT = 200;
/** By edition and revision, the one used last at the end. */
const kept = new Map<string, CompiledPriceList>();

/** The price lists of a company as they are now: whoever changed one, in whatever process, is seen. */
export class PriceBook {
  readonly #em: Em;
  readonly #heads: ReadonlyMap<number, EditionHead[]>;

  private constructor(em: Em, heads: readonly EditionHead[]) {
    this.#em = em;
    this.#heads = Map.groupBy(heads, ({ tariffId }) => tariffId);
  }

  static async open(em: Em): Promise<PriceBook> {
    const fields = ['id', 'tariffId', 'validFrom', 'validTo', 'revision'] as const;
    return new PriceBook(em, await em.find(TariffEdition, {}, { fields, orderBy: { validFrom: 'asc' } }));
  }

  /** What a tariff charges on a day (YYYY-MM-DD), or why nobody can say. */
  async pricesOn(tariffId: number, day: string): Promise<CompiledPriceList | { refused: string }> {
    const editions = this.#heads.get(tariffId) ?? [];
    const edition = editions.findLast(({ validFrom }) => validFrom <= day);
    if (!edition || (edition.validTo !== null && edition.validTo < day)) {
      return { refused: `The tariff has no price list for ${day}: ${spans(editions)}` };
    }
    return this.#read(edition);
  }

  async #read({ id, revision }: EditionHead): Promise<CompiledPriceList> {
    const key = `${id}/${revision}`;
    const known = kept.get(key);
    kept.delete(key);
    const prices = known ?? compilePriceList(await storedList(this.#em, id));
    kept.set(key, prices);
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? '');
    return prices;
  }
}

async function storedList(em: Em, id: number): Promise<PriceList> {
  const edition = await em.findOneOrFail(TariffEdition, id, { refresh: true });
  return PriceList.parse(edition.priceList);
}

function spans(editions: readonly EditionHead[]): string {
  if (editions.length === 0) return 'it has none at all';
  return editions
    .map(({ validFrom, validTo }) => [validFrom && `from ${validFrom}`, validTo && `until ${validTo}`])
    .map((ends) => `it has one ${ends.filter(Boolean).join(' ')}`)
    .join(', ');
}

export interface Edition {
  key: string;
  /** YYYY-MM-DD; empty: since ever. */
  from: string;
  to: string | null;
  priceList: PriceList;
}

/** Makes or changes the price list that a tariff has from a day on. */
export async function saveEdition(
  tx: Em,
  { companyId, key, from, to, priceList }: Edition & { companyId: number },
): Promise<'created' | 'changed' | 'unchanged'> {
  const at = { updatedAt: new Date() };
  const tariff =
    (await tx.findOne(Tariff, { companyId, key })) ??
    tx.create(Tariff, { companyId, key, name: '', priceList: null, ...stamps(at) });
  tx.assign(tariff, { name: priceList.name });
  await tx.persist(tariff).flush();
  const known = await tx.findOne(TariffEdition, { companyId, tariffId: tariff.id, validFrom: from });
  if (!known) {
    const fields = { companyId, tariffId: tariff.id, validFrom: from, validTo: to, priceList, revision: 1 };
    await tx.persist(tx.create(TariffEdition, { ...fields, ...stamps(at) })).flush();
    return 'created';
  }
  if (known.validTo === to && isSame(known.priceList, priceList)) return 'unchanged';
  tx.assign(known, { validTo: to, priceList, revision: known.revision + 1, ...at });
  await tx.flush();
  return 'changed';
}

function stamps({ updatedAt }: { updatedAt: Date }) {
  return { createdAt: updatedAt, updatedAt };
}

/** Every price list of a company, or those of one tariff; the oldest of each tariff first. */
export async function readEditions(em: Em, { key }: { key?: string }): Promise<Edition[]> {
  const tariffs = await em.find(Tariff, key === undefined ? {} : { key }, { orderBy: { key: 'asc' } });
  const editions = await em.find(
    TariffEdition,
    { tariffId: { $in: tariffs.map(({ id }) => id) } },
    { orderBy: { validFrom: 'asc' } },
  );
  return tariffs.flatMap((tariff) =>
    editions
      .filter(({ tariffId }) => tariffId === tariff.id)
      .map(({ validFrom, validTo, priceList }) => ({
        key: tariff.key,
        from: validFrom,
        to: validTo,
        priceList: PriceList.parse(priceList),
      })),
  );
}
