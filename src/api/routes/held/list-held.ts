import { z } from 'zod';
import { listHeldCases } from '../../../usecases/held/read-held.ts';
import { nextPage, PageLimit } from '../../http/paging.ts';
import { defineRoute } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { HeldFields, heldBody } from './held-body.ts';

const DEFAULT_LIMIT = 50;

export const listHeldRoute = defineRoute({
  method: 'get',
  scope: 'held:read',
  isQueryStrict: true,
  path: '/shipments/held',
  tag: 'Shipments',
  summary: 'List held shipments',
  description:
    "An addition to the contract, newest shipments first. Each entry has the reason, the start, the deadline, the carrier's own decision at the deadline, and the possible decisions. Send a decision with POST /shipment/{id}/release-held, or take it in the carrier's portal. status is open (needs a decision), warning (announced), decided (tracking has not shown it yet) or all. The Link header leads to the next page.",
  query: z.object({
    status: z.enum(['open', 'warning', 'decided', 'all']).default('all'),
    limit: PageLimit.optional(),
    cursor: IdText.optional(),
  }),
  responses: { 200: { description: 'One page of them', schema: z.array(HeldFields) } },
  async handle(deps, { companyId, query }) {
    const { status, cursor, limit = DEFAULT_LIMIT } = query;
    const views = await listHeldCases(deps, { companyId, status, limit, beforeId: cursor ?? null });
    const ids = views.map((view) => view.shipment.id);
    const page = nextPage('/shipments/held', { ids, limit, query: { status, limit } });
    return { status: 200, body: views.map(heldBody), ...page };
  },
});
