import { Agent, request as undiciRequest } from 'undici';

/**
 * `write` means that the partner may change data: a lost answer is then an unknown outcome. SOAP reads are POSTs too.
 */
export type Effect = 'read' | 'write';

export interface HttpRequest {
  /** The partner's name for the operation, as the exchange log shows it. */
  operation: string;
  effect: Effect;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Statuses outside 2xx that the adapter reads itself; every other one throws. */
  accept?: readonly number[];
  timeoutMs?: number;
  /** Bytes of the largest honest answer. Absent: `MAX_READ_BYTES` for a read, `MAX_BYTES` for a write. */
  maxBytes?: number;
}

/** The head of an answer, and its body as a stream. */
export interface TransportAnswer {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  body: AsyncIterable<Buffer>;
}

/** Sends a request to the partner; rejects when no answer begins. */
export type Transport = (request: HttpRequest, signal: AbortSignal) => Promise<TransportAnswer>;

const CONNECT_TIMEOUT_MS = 5_000;

/**
 * Shared by every call of the process: connections per partner host are reused, and idle ones do not keep the process
 * alive.
 */
const agent = new Agent({
  connect: { timeout: CONNECT_TIMEOUT_MS },
  connections: 64,
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 30_000,
});

export function overNetwork(request: HttpRequest, signal: AbortSignal): Promise<TransportAnswer> {
  return undiciRequest(request.url, {
    dispatcher: agent,
    method: request.method,
    ...(request.headers ? { headers: request.headers } : {}),
    ...(request.body === undefined ? {} : { body: request.body }),
    signal,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
