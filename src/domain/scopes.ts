/** The scopes that a key may have besides `*`, which covers all of them. A scope is a noun of the api and what may be done with it. */
export const SCOPES = [
  'addresses:read',
  'attention:read',
  'attention:write',
  'audit:read',
  'documents:read',
  'events:read',
  'events:write',
  'exchanges:read',
  'held:read',
  'held:write',
  'manifests:read',
  'manifests:write',
  'marketplaces:read',
  'marketplaces:write',
  'operations:read',
  'operations:write',
  'orders:read',
  'orders:write',
  'overview:read',
  'partners:read',
  'partners:write',
  'pickups:read',
  'pickups:write',
  'quotes:read',
  'rules:read',
  'rules:write',
  'shipments:read',
  'shipments:write',
  'tariffs:write',
  'tracking:read',
  'tracking:write',
] as const;

export type Scope = (typeof SCOPES)[number];

/** A key without limits, as all keys are that were made without scopes. */
export const EVERY_SCOPE = '*';

/** The scope of keys that set their company up. `*` does not cover it: a key that ships orders must not make keys. */
export const ADMIN_SCOPE = 'admin';

/** Tells whether the scopes of a key or a person allow what needs `scope`. */
export function covers(granted: readonly string[], scope: Scope): boolean {
  return granted.includes(EVERY_SCOPE) || granted.includes(scope);
}

/** Returns the given scopes that do not exist. */
export function unknownScopes(scopes: readonly string[]): string[] {
  return scopes.filter(
    (scope) => ![EVERY_SCOPE, ADMIN_SCOPE].includes(scope) && !(SCOPES as readonly string[]).includes(scope),
  );
}
