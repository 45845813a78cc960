import { z } from 'zod';
import type { MarketplaceErrorType } from '../../domain/marketplace-error.ts';
import { type FailureKind, IntegrationError } from '../../lib/errors.ts';
import type { Effect } from '../../lib/http.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { Text } from '../lenient.ts';

const PROVIDER = 'Mirakl';
const MAX_WORDS = 500;
/** Where a refusal names no pause: the shortest that Mirakl asks for between two lists of orders. */
const RATE_LIMIT_PAUSE_MS = 60_000;

/** The one form that is known of Mirakl's errors; the descriptions of the operations model none. */
const MiraklError = z.object({ message: z.string(), code: Text });

/** The codes of OR21 that say more than "validation" (official description, read 2026-11-21). */
const BY_CODE: Readonly<Record<string, MarketplaceErrorType>> = {
  ORDER_NOT_FOUND: 'order_not_found',
  ORDER_INVALID_STATE: 'order_not_shippable',
  ORDER_FULFILLED_UNAUTHORIZED: 'order_not_shippable',
  ORDER_LINE_NOT_FOUND: 'line_not_found',
  ORDER_PARTIAL_ACCEPTANCE_DISABLED: 'feature_disabled',
};

const BY_STATUS: Readonly<Record<number, MarketplaceErrorType>> = {
  401: 'auth_invalid',
  403: 'permission_missing',
  404: 'order_not_found',
};

/** The first three from the examples of ST01 in the official description (read 2026-11-21), the last from sellers' reports. */
const BY_WORDS: readonly (readonly [RegExp, MarketplaceErrorType])[] = [
  [/status must be '?SHIPPING'? but it is '?(SHIPPED|TO_COLLECT|RECEIVED|CLOSED)\b/i, 'already_shipped'],
  [/order status must be/i, 'order_not_shippable'],
  [/quantity is invalid/i, 'quantity_exceeded'],
  [/carrier/i, 'carrier_invalid'],
  [/tracking/i, 'tracking_invalid'],
];

/**
 * Types that only Mirakl's own codes and sentences lead to, and that say that nothing was done. `already_shipped` and
 * `quantity_exceeded` may be said because an earlier try did it.
 */
const SETTLING = new Set<MarketplaceErrorType>([
  'order_not_shippable',
  'line_not_found',
  'carrier_invalid',
  'tracking_invalid',
]);

/** A refusal that we pronounce ourselves, after reading the order; authoritative where it repeats Mirakl's own. */
export function refuse(type: MarketplaceErrorType, message: string, isAuthoritative = false): IntegrationError {
  return new IntegrationError(message, { kind: 'permanent', provider: PROVIDER, code: type, isAuthoritative });
}

/** ST01 refuses inside of a 201. */
export function refusedShipment(operation: string, words: string): IntegrationError {
  const type = byWords(words);
  const isSettling = type === 'validation' || SETTLING.has(type);
  return refuse(type, `${PROVIDER} refused ${operation}: ${words.slice(0, MAX_WORDS)}`, isSettling);
}

/** The same failure in Mirakl's words; a transport failure, or a write that nobody knows about, stays as it is. */
export function translateRefusal(
  error: unknown,
  { operation, effect }: { operation: string; effect: Effect },
): unknown {
  if (!(error instanceof IntegrationError) || error.status === undefined || error.kind === 'unknown-outcome') {
    return error;
  }
  const said = MiraklError.safeParse(parseJson(error.body ?? '')).data ?? null;
  const [kind, type] = meaningOf(error.status, said);
  const words = said
    ? `${said.message}${said.code && ` [${said.code}]`}`
    : `answer ${error.status} that is not from Mirakl's interface`;
  return new IntegrationError(`${PROVIDER} refused ${operation}: ${words.slice(0, MAX_WORDS)}`, {
    kind,
    provider: PROVIDER,
    code: type,
    status: error.status,
    retryAfterMs: error.retryAfterMs ?? (type === 'rate_limited' ? RATE_LIMIT_PAUSE_MS : undefined),
    body: error.body,
    isAuthoritative: effect === 'write' && kind === 'permanent' && SETTLING.has(type),
    cause: error,
  });
}

/** A success that does not look like one. */
export function unreadable(operation: string, options: { kind: FailureKind; code: string; status: number }) {
  const message = `${PROVIDER} answered ${operation} with something that could not be read`;
  return new IntegrationError(message, { ...options, provider: PROVIDER });
}

/** `said` is null when the body is not Mirakl's: something in between answered. */
function meaningOf(
  status: number,
  said: { message: string; code: string } | null,
): [FailureKind, MarketplaceErrorType] {
  if (status === 429) return ['retryable', 'rate_limited'];
  if (status >= 500 || status === 408) return ['retryable', 'platform_unavailable'];
  if (status < 400) return ['permanent', 'configuration'];
  if (!said) return ['retryable', 'platform_unavailable'];
  return ['permanent', BY_CODE[said.code] ?? BY_STATUS[status] ?? byWords(said.message)];
}

function byWords(words: string): MarketplaceErrorType {
  return BY_WORDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'validation';
}
