import { z } from 'zod';
import { createEndpoint, readEndpoint } from '../../../usecases/events/event-endpoints.ts';
import { isEventSecret } from '../../../usecases/events/event-secrets.ts';
import { defineRoute } from '../../http/route.ts';
import { ProblemBody } from '../../http/schemas.ts';
import { EndpointUrl, EventEndpointWithSecret, EventTypeName, endpointBody, replyWithSecret } from './event-body.ts';

const EndpointBody = z
  .object({
    url: EndpointUrl,
    key: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, 'must be lowercase letters, digits, - and _')
      .nullish()
      .describe('Its key in an apply file; absent: generated'),
    types: z.array(EventTypeName).min(1).nullish().describe('Absent: all types'),
    secret: z
      .string()
      .refine(isEventSecret, 'must be whsec_ followed by 24 to 64 bytes in base64')
      .nullish()
      .describe('Absent: generated, and shown in this answer only'),
  })
  .meta({ id: 'EventEndpointCreation' });

export const createEventEndpointRoute = defineRoute({
  method: 'post',
  scope: 'events:write',
  path: '/event-endpoints',
  tag: 'Events',
  summary: 'Create an event endpoint',
  description:
    'An addition to the contract. From now on each event is sent as a POST in the format of Standard Webhooks, one after the other, and retried until the endpoint answers 2xx.',
  body: EndpointBody,
  responses: {
    201: { description: 'Declared', schema: EventEndpointWithSecret, hasLocation: false },
    422: {
      description: 'A forbidden URL, a key that exists already, or too many endpoints',
      schema: ProblemBody,
    },
  },
  async handle(deps, { origin, body }) {
    const { url, key = null, secret = null } = body;
    const types = body.types ? [...new Set(body.types)].toSorted() : null;
    return replyWithSecret(201, await createEndpoint(deps, { ...origin, wish: { url, key, types, secret } }));
  },
  async recover(deps, { companyId }, endpointId) {
    return {
      status: 201,
      body: { ...endpointBody(await readEndpoint(deps, { companyId, endpointId })), secret: null },
    };
  },
});
