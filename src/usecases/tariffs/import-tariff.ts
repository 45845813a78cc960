import { companyEm, type Em } from '../../db/orm.ts';
import { readTableFile } from '../../documents/table-file.ts';
import type { PriceList } from '../../domain/pricing/price-list.ts';
import { priceListHoles } from '../../domain/pricing/price-list-holes.ts';
import type { Side } from '../../domain/pricing/quote-input.ts';
import { type PriceListReading, readPriceList } from '../../domain/pricing/sheets/read-price-list.ts';
import { readZonesFile } from '../../domain/pricing/sheets/zones-file.ts';
import type { Deps } from '../../engine/deps.ts';
import { UsageError } from '../../lib/errors.ts';
import { type Edition, readEditions, saveEdition } from './price-lists.ts';
import { companyAndDay, editionOn } from './tariff-editions.ts';

export interface TariffImport {
  /** An `.xlsx` or `.csv` file. */
  file: string;
  companyKey: string;
  tariffKey: string;
  /** First day in force, YYYY-MM-DD; null: no first day. */
  from: string | null;
  /** Last day in force; null: unchanged, or open. */
  to: string | null;
  /** The tariff whose list gets the prices; null: the imported one. */
  like: string | null;
  /** A file of zones that headings may name. */
  zonesFile: string | null;
  side: Side;
  /** Name of the list; null: unchanged, or the one in its file. */
  name: string | null;
  /** True: check everything and write nothing. */
  isDryRun: boolean;
}

export interface TariffImportReport extends PriceListReading {
  /** Descriptions of the holes that the new prices leave. */
  holes: string[];
  /** The written change, or the planned one; null with a problem. */
  change: 'created' | 'changed' | 'unchanged' | null;
}

/** A tariff's key, as in the apply file. */
const KEY = /^[a-z0-9][a-z0-9_-]{0,62}$/;

/** Thrown to roll a dry run back. */
class DryRun extends Error {
  readonly change: TariffImportReport['change'];

  constructor(change: TariffImportReport['change']) {
    super('dry run');
    this.change = change;
  }
}

/** Imports the prices of a file into a tariff in one transaction. A single problem rolls everything back. A repeat is a no-op. */
export async function importTariff(deps: Pick<Deps, 'orm' | 'now'>, input: TariffImport): Promise<TariffImportReport> {
  const { companyId, today } = await companyAndDay(deps, input.companyKey);
  const em = companyEm(deps.orm, companyId);
  const editions = await readEditions(em, { key: input.tariffKey });
  refuseMistakes(input, editions);
  const from = input.from ?? '';
  const base = input.like === null ? lastBefore(editions, from) : await likeOf(em, input.like, from || today);
  const zones = input.zonesFile === null ? null : readZonesFile(await readTableFile(input.zonesFile));
  const reading = readPriceList(await readTableFile(input.file), {
    base,
    zones: zones?.zones ?? [],
    side: input.side,
    name: input.name,
    defaultName: (input.like === null ? base?.name : null) ?? input.tariffKey,
  });
  const problems = [...(zones?.problems ?? []), ...reading.problems];
  const { priceList } = reading;
  if (!priceList || problems.length > 0) return { ...reading, priceList: null, problems, holes: [], change: null };
  const to = input.to ?? editions.find((edition) => edition.from === from)?.to ?? null;
  const change = await write(em, { companyId, key: input.tariffKey, from, to, priceList }, input.isDryRun);
  return { ...reading, problems, holes: priceListHoles(priceList, from > today ? from : today), change };
}

function refuseMistakes({ tariffKey, from, to }: TariffImport, editions: readonly Edition[]): void {
  if (!KEY.test(tariffKey)) throw new UsageError(`A tariff's key is lowercase letters, digits, - and _: ${tariffKey}`);
  if (to !== null && from !== null && to < from) throw new UsageError('The period ends before it begins');
  const begun = editions.map((edition) => edition.from).filter((day) => day !== '');
  if (from === null && begun.length > 0) {
    const days = begun.join(', ');
    throw new UsageError(`Tariff ${tariffKey} has price lists from ${days}: say with --from when this one begins`);
  }
}

/** Finds the list that a new one follows or replaces. */
export function lastBefore(editions: readonly Edition[], from: string): PriceList | null {
  return editions.findLast((edition) => edition.from <= from)?.priceList ?? null;
}

async function likeOf(em: Em, key: string, day: string): Promise<PriceList> {
  const editions = await readEditions(em, { key });
  if (editions.length === 0) throw new UsageError(`There is no tariff ${key}`);
  const edition = editionOn(editions, day);
  if (!edition) throw new UsageError(`Tariff ${key} has no price list on ${day}`);
  return edition.priceList;
}

async function write(
  em: Em,
  edition: Edition & { companyId: number },
  isDryRun: boolean,
): Promise<TariffImportReport['change']> {
  const change = em.transactional(async (tx) => {
    const written = await saveEdition(tx, edition);
    if (isDryRun) throw new DryRun(written);
    return written;
  });
  return change.catch((error: unknown) => {
    if (error instanceof DryRun) return error.change;
    throw error;
  });
}
