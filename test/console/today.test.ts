import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addCompany } from '../api/second-company.ts';
import { bookOrder, createOrder, transmitOrder } from '../api/ship-orders.ts';
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

describe.skipIf(CHROMIUM === null)('the first screen of the console', () => {
  let test: TestApp;
  let browser: Browser;
  let viewer: Credentials;

  beforeAll(async () => {
    [test, browser] = await Promise.all([startTestApp({ queues: ['carrier-gls-it'] }), openBrowser()]);
    viewer = await addPerson(test, 'viewer');
    await addCompany(test, 'nuova');
  });
  afterAll(async () => {
    await browser.close();
    await test.stop();
  });

  const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
  const row = (page: Page, name: string) => part(page, 'Parcels').getByRole('row', { name }).first();

  it('teaches the first step to a company without orders', async () => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, await addPerson(test, 'operator', 'nuova'), '/console');
    await page.getByText('There is no order yet.').waitFor();

    expect(await part(page, 'Needs a person').textContent()).toContain('Nothing needs a person.');
    expect(faults).toEqual([]);
  });

  it('counts the day by courier, live, and each number leads to its list', async () => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, viewer, '/console');
    await row(page, 'All couriers').waitFor();
    await createOrder(test, { order_number: 'TO-SHIP-1' });
    await transmitOrder(test, { order_number: 'SENT-1' });
    await row(page, 'GLS Italy').getByRole('link', { name: '1', exact: true }).waitFor();
    await row(page, 'All couriers').getByRole('link', { name: '1', exact: true }).nth(1).waitFor();
    await row(page, 'GLS Italy').getByRole('link', { name: '1', exact: true }).click();
    await page.getByRole('link', { name: 'SENT-1' }).waitFor();
    const filtered = await page.getByText('Only: Transmitted, contract').textContent();
    const listed = await page.getByRole('row').count();
    await page.getByRole('link', { name: 'Show all' }).click();
    await page.getByRole('link', { name: 'TO-SHIP-1' }).waitFor();

    expect(filtered).toContain('Show all');
    expect(listed).toBe(2);
    expect(faults).toEqual([]);
  });

  it('names what needs a person and the carrier that fails, and leads to both', async () => {
    await test.fault('gls-it', 'AddParcel', 'status-503', 9);
    const orderId = await createOrder(test, { order_number: 'FAILED-1' });
    await test.call('POST', '/shipment/create', [{ orderId }]);
    await test.clearFaults();
    await bookOrder(test);
    const { page, faults } = await visit(browser, test);
    await logIn(page, viewer, '/console');
    const reason = part(page, 'Needs a person').getByRole('link').first();
    await reason.waitFor();
    const named = await reason.textContent();
    const gls = part(page, 'Carriers in the last hour').getByRole('row', { name: 'GLS Italy' });
    const chart = await gls.getByRole('img').getAttribute('aria-label');
    await page.keyboard.press('6');
    const focused = await page.evaluate('document.activeElement.getAttribute("aria-label")');
    await page.keyboard.press('/');
    await page.locator('input[type=search]:focus').waitFor();
    await page.keyboard.type('FAILED-1');
    await page.getByRole('link', { name: 'FAILED-1' }).waitFor();
    await page.getByRole('link', { name: 'Today' }).click();
    await reason.click();
    await page.getByText('Only: ').waitFor();
    await page.getByText('FAILED-1').first().waitFor();

    expect(named).toMatch(/^1 /);
    expect(chart).toMatch(/\(\d+\)/);
    expect(focused).toBe('Carriers in the last hour');
    expect(faults).toEqual([]);
  });

  it('is accessible in both themes, and fits a telephone in Italian', async () => {
    for (const theme of ['light', 'dark'] as const) {
      const { page, faults } = await visit(browser, test, { theme });
      await logIn(page, viewer, '/console');
      await row(page, 'GLS Italy').waitFor();
      expect(await accessibilityFaults(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.getByRole('button', { name: 'IT' }).click();
      await page.getByRole('heading', { name: 'Oggi' }).waitFor();
      await page.getByRole('region', { name: 'Pacchi', exact: true }).waitFor();
      expect(await overflowOf(page)).toBe(0);
      expect(faults).toEqual([]);
    }
  });
});
