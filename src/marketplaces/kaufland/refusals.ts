import { z } from 'zod';
import type { MarketplaceErrorType } from '../../domain/marketplace-error.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { Text } from '../lenient.ts';
import { BY_STATUS, refusalsOf } from '../refusals.ts';

const KauflandError = z.object({
  message: z.string(),
  type: Text,
  errors: z.array(z.object({ field: Text, message: Text })).catch([]),
});

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

export const refusals = refusalsOf({
  provider: 'Kaufland',
  source: "Kaufland's interface",
  // A duplicate may be our own earlier try.
  settling: ['order_not_shippable', 'carrier_invalid', 'tracking_invalid', 'validation'],
  read(body, { status }) {
    const { data: said } = KauflandError.safeParse(parseJson(body));
    if (!said) return null;
    const { message, errors, type } = said;
    const details = errors.map((each) => `${each.field}: ${each.message}`);
    const field = errors.find((each) => BY_FIELD[each.field])?.field ?? '';
    return {
      words: [message, ...details].join('; ') + (type ? ` [${type}]` : ''),
      type: BY_PROBLEM[type] ?? BY_FIELD[field] ?? BY_STATUS[status] ?? 'validation',
      isOwn: type.startsWith('/problems/'),
    };
  },
});
export const { refuse } = refusals;
