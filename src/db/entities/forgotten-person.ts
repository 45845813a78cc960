import { defineEntity, p } from '@mikro-orm/core';
import { companyFilter, instant } from './columns.ts';
import { Company } from './company.ts';

const ForgottenPersonSchema = defineEntity({
  name: 'ForgottenPerson',
  tableName: 'forgotten_people',
  filters: companyFilter,
  indexes: [{ properties: ['companyId', 'id'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    orderIds: p.json().$type<number[]>(),
    /** Keyed hash of the mail address, the phone, or the name with its postal code that was asked for. */
    hashes: p.json().$type<string[]>(),
    askedAt: instant(),
  },
});
/** A wish to be forgotten, without the person: it is repeated after a backup is restored. */
export class ForgottenPerson extends ForgottenPersonSchema.class {}
ForgottenPersonSchema.setClass(ForgottenPerson);
