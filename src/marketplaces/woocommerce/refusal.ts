import { z } from 'zod';
import type { MarketplaceErrorType } from '../../domain/marketplace-error.ts';
import { type FailureKind, IntegrationError } from '../../lib/errors.ts';
import type { Effect } from '../../lib/http.ts';
import { parseJson } from '../../lib/parse-json.ts';

export const PROVIDER = 'WooCommerce';
const MAX_WORDS = 300;

/** `code` is a word, or the number of a PHP exception where the platform did not choose one. */
const PlatformError = z.object({
  code: z.union([z.string(), z.number()]),
  message: z.string(),
  data: z.object({ status: z.number() }).optional().catch(undefined),
});

interface Meaning {
  kind: FailureKind;
  type: MarketplaceErrorType;
}

/** A refusal that we pronounce ourselves, after reading the order. */
export function refuse(type: MarketplaceErrorType, message: string): IntegrationError {
  return new IntegrationError(message, { kind: 'permanent', provider: PROVIDER, code: type });
}

/** Refusals that say nothing about what was written: who may write, where, and how the interface is reached. */
const ABOUT_THE_CALLER = new Set<MarketplaceErrorType>([
  'auth_invalid',
  'permission_missing',
  'feature_disabled',
  'configuration',
]);

/** The same failure in the words of the platform; a transport failure, or a write of unknown outcome, stays as it is. */
export function translateRefusal(
  error: unknown,
  { operation, effect }: { operation: string; effect: Effect },
): unknown {
  if (!(error instanceof IntegrationError) || error.status === undefined) return error;
  if (error.kind === 'unknown-outcome' && error.status !== 501) return error;
  const { data: said } = PlatformError.safeParse(parseJson(error.body ?? ''));
  const meaning = meaningOf(error.status, effect, said);
  const words = said ? said.message : `answer ${error.status} that is not from the shop's interface`;
  return new IntegrationError(`${PROVIDER} refused ${operation}: ${plain(words)}`, {
    kind: meaning.kind,
    provider: PROVIDER,
    code: meaning.type,
    status: error.status,
    retryAfterMs: error.retryAfterMs,
    body: error.body,
    isAuthoritative:
      effect === 'write' &&
      meaning.kind === 'permanent' &&
      said?.data?.status === error.status &&
      !ABOUT_THE_CALLER.has(meaning.type),
    cause: error,
  });
}

/** `said` is absent when the body is not the interface's own: a firewall, a maintenance page. */
function meaningOf(status: number, effect: Effect, said: z.infer<typeof PlatformError> | undefined): Meaning {
  if (status === 429) return { kind: 'retryable', type: 'rate_limited' };
  // ModSecurity blocks PUT and DELETE with 501: the shop itself never saw the request.
  if (status === 501) return { kind: 'permanent', type: 'feature_disabled' };
  if (status >= 500 || status === 408) return { kind: 'retryable', type: 'platform_unavailable' };
  if (status < 400) return { kind: 'permanent', type: 'configuration' };
  if (!said) return { kind: 'retryable', type: 'platform_unavailable' };
  const code = String(said.code);
  if (status === 401 || status === 403 || /_cannot_/.test(code))
    return { kind: 'permanent', type: accessOf(said, status, effect) };
  if (code === 'rest_no_route') return { kind: 'permanent', type: 'feature_disabled' };
  // Only the platform's own word for a missing order ends it; any other 404 may be a wrong address.
  if (status === 404)
    return { kind: 'permanent', type: /_invalid_id$/.test(code) ? 'order_not_found' : 'configuration' };
  return { kind: 'permanent', type: 'validation' };
}

/**
 * A key without the permission to write gets the code of a wrong key, and words in the shop's language (recorded from WooCommerce
 * 11.0.1, 2026-11-22). Orders are read before anything is written, so a write that is refused so lacks the permission.
 */
function accessOf(said: z.infer<typeof PlatformError>, status: number, effect: Effect): MarketplaceErrorType {
  const code = String(said.code);
  const isAboutKey = code === 'woocommerce_rest_authentication_error';
  if (isAboutKey && (effect === 'write' || /permissions/i.test(said.message))) return 'permission_missing';
  return status === 403 || /_cannot_(?!view)/.test(code) ? 'permission_missing' : 'auth_invalid';
}

function plain(words: string): string {
  return words
    .replace(/<[^>]*>/g, '')
    .trim()
    .slice(0, MAX_WORDS);
}
