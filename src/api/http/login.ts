import { parseCookie } from 'cookie';
import type { Request, Response } from 'express';
import { scopesOf } from '../../domain/roles.ts';
import type { Deps } from '../../engine/deps.ts';
import { Problem } from '../../lib/errors.ts';
import { networkOf } from '../../lib/network-of.ts';
import {
  changePassword,
  findCompany,
  LONGEST_SESSION_SECONDS,
  openSession,
  type Person,
  provePassword,
} from '../../usecases/people/sessions.ts';
import { notePerson } from './audit.ts';
import { Guesses } from './guesses.ts';
import type { SecretGuard } from './secret-guard.ts';

export const SESSION_COOKIE = 'smista_session';

/** Wrong passwords for one account from one address, and from one address for all accounts, before it waits. */
const FREE_PASSWORDS = { account: 5, address: 30 };
/** Wrong codes of one person from all addresses, before everyone waits. */
const FREE_CODES = 10;

type LoginDeps = Pick<Deps, 'orm' | 'vault' | 'now'>;

/** A proof that was wrong, with the problem to answer. */
class Wrong {
  readonly problem: Problem;

  constructor(problem: Problem) {
    this.problem = problem;
  }
}

/**
 * Proves who people are, and slows down who guesses passwords and codes. Wrong passwords from one address never keep another address out of
 * an account. Codes are guessed only by those who know the password, so all addresses wait after wrong ones.
 */
export class Login {
  readonly #deps: LoginDeps;
  readonly #byAccount: Guesses;
  readonly #byAddress: Guesses;
  readonly #byCode: Guesses;

  constructor(deps: LoginDeps) {
    this.#deps = deps;
    const { now } = deps;
    const refusal = { code: 'too-many-logins', detail: 'Too many wrong passwords came from this address' };
    this.#byAccount = new Guesses({ free: FREE_PASSWORDS.account, refusal, now });
    this.#byAddress = new Guesses({ free: FREE_PASSWORDS.address, refusal, now });
    const codes = { code: 'too-many-logins', detail: 'Too many wrong codes came for this person' };
    this.#byCode = new Guesses({ free: FREE_CODES, refusal: codes, now });
  }

  /**
   * Returns the token of a new session. Throws a 401 for a wrong e-mail address or password, and for a wrong or missing code. Throws a
   * 429 for a try that came too early.
   */
  open(credentials: { email: string; password: string; code?: string | undefined }, address: string): Promise<string> {
    return this.#prove(credentials.email, address, async () => {
      const proven = await provePassword(this.#deps, credentials);
      if (!proven) return new Wrong(refused('login-refused', 'The e-mail address or the password is wrong'));
      const { user, needsCode } = proven;
      const { code } = credentials;
      if (needsCode && code === undefined) throw refused('code-missing', 'Send the code of your second factor too');
      const open = () => openSession(this.#deps, user, needsCode ? (code ?? '') : null);
      const token = await (needsCode ? this.withCode(user.id, open) : open());
      return token ?? new Wrong(needsCode ? wrongCode() : refused('login-refused', 'Log in again: the person changed'));
    });
  }

  /** Runs a login that another site proves. It counts as a guess of the address when it answers null. Throws a 429 when it came too early. */
  async openFrom(address: string, open: () => Promise<string | null>): Promise<string | null> {
    const takeBack = this.#byAddress.count(networkOf(address));
    let isWrong = false;
    try {
      const token = await open();
      isWrong = token === null;
      return token;
    } finally {
      if (!isWrong) takeBack();
    }
  }

  /** Changes a person's own password. Throws a 401 for a wrong present one, and a 429 for a try that came too early. */
  async changePassword(
    person: Person,
    passwords: { password: string; newPassword: string },
    address: string,
  ): Promise<void> {
    await this.#prove(person.email, address, async () => {
      const isRight = await changePassword(this.#deps, person, passwords);
      return isRight || new Wrong(refused('login-refused', 'The present password is wrong'));
    });
  }

  /** Runs what a code proves. It counts as a guess when it answers null. Throws a 429 when it came too early. */
  async withCode<Result>(userId: number, prove: () => Promise<Result | null>): Promise<Result | null> {
    const takeBack = this.#byCode.count(String(userId));
    let isWrong = false;
    try {
      const result = await prove();
      isWrong = result === null;
      return result;
    } finally {
      if (!isWrong) takeBack();
    }
  }

  async #prove<Result>(email: string, address: string, prove: () => Promise<Result | Wrong>): Promise<Result> {
    const network = networkOf(address);
    const takeBack: (() => void)[] = [];
    let isWrong = false;
    try {
      takeBack.push(this.#byAccount.count(`${email.trim().toLowerCase()} ${network}`));
      takeBack.push(this.#byAddress.count(network));
      const result = await prove();
      if (!(result instanceof Wrong)) return result;
      isWrong = true;
      throw result.problem;
    } finally {
      if (!isWrong) for (const undo of takeBack) undo();
    }
  }
}

/** Returns the 401 of a code that is wrong, or that was used before. */
export function wrongCode(): Problem {
  return refused('code-refused', 'The code is wrong, or was used before: wait for the next one');
}

function refused(code: string, detail: string): Problem {
  return new Problem(detail, { status: 401, code, title: 'Unauthorized' });
}

/** Gives the browser the cookie of a session. */
export function sendSession(request: Request, response: Response, token: string): void {
  response.cookie(SESSION_COOKIE, token, { ...cookieOf(request), maxAge: LONGEST_SESSION_SECONDS * 1000 });
}

/** Returns the options of the cookie. A page of another site can neither read nor send it. Without TLS a browser would not keep a secure one. */
export function cookieOf(request: Request) {
  return { httpOnly: true, sameSite: 'strict', secure: request.secure, path: '/' } as const;
}

/** Returns the person whose session the cookie of a request names; null: none. Throws a 403 for a write that another site made,
 * and a 429 while the address has to wait. */
export async function personOf(sessions: SecretGuard<Person>, request: Request): Promise<Person | null> {
  const token = parseCookie(request.get('cookie') ?? '')[SESSION_COOKIE];
  const person = token === undefined ? null : await sessions.identify(token, request.ip ?? '');
  if (person) notePerson(request, person);
  if (person && isForged(request)) {
    throw new Problem('Requests from other sites are refused', {
      status: 403,
      code: 'wrong-origin',
      title: 'Forbidden',
    });
  }
  return person;
}

/** Guards against CSRF: a browser adds the cookie or the stored login also to requests that other sites make. */
export function isForged(request: Request): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false;
  const site = request.get('Sec-Fetch-Site');
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  const origin = request.get('Origin');
  return origin === undefined || !URL.canParse(origin) || new URL(origin).host !== request.host;
}

/** The company and the scopes of a person's request. */
export interface PersonAccess {
  companyId: number;
  scopes: readonly string[];
}

/** Returns the access of a person. People of the whole installation name the company in the header `X-Company`. */
export async function accessOf(
  deps: Pick<Deps, 'orm'>,
  person: Person,
  companyKey: string | undefined,
): Promise<PersonAccess> {
  const chosen = await findCompany(deps, person, companyKey ?? null);
  if (!chosen) {
    const detail =
      companyKey === undefined
        ? 'The header X-Company must name one of your companies'
        : `You have no company ${companyKey}`;
    throw new Problem(detail, { status: 403, code: 'company-missing', title: 'Forbidden' });
  }
  return { companyId: chosen.id, scopes: scopesOf(person.role) };
}
