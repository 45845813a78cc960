import { Tariff, TariffEdition } from '../../db/entities/index.ts';
import type { Em } from '../../db/orm.ts';
import { PriceList } from '../../domain/pricing/price-list.ts';
import { isSame } from '../../lib/canonical.ts';

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
