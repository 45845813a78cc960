import { z } from 'zod';
import { listEndpoints } from '../../../usecases/events/event-endpoints.ts';
import { defineRoute } from '../../http/route.ts';
import { EventEndpointFields, endpointBody } from './event-body.ts';

export const listEventEndpointsRoute = defineRoute({
  method: 'get',
  isQueryStrict: true,
  path: '/event-endpoints',
  tag: 'Events',
  summary: 'Where the company is told of its events, and how that goes',
  description: 'An addition of ours. Twenty of them at most, so there are no pages.',
  responses: { 200: { description: 'All of them, oldest first', schema: z.array(EventEndpointFields) } },
  async handle(deps, { companyId }) {
    return { status: 200, body: (await listEndpoints(deps, companyId)).map(endpointBody) };
  },
});
