import { parseCookie } from 'cookie';
import { type Request, Router } from 'express';
import type { Deps } from '../engine/deps.ts';
import { IntegrationError, Problem } from '../lib/errors.ts';
import type { BegunLogin, IdentityProvider, ProvenIdentity } from '../lib/identity-provider.ts';
import { findVerified, openSession } from '../usecases/people/sessions.ts';
import { noteForAudit, notePerson } from './http/audit.ts';
import { type Login, sendSession } from './http/login.ts';

export const OIDC_PATH = '/api/v1/session/oidc';
const COOKIE = 'smista_oidc';
/** Context of the seal of that cookie. */
const SEAL = 'identity login';
const BEGUN_MS = 600_000;

type LoginDeps = Pick<Deps, 'orm' | 'vault' | 'now' | 'settings'>;

interface SealedLogin extends BegunLogin {
  /** Epoch milliseconds. */
  until: number;
}

/** Logs people in with the company's identity provider: `GET /` sends the browser there, and it comes back to `GET /callback`. */
export function identityLoginRouter(deps: LoginDeps, login: Login, provider: IdentityProvider): Router {
  const router = Router();
  const redirectUri = () => `${deps.settings.publicUrl}${OIDC_PATH}/callback`;

  router.get('/', async (request, response) => {
    response.locals.route = OIDC_PATH;
    const { url, begun } = await provider.begin(redirectUri());
    const sealed: SealedLogin = { ...begun, until: deps.now().getTime() + BEGUN_MS };
    response.cookie(COOKIE, deps.vault.seal(sealed, SEAL), { ...cookieOf(request, redirectUri()), maxAge: BEGUN_MS });
    response.redirect(302, url.href);
  });
  router.get('/callback', async (request, response) => {
    response.locals.route = `${OIDC_PATH}/callback`;
    noteForAudit(request, { operation: 'login', isWrite: true });
    const begun = begunBy(deps, request);
    response.clearCookie(COOKIE, cookieOf(request, redirectUri()));
    if (!begun) throw beginAgain();
    const answered = new URL(redirectUri());
    answered.search = new URL(request.originalUrl, answered).search;
    const token = await login.openFrom(request.ip ?? '', async () => {
      const identity = await provider.finish(answered, begun);
      return identity && openFor(deps, request, identity);
    });
    if (token === null) throw beginAgain();
    sendSession(request, response, token);
    response.redirect(303, `${deps.settings.publicUrl}/console`);
  });
  return router;
}

/** Throws a 401 for an identity that no person has who may log in. */
async function openFor(
  deps: LoginDeps,
  request: Request,
  { email, isVerified }: ProvenIdentity,
): Promise<string | null> {
  const user = isVerified ? await findVerified(deps, email) : null;
  if (user) {
    notePerson(request, { userId: user.id, companyId: user.companyId ?? null });
    return openSession(deps, user, null);
  }
  throw refused('No person with this verified e-mail address may log in: ask an admin');
}

/** The browser sends it back from the provider, so it is laxer than the cookie of a session. */
function cookieOf(request: Request, redirectUri: string) {
  // A proxy may serve smista below a path.
  const path = new URL('.', redirectUri).pathname.replace(/\/$/, '');
  return { httpOnly: true, sameSite: 'lax', secure: request.secure, path } as const;
}

/** Returns the login that this browser began; null: none, or too long ago. */
function begunBy({ vault, now }: LoginDeps, request: Request): BegunLogin | null {
  const sealed = parseCookie(request.get('cookie') ?? '')[COOKIE];
  if (sealed === undefined) return null;
  try {
    const begun = vault.open(sealed, SEAL) as SealedLogin;
    return begun.until > now().getTime() ? begun : null;
  } catch (error) {
    if (error instanceof IntegrationError) return null;
    throw error;
  }
}

function beginAgain(): Problem {
  return refused('This login was not begun here, is over, or was refused: begin again');
}

function refused(detail: string): Problem {
  return new Problem(detail, { status: 401, code: 'login-refused', title: 'Unauthorized' });
}
