import { z } from 'zod';
import type { MarketplaceErrorType } from '../../domain/marketplace-error.ts';
import { IntegrationError } from '../../lib/errors.ts';
import { type Call, failuresOf, PASSING, type Refusals, reworded, withoutTags } from '../refusals.ts';
import { errorsIn } from './xml.ts';

const UNABLE_TO_SAVE = 46;
const XML_NOT_PARSEABLE = 127;
/** Places at which the data may begin behind what PHP printed before it. */
const MAX_BEGINNINGS = 20;

/** Codes of the webservice (its WebserviceRequest, read 2026-11-21). */
const MEANINGS: Readonly<Record<number, MarketplaceErrorType>> = {
  16: 'auth_invalid',
  17: 'auth_invalid',
  18: 'auth_invalid',
  20: 'auth_invalid',
  21: 'permission_missing',
  22: 'feature_disabled',
  23: 'configuration',
  25: 'permission_missing',
  26: 'permission_missing',
  27: 'configuration',
  41: 'validation',
  46: 'platform_unavailable',
  84: 'validation',
  85: 'validation',
  86: 'validation',
  87: 'order_not_found',
  89: 'validation',
  90: 'validation',
  91: 'validation',
  92: 'order_not_found',
  93: 'validation',
  101: 'configuration',
  123: 'validation',
  127: 'configuration',
  131: 'order_not_found',
  132: 'permission_missing',
};

const PlatformError = z.object({ code: z.coerce.number().catch(0), message: z.coerce.string().catch('') });
type PlatformError = z.infer<typeof PlatformError>;
const JsonErrors = z.object({ errors: z.array(z.unknown()).min(1) });

/** The webservice's refusals of the very row; any other is about the caller. */
const ABOUT_THE_ROW = new Set<MarketplaceErrorType>(['validation', 'order_not_found']);

/** PrestaShop refuses with 500 as well, so its code comes before the status. */
export const refusals: Refusals = { ...failuresOf('PrestaShop'), translate };
export const { refuse } = refusals;

function translate(error: unknown, { operation, effect }: Call): unknown {
  if (!(error instanceof IntegrationError) || error.status === undefined) return error;
  const said = saidIn(error.body ?? '');
  const type = typeOf(error, said);
  // Unparseable data was not acted upon; every other 5xx may come after the row was saved.
  const isUnknown = error.kind === 'unknown-outcome' && said?.code !== XML_NOT_PARSEABLE;
  return reworded(error, {
    provider: 'PrestaShop',
    operation,
    words: said ? withoutTags(said.message) : `answer ${error.status} that is not from the shop's webservice`,
    kind: isUnknown ? 'unknown-outcome' : PASSING.has(type) ? 'retryable' : 'permanent',
    type,
    isAuthoritative: effect === 'write' && !isUnknown && said !== null && ABOUT_THE_ROW.has(type),
  });
}

/** Tells whether older shops may have saved the row: they answer this code as well when only its mail failed. */
export function saysUnableToSave(error: unknown): boolean {
  return error instanceof IntegrationError && saidIn(error.body ?? '')?.code === UNABLE_TO_SAVE;
}

function typeOf({ status = 0, body = '' }: IntegrationError, said: PlatformError | null): MarketplaceErrorType {
  if (status === 429) return 'rate_limited';
  // Without a word: a resource of that id is not there, or something in between has no such page.
  if (status === 404 && body === '') return 'order_not_found';
  if (status < 400) return 'configuration';
  // A firewall, a maintenance page, a login of the web server in front of the shop.
  if (!said) return 'platform_unavailable';
  const meaning = MEANINGS[said.code];
  if (meaning) return meaning;
  if (status >= 500 || status === 408) return 'platform_unavailable';
  if (status === 401) return 'auth_invalid';
  return status === 403 ? 'permission_missing' : 'validation';
}

/** Returns the first error of the webservice's own body, JSON or XML; null when something in between wrote the body. */
function saidIn(body: string): PlatformError | null {
  const errors = JsonErrors.safeParse(parseJson(body)).data?.errors ?? errorsIn(body);
  return PlatformError.safeParse(errors?.[0]).data ?? null;
}

/** Reads the JSON at the end of a text, since shops whose PHP warns print HTML before it. Undefined when there is none. */
export function parseJson(text: string): unknown {
  const beginnings = text.trimStart().startsWith('<') ? text.matchAll(/\{"|\[\]\s*$/g) : [{ index: 0 }];
  let tries = 0;
  for (const { index } of beginnings) {
    if (++tries > MAX_BEGINNINGS) return undefined;
    try {
      return JSON.parse(text.slice(index));
    } catch {
      // It began somewhere else.
    }
  }
  return undefined;
}
