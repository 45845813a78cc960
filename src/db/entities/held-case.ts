import { defineEntity, p } from '@mikro-orm/core';
import type { HeldAction } from '../../domain/held-actions.ts';
import type { HeldReason } from '../../domain/held-reasons.ts';
import type { TrackingStatus } from '../../domain/tracking-status.ts';
import { companyFilter, createdAt, instant } from './columns.ts';
import { Company } from './company.ts';
import { Shipment } from './shipment.ts';

const HeldCaseSchema = defineEntity({
  name: 'HeldCase',
  tableName: 'held_cases',
  filters: companyFilter,
  uniques: [
    {
      name: 'held_cases_one_per_shipment',
      expression:
        'create unique index held_cases_one_per_shipment on held_cases (company_id, shipment_id) where closed_at is null',
    },
  ],
  indexes: [{ properties: ['shipmentId'] }],
  properties: {
    id: p.integer().primary().autoincrement(),
    companyId: p.manyToOne(Company).mapToPk().fieldName('company_id'),
    shipmentId: p.manyToOne(Shipment).mapToPk().fieldName('shipment_id'),
    /** The carrier announced it; null when it opened unannounced. */
    warnedAt: instant().strictNullable(),
    /** When the carrier said it would open. */
    opensAt: instant().strictNullable(),
    /** Null: only announced. */
    openedAt: instant().strictNullable(),
    /** The carrier's text for the reason. */
    reasonCode: p.text().default(''),
    reasonText: p.text().default(''),
    cause: p.text().$type<HeldReason>().default('unknown'),
    /** When the carrier decides by itself. */
    deadline: instant().strictNullable(),
    deadlineSource: p.enum(['carrier', 'rule'] as const).strictNullable(),
    /** Null: the carrier does not say. */
    isReleasable: p.boolean().strictNullable(),
    /** Requested here although only the portal can do it: a task for a person. */
    askedAction: p.text().$type<HeldAction>().strictNullable(),
    askedAt: instant().strictNullable(),
    askedNote: p.text().default(''),
    decidedAction: p.text().$type<HeldAction>().strictNullable(),
    decidedVia: p.enum(['api', 'portal'] as const).strictNullable(),
    decidedAt: instant().strictNullable(),
    decidedNote: p.text().default(''),
    /** The request that decided. */
    decidedRequestId: p.text().default(''),
    /** False: the carrier's answer was lost, so the outcome is unknown. */
    isDecisionCertain: p.boolean().default(true),
    /** Tracking showed the decided action. */
    confirmedAt: instant().strictNullable(),
    closedAt: instant().strictNullable(),
    /** The tracking status that ended the stay. */
    outcome: p.text().$type<TrackingStatus>().strictNullable(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
});
/** One stay of a parcel in giacenza, or the announcement of one. */
export class HeldCase extends HeldCaseSchema.class {}
HeldCaseSchema.setClass(HeldCase);
