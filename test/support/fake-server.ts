import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * One answer of a pretend partner. `reset` cuts the line after the request was read; `hang` never answers; `truncate` promises the
 * whole body, sends half of it and cuts the line.
 */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Buffer;
  ending?: 'answer' | 'reset' | 'hang' | 'truncate';
  /** When given, the request must be this one: method and path, for instance `POST /orders`. */
  to?: string;
}

export interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

export interface FakeServer {
  url: string;
  requests: SeenRequest[];
  /** Resolves once the given number of requests has been read. */
  seen(count: number): Promise<void>;
  /** Stops, and throws when a request was not expected or a prepared reply was not asked for. */
  close(): Promise<void>;
}

/** Starts a real HTTP server on a free port. It answers the prepared replies in their order, then `otherwise` if more requests may come. */
export async function startFakeServer(
  replies: readonly Reply[],
  { otherwise }: { otherwise?: Reply } = {},
): Promise<FakeServer> {
  const waiting = [...replies];
  const requests: SeenRequest[] = [];
  const surprises: string[] = [];
  const watchers: { count: number; resolve: () => void }[] = [];

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake');
      const method = request.method ?? '';
      const body = Buffer.concat(chunks).toString('utf8');
      requests.push({ method, path: pathname, query: searchParams, headers: request.headers, body });
      const reply = waiting.shift() ?? otherwise;
      const called = `${method} ${pathname}`;
      if (!reply) surprises.push(`unexpected ${called}`);
      else if (reply.to !== undefined && reply.to !== called) surprises.push(`${called} instead of ${reply.to}`);
      send(reply ?? { status: 501, body: 'unexpected request' }, response);
      for (const watcher of watchers) if (requests.length >= watcher.count) watcher.resolve();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    seen: (count) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (requests.length >= count) resolve();
      watchers.push({ count, resolve });
      return promise;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      const unused = waiting.map((reply) => `unused reply ${reply.to ?? reply.status ?? 200}`);
      if (surprises.length + unused.length > 0) throw new Error([...surprises, ...unused].join('; '));
    },
  };
}

function send(reply: Reply, response: ServerResponse): void {
  if (reply.ending === 'hang') return;
  if (reply.ending === 'reset') {
    response.socket?.resetAndDestroy();
    return;
  }
  if (reply.ending === 'truncate') {
    const body = Buffer.from(reply.body ?? '');
    response.writeHead(reply.status ?? 200, { ...reply.headers, 'content-length': body.length });
    response.write(body.subarray(0, Math.ceil(body.length / 2)), () => response.destroy());
    return;
  }
  response.writeHead(reply.status ?? 200, reply.headers);
  response.end(reply.body ?? '');
}

/** Returns an address on which nothing listens. */
export async function refusingUrl(): Promise<string> {
  const server = await startFakeServer([]);
  await server.close();
  return server.url;
}
