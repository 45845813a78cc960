import { defineEntity, p } from '@mikro-orm/core';
import { instant } from './columns.ts';
import { CarrierRow } from './partner.ts';

const CarrierOutageSchema = defineEntity({
  name: 'CarrierOutage',
  tableName: 'carrier_outages',
  properties: {
    id: p.integer().primary().autoincrement(),
    carrierId: p.oneToOne(CarrierRow).mapToPk().fieldName('carrier_id'),
    /** Polls in a row that the carrier did not answer. */
    failures: p.integer(),
    /** Null: not enough of them for an outage yet. */
    since: instant().strictNullable(),
    lastError: p.text(),
    nextProbeAt: instant(),
  },
});
/** A carrier that does not answer polls, of whatever company: it is left alone, and looked at now and then. */
export class CarrierOutage extends CarrierOutageSchema.class {}
CarrierOutageSchema.setClass(CarrierOutage);
