import { z } from 'zod';
import { updateEndpoint } from '../../../usecases/events/event-endpoints.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath, ProblemBody } from '../../http/schemas.ts';
import { EndpointUrl, EventEndpointFields, EventTypeName, endpointBody } from './event-body.ts';

export const updateEventEndpointRoute = defineRoute({
  method: 'patch',
  scope: 'events:write',
  path: '/event-endpoints/{id}',
  tag: 'Events',
  summary: 'Change the URL or the types of an event endpoint',
  description:
    'An addition to the contract, from the next event on. A new URL starts again where deliveries stopped, and cancels a running replay. An endpoint that its owner has disabled stays so. The apply file replaces these values when it is applied again.',
  params: IdPath,
  body: z
    .object({
      url: EndpointUrl.optional().describe('Absent: as it is'),
      types: z.array(EventTypeName).min(1).nullish().describe('null: all types; absent: as they are'),
    })
    .meta({ id: 'EventEndpointChange' }),
  responses: {
    200: { description: 'Changed', schema: EventEndpointFields },
    422: { description: 'A forbidden URL', schema: ProblemBody },
  },
  async handle(deps, { companyId, params, body: { url, types: wished } }) {
    const types = wished ? [...new Set(wished)].toSorted() : wished;
    return {
      status: 200,
      body: endpointBody(await updateEndpoint(deps, { companyId, endpointId: params.id, url, types })),
    };
  },
});
