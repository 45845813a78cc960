import type { UserRole } from '../../src/domain/roles.ts';
import { createUser } from '../../src/usecases/people/users.ts';
import type { TestApp } from '../support/test-app.ts';

export interface Credentials {
  email: string;
  password: string;
  code?: string;
}

export interface SessionAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects
  body: any;
}

/** A person's browser: it keeps the cookie of the session. */
export class Browser {
  readonly #test: TestApp;
  #cookie = '';

  constructor(test: TestApp) {
    this.#test = test;
  }

  /** Calls an endpoint below /api/v1/session. */
  async ask(method: string, path = '', body?: unknown): Promise<SessionAnswer> {
    const response = await fetch(`${this.#test.app.url}/api/v1/session${path}`, {
      method,
      headers: { 'content-type': 'application/json', origin: this.#test.app.url, cookie: this.#cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const set = response.headers.get('set-cookie')?.split(';')[0];
    if (set !== undefined) this.#cookie = set;
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
  }

  logIn(credentials: Credentials): Promise<SessionAnswer> {
    return this.ask('POST', '', credentials);
  }
}

let made = 0;

/** Creates a person; returns the credentials. */
export async function person(test: TestApp, role: UserRole = 'viewer'): Promise<Credentials> {
  const email = `reader${made++}@example.com`;
  const { password } = await createUser(test.app.deps, { email, name: 'Ada', role, companyKey: 'demo' });
  return { email, password };
}
