import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface RawRequest {
  method: string;
  /** Path and query, sent as they are. */
  path: string;
  headers?: Record<string, string>;
  body?: Buffer | null;
}

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** One request with every byte under the test's control: `fetch` would tidy the path, the headers and a body on GET. */
export function rawRequester(origin: string): { send(what: RawRequest): Promise<RawAnswer>; close(): void } {
  const agent = new Agent({ keepAlive: true });
  const { hostname, port } = new URL(origin);
  return {
    close: () => agent.destroy(),
    send: ({ method, path, headers = {}, body = null }) => {
      const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>();
      const length = body === null ? {} : { 'content-length': String(body.length) };
      const outgoing = request(
        { agent, hostname, port, method, path, headers: { ...headers, ...length } },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('error', reject);
          incoming.on('end', () =>
            resolve({
              status: incoming.statusCode ?? 0,
              headers: incoming.headers,
              text: Buffer.concat(chunks).toString('utf8'),
            }),
          );
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body ?? undefined);
      return promise;
    },
  };
}
