import { z } from 'zod';
import { listEndpoints } from '../../../usecases/events/event-endpoints.ts';
import { defineRoute } from '../../http/route.ts';
import { EventEndpointFields, endpointBody } from './event-body.ts';

export const listEventEndpointsRoute = defineRoute({
  method: 'get',
  scope: 'events:read',
  isQueryStrict: true,
  path: '/event-endpoints',
  tag: 'Events',
  summary: 'List event endpoints, oldest first',
  description: 'An addition to the contract. A company has at most twenty endpoints, so there are no pages.',
  responses: {
    200: { description: 'All endpoints with the state of their deliveries', schema: z.array(EventEndpointFields) },
  },
  async handle(deps, { companyId }) {
    return { status: 200, body: (await listEndpoints(deps, companyId)).map(endpointBody) };
  },
});
