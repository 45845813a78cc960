import { EVERY_SCOPE, SCOPES } from './scopes.ts';

/** Roles of people. A viewer reads everything but the audit log, an operator also works with orders and parcels, an admin also changes the setup. */
export const ROLES = ['viewer', 'operator', 'admin'] as const;
export type UserRole = (typeof ROLES)[number];

/** Scopes that change how the company works rather than its orders, or show what its people do. */
const OF_ADMINS: ReadonlySet<string> = new Set(['audit:read', 'events:write', 'rules:write', 'tariffs:write']);

const SCOPES_OF: Readonly<Record<UserRole, readonly string[]>> = {
  viewer: SCOPES.filter((scope) => scope.endsWith(':read') && !OF_ADMINS.has(scope)),
  operator: SCOPES.filter((scope) => !OF_ADMINS.has(scope)),
  admin: [EVERY_SCOPE],
};

/** Returns the scopes that a role has, as a key would have them. */
export function scopesOf(role: UserRole): readonly string[] {
  return SCOPES_OF[role];
}
