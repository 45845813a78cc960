import { Agent, errors, request as undiciRequest } from 'undici';
import { type FailureKind, IntegrationError } from './errors.ts';

/** `write` means that the partner may change something: a lost answer is then an unknown outcome. SOAP reads are POSTs too. */
export type Effect = 'read' | 'write';

export interface HttpRequest {
  /** The partner's name for the operation, as shown in the exchange log. */
  operation: string;
  effect: Effect;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Statuses outside 2xx that the adapter reads itself; every other one throws. */
  accept?: readonly number[];
  timeoutMs?: number;
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** One call to a partner as it happened on the wire, before redaction. */
export interface RecordedExchange {
  operation: string;
  effect: Effect;
  method: string;
  url: string;
  requestBody: string;
  status: number | null;
  responseBody: string;
  error: string | null;
  startedAt: Date;
  durationMs: number;
}

export interface HttpOptions {
  provider: string;
  signal: AbortSignal;
  record?: (exchange: RecordedExchange) => void;
  timeoutMs?: number;
  maxResponseBytes?: number;
  /** Epoch milliseconds after which no write may leave: whoever called is taken for lost by then, and others act in its place. */
  writeBefore?: number;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5_000;
const DEFAULT_MAX_RESPONSE_BYTES = 20 * 1024 * 1024;

/** Shared by every call of the process: connections per partner host are reused; idle ones keep no process alive. */
const agent = new Agent({
  connect: { timeout: CONNECT_TIMEOUT_MS },
  connections: 64,
  keepAliveTimeout: 4_000,
  keepAliveMaxTimeout: 30_000,
});

/** The outcome of a status code outside 2xx for a call of the given effect. */
export function classifyStatus(status: number, effect: Effect): FailureKind {
  if (status === 429 || status === 503) return 'retryable';
  if (status === 408 || status >= 500) return effect === 'write' ? 'unknown-outcome' : 'retryable';
  return 'permanent';
}

const NEVER_LEFT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function errorCode(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { code } = at as { code?: unknown };
    if (typeof code === 'string') return code;
    if (at instanceof AggregateError && at.errors[0]) return errorCode(at.errors[0]);
  }
  return 'UNKNOWN';
}

function neverLeft(error: unknown): boolean {
  return NEVER_LEFT.has(errorCode(error));
}

/** Milliseconds asked for by a Retry-After header, in its seconds or its date form. */
export function retryAfterMs(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * HTTP for one call of one adapter method. It decides from the wire alone which of the three kinds a failure is, and
 * remembers whether a write may have reached the partner, so that a careless adapter still fails safe (see `mayHaveWritten`).
 */
export class Http {
  /** True once a write left this process and was not refused: whatever fails afterwards, the partner may have acted. */
  mayHaveWritten = false;
  readonly #options: HttpOptions;

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  /** Sends one request. Throws `IntegrationError` for transport failures and for any status outside 2xx and `accept`. */
  async send(request: HttpRequest): Promise<HttpResponse> {
    const { provider, signal, record } = this.#options;
    const startedAt = new Date();
    const started = performance.now();
    const timeoutMs = request.timeoutMs ?? this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const note = (status: number | null, responseBody: string, error: string | null): void =>
      record?.({
        operation: request.operation,
        effect: request.effect,
        method: request.method,
        url: request.url,
        requestBody: request.body?.toString() ?? '',
        status,
        responseBody,
        error,
        startedAt,
        durationMs: Math.round(performance.now() - started),
      });

    let response: HttpResponse;
    try {
      signal.throwIfAborted();
    } catch (cause) {
      throw new IntegrationError(`${provider} was not called: the work was stopped`, {
        kind: 'retryable',
        provider,
        code: 'stopped',
        cause,
      });
    }
    if (request.effect === 'write' && Date.now() > (this.#options.writeBefore ?? Number.POSITIVE_INFINITY)) {
      throw new IntegrationError(`${provider} was not called: this process had stood still for too long`, {
        kind: 'retryable',
        provider,
        code: 'stopped',
      });
    }
    const wroteBefore = this.mayHaveWritten;
    if (request.effect === 'write') this.mayHaveWritten = true;
    try {
      response = await this.#exchange(request, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
    } catch (cause) {
      const unsent = neverLeft(cause);
      if (unsent) this.mayHaveWritten = wroteBefore;
      const lostWrite = request.effect === 'write' && !unsent;
      note(null, '', errorCode(cause));
      throw new IntegrationError(
        unsent ? `${provider} could not be reached` : `${provider} did not answer ${request.operation}`,
        {
          kind: lostWrite ? 'unknown-outcome' : 'retryable',
          provider,
          code: unsent ? 'partner-unreachable' : 'no-answer',
          cause,
        },
      );
    }

    const text = response.body.toString('utf8');
    note(response.status, text, null);
    if ((response.status >= 200 && response.status < 300) || request.accept?.includes(response.status)) return response;

    const kind = classifyStatus(response.status, request.effect);
    if (request.effect === 'write' && kind !== 'unknown-outcome') this.mayHaveWritten = wroteBefore;
    throw new IntegrationError(`${provider} answered ${response.status} to ${request.operation}`, {
      kind,
      provider,
      code: statusCode(response.status),
      status: response.status,
      retryAfterMs: kind === 'retryable' ? retryAfterMs(response.headers['retry-after']) : undefined,
      body: text,
    });
  }

  async #exchange(request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
    const max = this.#options.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES;
    const answer = await undiciRequest(request.url, {
      dispatcher: agent,
      method: request.method,
      ...(request.headers ? { headers: request.headers } : {}),
      ...(request.body === undefined ? {} : { body: request.body }),
      signal,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of answer.body) {
      size += (chunk as Buffer).length;
      if (size > max) throw new errors.ResponseExceededMaxSizeError(`answer above ${max} bytes`);
      chunks.push(chunk as Buffer);
    }
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
    }
    return { status: answer.statusCode, headers, body: Buffer.concat(chunks) };
  }
}

function statusCode(status: number): string {
  if (status === 401 || status === 403) return 'credentials-refused';
  if (status === 404) return 'not-found-at-partner';
  if (status === 429) return 'throttled';
  if (status >= 500 || status === 408) return 'partner-broken';
  return 'refused';
}
