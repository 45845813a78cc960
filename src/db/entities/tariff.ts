import { defineEntity, p } from '@mikro-orm/core';
import { companyFilter, createdAt } from './columns.ts';
import { Company } from './company.ts';

const TariffSchema = defineEntity({
  name: 'Tariff',
  tableName: 'tariffs',
  filters: companyFilter,
  uniques: [{ properties: ['companyId', 'key'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    key: p.text(),
    /** Name inside the price list that was written last. */
    name: p.text(),
    /** Read by the release before only; a later migration drops it. */
    priceList: p.json().$type<unknown>().strictNullable().lazy(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});
/** The prices of a contract, whichever price list is in force. */
export class Tariff extends TariffSchema.class {}
TariffSchema.setClass(Tariff);

const TariffEditionSchema = defineEntity({
  name: 'TariffEdition',
  tableName: 'tariff_editions',
  filters: companyFilter,
  uniques: [{ properties: ['tariffId', 'validFrom'] }],
  indexes: [{ properties: ['companyId', 'tariffId'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    tariffId: p.manyToOne(Tariff).mapToPk().fieldName('tariff_id'),
    /** YYYY-MM-DD; empty: since ever. In force until `validTo`, or until the next one begins. */
    validFrom: p.text().default(''),
    /** YYYY-MM-DD, the last day; null: open. */
    validTo: p.text().strictNullable(),
    /** A `PriceList` of the domain, validated before it is stored. */
    priceList: p.json().$type<unknown>(),
    /** Rises with each change, so that a process sees that its cached list is old. */
    revision: p.integer().default(1),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});
/** One price list of a tariff, in force from a day on. */
export class TariffEdition extends TariffEditionSchema.class {}
TariffEditionSchema.setClass(TariffEdition);
