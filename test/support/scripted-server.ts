import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One prepared answer to one request; answers to the same method and path are used up in their order. */
export interface ScriptedReply {
  method: string;
  /** Without the query. */
  path: string;
  status?: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON, a text or bytes as they are. */
  body?: unknown;
  /** Need not be asked. */
  isOptional?: boolean;
  /** Instead of answering; `truncate` promises the whole answer, sends its head and hangs up. */
  instead?: 'hang' | 'reset' | 'truncate';
}

export interface SeenRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: NodeJS.Dict<string | string[]>;
  body: string;
}

export interface ScriptedServer {
  url: string;
  requests: SeenRequest[];
  script(...replies: ScriptedReply[]): void;
  /** Resolves when a request that hangs has arrived. */
  untilHanging(): Promise<void>;
  /** Stops, then throws when something unexpected was asked or something prepared was not. */
  close(): Promise<void>;
}

/** Starts a real HTTP server that knows only what a test has prepared. */
export async function startScriptedServer(): Promise<ScriptedServer> {
  const pending: ScriptedReply[] = [];
  const requests: SeenRequest[] = [];
  const unexpected: string[] = [];
  const hanging = Promise.withResolvers<void>();

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://server');
    const method = request.method ?? '';
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push({ method, path, query, headers: request.headers, body: Buffer.concat(chunks).toString('utf8') });

    const at = pending.findIndex((reply) => reply.method === method && reply.path === path);
    const [reply] = at === -1 ? [] : pending.splice(at, 1);
    if (!reply) {
      unexpected.push(`${method} ${path}`);
      response.writeHead(418).end();
      return;
    }
    if (reply.instead === 'hang') return hanging.resolve();
    if (reply.instead === 'reset') return void request.socket.destroy();
    const isText = typeof reply.body === 'string' || Buffer.isBuffer(reply.body);
    const body = Buffer.from(isText ? (reply.body as string) : JSON.stringify(reply.body ?? null));
    const isCut = reply.instead === 'truncate';
    response.writeHead(reply.status ?? 200, {
      'content-type': isText ? 'text/html' : 'application/json',
      ...(isCut ? { 'content-length': String(body.length) } : {}),
      ...reply.headers,
    });
    if (isCut) response.write(body.subarray(0, Math.floor(body.length / 2)), () => request.socket.destroy());
    else response.end(reply.status === 204 ? undefined : body);
  }

  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    script: (...replies) => void pending.push(...replies),
    untilHanging: () => hanging.promise,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
      if (unexpected.length > 0) throw new Error(`Unexpected requests: ${unexpected.join(', ')}`);
      const missed = pending.filter(({ isOptional }) => !isOptional).map(({ method, path }) => `${method} ${path}`);
      if (missed.length > 0) throw new Error(`Never asked: ${missed.join(', ')}`);
    },
  };
}
