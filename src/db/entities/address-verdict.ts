import { defineEntity, p } from '@mikro-orm/core';
import { ADDRESS_CHECK_STATUSES } from '../../domain/addresses/address-check-status.ts';
import { companyFilter, instant } from './columns.ts';
import { Company } from './company.ts';
import { CarrierRow } from './partner.ts';

const AddressVerdictSchema = defineEntity({
  name: 'AddressVerdict',
  tableName: 'address_verdicts',
  filters: companyFilter,
  uniques: [{ properties: ['companyId', 'carrierId', 'addressHash'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    carrierId: p.manyToOne(CarrierRow).mapToPk().fieldName('carrier_id'),
    /** Hash of the comparable address: the address itself is not stored. */
    addressHash: p.text(),
    status: p.enum(ADDRESS_CHECK_STATUSES),
    /** The carrier's words. */
    message: p.text().default(''),
    /** The carrier's own fields for the place; empty unless it found exactly one. */
    flags: p.json().$type<Record<string, string>>(),
    checkedAt: instant(),
  },
});
/** The last answer of a carrier's own service about an address. */
export class AddressVerdict extends AddressVerdictSchema.class {}
AddressVerdictSchema.setClass(AddressVerdict);
