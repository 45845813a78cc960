import type { ShopContext } from './account.ts';
import { ask } from './client.ts';
import { READ_SCOPES } from './operations.ts';
import { refuse } from './refusals.ts';
import { Scopes } from './schema.ts';

/** One of each group is needed; reading fulfilment orders without it is not refused but answered with nothing. */
const READ_FULFILLMENT_ORDERS = [
  'read_merchant_managed_fulfillment_orders',
  'read_assigned_fulfillment_orders',
  'read_third_party_fulfillment_orders',
];
const NEEDED: readonly (readonly string[])[] = [
  ['read_orders'],
  READ_FULFILLMENT_ORDERS,
  READ_FULFILLMENT_ORDERS.map((scope) => scope.replace('read_', 'write_')),
  ['read_locations', 'read_inventory'],
];

/** Proves the credentials, and that they have every permission that imports and confirmations need. */
export async function requireScopes(context: ShopContext): Promise<void> {
  const { currentAppInstallation } = await ask(context, { operation: READ_SCOPES, variables: {}, answer: Scopes });
  const granted = currentAppInstallation.accessScopes.map(({ handle }) => handle);
  // Who may write may read, and the shop then names the writing alone.
  const all = new Set(granted.flatMap((scope) => [scope, scope.replace(/^write_/, 'read_')]));
  const missing = NEEDED.filter((group) => !group.some((scope) => all.has(scope)));
  if (missing.length === 0) return;
  const words = missing.map((group) => group.join(' or ')).join('; ');
  throw refuse('permission_missing', `The app lacks permissions in the shop: ${words}`);
}
