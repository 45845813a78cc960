import type { PartnerContext } from './call-partner.ts';
import { IntegrationError } from './errors.ts';
import type { AccessToken } from './tokens.ts';

export interface TokenUse {
  /** See `PartnerContext.token`. */
  name: string;
  fetch: () => Promise<AccessToken>;
  /** Returns true when a failure means that the token is invalid. Default: a 401. */
  isRefused?: (error: unknown) => boolean;
}

/**
 * Sends with the stored token. When the partner refuses it early, fetches a new one and sends once more. The partner
 * did nothing by then, so a write is safe to repeat.
 */
export async function withToken<Answer>(
  context: Pick<PartnerContext<unknown>, 'token' | 'forgetToken'>,
  { name, fetch, isRefused = isUnauthorised }: TokenUse,
  send: (token: string) => Promise<Answer>,
): Promise<Answer> {
  const kept = await context.token(name, fetch);
  try {
    return await send(kept);
  } catch (error) {
    if (!isRefused(error)) throw error;
    await context.forgetToken(name);
  }
  return send(await context.token(name, fetch));
}

export function isUnauthorised(error: unknown): error is IntegrationError {
  return error instanceof IntegrationError && error.status === 401;
}
