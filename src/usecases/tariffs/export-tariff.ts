import { companyEm } from '../../db/orm.ts';
import { isXlsxName, writeTableFile } from '../../documents/table-file.ts';
import type { EXPORTED_SHEETS } from '../../domain/pricing/sheets/sheet.ts';
import { toWorkbook } from '../../domain/pricing/sheets/workbook.ts';
import type { Deps } from '../../engine/deps.ts';
import { UsageError } from '../../lib/errors.ts';
import { readEditions } from './price-lists.ts';
import { companyAndDay, editionOn } from './tariff-editions.ts';

export interface TariffExport {
  companyKey: string;
  tariffKey: string;
  /** YYYY-MM-DD; null: today in the company's time zone. */
  on: string | null;
  /** `.xlsx` for all sheets, `.csv` for one. */
  file: string;
  sheet: (typeof EXPORTED_SHEETS)[number];
}

/** Writes the price list of a tariff on a day into a file that `importTariff` can read. */
export async function exportTariff(
  deps: Pick<Deps, 'orm' | 'now'>,
  input: TariffExport,
): Promise<{ name: string; from: string; to: string | null }> {
  const isWorkbook = isXlsxName(input.file);
  const { companyId, today } = await companyAndDay(deps, input.companyKey);
  const editions = await readEditions(companyEm(deps.orm, companyId), { key: input.tariffKey });
  if (editions.length === 0) throw new UsageError(`There is no tariff ${input.tariffKey}`);
  const day = input.on ?? today;
  const edition = editionOn(editions, day);
  if (!edition) throw new UsageError(`Tariff ${input.tariffKey} has no price list on ${day}`);
  const sheets = toWorkbook(edition.priceList);
  const wanted = isWorkbook ? sheets : sheets.filter(({ name }) => name.toLowerCase() === input.sheet);
  await writeTableFile(input.file, wanted);
  return { name: edition.priceList.name, from: edition.from, to: edition.to };
}
