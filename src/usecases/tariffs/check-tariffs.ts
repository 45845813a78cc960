import { Company, Contract, Tariff, TariffEdition } from '../../db/entities/index.ts';
import { companyEm, type Em, systemEm } from '../../db/orm.ts';
import { PriceList } from '../../domain/pricing/price-list.ts';
import { priceListProblems } from '../../domain/pricing/price-list-check.ts';
import { priceListHoles } from '../../domain/pricing/price-list-holes.ts';
import type { Deps } from '../../engine/deps.ts';
import { UsageError } from '../../lib/errors.ts';
import { companyAndDay } from './tariff-editions.ts';

/** One price list of a tariff, as a row of the list. */
export interface TariffLine {
  company: string;
  key: string;
  /** Empty: no first day. */
  from: string;
  to: string | null;
  name: string;
  zones: number;
  /** Keys of the contracts that use the tariff. */
  contracts: string[];
}

/** Faults and holes of a stored price list. */
export interface TariffCheck {
  key: string;
  from: string;
  problems: string[];
  holes: string[];
}

/** Lists the price lists of all companies, or of one. */
export async function listTariffs(deps: Pick<Deps, 'orm'>, companyKey: string | null): Promise<TariffLine[]> {
  const companies = await systemEm(deps.orm).find(Company, companyKey === null ? {} : { key: companyKey }, {
    orderBy: { key: 'asc' },
  });
  if (companyKey !== null && companies.length === 0) throw new UsageError(`There is no company ${companyKey}`);
  const lines: TariffLine[] = [];
  for (const { id, key } of companies) {
    const em = companyEm(deps.orm, id);
    const contracts = await em.find(Contract, {});
    for (const { tariff, edition } of await storedEditions(em, null)) {
      const users = contracts.filter(
        ({ tariffId, serviceTariffs }) =>
          tariffId === tariff.id || serviceTariffs.some((service) => service.tariffId === tariff.id),
      );
      const list = edition.priceList as { name?: string; zones?: unknown[] };
      lines.push({
        company: key,
        key: tariff.key,
        from: edition.validFrom,
        to: edition.validTo,
        name: list.name ?? '',
        zones: list.zones?.length ?? 0,
        contracts: users.map((contract) => contract.key),
      });
    }
  }
  return lines;
}

/** Checks the price lists of a company that are in force or will be, or those of one tariff. */
export async function checkTariffs(
  deps: Pick<Deps, 'orm' | 'now'>,
  input: { companyKey: string; tariffKey: string | null },
): Promise<TariffCheck[]> {
  const { companyId, today } = await companyAndDay(deps, input.companyKey);
  const editions = await storedEditions(companyEm(deps.orm, companyId), input.tariffKey);
  if (input.tariffKey !== null && editions.length === 0) throw new UsageError(`There is no tariff ${input.tariffKey}`);
  return editions
    .filter(({ edition, next }) => !hasEnded(edition.validTo, next, today))
    .map(({ tariff, edition }) => {
      const day = edition.validFrom > today ? edition.validFrom : today;
      return { key: tariff.key, from: edition.validFrom, ...checkStored(edition.priceList, day) };
    });
}

function hasEnded(validTo: string | null, next: string | null, today: string): boolean {
  return (validTo !== null && validTo < today) || (next !== null && next <= today);
}

function checkStored(stored: unknown, day: string): { problems: string[]; holes: string[] } {
  const parsed = PriceList.safeParse(stored);
  if (!parsed.success) {
    return { problems: parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`), holes: [] };
  }
  const problems = priceListProblems(parsed.data).map(({ message }) => message);
  return { problems, holes: priceListHoles(parsed.data, day) };
}

/** Reads price lists without validation, because an older release may have accepted more. `next`: first day of the following list. */
async function storedEditions(
  em: Em,
  key: string | null,
): Promise<{ tariff: Tariff; edition: TariffEdition; next: string | null }[]> {
  const tariffs = await em.find(Tariff, key === null ? {} : { key }, { orderBy: { key: 'asc' } });
  const editions = await em.find(
    TariffEdition,
    { tariffId: { $in: tariffs.map(({ id }) => id) } },
    { orderBy: { validFrom: 'asc' } },
  );
  return tariffs.flatMap((tariff) => {
    const own = editions.filter(({ tariffId }) => tariffId === tariff.id);
    return own.map((edition, index) => ({ tariff, edition, next: own[index + 1]?.validFrom ?? null }));
  });
}
