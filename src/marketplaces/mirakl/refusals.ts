import { z } from 'zod';
import type { MarketplaceErrorType } from '../../domain/marketplace-error.ts';
import type { IntegrationError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { Text } from '../lenient.ts';
import { BY_STATUS, refusalsOf, type Sentences, shortened, typeOfWords } from '../refusals.ts';

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

/** The first three from the examples of ST01 in the official description (read 2026-11-21), the last from sellers' reports. */
const BY_WORDS: Sentences = [
  [/status must be '?SHIPPING'? but it is '?(SHIPPED|TO_COLLECT|RECEIVED|CLOSED)\b/i, 'already_shipped'],
  [/order status must be/i, 'order_not_shippable'],
  [/quantity is invalid/i, 'quantity_exceeded'],
  [/carrier/i, 'carrier_invalid'],
  [/tracking/i, 'tracking_invalid'],
];

/**
 * Only Mirakl's own codes and sentences lead to these, and they say that nothing was done. `already_shipped` and
 * `quantity_exceeded` may be said because an earlier try did it.
 */
const SETTLING: readonly MarketplaceErrorType[] = [
  'order_not_shippable',
  'line_not_found',
  'carrier_invalid',
  'tracking_invalid',
];

export const refusals = refusalsOf({
  provider: 'Mirakl',
  source: "Mirakl's interface",
  settling: SETTLING,
  // The shortest pause that Mirakl asks for between two lists of orders.
  pauseMs: 60_000,
  read(body, { status }) {
    const { data: said } = MiraklError.safeParse(parseJson(body));
    if (!said) return null;
    const words = `${said.message}${said.code && ` [${said.code}]`}`;
    return { words, type: BY_CODE[said.code] ?? BY_STATUS[status] ?? typeOfWords(BY_WORDS, said.message) };
  },
});
export const { refuse } = refusals;

/** Makes the refusal that ST01 answers inside of a 201. */
export function refusedShipment(operation: string, words: string): IntegrationError {
  const type = typeOfWords(BY_WORDS, words);
  const isAuthoritative = type === 'validation' || SETTLING.includes(type);
  return refuse(type, `Mirakl refused ${operation}: ${shortened(words)}`, { isAuthoritative });
}
