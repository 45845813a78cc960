import type { PartnerContext } from './call-partner.ts';
import { IntegrationError } from './errors.ts';
import type { AccessToken } from './tokens.ts';

export interface TokenUse {
  /** As for `PartnerContext.token`. */
  name: string;
  fetch: () => Promise<AccessToken>;
  /** Whether a failure speaks against the token; a 401 unless said otherwise. */
  isRefused?: (error: unknown) => boolean;
}

/** Sends with the kept token. One that is refused before its time is fetched anew, once: the partner did nothing by then, so a write may be sent again. */
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
