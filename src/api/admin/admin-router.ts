import express, { type NextFunction, type Request, type Response, Router } from 'express';
import { ADMIN_SCOPE } from '../../domain/scopes.ts';
import { isWithin } from '../../lib/address-ranges.ts';
import { Problem } from '../../lib/errors.ts';
import type { Admin } from '../../usecases/setup/administer.ts';
import { keyRefused, wrongAddress } from '../http/gate.ts';
import type { KeyGuard } from '../http/key-guard.ts';
import { personOf } from '../http/login.ts';
import { readRequest } from '../http/read-request.ts';
import type { ApiDeps, Route } from '../http/route.ts';
import { send } from '../http/send.ts';
import { ADMIN_PATH, type AdminRoute } from './admin-route.ts';
import { ADMIN_ROUTES } from './routes.ts';

const MAX_BODY = 2 * 1024 * 1024;

/** Serves the endpoints for admins. */
export function adminRouter(deps: ApiDeps, guard: KeyGuard): Router {
  const router = Router();
  router.use((_request, response, next) => {
    response.set({ 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
    next();
  });
  router.use((request, response, next) => {
    identifyAdmin(deps, guard, request).then((admin) => {
      response.locals.admin = admin;
      next();
    }, next);
  });
  router.use(express.raw({ type: () => true, limit: MAX_BODY }));
  for (const route of ADMIN_ROUTES) {
    router[route.method](
      route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      (request: Request, response: Response, next: NextFunction) => {
        response.locals.route = `${ADMIN_PATH}${route.path}`;
        answer(deps, route, { request, response }).catch(next);
      },
    );
  }
  return router;
}

async function answer(
  deps: ApiDeps,
  route: AdminRoute,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const { params, query, body } = readRequest(route as unknown as Route, request, raw);
  const admin = response.locals.admin as Admin;
  await send(response, await route.handle(deps, { admin, params, query, body }), deps.log);
}

/** Returns who sets up what: by key, else by session. Throws a `Problem` for anyone else. */
async function identifyAdmin(deps: ApiDeps, guard: KeyGuard, request: Request): Promise<Admin> {
  const key = request.get('x-api-key');
  if (key) {
    const found = await guard.identify(key, request.ip ?? '');
    if (!found) throw keyRefused();
    if (!isWithin(found.addressRanges, request.ip ?? '')) throw wrongAddress();
    if (!found.scopes.includes(ADMIN_SCOPE)) throw notAdmin();
    return { companyId: found.companyId };
  }
  const person = await personOf(deps, request);
  if (!person) throw keyRefused();
  if (person.role !== 'admin') throw notAdmin();
  return { companyId: person.companyId };
}

function notAdmin(): Problem {
  return new Problem(`This needs a key with the scope ${ADMIN_SCOPE}, or a person with the role admin`, {
    status: 403,
    code: 'missing-scope',
    title: 'Forbidden',
    extra: { scope: ADMIN_SCOPE },
  });
}
