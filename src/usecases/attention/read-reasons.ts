import type { Em } from '../../db/orm.ts';
import {
  type AttentionFacts,
  type AttentionNote,
  type AttentionReason,
  attentionNotes,
} from '../../domain/attention.ts';
import type { Deps } from '../../engine/deps.ts';
import { readSendFacts } from '../marketplaces/told-numbers.ts';
import {
  type AttentionPage,
  type AttentionView,
  atOneMoment,
  attentionCandidates,
  attentionViews,
} from './attention.ts';

/** A shipment at the desk with its reasons, without the evidence. */
export interface ShipmentReasons {
  shipmentId: number;
  notes: AttentionNote[];
}

type Instants = 'exhaustedAt' | 'heldSince' | 'updatedAt' | 'labelMissingSince';
type Row = Pick<AttentionFacts, 'processStatus' | 'trackingStatus' | 'surplus'> &
  Record<Instants | 'openedAt' | 'decidedAt', string | null> & {
    id: number;
    message: string | null;
    isHeld: boolean;
    isCertain: boolean;
  };

const SHIPMENTS_AT_DESK = (candidates: string): string => `
  select s.id, s.process_status as "processStatus", s.tracking_status as "trackingStatus", s.surplus,
         s.exhausted_at as "exhaustedAt", s.held_since as "heldSince", s.updated_at as "updatedAt",
         s.label_missing_since as "labelMissingSince", s.failure ->> 'message' as message,
         h.id is not null as "isHeld", h.opened_at as "openedAt", h.decided_at as "decidedAt", h.is_decision_certain as "isCertain"
    from shipments s left join held_cases h on h.company_id = s.company_id and h.shipment_id = s.id and h.closed_at is null
   where s.company_id = ? and s.id in (${candidates}) order by s.id limit ?`;

/** Reads why shipments of a company are at the desk, oldest shipment first: `limit` of them at most. */
export async function readReasons(
  deps: Deps,
  em: Em,
  { companyId, limit }: { companyId: number; limit: number },
): Promise<ShipmentReasons[]> {
  const { sql, params } = attentionCandidates(deps, companyId);
  const rows = await em.execute<Row[]>(SHIPMENTS_AT_DESK(sql), [companyId, ...params, limit]);
  if (rows.length === 0) return [];
  const sends = await readSendFacts(
    em,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    shipmentId: row.id,
    notes: attentionNotes({
      ...{ processStatus: row.processStatus, trackingStatus: row.trackingStatus, surplus: row.surplus },
      exhaustedAt: dateOf(row.exhaustedAt),
      heldSince: dateOf(row.heldSince),
      updatedAt: dateOf(row.updatedAt) ?? deps.now(),
      labelMissingSince: dateOf(row.labelMissingSince),
      failure: row.message === null ? null : { message: row.message },
      held: row.isHeld ? heldOf(deps, row) : null,
      unsent: sends.unsent.get(row.id) ?? null,
      mistold: sends.mistold.get(row.id) ?? null,
    }),
  }));
}

const MAX_CASES = 100_000;

/** Lists shipments that need a person for this reason, newest first. */
export async function listAttentionFor(
  deps: Deps,
  reason: AttentionReason,
  { companyId, beforeId, limit }: AttentionPage & { companyId: number },
): Promise<AttentionView[]> {
  return atOneMoment(deps, { companyId }, async (em) => {
    const cases = await readReasons(deps, em, { companyId, limit: MAX_CASES });
    const ids = cases
      .filter(
        ({ shipmentId, notes }) =>
          (beforeId === null || shipmentId < beforeId) && notes.some((one) => one.reason === reason),
      )
      .map(({ shipmentId }) => shipmentId);
    return attentionViews(deps, em, { companyId, ids: ids.slice(-limit) });
  });
}

function heldOf(deps: Deps, row: Row): AttentionFacts['held'] {
  const decidedAt = dateOf(row.decidedAt);
  const isLate = decidedAt !== null && deps.now().getTime() - decidedAt.getTime() >= deps.settings.heldConfirmMs;
  const isOverdue = decidedAt !== null && (!row.isCertain || isLate);
  return { since: dateOf(row.openedAt), decidedAt, isOverdue, message: '' };
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
