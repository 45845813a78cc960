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
    /** Null: too few failures for an outage. */
    since: instant().strictNullable(),
    lastError: p.text(),
    nextProbeAt: instant(),
  },
});
/** A carrier that answers no polls, for any company. It gets a pause and a check now and then. */
export class CarrierOutage extends CarrierOutageSchema.class {}
CarrierOutageSchema.setClass(CarrierOutage);
