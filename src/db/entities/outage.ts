import { defineEntity, p } from '@mikro-orm/core';
import { companyFilter, instant } from './columns.ts';
import { Company } from './company.ts';
import { CarrierRow, Contract } from './partner.ts';

const ContractOutageSchema = defineEntity({
  name: 'ContractOutage',
  tableName: 'contract_outages',
  filters: companyFilter,
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    contractId: p.oneToOne(Contract).mapToPk().fieldName('contract_id'),
    carrierId: p.manyToOne(CarrierRow).mapToPk().fieldName('carrier_id').index(),
    /** Polls in a row that the carrier did not answer. */
    failures: p.integer(),
    /** Null: too few failures for an outage. */
    since: instant().strictNullable(),
    lastError: p.text(),
    failedAt: instant(),
    nextProbeAt: instant(),
  },
});
/** A contract whose polls are not answered. It gets a pause and a check now and then. */
export class ContractOutage extends ContractOutageSchema.class {}
ContractOutageSchema.setClass(ContractOutage);

const CarrierOutageSchema = defineEntity({
  name: 'CarrierOutage',
  tableName: 'carrier_outages',
  properties: {
    id: p.integer().primary().autoincrement(),
    carrierId: p.oneToOne(CarrierRow).mapToPk().fieldName('carrier_id'),
    /** Unanswered polls of the contracts that are silent. */
    failures: p.integer(),
    /** Null: a process of the release before counts failures that are no outage yet. */
    since: instant().strictNullable(),
    lastError: p.text(),
    nextProbeAt: instant(),
  },
});
/** A carrier that is believed away, because its contracts are silent. */
export class CarrierOutage extends CarrierOutageSchema.class {}
CarrierOutageSchema.setClass(CarrierOutage);
