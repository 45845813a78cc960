import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import helmet from 'helmet';
import type { Clock } from '../lib/clock.ts';
import { sameSecret } from '../lib/crypto.ts';
import { networkOf } from '../lib/network-of.ts';
import type { Person } from '../usecases/people/sessions.ts';
import { boardWork } from './board-work.ts';
import { noteForAudit } from './http/audit.ts';
import { Guesses } from './http/guesses.ts';
import { isForged } from './http/login.ts';

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
  /** Returns the person whose session a request has. Throws a `Problem` for a write that another site made. */
  personOf: (request: Request) => Promise<Pick<Person, 'role' | 'companyId'> | null>;
  now: Clock;
}

const REFRESH_MS = 5000;
/** Wrong passwords from one address before it waits. */
const FREE_PASSWORDS = 5;

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

/** Serves Bull Board to admins of the installation, to inspect jobs and retry failed ones. */
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
  const refusal = { code: 'too-many-logins', detail: 'Too many wrong passwords came from this address' };
  const guesses = new Guesses({ free: FREE_PASSWORDS, refusal, now: options.now });

  /** Tells whether an admin asks: by session, else by the login of the settings. */
  const isAdmin = async (request: Request): Promise<boolean> => {
    const person = await options.personOf(request);
    noteForAudit(request, { channel: 'board', ...boardWork(request.method, request.path) });
    if (person) return person.role === 'admin' && person.companyId === null;
    const header = request.get('Authorization');
    if (header === undefined) return false;
    noteForAudit(request, { actor: { name: 'board', companyId: null } });
    const takeBack = guesses.count(networkOf(request.ip ?? ''));
    if (!isLogin(header, options)) return false;
    takeBack();
    return true;
  };

  const router = express.Router();
  router.use(helmet({ contentSecurityPolicy: false, hsts: false }));
  router.use((request: Request, response: Response, next: NextFunction) => {
    if (isForged(request)) {
      response.status(403).send('Requests from other sites are refused');
      return;
    }
    isAdmin(request).then((isAllowed) => {
      if (isAllowed) return next();
      response
        .status(401)
        .set('WWW-Authenticate', 'Basic realm="smista operations", charset="UTF-8"')
        .send('Login required');
    }, next);
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

function isLogin(header: string, { user, password }: BoardOptions): boolean {
  const [scheme, encoded] = header.split(' ');
  if (scheme?.toLowerCase() !== 'basic' || !encoded) return false;
  return sameSecret(Buffer.from(encoded, 'base64').toString('utf8'), `${user}:${password}`);
}
