import { z } from 'zod';
import type { MarketplaceErrorType } from '../../domain/marketplace-error.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { Text } from '../lenient.ts';
import { BY_STATUS, refusalsOf, type Said } from '../refusals.ts';

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

/** One id for a wrong tracking number and for a wrong carrier. */
const TRACKING_OR_CARRIER = 32300;

const BY_LOGIN_ERROR: Readonly<Record<string, MarketplaceErrorType>> = {
  invalid_grant: 'auth_expired',
  invalid_client: 'auth_invalid',
  unauthorized_client: 'auth_invalid',
  invalid_scope: 'permission_missing',
};

export const refusals = refusalsOf({
  provider: 'eBay',
  source: "eBay's interface",
  // A fulfilment that is there already may be our own earlier try.
  settling: ['line_not_found', 'order_not_shippable', 'carrier_invalid', 'tracking_invalid', 'validation'],
  // eBay's limits are those of a day, and it names no pause: this one is ours.
  pauseMs: 15 * 60_000,
  read(body, { status }): Said | null {
    const json = parseJson(body);
    const [first, ...more] = EbayErrors.safeParse(json).data?.errors ?? [];
    if (first) {
      const words = [first, ...more].map((error) => `${error.longMessage || error.message} [${error.errorId}]`);
      const isOwn = first.errorId in BY_ERROR_ID || first.errorId === TRACKING_OR_CARRIER;
      return { words: words.join('; '), type: typeOf(first, status), isOwn };
    }
    const login = LoginError.safeParse(json).data;
    if (!login) return null;
    const words = `${login.error_description || login.error} [${login.error}]`;
    return { words, type: BY_LOGIN_ERROR[login.error] ?? 'configuration', isOwn: false };
  },
});
export const { refuse } = refusals;

function typeOf({ errorId, parameters = [] }: EbayError, status: number): MarketplaceErrorType {
  if (errorId === TRACKING_OR_CARRIER) {
    return parameters.some(({ name }) => /carrier/i.test(name)) ? 'carrier_invalid' : 'tracking_invalid';
  }
  return BY_ERROR_ID[errorId] ?? (status === 409 ? 'already_shipped' : BY_STATUS[status]) ?? 'validation';
}
