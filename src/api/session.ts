import express, { type Request, Router } from 'express';
import { z } from 'zod';
import { scopesOf } from '../domain/roles.ts';
import type { Deps } from '../engine/deps.ts';
import { Problem } from '../lib/errors.ts';
import type { IdentityProvider } from '../lib/identity-provider.ts';
import { beginSecondFactor, confirmSecondFactor, endSecondFactor } from '../usecases/people/second-factor.ts';
import { closeSession, companiesOf, type Person, readSession } from '../usecases/people/sessions.ts';
import { noteForAudit, notePerson } from './http/audit.ts';
import { cookieOf, isForged, Login, personOf, SESSION_COOKIE, sendSession, wrongCode } from './http/login.ts';
import { pointsOf } from './http/points.ts';
import { badRequest, violationsOf } from './http/problem.ts';
import type { ApiDeps } from './http/route.ts';
import { operationIdOf } from './http/route.ts';
import type { SecretGuard } from './http/secret-guard.ts';
import { identityLoginRouter, OIDC_PATH } from './identity-login.ts';

export const SESSION_PATH = '/api/v1/session';

const MAX_BODY = 4096;
const WORK: Readonly<Record<string, string>> = { 'POST /': 'login', 'DELETE /': 'logout' };
/** Characters. */
const MIN_PASSWORD = 12;
const Password = z.string().min(1).max(1000);
const Code = z.string().min(1).max(50);
const Credentials = z.object({ email: z.string().min(1).max(254), password: Password, code: Code.optional() });
const NewPassword = z
  .object({ password: Password, newPassword: z.string().min(MIN_PASSWORD).max(1000) })
  .refine(({ password, newPassword }) => password !== newPassword, {
    path: ['newPassword'],
    message: 'must not be the present password',
  });
const OneCode = z.object({ code: Code });

/** The metrics name no other path. */
const PATHS: ReadonlySet<string> = new Set(['/', '/password', '/totp', '/totp/confirm']);

type SessionDeps = Pick<ApiDeps, 'orm' | 'vault' | 'now' | 'settings' | 'points'>;

/** Logs people in (POST), says who is logged in (GET), and logs them out (DELETE); below, their password and second factor. */
export function sessionRouter(
  deps: SessionDeps,
  sessions: SecretGuard<Person>,
  provider: IdentityProvider | null,
): Router {
  const router = Router();
  const login = new Login(deps);
  router.use((request, response, next) => {
    if (PATHS.has(request.path)) response.locals.route = `${SESSION_PATH}${request.path}`.replace(/\/$/, '');
    response.set('Cache-Control', 'no-store');
    noteForAudit(request, workOf(request));
    next();
  });
  router.use(express.json({ limit: MAX_BODY }));
  if (provider) router.use('/oidc', identityLoginRouter(deps, login, provider));

  router.post('/', async (request, response) => {
    if (isForged(request)) throw otherSite();
    const credentials = read(Credentials, request);
    noteForAudit(request, { login: credentials.email });
    const token = await login.open(credentials, request.ip ?? '');
    sendSession(request, response, token);
    const person = await readSession(deps, token);
    if (!person) throw notLoggedIn();
    notePerson(request, person);
    response.json(await personBody(deps, person));
  });
  router.get('/', async (request, response) => {
    // Without a session a page learns here how people may log in.
    if (provider && !(await personOf(sessions, request))) throw notLoggedIn({ identityProvider: OIDC_PATH });
    response.json(await personBody(deps, await loggedIn(deps, sessions, request)));
  });
  router.delete('/', async (request, response) => {
    const person = await personOf(sessions, request);
    if (person) await closeSession(deps, person.sessionId);
    response.clearCookie(SESSION_COOKIE, cookieOf(request)).status(204).end();
  });
  router.post('/password', async (request, response) => {
    const person = await loggedIn(deps, sessions, request);
    await login.changePassword(person, read(NewPassword, request), request.ip ?? '');
    response.status(204).end();
  });
  router.post('/totp', async (request, response) => {
    const person = await loggedIn(deps, sessions, request);
    response.status(201).json({ uri: await beginSecondFactor(deps, person) });
  });
  router.post('/totp/confirm', async (request, response) => {
    const person = await loggedIn(deps, sessions, request);
    const { code } = read(OneCode, request);
    const recoveryCodes = await login.withCode(person.userId, () => confirmSecondFactor(deps, person, code));
    if (!recoveryCodes) throw wrongCode();
    response.json({ recoveryCodes });
  });
  router.delete('/totp', async (request, response) => {
    const person = await loggedIn(deps, sessions, request);
    const { code } = read(OneCode, request);
    const isOff = await login.withCode(person.userId, async () => (await endSecondFactor(deps, person, code)) || null);
    if (!isOff) throw wrongCode();
    response.status(204).end();
  });
  return router;
}

/** Returns what a request does, for the audit log. */
function workOf({ method, path }: Pick<Request, 'method' | 'path'>): { operation: string; isWrite: boolean } {
  const verb = method.toLowerCase() as 'post';
  const operation = WORK[`${method} ${path}`] ?? operationIdOf({ method: verb, path: `/session${path}` });
  return { operation, isWrite: method !== 'GET' };
}

/** Returns the person who asks. Throws a 401 for none, and a 403 for a write that another site made. */
async function loggedIn(deps: SessionDeps, sessions: SecretGuard<Person>, request: Request): Promise<Person> {
  const person = await personOf(sessions, request);
  if (!person) throw notLoggedIn();
  await deps.points.spend(pointsOf(person), 1);
  return person;
}

function read<Body>(schema: z.ZodType<Body>, request: Request): Body {
  const parsed = schema.safeParse(request.body ?? {});
  if (!parsed.success) throw badRequest(violationsOf(parsed.error, 'body'));
  return parsed.data;
}

async function personBody(deps: Pick<Deps, 'orm'>, person: Person) {
  const { email, name, role, hasTotp } = person;
  const companies = (await companiesOf(deps, person)).map(({ id: _id, ...company }) => company);
  const ofInstallation = person.companyId === null;
  return { email, name, role, scopes: scopesOf(role), companies, ofInstallation, hasTotp };
}

function otherSite(): Problem {
  return new Problem('Requests from other sites are refused', {
    status: 403,
    code: 'wrong-origin',
    title: 'Forbidden',
  });
}

function notLoggedIn(extra: Record<string, unknown> = {}): Problem {
  return new Problem('Log in first: POST /api/v1/session', {
    status: 401,
    code: 'login-missing',
    title: 'Unauthorized',
    extra,
  });
}
