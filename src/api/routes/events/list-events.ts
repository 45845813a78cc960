import { z } from 'zod';
import { EVENT_TYPES, type EventType } from '../../../domain/event-types.ts';
import { listEvents } from '../../../usecases/events/read-events.ts';
import { nextPage, PageLimit } from '../../http/paging.ts';
import { defineRoute } from '../../http/route.ts';
import { EventFields } from './schemas.ts';

const DEFAULT_LIMIT = 100;

export const After = z
  .string()
  .regex(/^\d{1,15}$/, 'must be the number of an event')
  .transform(Number)
  .meta({ override: { type: 'integer', minimum: 0, default: 0 } });

const Types = z
  .string()
  .transform((text) => text.split(','))
  .refine((types) => types.every(isEventType), `must be some of ${EVENT_TYPES.join(', ')}, separated by commas`)
  .transform((types) => types as EventType[])
  .meta({ override: { type: 'string' } });

function isEventType(text: string): text is EventType {
  return (EVENT_TYPES as readonly string[]).includes(text);
}

export const listEventsRoute = defineRoute({
  method: 'get',
  scope: 'events:read',
  isQueryStrict: true,
  path: '/events',
  tag: 'Events',
  summary: 'List events after a sequence number, oldest first',
  description:
    'An addition to the contract. Event endpoints get the same events. sequence numbers the events of the company without a gap: a missing one is older than RETENTION_DAYS, or excluded by types. The Link header leads to the next page.',
  query: z.object({ after: After.optional(), limit: PageLimit.optional(), types: Types.optional() }),
  responses: { 200: { description: 'One page of events', schema: z.array(EventFields) } },
  async handle(deps, { companyId, query }) {
    const { after = 0, types = null, limit = DEFAULT_LIMIT } = query;
    const events = await listEvents(deps, { companyId, after, types, limit });
    const ids = events.map(({ data }) => data.sequence);
    const again = { limit, types: types?.join(',') };
    return { status: 200, body: events, ...nextPage('/events', { ids, limit, query: again, by: 'after' }) };
  },
});
