import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';

/** Large enough for the ids of 5000 shipments in a URL. */
const MAX_HEADER = 64 * 1024;
/** A sender that takes longer for its headers is cut off at the next check. */
const HEADERS_MS = 15_000;
const CHECK_MS = 5000;

export interface FrontDoor {
  server: Server;
  /** Hands all further requests to this handler. */
  open(listener: RequestListener): void;
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
  return {
    server,
    open: (listener) => {
      answer = listener;
    },
  };
}

function sendJson(response: ServerResponse, status: number, body: Record<string, unknown>): void {
  const contentType = status === 200 ? 'application/json' : 'application/problem+json';
  response.writeHead(status, { 'Content-Type': contentType }).end(JSON.stringify(body));
}
