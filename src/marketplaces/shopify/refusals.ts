import { z } from 'zod';
import type { MarketplaceErrorType } from '../../domain/marketplace-error.ts';
import { type FailureKind, IntegrationError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/parse-json.ts';
import { BY_STATUS, refusalsOf, type Sentences, shortened, typeOfWords } from '../refusals.ts';

/** The operation that asks for an access token. */
export const LOGIN = 'token';

/** The shop's report of its own load, with every answer. */
export const Cost = z.object({
  requestedQueryCost: z.number(),
  throttleStatus: z.object({ currentlyAvailable: z.number(), restoreRate: z.number().positive() }),
});
export type Cost = z.infer<typeof Cost>;

const GraphqlError = z.object({
  message: z.string(),
  extensions: z.object({ code: z.string() }).partial().nullish(),
});
export type GraphqlError = z.infer<typeof GraphqlError>;

/** Every answer of the interface; only `errors` as a list is GraphQL's own, a text is the login's. */
export const Answer = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.union([z.array(GraphqlError), z.string()]).nullish(),
  extensions: z.object({ cost: Cost }).nullish().catch(null),
});
export type Answer = z.infer<typeof Answer>;

interface Meaning {
  kind: FailureKind;
  type: MarketplaceErrorType;
}

/** Codes that come before anything is done (recordings of the live interface, read 2026-11-21). */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  THROTTLED: { kind: 'retryable', type: 'rate_limited' },
  ACCESS_DENIED: { kind: 'permanent', type: 'permission_missing' },
  RESOURCE_NOT_FOUND: { kind: 'permanent', type: 'configuration' },
  INVALID_VARIABLE: { kind: 'permanent', type: 'configuration' },
  undefinedField: { kind: 'permanent', type: 'configuration' },
  PARSE_ERROR: { kind: 'permanent', type: 'configuration' },
  MAX_COST_EXCEEDED: { kind: 'permanent', type: 'configuration' },
};

/** The whole messages of `fulfillmentCreate`, which has no codes: their beginnings, as recorded from the live interface. */
const USER_ERRORS: Sentences = [
  // Shipped or cancelled: the order says which.
  [/unfulfillable status/, 'already_shipped'],
  [/^Invalid fulfillment order line item quantity/, 'quantity_exceeded'],
  [/^Fulfillment order line item does not exist/, 'line_not_found'],
  // It was read a moment ago: what may be read but not written to does not exist for a write.
  [/^Fulfillment order does not exist/, 'permission_missing'],
];

export const refusals = refusalsOf({
  provider: 'Shopify',
  source: "the shop's interface",
  // The interface refuses a shipment with a good status: see `refusalOfShipment`.
  settling: [],
  pauseMs: (body) => waitOf(Answer.safeParse(parseJson(body)).data?.extensions?.cost),
  read(body, { operation, status }) {
    const login = loginWords(body);
    if (operation === LOGIN && login !== null) return { words: login, type: 'auth_invalid' };
    const words = wordsOf(Answer.safeParse(parseJson(body)).data) ?? login;
    return words === null ? null : { words, type: (status === 404 ? null : BY_STATUS[status]) ?? 'configuration' };
  },
});
export const { provider: PROVIDER, refuse } = refusals;

/** Makes the refusal of a shipment, which the shop answers with a good status. */
export function refusalOfShipment(errors: readonly { message: string }[]): IntegrationError {
  const words = errors.map(({ message }) => message).join(' ');
  const type = typeOfWords(USER_ERRORS, words);
  return new IntegrationError(`${PROVIDER} refused the shipment: ${shortened(words)}`, {
    kind: 'permanent',
    provider: PROVIDER,
    code: type,
    // That nothing is left to ship may be our own earlier try, and a missing permission says nothing of the shipment.
    isAuthoritative: type === 'line_not_found' || type === 'validation',
  });
}

/**
 * Makes the failure of a list of GraphQL errors. A write that brought something back may have been done in spite of
 * them.
 */
export function refusalOf(
  operation: { name: string; effect: 'read' | 'write' },
  answer: { errors: readonly GraphqlError[]; data?: Answer['data']; cost?: Cost | undefined },
): IntegrationError {
  const isDone = operation.effect === 'write' && Object.values(answer.data ?? {}).some((root) => root !== null);
  const codes = answer.errors.map(({ extensions }) => extensions?.code ?? '');
  const known = codes.map((code) => MEANINGS[code]).find((meaning) => meaning !== undefined);
  const broken: Meaning = {
    kind: operation.effect === 'write' ? 'unknown-outcome' : 'retryable',
    type: operation.effect === 'write' ? 'unknown' : 'platform_unavailable',
  };
  const { kind, type } = (isDone ? undefined : known) ?? broken;
  const words = answer.errors.map(({ message }) => message).join(' ');
  return new IntegrationError(`${PROVIDER} refused ${operation.name}: ${shortened(words)}`, {
    kind,
    provider: PROVIDER,
    code: type,
    ...(type === 'rate_limited' ? { retryAfterMs: waitOf(answer.cost) } : {}),
  });
}

function wordsOf(answer: Answer | undefined): string | null {
  const errors = answer?.errors;
  if (!errors) return null;
  return typeof errors === 'string' ? errors : errors.map(({ message }) => message).join(' ');
}

const LoginError = z.object({ error: z.string(), error_description: z.string().optional() });

/** The login refuses in JSON, or on a page with `Oauth error shop_not_permitted: ...` (reports of users, 2018 to 2026). */
function loginWords(body: string): string | null {
  const { data } = LoginError.safeParse(parseJson(body));
  if (data) return [data.error, data.error_description].filter(Boolean).join(': ');
  return /Oauth error [^<]+/.exec(body)?.[0] ?? null;
}

/** Until the shop has as many points again as were asked for. */
function waitOf(cost: Cost | null | undefined): number | undefined {
  if (!cost) return undefined;
  const { currentlyAvailable, restoreRate } = cost.throttleStatus;
  return Math.max(0, Math.ceil(((cost.requestedQueryCost - currentlyAvailable) / restoreRate) * 1000));
}
