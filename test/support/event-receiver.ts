import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  id: string;
  headers: IncomingMessage['headers'];
  raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  body: any;
}

/** How a receiver answers one request; it may answer nothing at all. */
export type Answering = (response: ServerResponse, received: Received) => void;

export interface EventReceiver {
  url: string;
  port: number;
  received: Received[];
  /** Answers 204 unless told otherwise. */
  answer(with_: Answering | number): void;
  close(): Promise<void>;
}

/** Starts a client's server that events are sent to. */
export async function startEventReceiver(): Promise<EventReceiver> {
  const received: Received[] = [];
  let answering: Answering = (response) => response.writeHead(204).end();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks).toString('utf8');
      const one = { id: String(request.headers['webhook-id']), headers: request.headers, raw, body: JSON.parse(raw) };
      received.push(one);
      response.on('error', () => undefined);
      answering(response, one);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/events`,
    port,
    received,
    answer(with_) {
      answering = typeof with_ === 'number' ? (response) => response.writeHead(with_).end() : with_;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
