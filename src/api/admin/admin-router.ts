import express, { type NextFunction, type Request, type Response, Router } from 'express';
import { ADMIN_SCOPE } from '../../domain/scopes.ts';
import { Problem } from '../../lib/errors.ts';
import { seeingCompanies } from '../../lib/visible-companies.ts';
import type { Admin } from '../../usecases/setup/administer.ts';
import { noteAnswered, noteAsked, noteForAudit } from '../http/audit.ts';
import { askerOf, spendPoint } from '../http/gate.ts';
import { limitBodies } from '../http/permits.ts';
import { pointsOf } from '../http/points.ts';
import { readRequest } from '../http/read-request.ts';
import type { ApiDeps, Route } from '../http/route.ts';
import { operationIdOf } from '../http/route.ts';
import type { Guards } from '../http/secret-guard.ts';
import { send } from '../http/send.ts';
import { ADMIN_PATH, type AdminRoute } from './admin-route.ts';
import { readYamlBody } from './declaration-body.ts';
import { ADMIN_ROUTES } from './routes.ts';

const MAX_BODY = 2 * 1024 * 1024;

/** Serves the endpoints for admins. */
export function adminRouter(deps: ApiDeps, guards: Guards): Router {
  const router = Router();
  router.use((_request, response, next) => {
    response.set({ 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' });
    next();
  });
  router.use((request, response, next) => {
    noteForAudit(request, { operation: 'administration' });
    identifyAdmin(guards, request).then((admin) => {
      response.locals.admin = admin;
      response.locals.companyId = pointsOf(admin);
      next();
    }, next);
  });
  router.use(spendPoint(deps.points));
  router.use(limitBodies({ maxBody: MAX_BODY }));
  router.use(express.raw({ type: () => true, limit: MAX_BODY }));
  for (const route of ADMIN_ROUTES) {
    const facts = { operation: operationIdOf(route), isWrite: route.method !== 'get' };
    router[route.method](
      route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      (request: Request, response: Response, next: NextFunction) => {
        response.locals.route = `${ADMIN_PATH}${route.path}`;
        noteForAudit(request, facts);
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
  const yaml = route.takesYaml ? readYamlBody(request, raw) : null;
  const parsed = yaml ? { value: yaml.declared } : undefined;
  const { params, query, body } = readRequest(route as unknown as Route, request, raw, parsed);
  const { company } = (params ?? {}) as { company?: string };
  if (company !== undefined) noteForAudit(request, { company: { key: company } });
  noteAsked(request, route.path, { params, query, body: undefined });
  const admin = response.locals.admin as Admin;
  const release = await deps.permits.acquire(response.locals.companyId as number);
  const work = () => route.handle(deps, { admin, params, query, body, yaml });
  const reply = await (admin.companyId === null ? work() : seeingCompanies([admin.companyId], work)).finally(release);
  noteAnswered(request, route.path, reply);
  await send(response, reply, deps.log);
}

/** Returns who sets up what: by key, else by session. Throws a `Problem` for anyone else. */
async function identifyAdmin(guards: Guards, request: Request): Promise<Admin> {
  const asker = await askerOf(guards, request);
  const isAdmin = 'key' in asker ? asker.key.scopes.includes(ADMIN_SCOPE) : asker.person.role === 'admin';
  if (!isAdmin) throw notAdmin();
  return { companyId: 'key' in asker ? asker.key.companyId : asker.person.companyId };
}

function notAdmin(): Problem {
  return new Problem(`This needs a key with the scope ${ADMIN_SCOPE}, or a person with the role admin`, {
    status: 403,
    code: 'missing-scope',
    title: 'Forbidden',
    extra: { scope: ADMIN_SCOPE },
  });
}
