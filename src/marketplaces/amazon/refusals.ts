import { z } from 'zod';
import type { MarketplaceErrorType } from '../../domain/marketplace-error.ts';
import { type FailureKind, IntegrationError } from '../../lib/errors.ts';
import type { Effect } from '../../lib/http.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { Text } from '../lenient.ts';

export const PROVIDER = 'Amazon';
const MAX_WORDS = 500;

const ErrorList = z.object({
  errors: z.array(z.object({ code: z.string(), message: z.string(), details: Text })).min(1),
});

/** RFC 6749, section 5.2. */
const LoginError = z.object({ error: z.string(), error_description: Text });

interface Meaning {
  kind: FailureKind;
  type: MarketplaceErrorType;
}

/**
 * What Amazon says with a 400, as reported by its users (amzn/selling-partner-api-models issues 492, 5037 and 5094,
 * read 2026-11-21). Fields are named by their path, which is how the carrier and the tracking number are told apart.
 */
const BY_WORDS: readonly (readonly [RegExp, MarketplaceErrorType])[] = [
  [/PackageToUpdateNotFound|not finding a matching package or order already fulfilled/i, 'already_shipped'],
  [/OrderItemId\s+is invalid/i, 'line_not_found'],
  [/packageReferenceId/i, 'configuration'],
  [/carrier(Code|Name)/i, 'carrier_invalid'],
  [/trackingNumber/i, 'tracking_invalid'],
];

/** Amazon's refusals of the very package. That there is none to update may be our own earlier try. */
const SETTLING = new Set<MarketplaceErrorType>(['line_not_found', 'carrier_invalid', 'tracking_invalid', 'validation']);

/** A refusal that we pronounce ourselves, after reading the order or what the platform `said`. */
export function refuse(type: MarketplaceErrorType, message: string, said?: IntegrationError): IntegrationError {
  const isAuthoritative = said?.isAuthoritative;
  return new IntegrationError(message, { kind: 'permanent', provider: PROVIDER, code: type, isAuthoritative });
}

/**
 * The same failure in Amazon's words; a transport failure, or a write that nobody knows about, stays as it is. `pauseMs` is
 * how long to wait when Amazon does not say: a 429 of Amazon's has no Retry-After.
 */
export function translateRefusal(
  error: unknown,
  call: { operation: string; effect: Effect; pauseMs: number },
): unknown {
  if (!isAnswered(error)) return error;
  const errors = ErrorList.safeParse(parseJson(error.body ?? '')).data?.errors ?? null;
  const words = errors?.map(({ code, message, details }) => `${message} ${details} [${code}]`).join('; ') ?? null;
  const meaning = meaningOf(error.status, words);
  const isAuthoritative = call.effect === 'write' && words !== null && SETTLING.has(meaning.type);
  return reworded(error, { ...call, words, meaning, isAuthoritative });
}

/** The same for the token's own address, which refuses in another form. */
export function translateLogin(error: unknown, call: { operation: string; pauseMs: number }): unknown {
  if (!isAnswered(error)) return error;
  const said = LoginError.safeParse(parseJson(error.body ?? '')).data;
  const words = said ? `${said.error_description} [${said.error}]` : null;
  const isRefused = said && error.status >= 400 && error.status < 500 && error.status !== 429;
  const type = said?.error === 'invalid_grant' ? 'auth_expired' : 'auth_invalid';
  const meaning: Meaning = isRefused ? { kind: 'permanent', type } : meaningOf(error.status, null);
  return reworded(error, { ...call, words, meaning });
}

function isAnswered(error: unknown): error is IntegrationError & { status: number } {
  return error instanceof IntegrationError && error.status !== undefined && error.kind !== 'unknown-outcome';
}

/** `words` is null when the body is not Amazon's own: something in between answered. */
function meaningOf(status: number, words: string | null): Meaning {
  if (status === 429) return { kind: 'retryable', type: 'rate_limited' };
  if (status >= 500 || status === 408) return { kind: 'retryable', type: 'platform_unavailable' };
  if (status < 400) return { kind: 'permanent', type: 'configuration' };
  if (words === null) return { kind: 'retryable', type: 'platform_unavailable' };
  return { kind: 'permanent', type: refusalOf(status, words) };
}

function refusalOf(status: number, words: string): MarketplaceErrorType {
  if (status === 401 || status === 403) {
    if (/access token.*(expired|revoked|invalid)/i.test(words)) return 'auth_expired';
    return status === 401 ? 'auth_invalid' : 'permission_missing';
  }
  if (status === 404) return 'order_not_found';
  return BY_WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'validation';
}

function reworded(
  error: IntegrationError & { status: number },
  {
    operation,
    pauseMs,
    words,
    meaning,
    isAuthoritative = false,
  }: { operation: string; pauseMs: number; words: string | null; meaning: Meaning; isAuthoritative?: boolean },
): IntegrationError {
  const said = words ?? `answer ${error.status} that is not from Amazon's interface`;
  return new IntegrationError(
    `${PROVIDER} refused ${operation}: ${said.replace(/\s+/g, ' ').trim().slice(0, MAX_WORDS)}`,
    {
      kind: meaning.kind,
      provider: PROVIDER,
      code: meaning.type,
      status: error.status,
      retryAfterMs: error.retryAfterMs ?? (meaning.type === 'rate_limited' ? pauseMs : undefined),
      body: error.body,
      isAuthoritative,
      cause: error,
    },
  );
}
