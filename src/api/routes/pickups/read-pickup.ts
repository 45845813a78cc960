import { readPickup } from '../../../usecases/pickups/read-pickups.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { PickupFields, pickupBody } from './pickup-body.ts';

export const readPickupRoute = defineRoute({
  method: 'get',
  scope: 'pickups:read',
  path: '/pickups/{id}',
  tag: 'Pickups',
  summary: 'Read a pickup',
  description: 'An addition to the contract.',
  params: IdPath,
  responses: { 200: { description: 'The pickup', schema: PickupFields } },
  async handle(deps, { companyId, params }) {
    return { status: 200, body: pickupBody(await readPickup(deps, { companyId, pickupId: params.id })) };
  },
});
