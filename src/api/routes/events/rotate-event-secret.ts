import { readEndpoint, rotateSecret } from '../../../usecases/events/event-endpoints.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { EventEndpointWithSecret, endpointBody, replyWithSecret } from './event-body.ts';

export const rotateEventSecretRoute = defineRoute({
  method: 'post',
  scope: 'events:write',
  path: '/event-endpoints/{id}/rotate-secret',
  tag: 'Events',
  summary: "Rotate an endpoint's signing secret",
  description:
    'An addition to the contract. The previous secret also signs for 24 hours. A second rotation within that time ends it at once.',
  params: IdPath,
  responses: { 200: { description: 'The new secret, shown once', schema: EventEndpointWithSecret } },
  async handle(deps, { origin, params }) {
    return replyWithSecret(200, await rotateSecret(deps, { ...origin, endpointId: params.id }));
  },
  async recover(deps, { companyId }, endpointId) {
    return {
      status: 200,
      body: { ...endpointBody(await readEndpoint(deps, { companyId, endpointId })), secret: null },
    };
  },
});
