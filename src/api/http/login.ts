import { parseCookie } from 'cookie';
import type { Request } from 'express';
import { scopesOf } from '../../domain/roles.ts';
import type { Deps } from '../../engine/deps.ts';
import { Problem } from '../../lib/errors.ts';
import { networkOf } from '../../lib/network-of.ts';
import { findCompany, openSession, type Person, readSession } from '../../usecases/people/sessions.ts';
import { Guesses } from './guesses.ts';

export const SESSION_COOKIE = 'smista_session';

/** Wrong passwords for one account from one address, and from one address for all accounts, before it waits. */
const FREE_PASSWORDS = { account: 5, address: 30 };

/** Logs people in, and slows down who guesses passwords. Guesses from one address never keep another address out of an account. */
export class Login {
  readonly #deps: Pick<Deps, 'orm' | 'now'>;
  readonly #byAccount: Guesses;
  readonly #byAddress: Guesses;

  constructor(deps: Pick<Deps, 'orm' | 'now'>, now: () => number = Date.now) {
    this.#deps = deps;
    const refusal = { code: 'too-many-logins', detail: 'Too many wrong passwords came from this address' };
    this.#byAccount = new Guesses({ free: FREE_PASSWORDS.account, refusal, now });
    this.#byAddress = new Guesses({ free: FREE_PASSWORDS.address, refusal, now });
  }

  /** Returns the token of a new session. Throws a 401 for a wrong e-mail address or password, and a 429 for one that came too early. */
  async open(credentials: { email: string; password: string }, address: string): Promise<string> {
    const network = networkOf(address);
    const account = `${credentials.email.trim().toLowerCase()} ${network}`;
    const takeBack: (() => void)[] = [];
    let isWrong = false;
    try {
      takeBack.push(this.#byAccount.count(account));
      takeBack.push(this.#byAddress.count(network));
      const token = await openSession(this.#deps, credentials);
      isWrong = token === null;
      if (token !== null) return token;
      throw new Problem('The e-mail address or the password is wrong', {
        status: 401,
        code: 'login-refused',
        title: 'Unauthorized',
      });
    } finally {
      if (!isWrong) for (const undo of takeBack) undo();
    }
  }
}

/** Returns the person whose session the cookie of a request names; null: none. Throws a 403 for a write that another site made. */
export async function personOf(deps: Pick<Deps, 'orm' | 'now'>, request: Request): Promise<Person | null> {
  const token = parseCookie(request.get('cookie') ?? '')[SESSION_COOKIE];
  const person = token === undefined ? null : await readSession(deps, token);
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
