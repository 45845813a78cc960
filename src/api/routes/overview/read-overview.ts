import { ORDER_STAGES } from '../../../domain/shipment-stages.ts';
import { type Overview, readOverview } from '../../../usecases/overview/read-overview.ts';
import type { ContractView } from '../../../usecases/partners/read-lists.ts';
import { iso, isoOrNull } from '../../http/format.ts';
import { defineRoute } from '../../http/route.ts';
import { OverviewFields } from './schemas.ts';

export const readOverviewRoute = defineRoute({
  method: 'get',
  scope: 'overview:read',
  isQueryStrict: true,
  path: '/overview',
  tag: 'Overview',
  summary: 'Read where the day stands',
  description:
    'An addition to the contract: orders and shipments by stage and contract, cases by reason, giacenze, the health of carriers within an hour, waiting work, imports, and shops that were not told. Counting stops at 5000 rows of a contract, and `isCapped` then says so.',
  responses: { 200: { description: 'The numbers of this moment', schema: OverviewFields } },
  async handle(deps, { companyId }) {
    return { status: 200, body: overviewBody(await readOverview(deps, companyId)) };
  },
});

function overviewBody(overview: Overview) {
  const { at, day, hasOrders, attention, untold, contracts, work } = overview;
  return {
    at: iso(at),
    day,
    hasOrders,
    funnel: funnelBody(overview),
    attention: attention.map(({ reason, counted, oldest: { shipmentId, since } }) => ({
      reason,
      ...counted,
      oldest: { shipmentId, since: iso(since) },
    })),
    held: heldBody(overview),
    carriers: {
      since: iso(overview.health.since),
      isCapped: overview.health.isCapped,
      contracts: contracts.map((view) => healthBody(overview, view)),
    },
    queues: work.map(({ contractId, connectionId, kind, open, oldestAt }) => ({
      carrierCompanyId: contractId,
      ...{ connectionId, kind, ...open },
      oldestAt: iso(oldestAt),
    })),
    imports: overview.imports.map(importBody),
    untold,
  };
}

type Stages = Overview['funnel']['total'];

const stagesBody = (stages: Stages) => ORDER_STAGES.map((stage) => ({ stage, ...stages[stage] }));

function contractBody({ contract, carrier }: ContractView) {
  return {
    carrierCompanyId: contract.id,
    contractLabel: contract.label,
    carrier: { id: carrier.id, name: carrier.name },
  };
}

function funnelBody({ contracts, funnel: { total, refused, byContract, pickups } }: Overview) {
  const none = { count: 0, isCapped: false };
  const empty = Object.fromEntries(ORDER_STAGES.map((stage) => [stage, none])) as Stages;
  return {
    total: stagesBody(total),
    refused,
    withoutContract: byContract.get(null)?.to_ship ?? none,
    contracts: contracts.map((view) => ({
      ...contractBody(view),
      stages: stagesBody(byContract.get(view.contract.id) ?? empty),
      pickups: (pickups.get(view.contract.id) ?? []).map(({ id, status, fromTime: from, toTime: to }) => ({
        ...{ id, status, from, to },
      })),
    })),
  };
}

function heldBody({ held }: Overview) {
  return { ...held, oldestSince: isoOrNull(held.oldestSince), nextDeadline: isoOrNull(held.nextDeadline) };
}

function healthBody({ health }: Overview, view: ContractView) {
  const own = health.byContract.get(view.contract.id);
  const { calls = 0, failures = 0 } = own ?? {};
  const { outage } = view;
  return {
    ...contractBody(view),
    ...{ calls, failures },
    succeeded: calls === 0 ? null : (calls - failures) / calls,
    p50Ms: own?.p50Ms ?? null,
    p95Ms: own?.p95Ms ?? null,
    outage: outage?.since == null ? null : { since: iso(outage.since), nextPollAt: iso(outage.nextProbeAt) },
    pollBudgetUsed: own?.pollBudgetUsed ?? null,
    points: own?.points ?? [],
  };
}

function importBody({
  connection,
  marketplace,
  isRunning,
  since,
  imported,
  failed,
  late,
}: Overview['imports'][number]) {
  return {
    connectionId: connection.id,
    label: connection.label,
    marketplace: { id: marketplace.id, name: marketplace.name },
    isEnabled: connection.importEnabled,
    isRunning,
    importedUntil: isoOrNull(connection.importedUntil),
    error: connection.lastImportError,
    since: iso(since),
    ...{ imported, failed },
    newestFailures: late.map(({ externalId, message, tries, nextTryAt }) => ({
      marketplaceOrderId: externalId,
      ...{ message, tries },
      nextTryAt: iso(nextTryAt),
    })),
  };
}
