import { disableEndpoint } from '../../../usecases/events/event-endpoints.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { EventEndpointFields, endpointBody } from './event-body.ts';

export const disableEventEndpointRoute = defineRoute({
  method: 'post',
  scope: 'events:write',
  path: '/event-endpoints/{id}/disable',
  tag: 'Events',
  summary: 'Disable an event endpoint',
  description:
    'An addition to the contract. Nothing is sent until it is enabled, and then deliveries go on where they stopped. A running replay is cancelled.',
  params: IdPath,
  responses: { 200: { description: 'Disabled', schema: EventEndpointFields } },
  async handle(deps, { companyId, params }) {
    return { status: 200, body: endpointBody(await disableEndpoint(deps, { companyId, endpointId: params.id })) };
  },
});
