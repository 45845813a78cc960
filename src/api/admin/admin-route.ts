import type { Deps } from '../../engine/deps.ts';
import type { Admin } from '../../usecases/setup/administer.ts';
import type { DeclarationText } from '../../usecases/setup/declaration-text.ts';
import type { Reply, Route } from '../http/route.ts';

/** Everything below is for admins: people with that role, and keys with that scope. */
export const ADMIN_PATH = '/api/v1/admin';

export interface AdminRequest<Params, Query, Body> {
  admin: Admin;
  params: Params;
  query: Query;
  body: Body;
  /** The body as text, when it is YAML. */
  yaml: DeclarationText | null;
}

/** One endpoint for admins. Its schemas serve validation, types and OpenAPI. */
export interface AdminRoute<Params = unknown, Query = unknown, Body = unknown>
  extends Pick<
    Route<Params, Query, Body>,
    'method' | 'path' | 'summary' | 'params' | 'query' | 'body' | 'isBodyOptional' | 'responses'
  > {
  description: string;
  /** The body may be YAML instead of JSON. */
  takesYaml?: true;
  handle(deps: Deps, request: AdminRequest<Params, Query, Body>): Promise<Reply>;
}

/** Checks a route against its own schemas, then erases their types so that one list can hold all routes. */
export function defineAdminRoute<Params, Query, Body>(route: AdminRoute<Params, Query, Body>): AdminRoute {
  return route as unknown as AdminRoute;
}
