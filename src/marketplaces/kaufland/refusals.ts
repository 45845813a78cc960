import { z } from 'zod';
import type { MarketplaceErrorType } from '../../domain/marketplace-error.ts';
import { type FailureKind, IntegrationError } from '../../lib/errors.ts';
import type { Effect } from '../../lib/http.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { Text } from '../lenient.ts';

const PROVIDER = 'Kaufland';
const MAX_WORDS = 500;

const KauflandError = z.object({
  message: z.string(),
  type: Text,
  errors: z.array(z.object({ field: Text, message: Text })).catch([]),
});
type KauflandError = z.infer<typeof KauflandError>;

/** ProblemType of Kaufland's description (2.27.0), as far as it concerns orders; what they mean is read from their names. */
const BY_PROBLEM: Readonly<Record<string, MarketplaceErrorType>> = {
  '/problems/action-not-allowed': 'order_not_shippable',
  '/problems/corrupted-signature': 'auth_invalid',
  '/problems/duplicate-action': 'already_shipped',
  '/problems/forbidden': 'permission_missing',
  '/problems/inactive-account': 'feature_disabled',
  '/problems/invalid-credentials': 'auth_invalid',
  '/problems/missing-or-invalid-request-header': 'configuration',
  '/problems/not-found': 'order_not_found',
  '/problems/order-units/missing-payment': 'order_not_shippable',
  '/problems/storefront-not-configured': 'configuration',
  '/problems/unauthorized': 'auth_invalid',
};

const BY_FIELD: Readonly<Record<string, MarketplaceErrorType>> = {
  carrier_code: 'carrier_invalid',
  tracking_numbers: 'tracking_invalid',
};

const BY_STATUS: Readonly<Record<number, MarketplaceErrorType>> = {
  401: 'auth_invalid',
  403: 'permission_missing',
  404: 'order_not_found',
};

/** Kaufland's refusals of the very unit. A duplicate may be our own earlier try. */
const SETTLING = new Set<MarketplaceErrorType>([
  'order_not_shippable',
  'carrier_invalid',
  'tracking_invalid',
  'validation',
]);

/** A refusal that we pronounce ourselves, after reading the order. */
export function refuse(type: MarketplaceErrorType, message: string): IntegrationError {
  return new IntegrationError(message, { kind: 'permanent', provider: PROVIDER, code: type });
}

/** The same failure in Kaufland's words; a transport failure, or a write that nobody knows about, stays as it is. */
export function translateRefusal(
  error: unknown,
  { operation, effect }: { operation: string; effect: Effect },
): unknown {
  if (!(error instanceof IntegrationError) || error.status === undefined || error.kind === 'unknown-outcome') {
    return error;
  }
  const said = KauflandError.safeParse(parseJson(error.body ?? '')).data ?? null;
  const [kind, code] = meaningOf(error.status, said);
  const isOwn = said?.type.startsWith('/problems/') === true;
  const words = said ? wordsOf(said) : `answer ${error.status} that is not from Kaufland's interface`;
  return new IntegrationError(`${PROVIDER} refused ${operation}: ${words.slice(0, MAX_WORDS)}`, {
    kind,
    provider: PROVIDER,
    code,
    status: error.status,
    retryAfterMs: error.retryAfterMs,
    body: error.body,
    isAuthoritative: effect === 'write' && kind === 'permanent' && isOwn && SETTLING.has(code),
    cause: error,
  });
}

/** A success that does not look like one. */
export function unreadable(operation: string, options: { kind: FailureKind; code: string; status: number }) {
  const message = `${PROVIDER} answered ${operation} with something that could not be read`;
  return new IntegrationError(message, { ...options, provider: PROVIDER });
}

function wordsOf({ message, errors, type }: KauflandError): string {
  const details = errors.map((each) => `${each.field}: ${each.message}`);
  return [message, ...details].join('; ') + (type ? ` [${type}]` : '');
}

/** `said` is null when something in between answered, such as a firewall. */
function meaningOf(status: number, said: KauflandError | null): [FailureKind, MarketplaceErrorType] {
  if (status === 429) return ['retryable', 'rate_limited'];
  if (status >= 500 || status === 408) return ['retryable', 'platform_unavailable'];
  if (status < 400) return ['permanent', 'configuration'];
  if (!said) return ['retryable', 'platform_unavailable'];
  const field = said.errors.find((each) => BY_FIELD[each.field])?.field ?? '';
  return ['permanent', BY_PROBLEM[said.type] ?? BY_FIELD[field] ?? BY_STATUS[status] ?? 'validation'];
}
