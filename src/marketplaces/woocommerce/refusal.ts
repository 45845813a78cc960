import { z } from 'zod';
import type { MarketplaceErrorType } from '../../domain/marketplace-error.ts';
import { type FailureKind, IntegrationError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/parse-json.ts';

export const PROVIDER = 'WooCommerce';
const MAX_WORDS = 300;

/** `code` is a word, or the number of a PHP exception where the platform did not choose one. */
const PlatformError = z.object({ code: z.union([z.string(), z.number()]), message: z.string() });

interface Meaning {
  kind: FailureKind;
  type: MarketplaceErrorType;
}

/** A refusal that we pronounce ourselves, after reading the order. */
export function refuse(type: MarketplaceErrorType, message: string): IntegrationError {
  return new IntegrationError(message, { kind: 'permanent', provider: PROVIDER, code: type });
}

/** The same failure in the words of the platform; a transport failure, or a write that nobody knows about, stays as it is. */
export function translateRefusal(error: unknown, operation: string): unknown {
  if (!(error instanceof IntegrationError) || error.status === undefined) return error;
  if (error.kind === 'unknown-outcome' && error.status !== 501) return error;
  const said = PlatformError.safeParse(parseJson(error.body ?? ''));
  const meaning = meaningOf(error.status, said.success ? String(said.data.code) : null);
  const words = said.success ? said.data.message : `answer ${error.status} that is not from the shop's interface`;
  return new IntegrationError(`${PROVIDER} refused ${operation}: ${plain(words)}`, {
    kind: meaning.kind,
    provider: PROVIDER,
    code: meaning.type,
    status: error.status,
    retryAfterMs: error.retryAfterMs,
    body: error.body,
    cause: error,
  });
}

/** `code` is null when the body is not the interface's own: a firewall, a maintenance page. */
function meaningOf(status: number, code: string | null): Meaning {
  if (status === 429) return { kind: 'retryable', type: 'rate_limited' };
  // ModSecurity blocks PUT and DELETE with 501: the shop itself never saw the request.
  if (status === 501) return { kind: 'permanent', type: 'feature_disabled' };
  if (status >= 500 || status === 408) return { kind: 'retryable', type: 'platform_unavailable' };
  if (status < 400) return { kind: 'permanent', type: 'configuration' };
  if (code === null) return { kind: 'retryable', type: 'platform_unavailable' };
  if (status === 403 || /_cannot_(?!view)/.test(code)) return { kind: 'permanent', type: 'permission_missing' };
  if (status === 401) return { kind: 'permanent', type: 'auth_invalid' };
  if (code === 'rest_no_route') return { kind: 'permanent', type: 'feature_disabled' };
  if (status === 404) return { kind: 'permanent', type: 'order_not_found' };
  return { kind: 'permanent', type: 'validation' };
}

function plain(words: string): string {
  return words
    .replace(/<[^>]*>/g, '')
    .trim()
    .slice(0, MAX_WORDS);
}
