import { z } from 'zod';
import type { MarketplaceErrorType } from '../../domain/marketplace-error.ts';
import { type FailureKind, IntegrationError } from '../../lib/errors.ts';
import { parseJson } from '../../lib/parse-json.ts';

export const PROVIDER = 'Shopify';
const MAX_WORDS = 300;

/** What the shop says about its own load, with every answer. */
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
const USER_ERRORS: readonly (readonly [RegExp, MarketplaceErrorType])[] = [
  // Shipped or cancelled: the order says which.
  [/unfulfillable status/, 'already_shipped'],
  [/^Invalid fulfillment order line item quantity/, 'quantity_exceeded'],
  [/^Fulfillment order line item does not exist/, 'line_not_found'],
  // It was read a moment ago: what may be read but not written to does not exist for a write.
  [/^Fulfillment order does not exist/, 'permission_missing'],
];

/** A refusal that we pronounce ourselves, after reading the order. */
export function refuse(type: MarketplaceErrorType, message: string): IntegrationError {
  return new IntegrationError(message, { kind: 'permanent', provider: PROVIDER, code: type });
}

/** The shop's refusal of a shipment, which comes with a good status. */
export function refusalOfShipment(errors: readonly { message: string }[]): IntegrationError {
  const words = errors.map(({ message }) => message).join(' ');
  const type = USER_ERRORS.find(([pattern]) => pattern.test(words))?.[1] ?? 'validation';
  return new IntegrationError(`${PROVIDER} refused the shipment: ${cut(words)}`, {
    kind: 'permanent',
    provider: PROVIDER,
    code: type,
    // That nothing is left to ship may be our own earlier try, and a missing permission says nothing of the shipment.
    isAuthoritative: type === 'line_not_found' || type === 'validation',
  });
}

/** What a list of GraphQL errors means; a write that brought something back may have been done in spite of them. */
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
  return new IntegrationError(`${PROVIDER} refused ${operation.name}: ${cut(words)}`, {
    kind,
    provider: PROVIDER,
    code: type,
    ...(type === 'rate_limited' ? { retryAfterMs: waitOf(answer.cost) } : {}),
  });
}

/** The same failure in the words of the platform; a transport failure, or a write that nobody knows about, stays as it is. */
export function translateRefusal(error: unknown, operation: string): unknown {
  if (!(error instanceof IntegrationError) || error.status === undefined || error.kind === 'unknown-outcome')
    return error;
  const body = error.body ?? '';
  const answer = Answer.safeParse(parseJson(body)).data;
  const words = wordsOf(answer) ?? loginWords(body);
  const { kind, type } = meaningOf(error.status, words !== null);
  return new IntegrationError(
    `${PROVIDER} refused ${operation}: ${cut(words ?? `answer ${error.status} that is not from the shop's interface`)}`,
    {
      kind,
      provider: PROVIDER,
      code: type,
      status: error.status,
      retryAfterMs: error.retryAfterMs ?? (error.status === 429 ? waitOf(answer?.extensions?.cost) : undefined),
      body: error.body,
      cause: error,
    },
  );
}

/** A body that is not the interface's own comes from a firewall or a page of maintenance: nothing final is read from it. */
function meaningOf(status: number, isOwn: boolean): Meaning {
  if (status === 429) return { kind: 'retryable', type: 'rate_limited' };
  if (status < 400) return { kind: 'permanent', type: 'configuration' };
  if (status >= 500 || status === 408 || !isOwn) return { kind: 'retryable', type: 'platform_unavailable' };
  if (status === 401) return { kind: 'permanent', type: 'auth_invalid' };
  if (status === 403) return { kind: 'permanent', type: 'permission_missing' };
  return { kind: 'permanent', type: 'configuration' };
}

function wordsOf(answer: Answer | undefined): string | null {
  const errors = answer?.errors;
  if (!errors) return null;
  return typeof errors === 'string' ? errors : errors.map(({ message }) => message).join(' ');
}

const LoginError = z.object({ error: z.string(), error_description: z.string().optional() });

/** The login refuses in JSON, or on a page with `Oauth error shop_not_permitted: ...` (reports of users, 2018 to 2026). */
export function loginWords(body: string): string | null {
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

function cut(words: string): string {
  return words.trim().slice(0, MAX_WORDS);
}
