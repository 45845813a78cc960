import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { sameSecret } from '../lib/crypto.ts';

export interface BoardQueue {
  queue: unknown;
  /** False where a manual retry is useless, because the schedule creates the next job anyway. */
  allowRetries: boolean;
  /** Returns a readable title of the job. */
  titleOf: (job: { name: string; data: unknown }) => string;
}

export interface BoardOptions {
  path: string;
  user: string;
  password: string;
  /** Lists the current queues. Called again from time to time, because contracts come and go. */
  queues: () => Promise<readonly BoardQueue[]>;
  maxFailuresPerMinute?: number;
}

const REFRESH_MS = 5000;

/** Jobs come from database rows: a job that is added or edited by hand would belong to no row. */
const FORBIDDEN_ROUTES = ['/api/queues/:queueName/add', '/api/queues/:queueName/:jobId/update-data'];

/** The page loads nothing from other hosts. Its components set inline styles. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
/** The page loads a typeface from Google and has no option to turn that off. */
const EXTERNAL_STYLES = /<link[^>]+href="https?:[^>]*>/g;

/** Serves Bull Board behind its own login, to inspect jobs and retry failed ones. */
export function boardRouter(options: BoardOptions): Router {
  const adapter = new ExpressAdapter();
  adapter.setBasePath(options.path);
  const board = createBullBoard({
    queues: [],
    serverAdapter: adapter as never,
    options: {
      uiConfig: { boardTitle: 'smista', hideRedisDetails: true },
      handlerHooks: {
        before: ({ route }) => ({
          allow: !FORBIDDEN_ROUTES.includes(route),
          message: 'Jobs come from database rows and cannot be added or edited by hand',
        }),
      },
    },
  });
  let refreshedAt = 0;
  const refresh = async (): Promise<void> => {
    if (Date.now() - refreshedAt < REFRESH_MS) return;
    refreshedAt = Date.now();
    board.setQueues((await options.queues()).map(adapterOf));
  };
  const failures = new Map<string, { count: number; until: number }>();
  const limit = options.maxFailuresPerMinute ?? 10;

  const router = express.Router();
  router.use((request: Request, response: Response, next: NextFunction) => {
    const who = request.ip ?? '';
    const failed = failures.get(who);
    if (failed && failed.until > Date.now() && failed.count >= limit) {
      response.status(429).set('Retry-After', '60').send('Too many attempts');
      return;
    }
    if (isForged(request)) {
      response.status(403).send('Requests from other sites are refused');
      return;
    }
    if (isAdmin(request.get('Authorization'), options)) {
      failures.delete(who);
      next();
      return;
    }
    if (request.get('Authorization')) {
      const count = failed && failed.until > Date.now() ? failed.count + 1 : 1;
      failures.set(who, { count, until: Date.now() + 60_000 });
    }
    response
      .status(401)
      .set('WWW-Authenticate', 'Basic realm="smista operations", charset="UTF-8"')
      .send('Login required');
  });
  router.use((_request: Request, _response: Response, next: NextFunction) => {
    refresh().then(() => next(), next);
  });
  router.use(keepInside);
  router.use(adapter.getRouter());
  return router;
}

function adapterOf({ queue, allowRetries, titleOf }: BoardQueue): BullMQAdapter {
  const adapter = new BullMQAdapter(queue as never, { allowRetries });
  adapter.setFormatter('name', titleOf);
  return adapter;
}

function keepInside(_request: Request, response: Response, next: NextFunction): void {
  response.set('Content-Security-Policy', POLICY);
  const send = response.send.bind(response);
  response.send = (body: unknown) => send(typeof body === 'string' ? body.replaceAll(EXTERNAL_STYLES, '') : body);
  next();
}

function isAdmin(header: string | undefined, { user, password }: BoardOptions): boolean {
  const [scheme, encoded] = (header ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'basic' || !encoded) return false;
  return sameSecret(Buffer.from(encoded, 'base64').toString('utf8'), `${user}:${password}`);
}

/** Guards against CSRF: a browser adds the stored login to requests that other sites make. */
function isForged(request: Request): boolean {
  const site = request.get('Sec-Fetch-Site');
  return request.method !== 'GET' && site !== undefined && site !== 'same-origin' && site !== 'none';
}
