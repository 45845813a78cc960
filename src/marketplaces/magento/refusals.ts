import { z } from 'zod';
import type { MarketplaceErrorType } from '../../domain/marketplace-error.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { refusalsOf, type Sentences, typeOfWords } from '../refusals.ts';

const Parameters = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).catch([]);
const Sentence = z.object({ message: z.string(), parameters: Parameters.optional() });
const PlatformError = Sentence.extend({ errors: z.array(Sentence).optional().catch(undefined) });

/**
 * Words of a 400 (Magento's own source: CanShip, QuantityValidator of 2.1 and of 2.2, TrackValidator, ShipOrder; read
 * 2026-11-21). Their order matters: an order that is shipped also has "no products".
 */
const BY_WORDS: Sentences = [
  [/cannot be created when an order has a status of/i, 'order_not_shippable'],
  [/order does not allow a shipment to be created/i, 'already_shipped'],
  [/not part of the original order|can ?not found item/i, 'line_not_found'],
  [/quantity to ship must not be greater|invalid quantity to ship/i, 'quantity_exceeded'],
  [/enter a tracking number/i, 'tracking_invalid'],
];

export const refusals = refusalsOf({
  provider: 'Magento',
  source: "the shop's interface",
  // Only Magento's own sentences lead to these. `already_shipped` and `quantity_exceeded` may be our own earlier try.
  settling: ['order_not_shippable', 'line_not_found', 'tracking_invalid'],
  read(body, { status, operation }) {
    const words = wordsOf(body);
    return words === null ? null : { words, type: typeOf(words, { status, operation }) };
  },
});
export const { refuse } = refusals;

/** Reads an error body with its parameters put in. Null: a firewall or a maintenance page wrote it. */
export function wordsOf(body: string): string | null {
  const said = PlatformError.safeParse(parseJson(body)).data;
  if (!said) return null;
  return [said, ...(said.errors ?? [])].map(filledIn).join('; ').replace(/\s+/g, ' ').trim();
}

/** `%1` is the first of a list, `%fieldName` the one of that name. */
function filledIn({ message, parameters = [] }: z.infer<typeof Sentence>): string {
  const values = Array.isArray(parameters) ? parameters.map((value, index) => [index + 1, value]) : null;
  const byName = new Map<string, unknown>(
    (values ?? Object.entries(parameters)).map(([name, value]) => [`${name}`, value]),
  );
  return message.replace(/%(\w+)/g, (placeholder, name: string) =>
    byName.has(name) ? String(byName.get(name)) : placeholder,
  );
}

function typeOf(words: string, { status, operation }: { status: number; operation: string }): MarketplaceErrorType {
  // The shop hides the reason in its log; nothing was saved.
  if (/could not save a shipment/i.test(words)) return 'platform_unavailable';
  if (status === 401 || status === 403) return accessRefusal(words, operation);
  return status === 404 ? absence(words) : typeOfWords(BY_WORDS, words);
}

/**
 * Magento answers a wrong bearer token, and a right one that may not be used as such, like a missing permission. Orders are
 * read before anything else: what is refused after that is a permission.
 */
function accessRefusal(words: string, operation: string): MarketplaceErrorType {
  if (/expired/i.test(words)) return 'auth_expired';
  const isAboutResource = /authorized to access/i.test(words);
  return isAboutResource && !operation.startsWith('orders.') ? 'permission_missing' : 'auth_invalid';
}

/** An address without an interface behind it is answered with 404, too. */
function absence(words: string): MarketplaceErrorType {
  return /doesn't exist|no such entity/i.test(words) ? 'order_not_found' : 'configuration';
}

/**
 * Tells whether one order may be to blame. When Magento cannot render one order, it answers the whole page with an
 * internal error (magento2 issue 36213). Or it answers a 200 that holds a message and no orders (issue 7518).
 */
export function mayBeOneOrder(error: unknown): error is IntegrationError {
  if (!(error instanceof IntegrationError)) return false;
  if (error.code === 'answer-too-large') return true;
  return (error.status === 500 || error.status === 200) && wordsOf(error.body ?? '') !== null;
}
