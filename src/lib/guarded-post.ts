import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { retryAfterMs } from './http.ts';
import { isAllowedAddress, urlFault } from './public-address.ts';
import type { Resolve } from './resolve-name.ts';

export interface PosterOptions {
  resolve: Resolve;
  /** Allows http, private addresses and every port: for development. */
  allowPrivate: boolean;
  /** Milliseconds for the whole request: look-up, connection and answer. */
  timeoutMs: number;
}

/** The result of a POST: the answered status, or the reason for none. */
export interface PostResult {
  status: number | null;
  /** Null after a 2xx; else one of the codes in docs/events.md. */
  error: PostError | null;
  /** Milliseconds from Retry-After. */
  retryAfterMs: number | undefined;
  durationMs: number;
}

export type PostError =
  | 'address-refused'
  | 'name-unknown'
  | 'unreachable'
  | 'timed-out'
  | 'connection-lost'
  | 'tls-failed'
  | 'answer-unreadable'
  | 'redirected'
  | 'refused'
  | 'gone';

export interface Poster {
  /** Sends one request and discards the answer's body. Rejects only when `signal` was aborted. */
  post(message: {
    url: string;
    headers: Record<string, string>;
    body: string;
    signal: AbortSignal;
  }): Promise<PostResult>;
  close(): Promise<void>;
}

const CONNECT_TIMEOUT_MS = 5000;
const MAX_HEADER_BYTES = 16 * 1024;
/** The body is discarded, so it is read only up to this size to reuse the connection. */
const MAX_BODY_BYTES = 64 * 1024;
const BODY_MS = 1000;

class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
}

class NameUnknown extends Error {
  readonly code = 'NAME_UNKNOWN';
}

/**
 * Opens a client that posts to addresses which a stranger chose. Each new connection looks its name up and connects
 * only to an address that passed the check, so DNS rebinding gains nothing. Redirects are not followed.
 */
export function openPoster(options: PosterOptions): Poster {
  const agent = new Agent({
    connections: 1,
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, options.timeoutMs), lookup: checkedLookup(options) },
  });
  return {
    async post({ url, headers, body, signal }) {
      const started = performance.now();
      const done = (status: number | null, error: PostError | null, wait?: number): PostResult => ({
        status,
        error,
        retryAfterMs: wait,
        durationMs: Math.round(performance.now() - started),
      });
      // Checked each time: an address without a name never reaches `lookup`, and settings change.
      if (urlFault(url, options) !== null) return done(null, 'address-refused');
      const limit = AbortSignal.any([signal, AbortSignal.timeout(options.timeoutMs)]);
      try {
        const answer = await request(url, { dispatcher: agent, method: 'POST', headers, body, signal: limit });
        const asked = answer.headers['retry-after'];
        await discard(answer.body);
        return done(answer.statusCode, errorOfStatus(answer.statusCode), retryAfterMs(asked?.toString()));
      } catch (error) {
        signal.throwIfAborted();
        return done(null, limit.aborted ? 'timed-out' : errorOf(error));
      }
    },
    close: () => agent.destroy(),
  };
}

/** Resolves a connection's host name to the addresses that are allowed. */
function checkedLookup({ resolve, allowPrivate }: PosterOptions): LookupFunction {
  return (hostname, lookup, callback) => {
    resolve(hostname).then(
      (found) => {
        const allowed = found.filter(({ address }) => isAllowedAddress(address, { allowPrivate }));
        const [first] = allowed;
        if (!first) callback(new AddressRefused(`${hostname} has no public address`), '', 0);
        else if (lookup.all) callback(null, allowed);
        else callback(null, first.address, first.family);
      },
      (cause) => callback(new NameUnknown(`${hostname} cannot be looked up`, { cause }), '', 0),
    );
  };
}

/** Reads the short body of an honest receiver, so that the connection can be reused; cuts off any longer one. */
async function discard(body: Readable): Promise<void> {
  const timer = setTimeout(() => body.destroy(), BODY_MS);
  let size = 0;
  try {
    for await (const chunk of body) {
      size += (chunk as Buffer).length;
      if (size > MAX_BODY_BYTES) break; // which destroys the connection
    }
  } catch {
    // The status had arrived, so a broken body changes nothing.
  } finally {
    clearTimeout(timer);
  }
}

function errorOfStatus(status: number): PostError | null {
  if (status >= 200 && status < 300) return null;
  if (status === 410) return 'gone';
  return status >= 300 && status < 400 ? 'redirected' : 'refused';
}

const BY_CODE: readonly [RegExp, PostError][] = [
  [/^ADDRESS_REFUSED$/, 'address-refused'],
  [/^NAME_UNKNOWN$/, 'name-unknown'],
  [/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EACCES|EPERM)$/, 'unreachable'],
  [/^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)$/, 'timed-out'],
  [/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|EPROTO)/, 'tls-failed'],
  [/^(HPE_|HTTPParserError|UND_ERR_HEADERS_OVERFLOW)/, 'answer-unreadable'],
];

function errorOf(error: unknown): PostError {
  for (let at: unknown = error; at instanceof Error; at = at.cause ?? (at as AggregateError).errors?.[0]) {
    const code = String((at as { code?: unknown }).code ?? at.name);
    const known = BY_CODE.find(([pattern]) => pattern.test(code));
    if (known) return known[1];
  }
  return 'connection-lost';
}
