import express, { type Express } from 'express';
import helmet from 'helmet';
import { Problem } from '../lib/errors.ts';
import type { IdentityProvider } from '../lib/identity-provider.ts';
import { ADMIN_PATH } from './admin/admin-route.ts';
import { adminRouter } from './admin/admin-router.ts';
import { consoleRouter } from './console.ts';
import { CONSOLE_PATH } from './console-bundle.ts';
import { docsRouter } from './docs.ts';
import { healthRouter } from './health.ts';
import { audited, noteForAudit } from './http/audit.ts';
import { BASE_PATH } from './http/base-path.ts';
import { identify, observe, requestId, spendPoint } from './http/gate.ts';
import type { IdempotencyStore } from './http/idempotency.ts';
import { limitBodies } from './http/permits.ts';
import { problemHandler } from './http/problem.ts';
import { type ApiDeps, isWrite, operationIdOf, type Route } from './http/route.ts';
import type { Guards } from './http/secret-guard.ts';
import { serve } from './http/serve.ts';
import { logoSvg } from './logos.ts';
import type { Metrics } from './metrics.ts';
import { ROUTES } from './routes/index.ts';
import { SESSION_PATH, sessionRouter } from './session.ts';
import { webhooksRouter } from './webhooks.ts';

export interface ServerOptions {
  deps: ApiDeps;
  version: string;
  waitSeconds: number;
  idempotency: IdempotencyStore;
  metrics: Metrics;
  guards: Guards;
  /** Throws an error that names the reason while the process cannot serve. */
  checkReady: () => Promise<void>;
  /** Null: people log in with passwords only. */
  identityProvider: IdentityProvider | null;
  /** Mounted at /admin/queues. */
  board: express.Router;
  /** Name by partner code, for the logos. */
  partnerName: (code: string) => string | undefined;
}

const MAX_BODY = 2 * 1024 * 1024;
/** How long a write that found the disk full keeps the process unready, so that a load balancer notices. */
const FULL_MS = 10_000;

/** Builds the Express app with all routes. */
export function createApi(options: ServerOptions): Express {
  const { deps, metrics } = options;
  let fullUntil = 0;
  const checkReady = async (): Promise<void> => {
    if (Date.now() < fullUntil) throw new Error('The disk is full: nothing can be written at the moment');
    await options.checkReady();
  };
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  // Only a proxy on a private address is believed about who asks.
  app.set('trust proxy', ['loopback', 'linklocal', 'uniquelocal']);
  app.use(requestId);
  app.use(observe(metrics));
  app.use(audited(deps));

  const external = express.Router();
  external.use((_request, response, next) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'no-cache');
    next();
  });
  const mount = (route: Route): void => {
    const facts = { operation: operationIdOf(route), isWrite: isWrite(route) };
    external[route.method](expressPath(route.path), (request, response, next) => {
      response.locals.route = route.path;
      noteForAudit(request, facts);
      serve(options, route, request, response).catch(next);
    });
  };
  ROUTES.filter((route) => route.access === 'signature').forEach(mount);
  external.use(identify(options.guards, deps));
  external.use(spendPoint(deps.points));
  external.use(limitBodies({ maxBody: MAX_BODY }));
  external.use(express.raw({ type: () => true, limit: MAX_BODY }));
  // `/shipment/create` comes before `/shipment/:id`, which would match it too.
  const byPath = [...Map.groupBy(ROUTES, ({ path }) => path)].toSorted(
    ([one], [other]) => Number(one.includes('{')) - Number(other.includes('{')),
  );
  for (const [, routes] of byPath) {
    routes.filter((route) => route.access === undefined).forEach(mount);
    refuseOtherMethods(external, routes);
  }
  app.use(BASE_PATH, external);
  app.use(SESSION_PATH, sessionRouter(deps, options.guards.sessions, options.identityProvider));
  app.use(ADMIN_PATH, adminRouter(deps, options.guards));

  app.use(healthRouter({ checkReady, registry: metrics.registry }));
  app.use('/admin/queues', options.board);
  app.use('/webhooks', webhooksRouter(deps));
  app.use(CONSOLE_PATH, consoleRouter(deps.log));

  app.use(
    helmet({
      contentSecurityPolicy: { directives: { 'img-src': ["'self'", 'data:'], 'upgrade-insecure-requests': null } },
      hsts: false,
    }),
  );
  app.use(docsRouter(options.version, deps.now));
  app.get('/', (_request, response) => void response.redirect('/docs'));
  app.get('/logos/:file', (request, response, next) => {
    const name = options.partnerName(request.params.file.replace(/\.svg$/, ''));
    if (name === undefined) return next();
    response.type('image/svg+xml').set('Cache-Control', 'public, max-age=86400').send(logoSvg(name));
  });
  app.use((_request, _response, next) =>
    next(new Problem('No such route', { status: 404, code: 'not-found', title: 'Not found' })),
  );
  app.use(
    problemHandler(deps.log, () => {
      fullUntil = Date.now() + FULL_MS;
    }),
  );
  return app;
}

function expressPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** Answers 405 with the allowed methods when the path exists with other methods. */
function refuseOtherMethods(router: express.Router, routes: readonly Route[]): void {
  const methods = routes.map(({ method }) => method.toUpperCase());
  const Allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  router.all(expressPath(routes[0]?.path ?? ''), (request, _response, next) => {
    if (request.method === 'OPTIONS') return next();
    next(
      new Problem(`${request.method} is not possible here: use ${methods.join(' or ')}`, {
        status: 405,
        code: 'method-not-allowed',
        title: 'Method not allowed',
        headers: { Allow },
      }),
    );
  });
}
