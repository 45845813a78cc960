import { CarrierRow, HeldCase, Order, Shipment } from '../../db/entities/index.ts';
import { companyEm, type Em, systemEm } from '../../db/orm.ts';
import { type HeldStatus, heldStatusOf } from '../../domain/held-case.ts';
import {
  deadlineOf,
  type HeldDefault,
  type HeldPolicy,
  type OfferedAction,
  offeredActions,
  UNKNOWN_POLICY,
} from '../../domain/held-policy.ts';
import type { Deps } from '../../engine/deps.ts';
import { notFound } from '../../engine/find.ts';

export interface HeldView {
  held: HeldCase;
  shipment: Shipment;
  order: Order;
  carrier: CarrierRow;
  facts: HeldFacts;
}

/** The facts that a person needs for a decision. */
export interface HeldFacts {
  status: HeldStatus;
  deadline: Date | null;
  deadlineSource: 'carrier' | 'rule' | null;
  /** The carrier's own decision at the deadline; null: unknown. */
  byDefault: HeldDefault | null;
  /** Null: unknown. */
  actions: OfferedAction[] | null;
  portalSteps: readonly string[] | null;
  /** True: tracking should have shown the decision by now, or it is unknown whether the carrier received it. */
  isOverdue: boolean;
}

export interface HeldPage {
  /** Null: all companies, for the command line. */
  companyId: number | null;
  status: 'open' | 'warning' | 'decided' | 'all';
  limit: number;
  beforeId: number | null;
}

const CONDITIONS: Readonly<Record<HeldPage['status'], string>> = {
  warning: 'h.opened_at is null and h.decided_at is null',
  open: 'h.opened_at is not null and h.decided_at is null',
  decided: 'h.decided_at is not null',
  all: 'true',
};

/** Lists announced and open held cases, newest shipment first. A shipment that was cancelled at its carrier needs no decision. */
export async function listHeldCases(deps: Deps, page: HeldPage): Promise<HeldView[]> {
  const em = page.companyId === null ? systemEm(deps.orm) : companyEm(deps.orm, page.companyId);
  const rows = await em.execute<{ id: number }[]>(
    `select h.id from held_cases h join shipments s on s.id = h.shipment_id and s.company_id = h.company_id
      where (?::int is null or h.company_id = ?) and h.closed_at is null and ${CONDITIONS[page.status]}
        and s.process_status not in ('cancelled', 'rejected') and h.shipment_id < coalesce(?, 2147483647)
      order by h.shipment_id desc limit ?`,
    [page.companyId, page.companyId, page.beforeId, page.limit],
  );
  return viewsOf(deps, em, { id: { $in: rows.map((row) => row.id) } });
}

/** Reads one case, even if tracking has closed it. */
export async function readHeldCase(deps: Deps, input: { companyId: number; caseId: number }): Promise<HeldView> {
  const [view] = await viewsOf(deps, companyEm(deps.orm, input.companyId), { id: { $in: [input.caseId] } });
  if (!view) throw notFound('held shipment');
  return view;
}

/** Reads the current held case of a shipment of any company, for the command line. */
export async function readHeldShipment(deps: Deps, shipmentId: number): Promise<HeldView> {
  const [view] = await viewsOf(deps, systemEm(deps.orm), { shipmentId, closedAt: null });
  if (!view) throw notFound('held shipment');
  return view;
}

/** Reads the held cases of some shipments, by shipment, for the desk. */
export async function heldFactsOf(
  deps: Deps,
  em: Em,
  shipmentIds: readonly number[],
): Promise<Map<number, { held: HeldCase; facts: HeldFacts }>> {
  const views = await viewsOf(deps, em, { shipmentId: { $in: [...shipmentIds] }, closedAt: null });
  return new Map(views.map(({ shipment, held, facts }) => [shipment.id, { held, facts }]));
}

async function viewsOf(
  deps: Deps,
  em: Em,
  where: { id: { $in: number[] } } | { shipmentId: number | { $in: number[] }; closedAt: null },
): Promise<HeldView[]> {
  const cases = await em.find(HeldCase, where, { orderBy: { shipmentId: 'desc' } });
  if (cases.length === 0) return [];
  const shipments = await em.find(Shipment, { id: { $in: cases.map((held) => held.shipmentId) } });
  const orders = await em.find(Order, { id: { $in: shipments.map((shipment) => shipment.orderId) } });
  const carriers = await em.find(CarrierRow, {});
  return cases.flatMap((held) => {
    const shipment = shipments.find((row) => row.id === held.shipmentId);
    const order = orders.find((row) => row.id === shipment?.orderId);
    const carrier = carriers.find((row) => row.id === shipment?.carrierId);
    if (!shipment || !order || !carrier) return [];
    return [{ held, shipment, order, carrier, facts: factsOf(deps, held, carrier) }];
  });
}

function factsOf(deps: Deps, held: HeldCase, carrier: CarrierRow): HeldFacts {
  const adapter = deps.carriers.get(carrier.code);
  const policy = adapter?.held ?? UNKNOWN_POLICY;
  return {
    status: heldStatusOf(held),
    ...deadlineFacts(held, policy),
    byDefault: policy.byDefault,
    actions: actionsOf(held, offeredActions(adapter?.heldActions ?? [], policy)),
    portalSteps: policy.portalSteps,
    isOverdue: isOverdue(deps, held),
  };
}

/** Cases from before the carrier's rules existed have none stored. */
function deadlineFacts(held: HeldCase, { term }: HeldPolicy): Pick<HeldFacts, 'deadline' | 'deadlineSource'> {
  if (held.deadline !== null) return { deadline: held.deadline, deadlineSource: held.deadlineSource };
  const deadline = held.openedAt === null ? null : deadlineOf(held.openedAt, term);
  return { deadline, deadlineSource: deadline === null ? null : 'rule' };
}

/** The carrier's API accepts a decision only while the parcel is held and may be released. */
function actionsOf(held: HeldCase, offered: OfferedAction[] | null): OfferedAction[] | null {
  if (held.isReleasable === false) return [];
  return held.openedAt === null ? (offered?.filter(({ via }) => via === 'portal') ?? null) : offered;
}

function isOverdue(deps: Deps, { decidedAt, isDecisionCertain }: HeldCase): boolean {
  if (decidedAt === null) return false;
  return !isDecisionCertain || deps.now().getTime() - decidedAt.getTime() >= deps.settings.heldConfirmMs;
}
