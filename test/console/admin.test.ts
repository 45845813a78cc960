import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../src/usecases/setup/api-keys.ts';
import { addCompany } from '../api/second-company.ts';
import { createOrder } from '../api/ship-orders.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import {
  accessibilityFaults,
  addPerson,
  CHROMIUM,
  type Credentials,
  logIn,
  openBrowser,
  overflowOf,
  visit,
} from './browser.ts';

const PARTS = ['people', 'keys', 'setup', 'audit', 'limits'] as const;

describe.skipIf(CHROMIUM === null)('the administration in the console', () => {
  let test: TestApp;
  let browser: Browser;
  let admin: Credentials;

  beforeAll(async () => {
    [test, browser] = await Promise.all([startTestApp({ roles: ['api'] }), openBrowser()]);
    await addCompany(test, 'altra');
    admin = await addPerson(test, 'admin');
  });
  afterAll(async () => {
    await browser.close();
    await test.stop();
  });

  const inDialog = (page: Page) => page.getByRole('dialog');
  const note = (page: Page) => page.locator('section[role=status]');
  const secretOf = async (page: Page) => (await note(page).locator('code.secret').textContent()) ?? '';
  const keptBy = (page: Page) => page.evaluate<string>('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])');

  async function confirm(page: Page): Promise<void> {
    await inDialog(page).locator('button[type=submit][aria-disabled=false]').click();
    await inDialog(page).waitFor({ state: 'detached' });
  }

  it('creates a person by keys, who logs in with the password that is shown once', async () => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, admin, '/console/admin');
    await page.getByText(admin.email).waitFor();
    await page.keyboard.press('n');
    await inDialog(page).getByText('No e-mail is sent').waitFor();
    await page.keyboard.type('new-person@example.com');
    await page.keyboard.press('Enter');
    await inDialog(page).waitFor({ state: 'detached' });
    const password = await secretOf(page);
    const told = await note(page).textContent();
    const kept = await keptBy(page);
    await page.getByRole('link', { name: 'Limits' }).click();
    await page.getByText('Requests at a time').waitFor();
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('heading', { name: 'new-person@example.com' }).waitFor();
    const after = await page.content();
    const other = await visit(browser, test);
    await logIn(other.page, { email: 'new-person@example.com', password });

    expect(told).toMatch(/may log in.*shown this once.*Request [\w-]+/);
    expect(password.length).toBeGreaterThan(15);
    expect(kept).not.toContain(password);
    expect(after).not.toContain(password);
    expect([...faults, ...other.faults]).toEqual([]);
  });

  it('disables a person and gives a new password, each after saying what that means', async () => {
    const person = await addPerson(test, 'viewer');
    const { page, faults } = await visit(browser, test);
    await logIn(page, admin, '/console/admin/people');
    await page.getByRole('button', { name: `Disable: ${person.email}` }).click();
    await inDialog(page).getByText('All logins of').waitFor();
    await confirm(page);
    await note(page).getByText('is disabled').waitFor();
    await page.getByRole('heading', { name: person.email }).getByText('disabled since').waitFor();
    await page.getByRole('button', { name: `New password: ${person.email}` }).click();
    await inDialog(page).getByText('may log in again afterwards').waitFor();
    await confirm(page);
    const password = await secretOf(page);
    const other = await visit(browser, test);
    await logIn(other.page, { email: person.email, password });

    expect(password).not.toBe(person.password);
    expect([...faults, ...other.faults]).toEqual([]);
  });

  it('does not disable oneself without a tick, and offers no new password for oneself', async () => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, admin, '/console/admin/people');
    await page.getByRole('button', { name: `Disable: ${admin.email}` }).click();
    await inDialog(page).getByText('This is you').waitFor();
    await inDialog(page).locator('button[type=submit][aria-disabled=false]').click();
    const isInvalid = await inDialog(page).locator('input[name=sure]:invalid').count();
    await page.keyboard.press('Escape');
    await inDialog(page).waitFor({ state: 'detached' });

    expect(isInvalid).toBe(1);
    expect(await page.getByRole('button', { name: `New password: ${admin.email}` }).count()).toBe(0);
    expect(await page.getByRole('button', { name: `Disable: ${admin.email}` }).count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it('creates a key with few scopes, shows it once, keeps it nowhere, and revokes it', async () => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, admin, '/console/admin/keys');
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.keyboard.press('n');
    await inDialog(page).getByLabel('Name, such as').fill('Magento');
    await inDialog(page).getByLabel('Works from these').fill('127.0.0.0/8, ::1');
    await inDialog(page).locator('button[type=submit]').click();
    const isInvalid = await inDialog(page).locator('input[name=scopes]:invalid').count();
    await inDialog(page).getByLabel('orders:read').check();
    await confirm(page);
    const key = await secretOf(page);
    const kept = await keptBy(page);
    const allowed = await test.call('GET', '/orders', undefined, { 'x-api-key': key });
    const refused = await test.call('GET', '/shipments', undefined, { 'x-api-key': key });
    await page.reload();
    await page.getByRole('heading', { name: 'Magento' }).waitFor();
    const after = await page.content();
    await page.getByRole('button', { name: 'Revoke: Magento' }).click();
    await inDialog(page).getByText('can no longer do this: orders:read').waitFor();
    await inDialog(page).getByText('Last used').waitFor();
    await confirm(page);
    await page.getByRole('heading', { name: 'Magento' }).getByText('revoked').waitFor();
    const told = await note(page).textContent();
    const ended = await test.until(
      () => test.call('GET', '/orders', undefined, { 'x-api-key': key }),
      ({ status }) => status === 401,
    );

    expect(isInvalid).toBe(1);
    expect([allowed.status, refused.status, ended.status]).toEqual([200, 403, 401]);
    expect(kept).not.toContain(key);
    expect(after).not.toContain(key);
    expect(told).toMatch(/is revoked.*Request [\w-]+/);
    expect(faults).toEqual([]);
  });

  it('names every fault of a range in the dialog and loses nothing that was typed', async () => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, admin, '/console/admin/keys');
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.keyboard.press('n');
    await inDialog(page).getByLabel('Name, such as').fill('Till');
    await inDialog(page).getByLabel('Works from these').fill('somewhere');
    await inDialog(page).getByLabel('everything but').check();
    await inDialog(page).locator('button[type=submit]').click();
    await inDialog(page).getByRole('alert').getByText('somewhere is no address').waitFor();

    expect(await inDialog(page).getByLabel('Name, such as').inputValue()).toBe('Till');
    expect(faults).toEqual([]);
  });

  it('finds who did what to an order in the audit log, and leads to the order', async () => {
    const orderId = await createOrder(test);
    const { page, faults } = await visit(browser, test);
    await logIn(page, admin, '/console/admin/audit');
    await page.getByLabel('On what').fill(`order:${orderId}`);
    await page.getByLabel('What', { exact: true }).fill('postOrders');
    await page.keyboard.press('Enter');
    await page.waitForURL(/target=order/);
    const row = page.locator('.cards details', { hasText: `order:${orderId}` });
    await row.locator('summary').click();
    await row.getByText('succeeded').waitFor();
    const count = await page.locator('.cards li').count();
    await row.getByRole('link', { name: `order:${orderId}` }).click();
    await page.waitForURL(new RegExp(`/orders/${orderId}$`));

    expect(count).toBe(1);
    expect(faults).toEqual([]);
  });

  it('previews a declaration, applies exactly that, and keeps secrets', async () => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, admin, '/console/admin/setup');
    const stored = await page.locator('pre').textContent();
    await page.getByRole('button', { name: 'Edit' }).click();
    const box = page.getByLabel('Declaration', { exact: true });
    const text = await box.inputValue();
    await box.fill(text.replace(/^( +)name: .*$/m, '$1name: Renamed SRL'));
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('Applying will do this').waitFor();
    const preview = await page.getByRole('listitem').filter({ hasText: 'company demo' }).textContent();
    await page.getByRole('button', { name: 'Apply exactly this' }).click();
    await note(page).getByText('Applied.').waitFor();
    const told = await note(page).textContent();
    await page.locator('pre', { hasText: 'Renamed SRL' }).waitFor();
    await page.getByText('Last applied').waitFor();

    expect(stored).toContain('keep');
    expect(preview).toMatch(/changed.*name/);
    // The word `keep` left every account as it was.
    expect(told).not.toMatch(/contract|connection/);
    expect(told).toMatch(/company demo.*Request [\w-]+/);
    expect(faults).toEqual([]);
  });

  it('names the line of a fault, and asks again when the setup changed after the preview', async () => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, admin, '/console/admin/setup');
    await page.getByRole('button', { name: 'Edit' }).click();
    const box = page.getByLabel('Declaration', { exact: true });
    await box.fill('companies:\n  - key: demo\n    name: Demo\n    nonsense: 1\n');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'line 4' }).click();
    const selected = await box.evaluate(
      'document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)',
    );
    await box.fill('companies:\n  - key: demo\n    name: First\n');
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByText('Applying will do this').waitFor();
    const { key } = await createKey(test.app.deps, {
      ...{ companyKey: 'demo', name: 'setup', expiresAt: null },
      scopes: ['admin'],
    });
    await fetch(`${test.app.url}/api/v1/admin/companies/demo`, {
      method: 'PUT',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'First' }),
    });
    await page.getByRole('button', { name: 'Apply exactly this' }).click();
    await page.getByText('The setup changed since your preview').waitFor();
    await page.getByText('Nothing would change.').waitFor();

    expect(selected).toContain('nonsense');
    expect(faults).toEqual([]);
  });

  it('keeps a typed text when the session ends in the middle', async () => {
    const { page, context, faults } = await visit(browser, test);
    await logIn(page, admin, '/console/admin/setup');
    await page.getByRole('button', { name: 'Edit' }).click();
    const typed = 'companies:\n  - key: demo\n    name: Typed\n';
    await page.getByLabel('Declaration', { exact: true }).fill(typed);
    await context.clearCookies();
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.fill('input[name=email]', admin.email);
    await page.fill('input[name=password]', admin.password);
    await page.click('button[type=submit]');

    expect(await page.getByLabel('Declaration', { exact: true }).inputValue()).toBe(typed);
    expect(faults).toEqual([]);
  });

  it('lets people of the installation choose and create companies, and others see the own only', async () => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, await addPerson(test, 'admin', null), '/console/admin/setup');
    await page.getByRole('button', { name: 'New company' }).click();
    const box = page.getByLabel('Declaration', { exact: true });
    await box.fill((await box.inputValue()).replace('my-company', 'terza').replace('My Company', 'Terza SRL'));
    await page.getByRole('button', { name: 'Preview' }).click();
    await page.getByRole('button', { name: 'Apply exactly this' }).click();
    await page.getByLabel('Company').getByText('Terza SRL').waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByLabel('Rows of the installation itself').check();
    await page.locator('.cards li', { hasText: 'postApply' }).first().waitFor();
    const own = await visit(browser, test);
    await logIn(own.page, admin, '/console/admin/setup');
    await own.page.getByRole('button', { name: 'Edit' }).waitFor();

    expect(await own.page.getByRole('button', { name: 'New company' }).count()).toBe(0);
    expect(await own.page.locator('pre').textContent()).not.toContain('terza');
    expect([...faults, ...own.faults]).toEqual([]);
  });

  it.each(['viewer', 'operator'] as const)('says to the role %s that it is for administrators', async (role) => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, await addPerson(test, role), '/console/admin/keys');
    await page.getByText('Only people with the role administrator').waitFor();

    expect(await page.getByRole('navigation').getByRole('link', { name: 'Administration' }).count()).toBe(0);
    expect(await page.locator('main button').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'is accessible in the %s theme, in Italian, and fits a telephone',
    async (theme) => {
      const { page, faults } = await visit(browser, test, { theme, width: 390, language: 'it' });
      const found: unknown[] = [];
      await logIn(page, admin, '/console/admin');
      for (const part of PARTS) {
        await page.goto(`/console/admin/${part}`);
        await page.locator('main h2').waitFor();
        await page.locator('main :is(table, .cards li, pre, .facts)').first().waitFor();
        found.push(...(await accessibilityFaults(page)), await overflowOf(page));
        if (part === 'people' || part === 'keys') {
          await page.keyboard.press('n');
          await inDialog(page).waitFor();
          found.push(...(await accessibilityFaults(page)), await overflowOf(page));
          await take(page, `${part}-dialog-${theme}`);
          await page.keyboard.press('Escape');
          await inDialog(page).waitFor({ state: 'detached' });
        }
        if (part === 'setup') {
          await page.getByRole('button', { name: 'Modifica' }).click();
          await page.getByRole('button', { name: 'Anteprima' }).click();
          await page.getByText('Applicando succede questo').waitFor();
          found.push(...(await accessibilityFaults(page)), await overflowOf(page));
        }
        await take(page, `${part}-${theme}`);
      }

      expect(found).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
      expect(faults).toEqual([]);
    },
  );
});

/** Takes pictures to look at, in both widths (`PICTURES=/tmp/somewhere`). */
async function take(page: Page, name: string): Promise<void> {
  if (!process.env.PICTURES) return;
  await page.screenshot({ path: `${process.env.PICTURES}/admin-${name}-390.png`, fullPage: true });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.screenshot({ path: `${process.env.PICTURES}/admin-${name}-1280.png`, fullPage: true });
  await page.setViewportSize({ width: 390, height: 800 });
}
