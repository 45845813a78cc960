import { z } from 'zod';
import {
  MAX_ENTRIES,
  readTimeline,
  TIMELINE_KINDS,
  type TimelineEntry,
} from '../../../usecases/orders/read-timeline.ts';
import { iso } from '../../http/format.ts';
import { defineRoute } from '../../http/route.ts';
import { DateTime, Id, IdPath, NullableText, Text } from '../../http/schemas.ts';

const Entry = z
  .object({
    at: DateTime,
    kind: z.enum(TIMELINE_KINDS),
    shipmentId: Id.nullable().describe('Null: it concerns the order'),
    code: NullableText.describe(
      'attempt: the operation; tracking: the status; held: the decided action; split: the number of parts; bordero: its id; imported and confirmed: the platform; else null',
    ),
    outcome: NullableText.describe(
      'attempt: running, succeeded, failed or unknown; corrected and cancelled: the status of the correction; held: announced, opened, decided, unknown (the answer was lost), shown (tracking shows the decision) or closed; else null',
    ),
    details: z
      .array(Text)
      .describe('Words of the partner, codes, or the changed fields of a correction, such as /shipping/zip'),
    requestId: NullableText.describe('The request that did it, as in `GET /audit`; null: not known'),
  })
  .meta({ id: 'TimelineEntry' });

const Timeline = z
  .object({
    entries: z.array(Entry).describe(`Oldest first; at most the ${MAX_ENTRIES} newest`),
    isComplete: z.boolean().describe('false: older entries are left out'),
  })
  .meta({ id: 'Timeline' });

export const readTimelineRoute = defineRoute({
  method: 'get',
  scope: 'orders:read',
  path: '/orders/{id}/timeline',
  tag: 'Orders',
  summary: 'Read everything that happened to an order, oldest first',
  description:
    'An addition to the contract. Import, corrections, splits, attempts with carrier and shop, prints, borderos, tracking and giacenza in one list. An order that is joined shows the shipments of the order that leads. `GET /audit` with `target` tells who did it.',
  params: IdPath,
  responses: { 200: { description: 'The entries', schema: Timeline } },
  async handle(deps, { companyId, params }) {
    const { entries, isComplete } = await readTimeline(deps, { companyId, orderId: params.id });
    return { status: 200, body: { entries: entries.map(entryBody), isComplete } };
  },
});

function entryBody({ at, ...entry }: TimelineEntry) {
  return { at: iso(at), ...entry };
}
