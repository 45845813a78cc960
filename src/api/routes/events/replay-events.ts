import { z } from 'zod';
import { replayEvents } from '../../../usecases/events/event-endpoints.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath, ProblemBody } from '../../http/schemas.ts';
import { EventEndpointFields, endpointBody } from './event-body.ts';
import { Sequence } from './schemas.ts';

const First = Sequence.min(1);

export const replayEventsRoute = defineRoute({
  method: 'post',
  scope: 'events:write',
  path: '/event-endpoints/{id}/replay',
  tag: 'Events',
  summary: 'Replay events to an endpoint',
  description:
    'An addition to the contract. Both ends are included, and each event keeps its webhook-id. New events go first. Events older than RETENTION_DAYS are deleted.',
  params: IdPath,
  body: z
    .object({ from: First, to: First.nullish().describe('Absent: up to the last delivered event') })
    .refine(({ from, to }) => !to || from <= to, { path: ['to'], error: 'must not be before from' })
    .meta({ id: 'EventReplay' }),
  responses: {
    202: {
      description: 'Queued; replay of GET /event-endpoints shows the rest',
      schema: EventEndpointFields,
      hasLocation: false,
    },
    409: { description: 'Disabled, or another replay is still running', schema: ProblemBody },
    422: { description: 'The range contains events that are not delivered yet', schema: ProblemBody },
  },
  async handle(deps, { companyId, params, body }) {
    const range = { from: body.from, to: body.to ?? null };
    return {
      status: 202,
      body: endpointBody(await replayEvents(deps, { companyId, endpointId: params.id, ...range })),
    };
  },
});
