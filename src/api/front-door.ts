import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Large enough for the ids of 5000 shipments in a URL. */
const MAX_HEADER = 64 * 1024;
/** A sender that takes longer for its headers is cut off at the next check. */
const HEADERS_MS = 15_000;
const CHECK_MS = 5000;
/** Milliseconds between two looks for idle connections during a stop. */
const IDLE_LOOK_MS = 100;

export interface FrontDoor {
  server: Server;
  /** Hands all further requests to this handler. */
  open(listener: RequestListener): void;
  /** Refuses new requests, closes idle connections, and cuts off the remaining requests at the deadline. */
  close(deadlineMs: number): Promise<void>;
}

/** Creates the HTTP server that binds the port before anything else starts. It answers 503 until it is opened. */
export function createFrontDoor(): FrontDoor {
  let answer: RequestListener = (request, response) => {
    if (request.url === '/health/live') return sendJson(response, 200, { status: 'ok' });
    response.setHeader('Retry-After', '2');
    sendJson(response, 503, {
      type: 'urn:smista:problem:not-ready',
      title: 'Not ready',
      status: 503,
      detail: 'smista is starting',
      code: 'not-ready',
      source: 'platform',
      retryable: true,
      requestId: '',
    });
  };
  const server = createServer(
    { maxHeaderSize: MAX_HEADER, connectionsCheckingInterval: CHECK_MS },
    (request, response) => answer(request, response),
  );
  // Longer than the longest wait. The time-out of a load balancer should be longer still.
  server.requestTimeout = 120_000;
  server.headersTimeout = HEADERS_MS;
  server.keepAliveTimeout = 65_000;
  const sockets = trackConnections(server);
  return {
    server,
    open: (listener) => {
      answer = listener;
    },
    close: (deadlineMs) => closeServer(server, sockets, deadlineMs),
  };
}

function trackConnections(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

async function closeServer(server: Server, sockets: ReadonlySet<Socket>, deadlineMs: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  const closeIdle = (): void => {
    server.closeIdleConnections();
    // A browser opens connections in advance. Node does not count those as idle.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  closeIdle();
  // Keep-alive would hold a connection open after its last request ends, so idle ones are closed repeatedly.
  const idle = setInterval(closeIdle, IDLE_LOOK_MS);
  const late = setTimeout(() => server.closeAllConnections(), deadlineMs);
  await promise;
  clearInterval(idle);
  clearTimeout(late);
}

function sendJson(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  const contentType = status === 200 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { 'Content-Type': contentType }).end(JSON.stringify(body));
}
