import { Printer } from '../../db/entities/index.ts';
import { companyEm } from '../../db/orm.ts';
import type { Deps } from '../../engine/deps.ts';

/** Lists the printers of a company, by key. */
export function listPrinters({ orm }: Pick<Deps, 'orm'>, companyId: number): Promise<Printer[]> {
  return companyEm(orm, companyId).find(Printer, {}, { orderBy: { key: 'asc' } });
}
