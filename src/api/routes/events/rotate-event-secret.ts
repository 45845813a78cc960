import { readEndpoint, rotateSecret } from '../../../usecases/events/event-endpoints.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { EventEndpointWithSecret, endpointBody, replyWithSecret } from './event-body.ts';

export const rotateEventSecretRoute = defineRoute({
  method: 'post',
  path: '/event-endpoints/{id}/rotate-secret',
  tag: 'Events',
  summary: 'Get a new secret; the one before it signs beside it for 24 hours',
  description: 'An addition of ours. Asked for again, the new one takes the place of the old one at once.',
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
