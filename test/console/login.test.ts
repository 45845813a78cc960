import { type TOTP, URI } from 'otpauth';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOidcServer } from '../support/oidc-server.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { accessibilityFaults, addPerson, CHROMIUM, logIn, openBrowser, visit } from './browser.ts';

describe.skipIf(CHROMIUM === null)('the login of the console', () => {
  let test: TestApp;
  let browser: Browser;

  beforeAll(async () => {
    [test, browser] = await Promise.all([startTestApp({ roles: ['api'] }), openBrowser()]);
  });
  afterAll(async () => {
    await browser.close();
    await test.stop();
  });

  it('asks people with a second factor for its code, after the right password', async () => {
    const person = await addPerson(test, 'operator');
    const first = await visit(browser, test);
    await logIn(first.page, person);
    const headers = { origin: test.app.url };
    const begun = await first.page.request.post('/api/v1/session/totp', { headers });
    const totp = URI.parse((await begun.json()).uri) as TOTP;
    const confirmed = await first.page.request.post('/api/v1/session/totp/confirm', {
      headers,
      data: { code: totp.generate() },
    });
    const [recoveryCode = ''] = (await confirmed.json()).recoveryCodes as string[];

    const { page, faults } = await visit(browser, test);
    await page.goto('/console');
    await page.fill('input[name=email]', person.email);
    await page.fill('input[name=password]', person.password);
    const before = await page.locator('input[name=code]').count();
    await page.click('button[type=submit]');
    await page.fill('input[name=code]', '000000');
    const found = await accessibilityFaults(page);
    await page.click('button[type=submit]');
    await page.getByRole('alert').getByText('The code is wrong').waitFor();
    await page.fill('input[name=code]', recoveryCode);
    await page.click('button[type=submit]');
    await page.waitForSelector('header.frame');

    expect(before).toBe(0);
    expect(found).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('leads to a menu that is one line on a telephone and shows the current screen', async () => {
    const { page, faults } = await visit(browser, test, { width: 390, language: 'it' });
    await logIn(page, await addPerson(test, 'admin'), '/console/admin');
    const link = page.getByRole('link', { name: 'Amministrazione' });
    await page.waitForFunction('document.querySelector("header nav").scrollLeft > 0');

    const box = await link.boundingBox();
    const header = await page.locator('header.frame').boundingBox();

    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(390);
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect(header?.height).toBeLessThan(100);
    expect(faults).toEqual([]);
  });

  it('goes to the identity provider and back where there is one', async () => {
    const provider = await startOidcServer();
    const own = await startTestApp({ roles: ['api'], env: provider.env });
    const { email } = await addPerson(own, 'viewer');
    provider.open(`${own.app.url}/api/v1/session/oidc/callback`);
    provider.loginAs({ email, email_verified: true });
    const [{ page, faults }, without] = [await visit(browser, own), await visit(browser, test)];
    await page.goto('/console');
    const link = page.getByRole('link', { name: 'Log in with your company account' });
    await link.waitFor();
    const found = await accessibilityFaults(page);
    await link.click();
    await page.waitForSelector('header.frame');
    await without.page.goto('/console');
    await without.page.waitForSelector('input[name=password]');

    expect(new URL(page.url()).pathname).toMatch(/^\/console/);
    expect(found).toEqual([]);
    expect(await without.page.getByRole('link').count()).toBe(0);
    expect(new Set(faults)).toEqual(new Set([`request to ${provider.env.OIDC_ISSUER}`]));
    await own.stop();
    await provider.close();
  });
});
