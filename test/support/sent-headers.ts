import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll } from 'vitest';
import type { RecordedExchange } from '../../src/lib/http.ts';

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
}

/** The message that undici publishes when the head of a request leaves. */
interface HeadMessage {
  request: { method: string; path: string };
  headers: string;
}

/**
 * Records the headers of every request that adapters send during the tests of a file, which exchanges do not keep. Requests that a
 * test makes itself with `fetch` name Node as their user agent and are left out.
 */
export function recordSentHeaders(): (exchange: Pick<RecordedExchange, 'method' | 'url'>) => Record<string, string> {
  const sent: Sent[] = [];
  const note = (message: unknown): void => {
    const { request, headers: head } = message as HeadMessage;
    const lines = head.split('\r\n').slice(1);
    const headers = Object.fromEntries(
      lines.flatMap((line) => {
        const colon = line.indexOf(':');
        return colon > 0 ? [[line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]] : [];
      }),
    );
    if (headers['user-agent'] !== 'node') sent.push({ method: request.method, path: request.path, headers });
  };
  beforeAll(() => subscribe('undici:client:sendHeaders', note));
  afterAll(() => unsubscribe('undici:client:sendHeaders', note));
  return ({ method, url }) => {
    const { pathname, search } = new URL(url);
    const at = sent.findIndex((one) => one.method === method && one.path === `${pathname}${search}`);
    const [own] = at < 0 ? [] : sent.splice(at, 1);
    if (!own) throw new Error(`No headers were recorded of ${method} ${pathname}`);
    return own.headers;
  };
}
