import { Tariff, TariffEdition } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { PriceList } from '../../domain/pricing/price-list.ts';
import { isSame } from '../../lib/canonical.ts';

export interface Edition {
  key: string;
  /** YYYY-MM-DD; empty: no first day. */
  from: string;
  to: string | null;
  priceList: PriceList;
}

/** Creates or changes the price list of a tariff from a given day. */
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

/** Lists the price lists of a company or of one tariff, oldest first per tariff. */
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
