import type { MarketplaceErrorType } from '../domain/marketplace-error.ts';
import { type FailureKind, IntegrationError } from '../lib/errors.ts';
import type { Effect } from '../lib/http.ts';

/** Characters of a platform's own words in a message. */
const MAX_LENGTH = 500;

/** The same request may succeed later with these; every other type is final. */
export const PASSING = new Set<MarketplaceErrorType>(['rate_limited', 'platform_unavailable']);

export interface Call {
  operation: string;
  effect: Effect;
  /** Milliseconds to wait after a throttled call without a Retry-After. */
  pauseMs?: number | undefined;
}

/** A refusal in the platform's own form. */
export interface Said {
  words: string;
  type: MarketplaceErrorType;
  /** False: the form alone does not prove that the platform's interface answered. Absent: true. */
  isOwn?: boolean;
}

/** One platform's meanings. */
export interface RefusalTable {
  provider: string;
  /** Names the interface, as in "answer 403 that is not from eBay's interface". */
  source: string;
  /** Types that say that nothing was done, and that no earlier try of ours can cause. */
  settling: readonly MarketplaceErrorType[];
  /** Milliseconds to wait after a throttled call without a Retry-After, or how to read them from the body. */
  pauseMs?: number | ((body: string) => number | undefined);
  /** Statuses of something in front of the platform, which therefore never saw the request. */
  unseen?: Readonly<Record<number, MarketplaceErrorType>>;
  /** Reads an error body. Null: it is not in the platform's form, so something in between answered. */
  read(body: string, call: Call & { status: number }): Said | null;
}

export interface Refusals {
  provider: string;
  /** Makes a refusal of our own, after reading the order or what the platform `said`. */
  refuse(
    type: MarketplaceErrorType,
    message: string,
    said?: Pick<IntegrationError, 'isAuthoritative'>,
  ): IntegrationError;
  /** Returns the failure in the platform's words. A transport failure, or a write of unknown outcome, stays as it is. */
  translate(error: unknown, call: Call): unknown;
  /** Makes the failure of a good status whose body is not what the interface promises. */
  unreadable(call: Call, answer: { status: number; isJson?: boolean; body?: string }): IntegrationError;
}

/** The usual meaning of a status whose body names no reason that we know. */
export const BY_STATUS: Readonly<Record<number, MarketplaceErrorType>> = {
  401: 'auth_invalid',
  403: 'permission_missing',
  404: 'order_not_found',
};

/** Sentences and their meaning; the first that matches counts. */
export type Sentences = readonly (readonly [RegExp, MarketplaceErrorType])[];

/** Returns `validation` for words that match no sentence. */
export function typeOfWords(sentences: Sentences, words: string): MarketplaceErrorType {
  return sentences.find(([pattern]) => pattern.test(words))?.[1] ?? 'validation';
}

/** Makes the failures that a platform's answer does not word. */
export function failuresOf(provider: string): Omit<Refusals, 'translate'> {
  return {
    provider,
    refuse: (code, message, said) =>
      new IntegrationError(message, { kind: 'permanent', provider, code, isAuthoritative: said?.isAuthoritative }),
    unreadable: ({ operation, effect }, { status, isJson = true, body }) =>
      new IntegrationError(`${provider} answered ${operation} with something that could not be read`, {
        kind: effect === 'write' ? 'unknown-outcome' : 'retryable',
        provider,
        code: effect === 'read' && !isJson ? 'platform_unavailable' : 'answer-unreadable',
        status,
        body,
      }),
  };
}

/** Makes all failures of a platform whose status comes before its words. */
export function refusalsOf(table: RefusalTable): Refusals {
  return {
    ...failuresOf(table.provider),
    translate(error, call) {
      if (!(error instanceof IntegrationError) || error.status === undefined) return error;
      const unseen = table.unseen?.[error.status];
      if (error.kind === 'unknown-outcome' && unseen === undefined) return error;
      const { body = '' } = error;
      const said = table.read(body, { ...call, status: error.status });
      const type = unseen ?? typeOf(error.status, said);
      const pauseMs = typeof table.pauseMs === 'function' ? table.pauseMs(body) : table.pauseMs;
      const isSettling = table.settling.includes(type) && said !== null && said.isOwn !== false;
      return reworded(error, {
        provider: table.provider,
        operation: call.operation,
        words: said?.words ?? `answer ${error.status} that is not from ${table.source}`,
        kind: PASSING.has(type) ? 'retryable' : 'permanent',
        type,
        pauseMs: type === 'rate_limited' ? (call.pauseMs ?? pauseMs) : undefined,
        isAuthoritative: call.effect === 'write' && isSettling,
      });
    },
  };
}

/** Nothing final is read from a page of a firewall or of maintenance. */
function typeOf(status: number, said: Said | null): MarketplaceErrorType {
  if (status === 429 || said?.type === 'rate_limited') return 'rate_limited';
  if (status >= 500 || status === 408) return 'platform_unavailable';
  if (status < 400) return 'configuration';
  return said?.type ?? 'platform_unavailable';
}

interface Rewording {
  provider: string;
  operation: string;
  words: string;
  kind: FailureKind;
  type: MarketplaceErrorType;
  pauseMs?: number | undefined;
  isAuthoritative: boolean;
}

/** Returns the failure of an answered call with a meaning and the platform's own words. */
export function reworded(error: IntegrationError, meaning: Rewording): IntegrationError {
  const { provider, operation, words, kind, type, pauseMs, isAuthoritative } = meaning;
  return new IntegrationError(`${provider} refused ${operation}: ${shortened(words)}`, {
    kind,
    provider,
    code: type,
    status: error.status,
    retryAfterMs: error.retryAfterMs ?? pauseMs,
    body: error.body,
    isAuthoritative,
    cause: error,
  });
}

/** Returns a platform's words on one line, cut to a length for people. */
export function shortened(words: string): string {
  return words.replace(/\s+/g, ' ').trim().slice(0, MAX_LENGTH);
}

/** Drops the tags of a sentence that a shop wrote for its own pages. */
export function withoutTags(words: string): string {
  return words.replace(/<[^>]*>/g, '');
}

/** Tells whether a failure says that the platform has no such order. */
export function isAbsence(error: unknown): boolean {
  return error instanceof IntegrationError && error.code === 'order_not_found';
}

/** Resolves to null where the platform has no such order. */
export async function nullIfAbsent<Found>(reading: Promise<Found>): Promise<Found | null> {
  try {
    return await reading;
  } catch (error) {
    if (isAbsence(error)) return null;
    throw error;
  }
}
