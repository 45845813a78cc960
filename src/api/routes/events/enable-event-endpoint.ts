import { z } from 'zod';
import { enableEndpoint } from '../../../usecases/events/event-endpoints.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath, ProblemBody } from '../../http/schemas.ts';
import { EventEndpointFields, endpointBody } from './event-body.ts';
import { Sequence } from './schemas.ts';

export const enableEventEndpointRoute = defineRoute({
  method: 'post',
  scope: 'events:write',
  path: '/event-endpoints/{id}/enable',
  tag: 'Events',
  summary: 'Enable an event endpoint',
  description:
    'An addition to the contract. For an endpoint that is disabled, or whose next retry is far away. Deliveries resume at once where they stopped. With `after` they resume behind that event, to skip one that the receiver cannot take. A running replay is cancelled.',
  params: IdPath,
  body: z
    .object({ after: Sequence.nullish().describe('Absent: where deliveries stopped') })
    .meta({ id: 'EventEndpointEnabling' }),
  responses: {
    200: { description: 'Enabled', schema: EventEndpointFields },
    422: { description: 'No such event yet', schema: ProblemBody },
  },
  async handle(deps, { companyId, params, body }) {
    const view = await enableEndpoint(deps, { companyId, endpointId: params.id, after: body.after ?? null });
    return { status: 200, body: endpointBody(view) };
  },
});
