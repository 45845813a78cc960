import { z } from 'zod';
import { deleteEndpoint } from '../../../usecases/events/event-endpoints.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';

export const deleteEventEndpointRoute = defineRoute({
  method: 'delete',
  scope: 'events:write',
  path: '/event-endpoints/{id}',
  tag: 'Events',
  summary: 'Delete an event endpoint',
  description: 'An addition to the contract. Its deliveries are deleted; the events stay.',
  params: IdPath,
  responses: { 200: { description: 'Forgotten', schema: z.literal(true) } },
  async handle(deps, { companyId, params }) {
    await deleteEndpoint(deps, { companyId, endpointId: params.id });
    return { status: 200, body: true };
  },
});
