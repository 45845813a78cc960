import express, { type NextFunction, type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { scopesOf } from '../domain/roles.ts';
import type { Deps } from '../engine/deps.ts';
import { Problem } from '../lib/errors.ts';
import {
  closeSession,
  companiesOf,
  LONGEST_SESSION_SECONDS,
  type Person,
  readSession,
} from '../usecases/people/sessions.ts';
import { isForged, Login, personOf, SESSION_COOKIE } from './http/login.ts';
import { badRequest, violationsOf } from './http/problem.ts';

export const SESSION_PATH = '/api/v1/session';

const MAX_BODY = 4096;
const Credentials = z.object({ email: z.string().min(1).max(254), password: z.string().min(1).max(1000) });

/** Logs people in (POST), says who is logged in (GET), and logs them out (DELETE). */
export function sessionRouter(deps: Pick<Deps, 'orm' | 'now'>): Router {
  const router = Router();
  const login = new Login(deps);
  const handle =
    (run: (request: Request, response: Response) => Promise<void>) =>
    (request: Request, response: Response, next: NextFunction): void => {
      response.locals.route = SESSION_PATH;
      response.set('Cache-Control', 'no-store');
      run(request, response).catch(next);
    };
  router.post(
    '/',
    express.json({ limit: MAX_BODY }),
    handle(async (request, response) => {
      if (isForged(request)) throw otherSite();
      const read = Credentials.safeParse(request.body ?? {});
      if (!read.success) throw badRequest(violationsOf(read.error, 'body'));
      const token = await login.open(read.data, request.ip ?? '');
      response.cookie(SESSION_COOKIE, token, { ...cookieOf(request), maxAge: LONGEST_SESSION_SECONDS * 1000 });
      const person = await readSession(deps, token);
      if (!person) throw notLoggedIn();
      response.json(await personBody(deps, person));
    }),
  );
  router.get(
    '/',
    handle(async (request, response) => {
      const person = await personOf(deps, request);
      if (!person) throw notLoggedIn();
      response.json(await personBody(deps, person));
    }),
  );
  router.delete(
    '/',
    handle(async (request, response) => {
      const person = await personOf(deps, request);
      if (person) await closeSession(deps, person.sessionId);
      response.clearCookie(SESSION_COOKIE, cookieOf(request)).status(204).end();
    }),
  );
  return router;
}

/** A page of another site can neither read the cookie nor send it. Without TLS a browser would not keep a secure cookie. */
function cookieOf(request: Request) {
  return { httpOnly: true, sameSite: 'strict', secure: request.secure, path: '/' } as const;
}

async function personBody(deps: Pick<Deps, 'orm'>, person: Person) {
  const { email, name, role } = person;
  const companies = (await companiesOf(deps, person)).map(({ key, name: called }) => ({ key, name: called }));
  return { email, name, role, scopes: scopesOf(role), companies };
}

function otherSite(): Problem {
  return new Problem('Requests from other sites are refused', {
    status: 403,
    code: 'wrong-origin',
    title: 'Forbidden',
  });
}

function notLoggedIn(): Problem {
  return new Problem('Log in first: POST /api/v1/session', {
    status: 401,
    code: 'login-missing',
    title: 'Unauthorized',
  });
}
