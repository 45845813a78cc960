import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { useEffect } from 'preact/hooks';

const STREAM = '/api/v1/external/events/stream';
const PAUSE_MS = 2000;

interface Change {
  data: { orderId?: number; shipmentId?: number; sequence: number };
}

/**
 * Refreshes what screens show as soon as something changes. One stream of the company's events serves all of them. It is no
 * `EventSource`, because that cannot name the company.
 */
export function useLive(companyKey: string | null): void {
  const queries = useQueryClient();
  useEffect(() => {
    const end = new AbortController();
    void follow(queries, companyKey, end.signal);
    return () => end.abort();
  }, [queries, companyKey]);
}

async function follow(queries: QueryClient, companyKey: string | null, signal: AbortSignal): Promise<void> {
  let after = '';
  while (!signal.aborted) {
    try {
      const response = await fetch(after === '' ? STREAM : `${STREAM}?after=${after}`, {
        headers: companyKey === null ? {} : { 'X-Company': companyKey },
        signal,
      });
      // The session has ended, or the role may not follow events.
      if (response.status === 401) return void queries.invalidateQueries({ queryKey: ['session'] });
      if (response.status === 403) return;
      const events = response.body?.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
      if (response.ok && events) {
        // Without a number, earlier events are unknown.
        if (after === '') void queries.invalidateQueries({ queryKey: ['list'] });
        for await (const event of events as unknown as AsyncIterable<{ id?: string; data: string }>) {
          after = event.id ?? after;
          refresh(queries, JSON.parse(event.data) as Change);
        }
      }
    } catch {
      // The connection was lost: the next turn goes on after the last event.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function refresh(queries: QueryClient, { data: { orderId } }: Change): void {
  if (orderId !== undefined) void queries.invalidateQueries({ queryKey: ['order', orderId] });
  void queries.invalidateQueries({ queryKey: ['list'] });
}
