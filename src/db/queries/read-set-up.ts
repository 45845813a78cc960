import { CarrierRow, Company, Contract, TariffEdition, Warehouse } from '../entities/index.ts';
import type { Orm } from '../orm.ts';
import { batched } from './batched.ts';
import { type JsonRow, rowOf, rowsOf } from './json-rows.ts';
import { runPrepared, type Statement } from './prepared.ts';

/** The set-up of a company that decides how its orders are shipped. */
export interface ShippingSetUp {
  company: Company;
  /** Also those that are switched off, by rising id. */
  contracts: Contract[];
  /** All carriers, because a contract may belong to one that is no longer supported. */
  carriers: CarrierRow[];
  warehouses: Warehouse[];
  /** The earliest first. */
  editions: EditionHead[];
}

/** An edition without its prices. */
export type EditionHead = Pick<TariffEdition, 'id' | 'tariffId' | 'validFrom' | 'validTo' | 'revision'>;

/**
 * One statement instead of five by the ORM, for each booking (`npm run bench -- single`). The
 * subselect hides the length of the array, so PostgreSQL keeps one plan instead of planning each call.
 */
const READ_SET_UP: Statement = {
  name: 'read-set-up',
  text: `
    select row_to_json(m) as company, (select json_agg(r) from carriers r) as carriers,
           (select json_agg(k order by k.id) from contracts k where k.company_id = m.id and not k.delete_flag) as contracts,
           (select json_agg(w order by w.id) from warehouses w where w.company_id = m.id) as warehouses,
           (select json_agg(e order by e.valid_from) from
             (select id, tariff_id, valid_from, valid_to, revision from tariff_editions where company_id = m.id) e) as editions
      from companies m where m.id = any((select $1)::int[])`,
};

interface SetUpJson {
  company: JsonRow;
  carriers: JsonRow[] | null;
  contracts: JsonRow[] | null;
  warehouses: JsonRow[] | null;
  editions: JsonRow[] | null;
}

/** Reads the set-up of a company. Throws when there is no such company. */
export const readSetUp = batched(async (orm: Orm, companyIds: readonly number[]): Promise<ShippingSetUp[]> => {
  const rows = await runPrepared<SetUpJson>(orm, READ_SET_UP, [[...new Set(companyIds)]]);
  const byId = new Map(rows.map((json) => [json.company.id, json]));
  return companyIds.map((id) => {
    const json = byId.get(id);
    if (!json) throw new Error(`There is no company ${id}`);
    return {
      company: rowOf(orm, Company, json.company),
      contracts: rowsOf(orm, Contract, json.contracts),
      carriers: rowsOf(orm, CarrierRow, json.carriers),
      warehouses: rowsOf(orm, Warehouse, json.warehouses),
      editions: rowsOf(orm, TariffEdition, json.editions),
    };
  });
});
