import { IsolationLevel } from '@mikro-orm/core';
import { CarrierRow, Exchange, Order, Shipment, ShipmentAttempt } from '../../db/entities/index.ts';
import { companyEm, type Em, systemEm } from '../../db/orm.ts';
import { oneOf } from '../../db/queries/conditions.ts';
import { listByIds, listRows } from '../../db/queries/list-rows.ts';
import type { Built } from '../../db/queries/sql.ts';
import {
  type AttentionChoice,
  type AttentionNote,
  type AttentionReason,
  attentionNotes,
  type CarrierAbilities,
  choicesFor,
} from '../../domain/attention.ts';
import type { HeldAction } from '../../domain/held-actions.ts';
import { HELD_REASONS, type HeldReason, type PlainWords } from '../../domain/held-reasons.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound } from '../../engine/find.ts';
import type { ExchangeHead } from '../exchanges/read-exchanges.ts';
import { type HeldView, heldFactsOf } from '../held/read-held.ts';
import { MISTOLD, readSendFacts, UNSENT } from '../marketplaces/told-numbers.ts';

export interface AttentionView {
  shipment: Shipment;
  order: Order;
  carrier: CarrierRow;
  notes: AttentionNote[];
  choices: OfferedChoice[];
  /** Actions that release-held accepts for this carrier while the parcel is held. */
  releaseActions: readonly HeldAction[];
  /** The current giacenza, if any. */
  stay: Pick<HeldView, 'held' | 'facts'> | null;
  /** Oldest first. */
  attempts: ShipmentAttempt[];
  exchanges: ExchangeHead[];
}

export interface OfferedChoice {
  choice: AttentionChoice;
  /** The reason that offers this choice. */
  reason: AttentionReason;
  explanation: PlainWords;
}

export interface AttentionPage {
  /** Null: all companies, for the command line. */
  companyId: number | null;
  limit: number;
  beforeId: number | null;
}

const MAX_EVIDENCE = 20;

/** Lists shipments that need a person, newest first. It is computed from the rows, so it cannot disagree with them. */
export async function listAttention(deps: Deps, page: AttentionPage): Promise<AttentionView[]> {
  return atOneMoment(deps, page, async (em) => {
    const rows = await em.execute<{ id: number }[]>(
      `select id from (${CANDIDATES}) as candidate where id < coalesce(?, 2147483647) order by id desc limit ?`,
      [...candidateValues(deps, page.companyId), page.beforeId, page.limit],
    );
    return attentionViews(deps, em, { companyId: page.companyId, ids: rows.map((row) => row.id) });
  });
}

/** Reads one shipment that needs a person. Throws a 404 when it needs no decision. */
export async function readAttention(
  deps: Deps,
  input: { companyId: number | null; shipmentId: number },
): Promise<AttentionView> {
  const { companyId, shipmentId } = input;
  const [view] = await atOneMoment(deps, input, (em) => attentionViews(deps, em, { companyId, ids: [shipmentId] }));
  if (!view || view.notes.length === 0) throw notFound('shipment that needs a person');
  return view;
}

/**
 * Reads with one snapshot. A case that ends between two statements would have no reason, or the facts of another moment.
 */
export function atOneMoment<Result>(
  deps: Pick<Deps, 'orm'>,
  { companyId }: { companyId: number | null },
  read: (em: Em) => Promise<Result>,
): Promise<Result> {
  const em = companyId === null ? systemEm(deps.orm) : companyEm(deps.orm, companyId);
  return em.transactional(read, { isolationLevel: IsolationLevel.REPEATABLE_READ, readOnly: true });
}

/** Uses the conditions of partial indexes. `domain/attention.ts` explains each of them. */
const CANDIDATES = `select id from shipments
    where (?::int is null or company_id = ?) and (surplus is not null
          or ((label_missing_since is not null or exhausted_at is not null or (tracking_status = 'held' and not exists (
               select 1 from held_cases h where h.company_id = shipments.company_id and h.shipment_id = shipments.id and h.closed_at is null)))
              and process_status not in ('cancelled', 'rejected')))
   union
   select h.shipment_id from held_cases h join shipments s on s.id = h.shipment_id and s.process_status not in ('cancelled', 'rejected')
    where (?::int is null or h.company_id = ?) and h.closed_at is null
      and case when h.decided_at is null then h.opened_at is not null else h.decided_at <= ? or not h.is_decision_certain end
   union
   select id from (${UNSENT}) as unsent
   union
   select id from (${MISTOLD}) as mistold`;

/** Returns the query for the ids of the shipments at a company's desk. */
export function attentionCandidates(deps: Deps, companyId: number): Built {
  return { sql: CANDIDATES, params: candidateValues(deps, companyId) };
}

function candidateValues(deps: Deps, companyId: number | null): unknown[] {
  const overdue = new Date(deps.now().getTime() - deps.settings.heldConfirmMs);
  return [companyId, companyId, companyId, companyId, overdue, companyId, companyId, companyId, companyId];
}

/** Reads what a person needs for a decision about these shipments, newest first. */
export async function attentionViews(
  deps: Deps,
  em: Em,
  { companyId, ids }: { companyId: number | null; ids: readonly number[] },
): Promise<AttentionView[]> {
  if (ids.length === 0) return [];
  const shipments = (await listByIds(em, Shipment, { companyId, ids })).toReversed();
  const own = shipments.map((shipment) => shipment.id);
  const orders = await listByIds(em, Order, { companyId, ids: shipments.map((shipment) => shipment.orderId) });
  const carriers = await em.find(CarrierRow, {});
  const attempts = await listRows(em, ShipmentAttempt, {
    companyId,
    where: [oneOf('shipment_id', own)],
    orderBy: 'row.id',
  });
  const exchanges = await listRows(em, Exchange, {
    companyId,
    // Only exchanges of attempts: polls are no evidence.
    where: [oneOf('shipment_id', own), { sql: 'row.attempt_id is not null', params: [] }],
    orderBy: 'row.id',
    without: ['bodies'],
  });
  const unconfirmed = new Set(
    shipments.filter((shipment) => shipment.processStatus === 'created').map((shipment) => shipment.id),
  );
  const shared = await sharedExchanges(
    em,
    attempts.filter((row) => unconfirmed.has(row.shipmentId)),
  );
  const sends = await readSendFacts(em, own);
  const stays = await heldFactsOf(deps, em, own);
  return shipments.flatMap((shipment) => {
    const order = orders.find((row) => row.id === shipment.orderId);
    const carrier = carriers.find((row) => row.id === shipment.carrierId);
    if (!order || !carrier) return [];
    const adapter = deps.carriers.get(carrier.code);
    const stay = stays.get(shipment.id) ?? null;
    const notes = attentionNotes({
      ...factsOf(shipment),
      held: stay && heldFacts(stay),
      unsent: sends.unsent.get(shipment.id) ?? null,
      mistold: sends.mistold.get(shipment.id) ?? null,
    });
    return [
      {
        shipment,
        order,
        carrier,
        notes,
        choices: choicesOf(notes, {
          isSearchable: adapter?.findByReference !== undefined,
          isCancellable: adapter?.cancelShipment !== undefined,
          surplusNumbers: shipment.surplus?.trackingNumbers ?? [],
          hasLiveNumber: sends.mistold.get(shipment.id)?.hasLiveNumber ?? false,
        }),
        releaseActions: notes.some(({ reason }) => WANTS_RELEASE.includes(reason)) ? (adapter?.heldActions ?? []) : [],
        stay,
        attempts: attempts.filter((row) => row.shipmentId === shipment.id).slice(-MAX_EVIDENCE),
        exchanges: [
          ...exchanges.filter((row) => row.shipmentId === shipment.id),
          ...(shared.get(shipment.id) ?? []),
        ].slice(-MAX_EVIDENCE),
      },
    ];
  });
}

/** The exchange of a batch confirmation belongs to no single shipment. It is found by its request id within the attempt's time. */
async function sharedExchanges(em: Em, attempts: readonly ShipmentAttempt[]): Promise<Map<number, ExchangeHead[]>> {
  const last = new Map(attempts.filter((row) => row.operation === 'transmit').map((row) => [row.shipmentId, row]));
  const found = new Map<number, ExchangeHead[]>();
  for (const [shipmentId, { companyId, requestId, startedAt, endedAt }] of last) {
    const during = { $gte: startedAt, $lte: endedAt ?? new Date() };
    const where = { companyId, requestId, shipmentId: null, startedAt: during };
    found.set(shipmentId, await em.find(Exchange, where, { exclude: ['bodies'], orderBy: { id: 'asc' } }));
  }
  return found;
}

function factsOf(shipment: Shipment) {
  const { processStatus, trackingStatus, exhaustedAt, heldSince, updatedAt, failure, surplus, labelMissingSince } =
    shipment;
  return { processStatus, trackingStatus, exhaustedAt, heldSince, updatedAt, failure, surplus, labelMissingSince };
}

const WANTS_RELEASE: readonly AttentionReason[] = ['held', 'release-unconfirmed'];

function heldFacts({ held, facts }: Pick<HeldView, 'held' | 'facts'>) {
  const { openedAt: since, decidedAt, decidedAction } = held;
  const { deadline, byDefault, isOverdue } = facts;
  const message =
    decidedAt === null
      ? [
          `The carrier holds the parcel. ${HELD_REASONS[held.cause as HeldReason].explanation.en}`,
          ...(deadline ? [`Until ${deadline.toISOString()}, then: ${byDefault ?? 'unknown'}.`] : []),
        ].join(' ')
      : held.isDecisionCertain
        ? `${decidedAction} was decided, and tracking has not shown it`
        : `${decidedAction} was requested, and it is unknown whether the carrier received it`;
  return { since, decidedAt, isOverdue, message };
}

/** Lists each choice once, under the most urgent reason that offers it. */
function choicesOf(notes: readonly AttentionNote[], shipment: CarrierAbilities): OfferedChoice[] {
  const offered = notes.flatMap(({ reason }) =>
    Object.entries(choicesFor(reason, shipment)).map(([choice, explanation]) => ({
      choice: choice as AttentionChoice,
      reason,
      explanation,
    })),
  );
  return offered.filter((one, index) => offered.findIndex(({ choice }) => choice === one.choice) === index);
}
