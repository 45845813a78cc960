import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { useEffect } from 'preact/hooks';

const STREAM = '/api/v1/external/events/stream';
const PAUSE_MS = 2000;
/** A batch has many events a second, and lists need not be read for each. */
const LISTS_MS = 1000;

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
  const refreshLists = atMostEvery(LISTS_MS, () => refresh(queries), signal);
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
        if (after === '') refreshLists();
        for await (const event of events as unknown as AsyncIterable<{ id?: string; data: string }>) {
          after = event.id ?? after;
          const { data } = JSON.parse(event.data) as Change;
          if (data.orderId !== undefined) void queries.invalidateQueries({ queryKey: ['order', data.orderId] });
          refreshLists();
        }
      }
    } catch {
      // The connection was lost: the next turn goes on after the last event.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/**
 * Reads the lists again. One that was scrolled far down has many pages, each a request, so it is read that much more rarely. Returns
 * whether such a list still waits.
 */
function refresh(queries: QueryClient): boolean {
  let isWaiting = false;
  void queries.invalidateQueries({
    queryKey: ['list'],
    predicate: ({ state: { data, dataUpdatedAt } }) => {
      const pages = (data as { pages?: unknown[] } | undefined)?.pages?.length ?? 1;
      const isDue = pages === 1 || Date.now() - dataUpdatedAt >= pages * LISTS_MS;
      isWaiting ||= !isDue;
      return isDue;
    },
  });
  return isWaiting;
}

/** Runs at once, and then once per pause for whatever was asked meanwhile, or as long as `run` says that something waits. */
function atMostEvery(ms: number, run: () => boolean, signal: AbortSignal): () => void {
  let isPausing = false;
  let isAsked = false;
  const ask = (): void => {
    isAsked = true;
    if (isPausing || signal.aborted) return;
    isAsked = false;
    isPausing = true;
    if (run()) isAsked = true;
    setTimeout(() => {
      isPausing = false;
      if (isAsked) ask();
    }, ms);
  };
  return ask;
}
