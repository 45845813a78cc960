import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import { sameSecret } from '../lib/crypto.ts';

export interface BoardOptions {
  path: string;
  user: string;
  password: string;
  /** The queues there are now; asked again now and then, because contracts come and go. */
  queues: () => Promise<readonly unknown[]>;
  maxFailuresPerMinute?: number;
}

const REFRESH_MS = 5000;

/** Bull Board behind its own login: operations looks at jobs and retries the failed ones. */
export function boardRouter(options: BoardOptions): Router {
  const adapter = new ExpressAdapter();
  adapter.setBasePath(options.path);
  const board = createBullBoard({
    queues: [],
    serverAdapter: adapter as never,
    options: { uiConfig: { boardTitle: 'smista', hideRedisDetails: true } },
  });
  let refreshedAt = 0;
  const refresh = async (): Promise<void> => {
    if (Date.now() - refreshedAt < REFRESH_MS) return;
    refreshedAt = Date.now();
    board.setQueues((await options.queues()).map((queue) => new BullMQAdapter(queue as never)));
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
      .send('Login needed');
  });
  router.use((_request: Request, _response: Response, next: NextFunction) => {
    refresh().then(() => next(), next);
  });
  router.use(adapter.getRouter());
  return router;
}

function isAdmin(header: string | undefined, { user, password }: BoardOptions): boolean {
  const [scheme, encoded] = (header ?? '').split(' ');
  if (scheme?.toLowerCase() !== 'basic' || !encoded) return false;
  return sameSecret(Buffer.from(encoded, 'base64').toString('utf8'), `${user}:${password}`);
}

/** A browser sends the remembered login along with requests that other sites make. */
function isForged(request: Request): boolean {
  const site = request.get('Sec-Fetch-Site');
  return request.method !== 'GET' && site !== undefined && site !== 'same-origin' && site !== 'none';
}
