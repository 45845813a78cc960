import { defineEntity, p } from '@mikro-orm/core';
import { companyFilter, instant } from './columns.ts';
import { Company } from './company.ts';
import { Contract } from './partner.ts';

/** A carrier's price for one service, as stored. */
export interface KeptRate {
  serviceCode: string;
  serviceName: string;
  amountCents: number;
  currency: string;
  /** YYYY-MM-DD. */
  deliveryDate: string | null;
}

const LiveRateSchema = defineEntity({
  name: 'LiveRateAnswer',
  tableName: 'live_rates',
  filters: companyFilter,
  uniques: [{ properties: ['contractId', 'question'] }],
  indexes: [{ properties: ['askedAt'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    contractId: p.manyToOne(Contract).mapToPk().fieldName('contract_id'),
    /** SHA-256 of everything a price depends on. */
    question: p.text(),
    rates: p.json().$type<KeptRate[]>(),
    askedAt: instant(),
  },
});
/** A carrier's own quote for a shipment, cached for a while. */
export class LiveRateAnswer extends LiveRateSchema.class {}
LiveRateSchema.setClass(LiveRateAnswer);
