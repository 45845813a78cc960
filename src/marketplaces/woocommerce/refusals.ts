import { z } from 'zod';
import type { MarketplaceErrorType } from '../../domain/marketplace-error.ts';
import type { Effect } from '../../lib/http.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { refusalsOf, withoutTags } from '../refusals.ts';

/** `code` is a word, or the number of a PHP exception where the platform did not choose one. */
const PlatformError = z.object({
  code: z.union([z.string(), z.number()]),
  message: z.string(),
  data: z.object({ status: z.number() }).optional().catch(undefined),
});
type PlatformError = z.infer<typeof PlatformError>;

export const refusals = refusalsOf({
  provider: 'WooCommerce',
  source: "the shop's interface",
  // Every other refusal is about the caller: who may write, where, and how the interface is reached.
  settling: ['order_not_found', 'validation'],
  // ModSecurity blocks PUT and DELETE with 501.
  unseen: { 501: 'feature_disabled' },
  read(body, { status, effect }) {
    const { data: said } = PlatformError.safeParse(parseJson(body));
    if (!said) return null;
    return {
      words: withoutTags(said.message),
      type: typeOf(said, status, effect),
      isOwn: said.data?.status === status,
    };
  },
});
export const { refuse } = refusals;

function typeOf(said: PlatformError, status: number, effect: Effect): MarketplaceErrorType {
  const code = String(said.code);
  if (status === 401 || status === 403 || /_cannot_/.test(code)) return accessOf(said, status, effect);
  if (code === 'rest_no_route') return 'feature_disabled';
  // Only the platform's own word for a missing order ends it; any other 404 may be a wrong address.
  if (status === 404) return /_invalid_id$/.test(code) ? 'order_not_found' : 'configuration';
  return 'validation';
}

/**
 * A key without the permission to write gets the code of a wrong key, and words in the shop's language (recorded from WooCommerce
 * 11.0.1, 2026-11-22). Orders are read before anything is written, so a write that is refused so lacks the permission.
 */
function accessOf(said: PlatformError, status: number, effect: Effect): MarketplaceErrorType {
  const code = String(said.code);
  const isAboutKey = code === 'woocommerce_rest_authentication_error';
  if (isAboutKey && (effect === 'write' || /permissions/i.test(said.message))) return 'permission_missing';
  return status === 403 || /_cannot_(?!view)/.test(code) ? 'permission_missing' : 'auth_invalid';
}
