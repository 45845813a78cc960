import { z } from 'zod';
import { listPickups } from '../../../usecases/pickups/read-pickups.ts';
import { nextPage, PageLimit } from '../../http/paging.ts';
import { defineRoute } from '../../http/route.ts';
import { IdText } from '../../http/schemas.ts';
import { PickupFields, pickupBody } from './pickup-body.ts';

const DEFAULT_LIMIT = 50;

export const listPickupsRoute = defineRoute({
  method: 'get',
  scope: 'pickups:read',
  isQueryStrict: true,
  path: '/pickups',
  tag: 'Pickups',
  summary: 'List pickups, newest first',
  description: 'An addition to the contract. The Link header leads to the next page.',
  query: z.object({ limit: PageLimit.optional(), cursor: IdText.optional() }),
  responses: { 200: { description: 'One page of pickups', schema: z.array(PickupFields) } },
  async handle(deps, { companyId, query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const views = await listPickups(deps, { companyId, limit, beforeId: query.cursor ?? null });
    const ids = views.map((view) => view.pickup.id);
    return { status: 200, body: views.map(pickupBody), ...nextPage('/pickups', { ids, limit, query: { limit } }) };
  },
});
