import { z } from 'zod';
import { enableEndpoint } from '../../../usecases/events/event-endpoints.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath, ProblemBody } from '../../http/schemas.ts';
import { EventEndpointFields, endpointBody } from './event-body.ts';
import { Sequence } from './schemas.ts';

export const enableEventEndpointRoute = defineRoute({
  method: 'post',
  path: '/event-endpoints/{id}/enable',
  tag: 'Events',
  summary: 'Start to tell an endpoint again, now',
  description:
    'An addition of ours. For one that was disabled, or whose next try is far away. It goes on where it stopped, or behind the event that after names: so one is left out that the receiver cannot take. A replay is dropped.',
  params: IdPath,
  body: z
    .object({ after: Sequence.nullish().describe('Absent: where it stopped') })
    .meta({ id: 'EventEndpointEnabling' }),
  responses: {
    200: { description: 'Enabled', schema: EventEndpointFields },
    422: { description: 'There is no such event yet', schema: ProblemBody },
  },
  async handle(deps, { companyId, params, body }) {
    const view = await enableEndpoint(deps, { companyId, endpointId: params.id, after: body.after ?? null });
    return { status: 200, body: endpointBody(view) };
  },
});
