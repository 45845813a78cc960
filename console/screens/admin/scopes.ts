import type { NewKey } from './admin-api.ts';

type Scope = NonNullable<NewKey['scopes']>[number];

/** Every scope has its place here: a new one does not compile before it has. */
const SCOPES: Readonly<Record<Exclude<Scope, '*' | 'admin'>, true>> = {
  'orders:read': true,
  'orders:write': true,
  'shipments:read': true,
  'shipments:write': true,
  'documents:read': true,
  'manifests:read': true,
  'manifests:write': true,
  'pickups:read': true,
  'pickups:write': true,
  'tracking:read': true,
  'tracking:write': true,
  'held:read': true,
  'held:write': true,
  'attention:read': true,
  'attention:write': true,
  'addresses:read': true,
  'quotes:read': true,
  'rules:read': true,
  'rules:write': true,
  'marketplaces:read': true,
  'marketplaces:write': true,
  'events:read': true,
  'events:write': true,
  'partners:read': true,
  'partners:write': true,
  'tariffs:write': true,
  'operations:read': true,
  'operations:write': true,
  'exchanges:read': true,
  'overview:read': true,
  'audit:read': true,
};

type NounOf<Name> = Name extends `${infer Noun}:${string}` ? Noun : never;
type Noun = NounOf<keyof typeof SCOPES>;

/** The scopes of one noun, in the order in which a warehouse meets them. */
export const SCOPES_BY_NOUN: readonly (readonly [Noun, readonly string[]])[] = [
  ...Map.groupBy(Object.keys(SCOPES), (scope) => scope.split(':')[0] as Noun),
];
