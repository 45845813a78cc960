import { z } from 'zod';
import type { MarketplaceErrorType } from '../../domain/marketplace-error.ts';
import { type FailureKind, IntegrationError } from '../../lib/errors.ts';
import type { Effect } from '../../lib/http.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { Text } from '../lenient.ts';

const PROVIDER = 'eBay';
const MAX_WORDS = 500;
/** eBay's limits are those of a day, and it names no pause: this one is ours. */
const RATE_LIMIT_PAUSE_MS = 15 * 60_000;

const EbayErrors = z.object({
  errors: z
    .array(
      z.object({
        errorId: z.coerce.number(),
        message: Text,
        longMessage: Text,
        parameters: z.array(z.object({ name: Text })).optional(),
      }),
    )
    .min(1),
});
type EbayError = z.infer<typeof EbayErrors>['errors'][number];

/** RFC 6749, section 5.2: the token's address refuses in this form. */
const LoginError = z.object({ error: z.string(), error_description: Text });

/** From the official description of the interface, and the common ones of developer.ebay.com (read 2026-11-21). */
const BY_ERROR_ID: Readonly<Record<number, MarketplaceErrorType>> = {
  1001: 'auth_expired',
  1002: 'auth_invalid',
  1003: 'auth_invalid',
  1100: 'permission_missing',
  2001: 'rate_limited',
  2002: 'configuration',
  30700: 'configuration',
  30800: 'configuration',
  30810: 'configuration',
  30820: 'configuration',
  30830: 'configuration',
  30840: 'configuration',
  30850: 'configuration',
  30900: 'configuration',
  31000: 'configuration',
  31100: 'configuration',
  32100: 'order_not_found',
  32110: 'order_not_found',
  32200: 'line_not_found',
  32210: 'validation',
  32400: 'permission_missing',
  32500: 'validation',
  32600: 'validation',
  32800: 'configuration',
  34100: 'quantity_exceeded',
  34200: 'order_not_shippable',
  34300: 'order_not_shippable',
  34500: 'already_shipped',
};

/** What eBay says of the tracking number and of the carrier with one and the same id. */
const TRACKING_OR_CARRIER = 32300;

const BY_STATUS: Readonly<Record<number, MarketplaceErrorType>> = {
  401: 'auth_invalid',
  403: 'permission_missing',
  404: 'order_not_found',
  409: 'already_shipped',
};

const BY_LOGIN_ERROR: Readonly<Record<string, MarketplaceErrorType>> = {
  invalid_grant: 'auth_expired',
  invalid_client: 'auth_invalid',
  unauthorized_client: 'auth_invalid',
  invalid_scope: 'permission_missing',
};

/** EBay's refusals of the very fulfilment. That there is one already may be our own earlier try. */
const SETTLING = new Set<MarketplaceErrorType>([
  'line_not_found',
  'order_not_shippable',
  'carrier_invalid',
  'tracking_invalid',
  'validation',
]);

/** A refusal that we pronounce ourselves, after reading the order or what the platform `said`. */
export function refuse(type: MarketplaceErrorType, message: string, said?: IntegrationError): IntegrationError {
  const isAuthoritative = said?.isAuthoritative;
  return new IntegrationError(message, { kind: 'permanent', provider: PROVIDER, code: type, isAuthoritative });
}

/** The same failure in eBay's words; a transport failure, or a write that nobody knows about, stays as it is. */
export function translateRefusal(
  error: unknown,
  { operation, effect }: { operation: string; effect: Effect },
): unknown {
  if (!(error instanceof IntegrationError) || error.status === undefined || error.kind === 'unknown-outcome') {
    return error;
  }
  const said = readBody(error.body ?? '', error.status);
  const [kind, type] = meaningOf(error.status, said?.type ?? null);
  const words = said?.words ?? `answer ${error.status} that is not from eBay's interface`;
  return new IntegrationError(`${PROVIDER} refused ${operation}: ${words.slice(0, MAX_WORDS)}`, {
    kind,
    provider: PROVIDER,
    code: type,
    status: error.status,
    retryAfterMs: error.retryAfterMs ?? (type === 'rate_limited' ? RATE_LIMIT_PAUSE_MS : undefined),
    body: error.body,
    isAuthoritative: effect === 'write' && kind === 'permanent' && said?.isNumbered === true && SETTLING.has(type),
    cause: error,
  });
}

/** A success that does not look like one. */
export function unreadable(operation: string, options: { kind: FailureKind; code: string; status: number }) {
  const message = `${PROVIDER} answered ${operation} with something that could not be read`;
  return new IntegrationError(message, { ...options, provider: PROVIDER });
}

interface Said {
  words: string;
  type: MarketplaceErrorType;
  /** Whether its number is one of the interface's own. */
  isNumbered: boolean;
}

/** Null when the body is in neither of eBay's forms: something in between answered. */
function readBody(text: string, status: number): Said | null {
  const json = parseJson(text);
  const [first, ...more] = EbayErrors.safeParse(json).data?.errors ?? [];
  if (first) {
    const words = [first, ...more].map((error) => `${error.longMessage || error.message} [${error.errorId}]`);
    const isNumbered = first.errorId in BY_ERROR_ID || first.errorId === TRACKING_OR_CARRIER;
    return { words: words.join('; '), type: typeOf(first, status), isNumbered };
  }
  const login = LoginError.safeParse(json).data;
  if (!login) return null;
  const words = `${login.error_description || login.error} [${login.error}]`;
  return { words, type: BY_LOGIN_ERROR[login.error] ?? 'configuration', isNumbered: false };
}

function typeOf({ errorId, parameters = [] }: EbayError, status: number): MarketplaceErrorType {
  if (errorId === TRACKING_OR_CARRIER) {
    return parameters.some(({ name }) => /carrier/i.test(name)) ? 'carrier_invalid' : 'tracking_invalid';
  }
  return BY_ERROR_ID[errorId] ?? BY_STATUS[status] ?? 'validation';
}

function meaningOf(status: number, type: MarketplaceErrorType | null): [FailureKind, MarketplaceErrorType] {
  if (status === 429 || type === 'rate_limited') return ['retryable', 'rate_limited'];
  if (status >= 500 || status === 408) return ['retryable', 'platform_unavailable'];
  if (status < 400) return ['permanent', 'configuration'];
  return type === null ? ['retryable', 'platform_unavailable'] : ['permanent', type];
}
