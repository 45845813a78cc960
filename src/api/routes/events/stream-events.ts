import { z } from 'zod';
import type { EventMessage } from '../../../usecases/events/read-events.ts';
import { defineRoute } from '../../http/route.ts';
import { startedStream } from '../../http/started-stream.ts';
import { After } from './list-events.ts';

/** Turns without an event before an empty line. It keeps proxies from closing the stream, and shows whether the client is still there. */
const QUIET_TURNS = 2;

/** The key or session is checked again after so long at most. */
const MAX_SECONDS = 600;
const DEFAULT_SECONDS = 300;

const Seconds = z
  .string()
  .regex(/^\d{1,3}$/, 'must be a number of seconds')
  .transform(Number)
  .refine((seconds) => seconds >= 1 && seconds <= MAX_SECONDS, `must be from 1 to ${MAX_SECONDS}`)
  .meta({ override: { type: 'integer', minimum: 1, maximum: MAX_SECONDS, default: DEFAULT_SECONDS } });

export const streamEventsRoute = defineRoute({
  method: 'get',
  scope: 'events:read',
  isQueryStrict: true,
  path: '/events/stream',
  tag: 'Events',
  summary: 'Follow events as they happen',
  description:
    'An addition to the contract: server-sent events. Each has the sequence number as its id and the same data as GET /events. Without after it begins with the next event. The stream ends after seconds, or when the service stops: ask again with the last number as after.',
  query: z.object({ after: After.optional(), seconds: Seconds.optional() }),
  // It waits most of the time, and reads its events with one short statement a second.
  isBatched: true,
  isEndless: true,
  responses: { 200: { description: 'The stream, until either side ends it', contentTypes: ['text/event-stream'] } },
  async handle(deps, { companyId, query }) {
    const turns = deps.followers.follow({
      companyId,
      after: query.after ?? null,
      seconds: query.seconds ?? DEFAULT_SECONDS,
    });
    return {
      status: 200,
      headers: { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
      file: { contentType: 'text/event-stream', content: await startedStream(linesOf(turns)) },
    };
  },
});

async function* linesOf(turns: AsyncIterable<EventMessage[]>): AsyncGenerator<Buffer> {
  let quiet = QUIET_TURNS;
  for await (const events of turns) {
    quiet = events.length > 0 ? 0 : quiet + 1;
    if (events.length > 0) yield Buffer.from(events.map(lineOf).join(''));
    else if (quiet >= QUIET_TURNS) {
      quiet = 0;
      yield Buffer.from(':\n\n');
    }
  }
}

function lineOf(event: EventMessage): string {
  return `id: ${event.data.sequence}\ndata: ${JSON.stringify(event)}\n\n`;
}
