import { type TOTP, URI } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemEm } from '../../src/db/orm.ts';
import { resetUser } from '../../src/usecases/people/users.ts';
import { createKey } from '../../src/usecases/setup/api-keys.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { Browser, type Credentials, person } from './browser.ts';

const STEP_MS = 30_000;

let test: TestApp;
let now = new Date('2026-11-23T08:00:00Z');

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'], now: () => now });
});
afterAll(() => test.stop());

describe('the own password', () => {
  it('is changed with the present one, and ends every other login', async () => {
    const credentials = await person(test);
    const [here, there] = [new Browser(test), new Browser(test)];
    await here.logIn(credentials);
    await there.logIn(credentials);
    const change = (passwords: object) => here.ask('POST', '/password', passwords);
    const newPassword = 'correct horse battery';

    const refused = [
      await change({ password: credentials.password, newPassword: 'short' }),
      await change({ password: credentials.password, newPassword: credentials.password }),
      await change({ password: 'wrong', newPassword }),
      await new Browser(test).ask('POST', '/password', { password: credentials.password, newPassword }),
    ];
    const changed = await change({ password: credentials.password, newPassword });
    const after = [await here.ask('GET'), await there.ask('GET')];
    const logins = [
      await new Browser(test).logIn(credentials),
      await new Browser(test).logIn({ ...credentials, password: newPassword }),
    ];

    expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
      [400, 'invalid-request'],
      [400, 'invalid-request'],
      [401, 'login-refused'],
      [401, 'login-missing'],
    ]);
    expect(changed.status).toBe(204);
    expect(after.map(({ status }) => status)).toEqual([200, 401]);
    expect(logins.map(({ status }) => status)).toEqual([401, 200]);
  });

  it('is guessed as slowly as at the login', async () => {
    const credentials = await person(test);
    const browser = new Browser(test);
    await browser.logIn(credentials);
    const change = (password: string) => browser.ask('POST', '/password', { password, newPassword: 'x'.repeat(12) });
    for (let tries = 0; tries < 5; tries++) await change('wrong');

    const [next, login] = [await change(credentials.password), await new Browser(test).logIn(credentials)];

    expect([next.status, login.status]).toEqual([429, 429]);
    expect(next.body.code).toBe('too-many-logins');
  });
});

describe('a second factor', () => {
  /** Logs a person in who switches it on; returns the browser, the app that makes codes, and the recovery codes. */
  async function withSecondFactor(
    credentials: Credentials,
  ): Promise<{ browser: Browser; code: (steps?: number) => string; recoveryCodes: string[] }> {
    const browser = new Browser(test);
    await browser.logIn(credentials);
    const begun = await browser.ask('POST', '/totp');
    const app = URI.parse(begun.body.uri) as TOTP;
    const code = (steps = 0) => app.generate({ timestamp: now.getTime() + steps * STEP_MS });
    const confirmed = await browser.ask('POST', '/totp/confirm', { code: code() });
    return { browser, code, recoveryCodes: confirmed.body.recoveryCodes };
  }
  const logIn = async (credentials: Credentials, code?: string): Promise<unknown> => {
    const { status, body } = await new Browser(test).logIn({ ...credentials, ...(code === undefined ? {} : { code }) });
    return status === 200 ? 200 : body.code;
  };
  const wait = (steps: number): void => {
    now = new Date(now.getTime() + steps * STEP_MS);
  };

  it('is begun with a URI for an app, counts once confirmed, and ends the logins without it', async () => {
    const credentials = await person(test);
    const [browser, other] = [new Browser(test), new Browser(test)];
    await browser.logIn(credentials);
    await other.logIn(credentials);

    const early = await browser.ask('POST', '/totp/confirm', { code: '000000' });
    const first = await browser.ask('POST', '/totp');
    const second = await browser.ask('POST', '/totp');
    const app = URI.parse(second.body.uri) as TOTP;
    const abandoned = (URI.parse(first.body.uri) as TOTP).generate({ timestamp: now.getTime() });
    const wrong = await browser.ask('POST', '/totp/confirm', { code: abandoned });
    const unconfirmed = await logIn(credentials);
    const code = app.generate({ timestamp: now.getTime() });
    const confirmed = await browser.ask('POST', '/totp/confirm', { code });
    const again = await browser.ask('POST', '/totp');

    expect(first.status).toBe(201);
    expect(app).toMatchObject({ issuer: 'smista', label: credentials.email, period: 30, digits: 6 });
    expect([early, wrong, again].map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'totp-off'],
      [401, 'code-refused'],
      [409, 'totp-on'],
    ]);
    expect(unconfirmed).toBe(200);
    expect(new Set(confirmed.body.recoveryCodes).size).toBe(10);
    expect([(await browser.ask('GET')).body.hasTotp, (await other.ask('GET')).status]).toEqual([true, 401]);
    const users = JSON.stringify(await systemEm(test.app.deps.orm).execute('select * from users'));
    expect(users).not.toContain(app.secret.base32);
    for (const recovery of confirmed.body.recoveryCodes) expect(users).not.toContain(recovery);
  });

  it('is asked for after the right password, and takes each code once', async () => {
    const credentials = await person(test);
    const { code } = await withSecondFactor(credentials);

    const answers = [await logIn(credentials), await logIn({ ...credentials, password: 'wrong' }, code(1))];
    const replayed = await logIn(credentials, code());
    const next = await logIn(credentials, code(1));
    const older = await logIn(credentials, code());
    wait(3);
    const twice = await Promise.all([logIn(credentials, code()), logIn(credentials, code())]);

    expect(answers).toEqual(['code-missing', 'login-refused']);
    expect([replayed, next, older]).toEqual(['code-refused', 200, 'code-refused']);
    expect(twice.toSorted()).toEqual([200, 'code-refused']);
  });

  it('takes a code one step early or late, with spaces, and none further away', async () => {
    const credentials = await person(test);
    const { code } = await withSecondFactor(credentials);
    wait(4);

    const tooEarly = await logIn(credentials, code(2));
    const tooLate = await logIn(credentials, code(-2));
    const late = await logIn(credentials, ` ${code(-1).slice(0, 3)} ${code(-1).slice(3)}`);
    const early = await logIn(credentials, code(1));

    expect([tooEarly, tooLate, late, early]).toEqual(['code-refused', 'code-refused', 200, 200]);
  });

  it('takes each recovery code once', async () => {
    const credentials = await person(test);
    const { recoveryCodes } = await withSecondFactor(credentials);
    const [first = '', second = ''] = recoveryCodes;

    const answers = [
      await logIn(credentials, first),
      await logIn(credentials, first),
      await logIn(credentials, second.toLowerCase().replaceAll('-', ' ')),
      await logIn(credentials, 'ABCD-EFGH-IJKL-MNOP'),
    ];

    expect(answers).toEqual([200, 'code-refused', 200, 'code-refused']);
  });

  it('makes everyone wait who guesses codes, from whichever address', async () => {
    const credentials = await person(test);
    const { code } = await withSecondFactor(credentials);
    wait(2);
    const from = async (address: string, guess: string) => {
      const response = await fetch(`${test.app.url}/api/v1/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: test.app.url, 'x-forwarded-for': address },
        body: JSON.stringify({ ...credentials, code: guess }),
      });
      return response.status;
    };
    for (let tries = 0; tries < 10; tries++) await from(`198.51.${tries}.7`, 'wrong');

    expect(await from('203.0.113.9', code())).toBe(429);
  });

  it('is switched off with a code, and by an administrator, who sees who has it on', async () => {
    const credentials = await person(test);
    const { browser, code } = await withSecondFactor(credentials);
    const admin = { companyKey: 'demo', name: 'setup', expiresAt: null, scopes: ['admin'] };
    const { key } = await createKey(test.app.deps, admin);
    const hasTotp = async () => {
      const url = `${test.app.url}/api/v1/admin/companies/demo/users`;
      const users = (await (await fetch(url, { headers: { 'x-api-key': key } })).json()) as Record<string, unknown>[];
      return users.find(({ email }) => email === credentials.email)?.hasTotp;
    };
    wait(2);

    const seen = [await hasTotp()];
    const wrong = await browser.ask('DELETE', '/totp', { code: '12345' });
    const off = await browser.ask('DELETE', '/totp', { code: code() });
    seen.push(await hasTotp());
    const plain = await logIn(credentials);
    const again = await browser.ask('DELETE', '/totp', { code: code() });
    await withSecondFactor(credentials);
    seen.push(await hasTotp());
    const password = await resetUser(test.app.deps, credentials.email);
    seen.push(await hasTotp());

    expect(seen).toEqual([true, false, true, false]);
    expect([wrong.status, off.status, plain, again.body.code]).toEqual([401, 204, 200, 'totp-off']);
    expect(await logIn({ ...credentials, password })).toBe(200);
  });
});
