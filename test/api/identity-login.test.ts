import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { disableUser } from '../../src/usecases/people/users.ts';
import { type OidcServer, startOidcServer } from '../support/oidc-server.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { Browser, person } from './browser.ts';

const HOUR_MS = 3_600_000;

let provider: OidcServer;
let test: TestApp;
let ahead = 0;

/** The cookies of one browser, by host. */
class Jar {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Asks one URL without following its redirect. */
  async get(url: string | URL): Promise<Response> {
    const { host } = new URL(url);
    const kept = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, kept);
    const cookie = [...kept].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      const at = pair.indexOf('=');
      if (/expires=Thu, 01 Jan 1970/i.test(set)) kept.delete(pair.slice(0, at));
      else kept.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  }

  copy(): Jar {
    const jar = new Jar();
    for (const [host, cookies] of this.#cookies) jar.#cookies.set(host, new Map(cookies));
    return jar;
  }
}

const locationOf = (response: Response, base: string | URL): URL => {
  const location = response.headers.get('location');
  if (location === null) throw new Error(`${base} answered ${response.status} without a location`);
  return new URL(location, base);
};

/** Goes to the provider and back; returns the URL that the browser comes back to, before it does. */
async function goThere(jar: Jar, change: (url: URL) => void = () => undefined): Promise<URL> {
  const begin = `${test.app.url}/api/v1/session/oidc`;
  let at = locationOf(await jar.get(begin), begin);
  change(at);
  for (let hops = 0; at.host !== new URL(test.app.url).host; hops++) {
    if (hops > 9) throw new Error(`The provider never sends the browser back from ${at}`);
    at = locationOf(await jar.get(at), at);
  }
  return at;
}

async function told(response: Response): Promise<unknown> {
  return [response.status, response.status < 400 ? null : ((await response.json()) as { code: string }).code];
}

async function sessionOf(jar: Jar): Promise<{ status: number; email: unknown }> {
  const response = await jar.get(`${test.app.url}/api/v1/session`);
  return { status: response.status, email: ((await response.json()) as { email?: unknown }).email };
}

beforeAll(async () => {
  provider = await startOidcServer();
  test = await startTestApp({ roles: ['api'], env: provider.env, now: () => new Date(Date.now() + ahead) });
});
afterAll(async () => {
  await test.stop();
  await provider.close();
});

const open = () => provider.open(`${test.app.url}/api/v1/session/oidc/callback`);

describe('a login at the identity provider', () => {
  it('waits for a provider that is away, while passwords go on working', async () => {
    const credentials = await person(test);

    const away = await new Jar().get(`${test.app.url}/api/v1/session/oidc`);
    const password = await new Browser(test).logIn(credentials);
    open();
    const jar = new Jar();
    provider.loginAs({ email: credentials.email, email_verified: true });
    const back = await goThere(jar);
    provider.shut('busy');
    const busy = await jar.copy().get(back);
    provider.shut('gone');
    const gone = await jar.copy().get(back);
    open();
    const there = await jar.get(back);

    expect(await told(away)).toEqual([503, 'identity-provider-away']);
    expect(away.headers.get('retry-after')).toBe('10');
    expect(password.status).toBe(200);
    expect([await told(busy), await told(gone)]).toEqual(Array(2).fill([503, 'identity-provider-away']));
    expect(await told(there)).toEqual([401, 'login-refused']);
  });

  it('makes a session for the person with the verified address, whichever its capitals, and the answer works once', async () => {
    const { email } = await person(test, 'operator');
    provider.loginAs({ email: email.toUpperCase(), email_verified: true });
    const jar = new Jar();

    const begun = await jar.copy().get(`${test.app.url}/api/v1/session/oidc`);
    const back = await goThere(jar);
    const kept = jar.copy();
    const landed = await jar.get(back);
    const replays = [await jar.get(back), await kept.get(back), await new Jar().get(back)];

    expect(begun.headers.get('set-cookie')).toMatch(
      /^smista_oidc=[^;]+; Max-Age=600; Path=\/api\/v1\/session\/oidc; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
    );
    expect(locationOf(begun, test.app.url).searchParams.get('code_challenge_method')).toBe('S256');
    expect([landed.status, landed.headers.get('location')]).toEqual([303, `${test.app.url}/console`]);
    expect(landed.headers.getSetCookie().join()).toMatch(/smista_session=[^;]+;.*HttpOnly; SameSite=Strict/);
    expect(await sessionOf(jar)).toEqual({ status: 200, email });
    expect(await Promise.all(replays.map(told))).toEqual(Array(3).fill([401, 'login-refused']));
    expect((await sessionOf(kept)).status).toBe(401);
  });

  it('refuses an answer with another state or nonce, one that was begun elsewhere, and a late one', async () => {
    const { email } = await person(test);
    provider.loginAs({ email, email_verified: true });
    const answers: unknown[] = [];
    const come = async (jar: Jar, back: URL) => answers.push(await told(await jar.get(back)));

    const [state, nonce, mine, other, late] = [new Jar(), new Jar(), new Jar(), new Jar(), new Jar()];
    await come(state, await goThere(state, (url) => url.searchParams.set('state', 'another')));
    await come(nonce, await goThere(nonce, (url) => url.searchParams.set('nonce', 'another')));
    await goThere(mine);
    await come(mine, await goThere(other));
    const back = await goThere(late);
    ahead += 601_000;
    await come(late, back);

    expect(answers).toEqual(Array(4).fill([401, 'login-refused']));
    expect((await sessionOf(state)).status).toBe(401);
  });

  it('keeps its cookie below the path of the public address', async () => {
    const { settings } = test.app.deps;
    const { publicUrl } = settings;
    settings.publicUrl = `${publicUrl}/smista`;

    const begun = await new Jar().get(`${test.app.url}/api/v1/session/oidc`);
    settings.publicUrl = publicUrl;

    expect(begun.headers.get('set-cookie')).toContain('; Path=/smista/api/v1/session/oidc;');
    expect(locationOf(begun, publicUrl).searchParams.get('redirect_uri')).toBe(
      `${publicUrl}/smista/api/v1/session/oidc/callback`,
    );
  });

  it('refuses an address that is not verified, and makes no person: unknown and disabled ones get the same words', async () => {
    const [known, disabled] = [await person(test), await person(test)];
    await disableUser(test.app.deps, disabled.email);
    const visitors = [
      { email: known.email, email_verified: false },
      { email: known.email },
      { email: 'unknown@example.com', email_verified: true },
      { email: disabled.email, email_verified: true },
    ];

    const words: unknown[] = [];
    for (const visitor of visitors) {
      provider.loginAs(visitor);
      const jar = new Jar();
      const answer = await jar.get(await goThere(jar));
      const { detail, code } = (await answer.json()) as { detail: string; code: string };
      words.push([answer.status, code, detail, (await sessionOf(jar)).status]);
    }

    const refusal = 'No person with this verified e-mail address may log in: ask an admin';
    expect(words).toEqual(Array(4).fill([401, 'login-refused', refusal, 401]));
  });

  it('asks the provider for its endpoints again after an hour, once for all logins', async () => {
    const { email } = await person(test);
    provider.loginAs({ email, email_verified: true });
    const logIn = async () => {
      const jar = new Jar();
      return (await jar.get(await goThere(jar))).status;
    };
    await logIn();
    const before = provider.discoveries();

    const soon = [await logIn(), provider.discoveries() - before];
    ahead += HOUR_MS;
    const later = [await logIn(), provider.discoveries() - before];

    ahead += HOUR_MS;
    const together = [await Promise.all([logIn(), logIn(), logIn()]), provider.discoveries() - before];

    expect(soon).toEqual([303, 0]);
    expect(later).toEqual([303, 1]);
    expect(together).toEqual([[303, 303, 303], 2]);
  });
});
