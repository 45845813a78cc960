import { gunzipSync } from 'node:zlib';
import { type FailureKind, IntegrationError } from './errors.ts';
import { textOf } from './text-of.ts';
import { type Effect, type HttpRequest, overNetwork, type Transport, type TransportAnswer } from './transport.ts';

export type { Effect, HttpRequest };

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
  /** Null when no answer began. */
  status: number | null;
  /** The received part of the body; only the beginning of a very long one. */
  responseBody: string;
  /** Bytes received in all. */
  responseBytes: number;
  /** The failure on the wire; null for a complete answer, whatever its status. */
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
  /**
   * End of the lease, in epoch milliseconds: no write may leave after it. The caller counts as lost by then, and other
   * runs take its work over.
   */
  writeBefore?: number;
  /** Absent: the network. */
  transport?: Transport;
}

const DEFAULT_TIMEOUT_MS = 30_000;
/**
 * The largest honest answer holds the labels of 99 parcels, each some 100 KB of base64. Twice that is a fault of the
 * partner.
 */
export const MAX_BYTES = 20 * 1024 * 1024;
/** A read answers facts. One that answers files or pages of orders names a limit of its own. */
export const MAX_READ_BYTES = 4 * 1024 * 1024;
/** More than the log ever keeps, since labels are cut out of it, and short enough to search for secrets quickly. */
export const MAX_RECORDED_BYTES = 2 * 1024 * 1024;
const TOO_LARGE = 'answer-too-large';

/** Classifies a status outside 2xx for a call of the given effect. */
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
    if (at instanceof DOMException) return at.name;
    if (at instanceof AggregateError && at.errors[0]) return errorCode(at.errors[0]);
  }
  return 'UNKNOWN';
}

function neverLeft(error: unknown): boolean {
  return NEVER_LEFT.has(errorCode(error));
}

/** Returns the milliseconds of a Retry-After header, in its seconds or its date form. */
export function retryAfterMs(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * HTTP for one call of one adapter method. It classifies a failure from the wire alone. It remembers whether a write
 * may have reached the partner, so that a careless adapter still fails safe (see `mayHaveWritten`).
 */
export class Http {
  /** True once a write left this process and was not refused. After any later failure, the partner may have acted. */
  mayHaveWritten = false;
  readonly #options: HttpOptions;

  constructor(options: HttpOptions) {
    this.#options = options;
  }

  /**
   * Sends one request. Throws `IntegrationError` for transport failures and for any status outside 2xx and `accept`.
   */
  async send(request: HttpRequest): Promise<HttpResponse> {
    const { provider, signal, record } = this.#options;
    const startedAt = new Date();
    const started = performance.now();
    const timeoutMs = request.timeoutMs ?? this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const note = (status: number | null, response: { text: string; bytes: number }, error: string | null): void =>
      record?.({
        operation: request.operation,
        effect: request.effect,
        method: request.method,
        url: request.url,
        requestBody: request.body?.toString() ?? '',
        status,
        responseBody: response.text,
        responseBytes: response.bytes,
        error,
        startedAt,
        durationMs: Math.round(performance.now() - started),
      });

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
    const lost = request.effect === 'write' ? 'unknown-outcome' : 'retryable';
    using deadline = deadlineOf(signal, timeoutMs);
    let answer: TransportAnswer;
    try {
      answer = await (this.#options.transport ?? overNetwork)(request, deadline.signal);
    } catch (cause) {
      const unsent = neverLeft(cause);
      if (unsent) this.mayHaveWritten = wroteBefore;
      note(null, { text: '', bytes: 0 }, errorCode(cause));
      throw new IntegrationError(
        unsent ? `${provider} could not be reached` : `${provider} did not answer ${request.operation}`,
        {
          kind: unsent ? 'retryable' : lost,
          provider,
          code: unsent ? 'partner-unreachable' : 'no-answer',
          cause,
        },
      );
    }

    const { statusCode: status } = answer;
    const headers = plainHeaders(answer.headers);
    const { maxResponseBytes = request.effect === 'write' ? MAX_BYTES : MAX_READ_BYTES } = this.#options;
    const maxBytes = request.maxBytes ?? maxResponseBytes;
    const { body, broken } = unpack(await readBody(answer.body, maxBytes), headers, maxBytes);
    const text = textOf(body.subarray(0, MAX_RECORDED_BYTES));
    note(status, { text, bytes: body.length }, broken?.code ?? null);
    const isGood = (status >= 200 && status < 300) || request.accept?.includes(status) === true;
    if (isGood && !broken) return { status, headers, body };

    const byStatus = classifyStatus(status, request.effect);
    // The head came whole, and it holds everything that "not now" means. A refusal would be final, so it is believed
    // only with its reason.
    const kind = broken && byStatus !== 'retryable' ? lost : byStatus;
    if (request.effect === 'write' && kind !== 'unknown-outcome') this.mayHaveWritten = wroteBefore;
    const retryAfter = kind === 'retryable' ? retryAfterMs(headers['retry-after']) : undefined;
    if (broken) {
      const isTooLarge = broken.code === TOO_LARGE;
      // The error carries no status and no body: an adapter must not read half an answer.
      throw new IntegrationError(
        isTooLarge
          ? `${provider} answered more than ${body.length} bytes to ${request.operation}`
          : `${provider} did not finish its answer to ${request.operation}`,
        {
          kind,
          provider,
          code: isTooLarge ? 'answer-too-large' : 'no-answer',
          retryAfterMs: retryAfter,
          cause: broken.cause,
        },
      );
    }
    throw new IntegrationError(`${provider} answered ${status} to ${request.operation}`, {
      kind,
      provider,
      code: statusCode(status),
      status,
      retryAfterMs: retryAfter,
      body: text,
    });
  }
}

/**
 * Returns a signal that aborts with `signal` or at the timeout, and is disposed with the answer. `AbortSignal.timeout`
 * would hold every object of a call for the whole timeout. At hundreds of calls a second, that is the memory of
 * thousands.
 */
function deadlineOf(signal: AbortSignal, ms: number): Disposable & { signal: AbortSignal } {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new DOMException('The time is over', 'TimeoutError')), ms);
  return { signal: AbortSignal.any([signal, late.signal]), [Symbol.dispose]: () => clearTimeout(timer) };
}

/** The received part of an answer, and the failure on the way. */
interface ReadBody {
  body: Buffer;
  broken: { code: string; cause?: unknown } | null;
}

/** We never ask for compressed answers, but some partners send them. */
function unpack({ body, broken }: ReadBody, headers: Record<string, string>, maxBytes: number): ReadBody {
  if (broken || headers['content-encoding'] !== 'gzip' || body.length === 0) return { body, broken };
  try {
    return { body: gunzipSync(body, { maxOutputLength: maxBytes }), broken: null };
  } catch (cause) {
    const isTooLarge = errorCode(cause) === 'ERR_BUFFER_TOO_LARGE';
    return { body, broken: { code: isTooLarge ? TOO_LARGE : errorCode(cause), cause } };
  }
}

/**
 * Reads until the end, the limit or a failure. Leaving the loop early destroys the socket, so the partner sends nothing
 * more.
 */
async function readBody(stream: AsyncIterable<Buffer>, maxBytes: number): Promise<ReadBody> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(chunk.subarray(0, maxBytes - size));
      size += chunk.length;
      if (size > maxBytes) return { body: Buffer.concat(chunks), broken: { code: TOO_LARGE } };
    }
  } catch (cause) {
    return { body: Buffer.concat(chunks), broken: { code: errorCode(cause), cause } };
  }
  return { body: Buffer.concat(chunks), broken: null };
}

function plainHeaders(headers: TransportAnswer['headers']): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return plain;
}

function statusCode(status: number): string {
  if (status === 401 || status === 403) return 'credentials-refused';
  if (status === 404) return 'not-found-at-partner';
  if (status === 429) return 'throttled';
  if (status >= 500 || status === 408) return 'partner-broken';
  return 'refused';
}
