import { z } from 'zod';
import { listDeliveries } from '../../../usecases/events/event-endpoints.ts';
import { eventId } from '../../../usecases/events/read-events.ts';
import { iso } from '../../http/format.ts';
import { nextPage, PageLimit } from '../../http/paging.ts';
import { defineRoute } from '../../http/route.ts';
import { DateTime, IdPath, IdText } from '../../http/schemas.ts';
import { EventTypeName } from './event-body.ts';
import { Sequence } from './schemas.ts';

const DEFAULT_LIMIT = 100;

const DeliveryFields = z
  .object({
    id: z.number().int(),
    eventId: z.string().describe('The webhook-id'),
    sequence: Sequence,
    type: EventTypeName,
    isReplay: z.boolean(),
    number: z.number().int().describe('Number of the attempt for this event, from 1'),
    status: z.enum(['delivered', 'failed']),
    httpStatus: z.number().int().nullable(),
    error: z.string().nullable(),
    durationMs: z.number().int(),
    startedAt: DateTime,
  })
  .meta({ id: 'EventDelivery' });

export const listEventDeliveriesRoute = defineRoute({
  method: 'get',
  scope: 'events:read',
  isQueryStrict: true,
  path: '/event-endpoints/{id}/deliveries',
  tag: 'Events',
  summary: 'List deliveries to an endpoint, newest first',
  description:
    'An addition to the contract. Each attempt with its result. The text of answers is not stored. The Link header leads to the next page.',
  params: IdPath,
  query: z.object({ limit: PageLimit.optional(), cursor: IdText.optional() }),
  responses: { 200: { description: 'One page of attempts', schema: z.array(DeliveryFields) } },
  async handle(deps, { companyId, params, query }) {
    const limit = query.limit ?? DEFAULT_LIMIT;
    const page = { endpointId: params.id, limit, beforeId: query.cursor ?? null };
    const rows = await listDeliveries(deps, { companyId, ...page });
    const body = rows.map((row) => ({
      id: row.id,
      eventId: eventId(deps, row.eventId),
      sequence: row.sequence,
      type: row.type,
      isReplay: row.isReplay,
      number: row.number,
      status: row.error === null ? 'delivered' : 'failed',
      httpStatus: row.httpStatus,
      error: row.error,
      durationMs: row.durationMs,
      startedAt: iso(row.startedAt),
    }));
    const ids = rows.map((row) => row.id);
    return {
      status: 200,
      body,
      ...nextPage(`/event-endpoints/${params.id}/deliveries`, { ids, limit, query: { limit } }),
    };
  },
});
