import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { LANGUAGES, type Language } from '../domain/tracking-presentation.ts';
import { Problem } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { authenticate } from '../usecases/api-keys.ts';
import { BASE_PATH } from './base-path.ts';
import { docsRouter } from './docs.ts';
import { type IdempotencyStore, once, type StoredReply } from './idempotency.ts';
import { logoSvg } from './logos.ts';
import type { Metrics } from './metrics.ts';
import { openApiDocument } from './openapi.ts';
import { problemHandler } from './problem.ts';
import { readRequest, waitMsOf } from './read-request.ts';
import type { ApiDeps, Reply, Route } from './route.ts';
import { ROUTES } from './routes/index.ts';
import { webhooksRouter } from './webhooks.ts';

export interface ServerOptions {
  deps: ApiDeps;
  version: string;
  waitSeconds: number;
  idempotency: IdempotencyStore;
  metrics: Metrics;
  /** Null: no limit. */
  rateLimiter: RateLimiterAbstract | null;
  /** Throws, saying what is missing, while the process cannot serve. */
  checkReady: () => Promise<void>;
  /** Mounted at /admin/queues. */
  board: express.Router;
  /** Name by partner code, for the logos. */
  partnerName: (code: string) => string | undefined;
}

const MAX_BODY = '2mb';
/** Room for the ids of 5000 shipments in an address. */
const MAX_HEADER = 64 * 1024;
const REQUEST_ID = /^[\w.:-]{1,100}$/;

/** The whole HTTP surface. */
export function createApiServer(options: ServerOptions): Server {
  const server = createServer({ maxHeaderSize: MAX_HEADER }, createApiApp(options));
  // Longer than the longest wait; a load balancer in front should be longer still.
  server.requestTimeout = 120_000;
  server.keepAliveTimeout = 65_000;
  return server;
}

function createApiApp(options: ServerOptions): Express {
  const { deps, metrics } = options;
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.use(requestId);
  app.use(observe(metrics));

  app.get('/health/live', (_request, response) => void response.json({ status: 'ok' }));
  app.get('/health/ready', (_request, response, next) => {
    options.checkReady().then(
      () => response.json({ status: 'ready' }),
      (error) => next(notReady(error)),
    );
  });
  app.get('/metrics', (_request, response, next) => {
    metrics.registry.metrics().then((text) => response.type(metrics.registry.contentType).send(text), next);
  });

  app.use('/admin/queues', options.board);
  app.use('/webhooks', webhooksRouter(deps));
  const external = express.Router();
  external.use((_request, response, next) => {
    response.set('X-Content-Type-Options', 'nosniff').set('Cache-Control', 'no-cache');
    next();
  });
  const mount = (route: Route): void => {
    external[route.method](route.path.replaceAll(/\{(\w+)\}/g, ':$1'), (request, response, next) => {
      response.locals.route = route.path;
      serve(options, route, request, response).catch(next);
    });
  };
  ROUTES.filter((route) => route.access === 'signature').forEach(mount);
  external.use(identify(deps), limitRate(options.rateLimiter));
  external.use(express.raw({ type: () => true, limit: MAX_BODY }));
  ROUTES.filter((route) => route.access === undefined).forEach(mount);
  app.use(BASE_PATH, external);

  app.use(
    helmet({
      contentSecurityPolicy: { directives: { 'img-src': ["'self'", 'data:'], 'upgrade-insecure-requests': null } },
      hsts: false,
    }),
  );
  app.use(docsRouter(openApiDocument(options.version)));
  app.get('/', (_request, response) => void response.redirect('/docs'));
  app.get('/logos/:file', (request, response, next) => {
    const name = options.partnerName(request.params.file.replace(/\.svg$/, ''));
    if (name === undefined) return next();
    response.type('image/svg+xml').set('Cache-Control', 'public, max-age=86400').send(logoSvg(name));
  });
  app.use((_request, _response, next) =>
    next(new Problem('There is nothing here', { status: 404, code: 'not-found', title: 'Not found' })),
  );
  app.use(problemHandler(deps.log));
  return app;
}

function requestId(request: Request, response: Response, next: NextFunction): void {
  const given = request.get('X-Request-Id');
  const id = given && REQUEST_ID.test(given) ? given : randomUUID();
  response.locals.requestId = id;
  response.set('X-Request-Id', id);
  next();
}

function observe(metrics: Metrics) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const started = performance.now();
    response.on('finish', () => {
      const route = typeof response.locals.route === 'string' ? response.locals.route : 'other';
      metrics.observeRequest(
        { method: request.method, route, status: response.statusCode },
        (performance.now() - started) / 1000,
      );
    });
    next();
  };
}

/** The key decides the company; nothing else in the request does. */
function identify(deps: ApiDeps) {
  return (request: Request, response: Response, next: NextFunction) => {
    const key = request.get('x-api-key');
    const refuse = (): void =>
      next(
        new Problem('The header x-api-key must hold a valid key', {
          status: 401,
          code: 'key-refused',
          title: 'Unauthorized',
        }),
      );
    if (!key) return refuse();
    authenticate(deps, key).then((found) => {
      if (!found) return refuse();
      response.locals.companyId = found.companyId;
      response.locals.keyId = found.keyId;
      next();
    }, next);
  };
}

function limitRate(limiter: RateLimiterAbstract | null) {
  return (_request: Request, response: Response, next: NextFunction) => {
    if (!limiter) return next();
    limiter.consume(String(response.locals.keyId)).then(
      (state) => {
        response.set('RateLimit', `"default";r=${state.remainingPoints};t=${Math.ceil(state.msBeforeNext / 1000)}`);
        response.set('RateLimit-Policy', `"default";q=${limiter.points};w=60`);
        next();
      },
      (state: unknown) => {
        // A limiter whose store is away must not close the shop.
        if (state instanceof Error) return next();
        const seconds = Math.ceil((state as { msBeforeNext: number }).msBeforeNext / 1000);
        const headers = {
          'Retry-After': String(seconds),
          RateLimit: `"default";r=0;t=${seconds}`,
          'RateLimit-Policy': `"default";q=${limiter.points};w=60`,
        };
        next(
          new Problem('Too many requests', {
            status: 429,
            code: 'too-many-requests',
            title: 'Too many requests',
            retryable: true,
            headers,
          }),
        );
      },
    );
  };
}

async function serve(options: ServerOptions, route: Route, request: Request, response: Response): Promise<void> {
  const { deps } = options;
  const companyId = response.locals.companyId as number;
  const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const read = readRequest(route, request, raw);
  if (read.ignored.length > 0) {
    response.set(
      'X-Ignored-Fields',
      read.ignored
        .map((field) => encodeURI(field.toWellFormed()))
        .join(', ')
        .slice(0, 2000),
    );
  }
  const requestId = response.locals.requestId as string;
  const waitMs = waitMsOf(request.get('Prefer'), options.waitSeconds);
  const language = (request.acceptsLanguages([...LANGUAGES]) || 'it') as Language;
  const { params, query, body } = read;
  const reply = await once(
    options.idempotency,
    { request, response, raw, companyId },
    {
      run: (claim) => {
        const origin = { companyId, requestId, once: claim };
        return route.handle(deps, { companyId, requestId, params, query, body, waitMs, language, origin });
      },
      recover: async (resultId) => {
        if (!route.recover) throw new Error(`${route.path} made something and cannot answer for it`);
        return route.recover(deps, { companyId, waitMs }, resultId);
      },
    },
  );
  await send(response, reply, deps.log);
}

async function send(response: Response, reply: Reply | StoredReply, log: Log): Promise<void> {
  response.status(reply.status);
  if ('location' in reply) {
    if (reply.location) response.set('Location', reply.location);
    response.type('json').send(reply.body);
    return;
  }
  if (reply.headers) response.set(reply.headers);
  if (reply.file) {
    const { contentType, name, content, version } = reply.file;
    response.type(contentType).set('Content-Disposition', `inline; filename="${name}"`);
    if (version !== undefined) response.set('ETag', `"${version}"`);
    if (Buffer.isBuffer(content)) response.send(content);
    else await sendStream(response, content, log);
    return;
  }
  response.json(reply.body);
}

/** As fast as the client takes it. A client that goes away ends the stream, and a stream that fails the answer. */
async function sendStream(response: Response, content: Readable, log: Log): Promise<void> {
  const isKnown = response.req.fresh;
  if (isKnown || response.req.method === 'HEAD') {
    content.destroy();
    if (isKnown) response.status(304).removeHeader('Content-Type');
    response.end();
    return;
  }
  try {
    await pipeline(content, response);
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    log.error({ err, route: response.locals.route, requestId: response.locals.requestId }, 'answer broke off');
  }
}

function notReady(error: unknown): Problem {
  return new Problem(error instanceof Error ? error.message : 'Not ready', {
    status: 503,
    code: 'not-ready',
    title: 'Not ready',
    source: 'platform',
    retryable: true,
    headers: { 'Retry-After': '5' },
  });
}
