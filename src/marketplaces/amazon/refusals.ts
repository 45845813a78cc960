import { z } from 'zod';
import type { MarketplaceErrorType } from '../../domain/marketplace-error.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { Text } from '../lenient.ts';
import { refusalsOf, type Sentences, typeOfWords } from '../refusals.ts';

const ErrorList = z.object({
  errors: z.array(z.object({ code: z.string(), message: z.string(), details: Text })).min(1),
});

/** RFC 6749, section 5.2. */
const LoginError = z.object({ error: z.string(), error_description: Text });

/**
 * Words of a 400, as reported by Amazon's users (amzn/selling-partner-api-models issues 492, 5037 and 5094, read
 * 2026-11-21). Amazon names fields by their path, which tells the carrier and the tracking number apart.
 */
const BY_WORDS: Sentences = [
  [/PackageToUpdateNotFound|not finding a matching package or order already fulfilled/i, 'already_shipped'],
  [/OrderItemId\s+is invalid/i, 'line_not_found'],
  [/packageReferenceId/i, 'configuration'],
  [/carrier(Code|Name)/i, 'carrier_invalid'],
  [/trackingNumber/i, 'tracking_invalid'],
];

/** A 429 of Amazon's has no Retry-After: each call brings the pause of its usage plan. */
export const refusals = refusalsOf({
  provider: 'Amazon',
  source: "Amazon's interface",
  // A package that is not there to update may be our own earlier try.
  settling: ['line_not_found', 'carrier_invalid', 'tracking_invalid', 'validation'],
  read(body, { status }) {
    const errors = ErrorList.safeParse(parseJson(body)).data?.errors;
    if (!errors) return null;
    const words = errors.map(({ code, message, details }) => `${message} ${details} [${code}]`).join('; ');
    return { words, type: typeOf(status, words) };
  },
});
export const { refuse } = refusals;

/** The token's own address refuses in another form. */
export const loginRefusals = refusalsOf({
  provider: 'Amazon',
  source: "Amazon's interface",
  settling: [],
  pauseMs: 60_000,
  read(body) {
    const said = LoginError.safeParse(parseJson(body)).data;
    if (!said) return null;
    const type = said.error === 'invalid_grant' ? 'auth_expired' : 'auth_invalid';
    return { words: `${said.error_description} [${said.error}]`, type };
  },
});

function typeOf(status: number, words: string): MarketplaceErrorType {
  if (status === 401 || status === 403) {
    if (/access token.*(expired|revoked|invalid)/i.test(words)) return 'auth_expired';
    return status === 401 ? 'auth_invalid' : 'permission_missing';
  }
  return status === 404 ? 'order_not_found' : typeOfWords(BY_WORDS, words);
}
