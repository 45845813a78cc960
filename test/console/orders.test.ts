import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOrder } from '../support/build-order.ts';
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

const FIRST_LOAD_BYTES = 150_000;

describe.skipIf(CHROMIUM === null)('the orders of the console', () => {
  let test: TestApp;
  let browser: Browser;
  let operator: Credentials;

  beforeAll(async () => {
    [test, browser] = await Promise.all([startTestApp(), openBrowser()]);
    operator = await addPerson(test, 'operator');
    for (const number of ['A-1', 'A-2', 'A-3']) await order(number);
  });
  afterAll(async () => {
    await browser.close();
    await test.stop();
  });

  async function order(number: string, overrides: object = {}): Promise<number> {
    const { body } = await test.call('POST', '/orders', buildOrder({ order_number: number, ...overrides }));
    return body.order.id;
  }

  it('are for people who log in, and end with the logout', async () => {
    const { page, faults } = await visit(browser, test);
    await page.goto('/console/orders');
    await page.fill('input[name=email]', operator.email);
    await page.fill('input[name=password]', 'wrong');
    await page.click('button[type=submit]');
    await page.getByRole('alert').getByText('The e-mail address or the password is wrong').waitFor();
    const login = await accessibilityFaults(page);
    await page.fill('input[name=password]', operator.password);
    await page.click('button[type=submit]');
    await page.getByRole('link', { name: 'A-1', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.waitForSelector('input[name=password]');
    const session = await page.request.get('/api/v1/session');

    expect(session.status()).toBe(401);
    expect(login).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('load with less than 150 kB', async () => {
    const { page } = await visit(browser, test);
    let bytes = 0;
    page.on('response', async (response) => {
      if (response.url().includes('/console')) bytes += (await response.request().sizes()).responseBodySize;
    });
    await logIn(page, operator, '/console/orders');
    await page.getByRole('link', { name: 'A-1', exact: true }).waitFor();

    expect(bytes).toBeGreaterThan(1000);
    expect(bytes).toBeLessThan(FIRST_LOAD_BYTES);
  });

  it('are found by typing, opened by keys, and the address keeps the search', async () => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, operator, '/console/orders');
    await page.getByRole('link', { name: 'A-2', exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('A-2');
    await page.getByRole('link', { name: 'A-1', exact: true }).waitFor({ state: 'detached' });
    const address = page.url();
    await page.keyboard.press('Escape');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Order A-2' }).waitFor();
    await page.goto(address);
    await page.getByRole('link', { name: 'A-2', exact: true }).waitFor();

    expect(await page.getByRole('link', { name: 'A-1', exact: true }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('show a new order by themselves', async () => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, operator, '/console/orders');
    await page.getByRole('link', { name: 'A-1', exact: true }).waitFor();
    await order('NEW-1');
    await page.getByRole('link', { name: 'NEW-1', exact: true }).waitFor();

    expect(faults).toEqual([]);
  });

  it('have their labels printed on one sheet, from its third place', async () => {
    const ids = [await order('SHEET-1'), await order('SHEET-2')];
    await test.call(
      'POST',
      '/shipment/create',
      ids.map((orderId) => ({ orderId })),
    );
    await order('SHEET-3');
    const { page, faults, context } = await visit(browser, test);
    await context.addInitScript('window.print = () => undefined');
    await logIn(page, operator, '/console/orders?q=SHEET');
    await page.getByLabel('Choose all').check();
    await page.getByRole('button', { name: 'Print labels' }).click();
    await page.getByLabel('Paper').selectOption('a4-4');
    await page.getByLabel('First free place').selectOption('3');
    await page.getByRole('dialog').getByRole('button', { name: 'Print', exact: true }).click();
    const refusal = await page.getByRole('dialog').getByText('Cannot be printed so').textContent();
    const asked = page.waitForResponse((response) => response.url().includes('/labels?'));
    await page.getByRole('dialog').getByRole('button', { name: 'Print the other 2' }).click();
    const answer = await asked;
    await page.locator('iframe[title=Labels]').waitFor();
    const unprinted = (await test.call('GET', '/orders?printed=false&q=SHEET')).body;

    expect(refusal).toContain('SHEET-3');
    expect(new URL(answer.url()).searchParams.toString()).toContain('layout=a4-4&startAt=3&mark=true');
    expect(answer.headers()['content-type']).toBe('application/pdf');
    expect(unprinted).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('are shipped together, and each one that is refused says why', async () => {
    await order('BULK-1');
    await order('BULK-2', { carrier_options: ['no-such-service'] });
    const { page, faults } = await visit(browser, test);
    await logIn(page, operator, '/console/orders?q=BULK');
    await page.getByLabel('Choose all').check();
    await page.getByRole('button', { name: 'Ship', exact: true }).click();
    await page.getByText('1 of 2 done').waitFor();
    const refusal = await page.locator('.errors li').textContent();
    await page.getByRole('button', { name: 'Transmit', exact: true }).click();
    await page.locator('.errors li', { hasText: 'no shipment' }).getByRole('link').click();
    await page.getByRole('heading', { name: 'Order BULK-2' }).waitFor();

    expect(refusal).toContain('no-such-service');
    expect((await test.call('GET', '/orders?orderNumber=BULK-1')).body[0].status).toBe('transmitted');
    expect(faults).toEqual([]);
  });

  it('are corrected, shipped and cancelled on their page', async () => {
    const id = await order('ONE');
    const { page, faults } = await visit(browser, test);
    await logIn(page, operator, `/console/orders/${id}`);
    await page.getByRole('button', { name: 'Correct the address' }).click();
    await page.getByLabel('Street and number').fill('Via Zamboni, 33');
    await page.getByLabel('Postal code').fill('40126');
    await page.getByLabel('City').fill('Bologna');
    await page.getByLabel('Province').fill('BO');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Via Zamboni, 33').waitFor();
    await page.getByRole('button', { name: 'Ship', exact: true }).click();
    const label = page.getByRole('link', { name: 'Label' });
    await label.waitFor();
    const file = await page.request.get((await label.getAttribute('href')) ?? '');
    await page.getByRole('button', { name: 'Cancel the order' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Cancel the order' }).click();
    await page.getByRole('heading', { name: 'Order ONE cancelled' }).waitFor();

    expect((await file.body()).subarray(0, 5).toString()).toBe('%PDF-');
    expect((await test.call('GET', `/orders/${id}`)).body).toMatchObject({
      order: { status: 'cancelled' },
      customerAddress: { address: 'Via Zamboni, 33', zip: '40126' },
    });
    expect(faults).toEqual([]);
  });

  it('show what each contract takes, are shipped with the chosen one, and followed', async () => {
    const id = await order('PRICED');
    const { page, faults } = await visit(browser, test);
    await logIn(page, operator, `/console/orders/${id}`);
    const prices = page.getByRole('region', { name: 'Prices' });
    await prices.getByText('From the price list').first().click();
    const parts = await prices.locator('details[open] li').allTextContents();
    const ship = prices.getByRole('button', { name: 'Ship with GLS Italy' }).first();
    const found = await accessibilityFaults(page);
    await ship.click();
    await page.getByRole('link', { name: 'Label' }).waitFor();
    await page.getByText('Tracking', { exact: true }).click();
    await page.getByText('The carrier has said nothing yet.').waitFor();

    expect(parts.length).toBeGreaterThan(1);
    expect(parts.join()).toContain('€');
    expect(found).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('show a viewer nothing that writes, and a missing order as such', async () => {
    const id = await order('MINE');
    const viewer = await addPerson(test, 'viewer');
    const { page } = await visit(browser, test);
    await logIn(page, viewer, `/console/orders/${id}`);
    await page.getByRole('heading', { name: 'Order MINE' }).waitFor();
    const buttons = await page.locator('main button').count();
    await page.goto('/console/orders/999999');
    await page.getByRole('alert').getByText('There is no such order').waitFor();

    expect(buttons).toBe(0);
  });

  it.each(['light', 'dark'] as const)('are accessible in the %s theme, and fit a telephone', async (theme) => {
    const id = await order(`AXE-${theme}`);
    const { page, faults } = await visit(browser, test, { theme, width: 390 });
    await logIn(page, operator, '/console/orders');
    await page.getByRole('link', { name: 'A-1', exact: true }).waitFor();
    const list = [...(await accessibilityFaults(page)), await overflowOf(page)];
    await page.goto(`/console/orders/${id}`);
    await page.getByRole('button', { name: 'Correct the address' }).click();
    const form = [...(await accessibilityFaults(page)), await overflowOf(page)];

    expect(list).toEqual([0]);
    expect(form).toEqual([0]);
    expect(faults).toEqual([]);
  });

  it('speak Italian', async () => {
    const { page } = await visit(browser, test, { language: 'it' });
    await logIn(page, operator, '/console/orders');
    await page.getByRole('heading', { name: 'Ordini' }).waitFor();
    await page.getByRole('button', { name: 'EN' }).click();
    await page.getByRole('heading', { name: 'Orders' }).waitFor();

    expect(await page.evaluate('document.documentElement.lang')).toBe('en');
  });

  it('keep the current one in view, and show a new order in a list that was scrolled far down', async () => {
    const many = Array.from({ length: 120 }, (_each, at) => buildOrder({ order_number: `MANY-${at}` }));
    await test.call('POST', '/orders/batch', many);
    const { page, faults } = await visit(browser, test);
    await page.setViewportSize({ width: 1280, height: 400 });
    await logIn(page, operator, '/console/orders');
    await page.getByRole('link', { name: 'MANY-119', exact: true }).waitFor();
    await page.mouse.wheel(0, 10_000);
    await page.getByRole('link', { name: 'MANY-0', exact: true }).waitFor();

    for (let at = 0; at < 20; at++) await page.keyboard.press('j');
    const box = await page.locator('tr[aria-current]').boundingBox();
    await order('MANY-NEW');
    await page.getByRole('link', { name: 'MANY-NEW', exact: true }).waitFor();

    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect(box?.y).toBeLessThan(400);
    expect(await page.getByRole('link', { name: 'MANY-0', exact: true }).count()).toBe(1);
    expect(faults).toEqual([]);
  });
});
