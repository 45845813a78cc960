import type { Request, Response } from 'express';
import { randomToken } from '../../secrets.ts';
import type { ShopBooks } from './books.ts';
import { RequestFault } from './request-fault.ts';

/** The holder of a token: its rights, and the budget of points it spends. */
export interface Caller {
  token: string;
  scopes: readonly string[];
}

const READ_ONLY = ['read_orders', 'read_merchant_managed_fulfillment_orders', 'read_locations'];
const ALL = [...READ_ONLY, 'write_merchant_managed_fulfillment_orders'];
const TOKEN_SECONDS = 86_399;

/** The tokens of apps made in the shop begin with this; what follows is free, and each has its own points. */
const STATIC = 'shpat_sandbox';
/** The scopes of limited tokens; other tokens have all of them. */
const LIMITED: Readonly<Record<string, readonly string[]>> = {
  shpat_sandbox_readonly: READ_ONLY,
  shpat_sandbox_orders_only: ['read_orders'],
};

/** Returns the holder of a token; null for an unknown or revoked one. */
export function callerOf(books: ShopBooks, request: Request): Caller | null {
  const token = request.headers['x-shopify-access-token'];
  if (typeof token !== 'string') return null;
  const now = books.now();
  const isKnown =
    token.startsWith(STATIC) || books.state.tokens.some((each) => each.value === token && each.expiresAt > now);
  return isKnown ? { token, scopes: LIMITED[token] ?? ALL } : null;
}

/** Grants client credentials: any client id, a secret that begins with `sandbox`. */
export function grantToken(books: ShopBooks, request: Request, response: Response): void {
  const given = readJson(request.body);
  if (given.grant_type !== 'client_credentials') {
    return void response.status(400).json({ error: 'invalid_request' });
  }
  if (!given.client_id || !String(given.client_secret).startsWith('sandbox')) {
    const page =
      '<html><body><h1>Oauth error application_cannot_be_found: Could not find the application</h1></body></html>';
    return void response.status(400).type('text/html').send(page);
  }
  const value = randomToken('shpca_');
  const expiresAt = new Date(books.world.now().getTime() + TOKEN_SECONDS * 1000).toISOString();
  books.state.tokens.push({ value, expiresAt });
  books.world.touch();
  response.json({ access_token: value, scope: ALL.join(','), expires_in: TOKEN_SECONDS });
}

/** Refuses a field to a caller that has none of its scopes. */
export function requireScope(caller: Caller, scopes: readonly string[], field: string): void {
  if (scopes.some((scope) => caller.scopes.includes(scope))) return;
  const requiredAccess = `\`${scopes.join('` access scope, `')}\` access scope.`;
  throw new RequestFault(
    `Access denied for ${field} field. Required access: ${requiredAccess}`,
    { code: 'ACCESS_DENIED', documentation: 'https://shopify.dev/api/usage/access-scopes', requiredAccess },
    [field],
  );
}

export function readJson(text: string): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? (json as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
