import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createOrder, transmitOrder } from '../api/ship-orders.ts';
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

describe.skipIf(CHROMIUM === null)('the page of an order', () => {
  let test: TestApp;
  let browser: Browser;
  let operator: Credentials;

  beforeAll(async () => {
    [test, browser] = await Promise.all([startTestApp({ queues: ['carrier-gls-it'] }), openBrowser()]);
    operator = await addPerson(test, 'operator');
  });
  afterEach(() => test.clearFaults());
  afterAll(async () => {
    await browser.close();
    await test.stop();
  });

  /** Makes an order that was refused, corrected, and then asked for with a lost answer. */
  async function troubled(): Promise<number> {
    const orderId = await createOrder(test);
    await test.fault('gls-it', 'AddParcel', 'proxy-403', 9);
    await test.call('POST', '/shipment/create', [{ orderId }]);
    await test.clearFaults();
    await test.call('PATCH', `/orders/${orderId}`, { shipping: { address: 'Via Zamboni, 33' } });
    await test.fault('gls-it', 'AddParcel', 'accept-then-500', 9);
    await test.fault('gls-it', 'ListSped', 'status-503', 9);
    await test.call('POST', '/shipment/create', [{ orderId }]);
    return orderId;
  }

  it('tells in order what was refused, corrected, lost and split', async () => {
    const id = await troubled();
    const { page, faults } = await visit(browser, test);
    await logIn(page, operator, `/console/orders/${id}`);
    const timeline = page.getByRole('region', { name: 'What happened' });
    await timeline.getByText('Booking: answer lost, outcome unknown').waitFor();
    const told = (await timeline.locator('li').allTextContents()).join('\n');
    const split = await createOrder(test, { items: [{ sku: 'MUG-01', name: 'Tazza', quantity: 2, price: 10 }] });
    const { orderItems } = (await test.call('GET', `/orders/${split}`)).body;
    await test.call('POST', `/orders/${split}/split`, {
      parts: [{ lines: [{ itemId: orderItems[0].id, quantity: 1 }] }],
    });
    await page.goto(`/console/orders/${split}`);
    await timeline.getByText('Split, parts: 2').waitFor();

    expect(told).toMatch(
      /Created through the API.*Booking: refused or failed.*403.*Corrected: done.*\/shipping\/address.*Booking: answer lost/s,
    );
    expect(await timeline.getByLabel('Show who did it').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('shows a new entry by itself, and who did it to an administrator who asks', async () => {
    const id = await createOrder(test);
    const { page, faults } = await visit(browser, test);
    await logIn(page, await addPerson(test, 'admin'), `/console/orders/${id}`);
    const timeline = page.getByRole('region', { name: 'What happened' });
    await timeline.getByText('Created through the API').waitFor();
    await test.call('POST', '/shipment/create', [{ orderId: id }]);
    await timeline.getByText('Booking: succeeded').waitFor();
    await timeline.getByLabel('Show who did it').check();
    const line = timeline.getByText(/API key \d+: postShipmentCreate/);
    await line.first().waitFor();

    expect(faults).toEqual([]);
  });

  it('shows each request to the carrier under its attempt, with its texts on demand', async () => {
    const { orderId } = await transmitOrder(test);
    const { page, faults } = await visit(browser, test);
    await logIn(page, operator, `/console/orders/${orderId}`);
    await page.getByText('Requests to carrier and shop').click();
    await page.getByRole('heading', { name: 'Transmission: succeeded' }).waitFor();
    const booking = page.locator('section', { has: page.getByRole('heading', { name: 'Booking: succeeded' }) }).last();
    await booking.locator('summary', { hasText: 'AddParcel' }).first().click();
    await booking.getByRole('region', { name: 'Answer' }).waitFor();
    const text = await booking.getByRole('region', { name: 'Answer' }).textContent();

    expect(text).toContain('NumeroSpedizione');
    expect(await accessibilityFaults(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'is accessible in the %s theme, speaks Italian, fits a telephone',
    async (theme) => {
      const id = await troubled();
      const { page, faults } = await visit(browser, test, { theme, width: 390, language: 'it' });
      await logIn(page, operator, `/console/orders/${id}`);
      await page.getByText('Prenotazione: risposta persa, esito ignoto').waitFor();
      await page.getByText('Richieste a corriere e negozio').first().click();
      await page.getByRole('heading', { name: 'Prenotazione: risposta persa' }).waitFor();

      expect(await accessibilityFaults(page)).toEqual([]);
      expect(await overflowOf(page)).toBe(0);
      expect(faults).toEqual([]);
    },
  );

  it('shows the papers in place, and says when a label is printed again', async () => {
    const { orderId, shipmentId } = await transmitOrder(test);
    await test.call('POST', '/bordero', { allTransmitted: true });
    const { page, faults, context } = await visit(browser, test);
    const prints: string[] = [];
    await context.exposeFunction('notePrint', (address: string) => prints.push(address));
    await context.addInitScript('window.print = () => window.top.notePrint(location.href)');
    await logIn(page, operator, `/console/orders/${orderId}`);
    await page.getByText('Papers', { exact: true }).click();
    await page.getByText('The label', { exact: true }).click();
    await page.locator('iframe[title=Label]').waitFor();
    await page.keyboard.press('F9');
    await page.getByText('Sent to the printer.').waitFor();
    await page.getByRole('region', { name: 'What happened' }).getByText('Label printed').waitFor();
    await page.keyboard.press('F9');
    await page.getByText(/Printed again: stick/).waitFor();
    const found = await accessibilityFaults(page);
    await page.getByText(/^Bordero \d+$/).click();
    await page.locator('iframe[title^=Bordero]').waitFor();
    await page.locator('iframe[title=Label]').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('Papers', { exact: true }).click();
    await page.getByText('The label', { exact: true }).click();
    await page.getByText(/Printed before,/).waitFor();

    expect(prints).toHaveLength(2);
    expect((await test.call('GET', `/shipment/${shipmentId}`)).body.printedAt).not.toBeNull();
    expect(found).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('is split by pieces after showing the parts, and one part is booked', async () => {
    const id = await createOrder(test, { items: [{ sku: 'MUG-01', name: 'Tazza', quantity: 3, price: 10 }] });
    const { page, faults } = await visit(browser, test, { width: 390 });
    await logIn(page, operator, `/console/orders/${id}`);
    await page.getByRole('button', { name: 'Split', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('3 × Tazza: pieces in part 1').fill('1');
    await dialog.getByText('The rest together: 2 × Tazza').waitFor();
    const found = [...(await accessibilityFaults(page)), await overflowOf(page)];
    await dialog.getByRole('button', { name: 'Split the order' }).click();
    await page.getByText(/The order has 2 parts\. Request [\w-]+/).waitFor();
    await page.getByRole('button', { name: 'Book part 1' }).click();
    await dialog.getByText('Part 1: 1 × Tazza').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(/Part 1 is booked\. Request [\w-]+/).waitFor();
    await page.getByRole('button', { name: 'Book part 1' }).waitFor({ state: 'detached' });
    const { parts } = (await test.call('GET', `/orders/${id}`)).body;

    expect(parts).toMatchObject([
      { lines: [{ quantity: 1 }], shipmentId: expect.any(Number) },
      { lines: [{ quantity: 2 }], shipmentId: null },
    ]);
    expect(found).toEqual([0]);
    expect(faults).toEqual([]);
  });

  it('is joined with an open order of the recipient, and taken out again', async () => {
    const shipping = {
      full_name: 'Ugo Unico',
      address: 'Via Torino, 5',
      city: 'Milano',
      province: 'MI',
      zip: '20123',
      country_code: 'IT',
    };
    const [id, other] = [
      await createOrder(test, { order_number: 'JOIN-1', shipping }),
      await createOrder(test, { order_number: 'JOIN-2', shipping }),
    ];
    const { page, faults } = await visit(browser, test);
    await logIn(page, operator, `/console/orders/${id}`);
    await page.getByRole('button', { name: 'Join with another order' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Order JOIN-2').check();
    const found = await accessibilityFaults(page);
    await dialog.getByRole('button', { name: 'Join the orders' }).click();
    await page.getByText(/2 orders travel together\. Request [\w-]+/).waitFor();
    const joined = (await test.call('GET', `/orders/${id}`)).body.joinedOrderIds;
    await page.getByRole('button', { name: 'Undo the join' }).click();
    await dialog.getByRole('button', { name: 'Undo the join' }).click();
    await page.getByText(/The order travels on its own\. Request [\w-]+/).waitFor();

    expect(joined).toEqual([other]);
    expect((await test.call('GET', `/orders/${id}`)).body.joinedOrderIds).toEqual([]);
    expect(found).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('shows a viewer the timeline and no write', async () => {
    const { orderId } = await transmitOrder(test);
    const { page } = await visit(browser, test);
    await logIn(page, await addPerson(test, 'viewer'), `/console/orders/${orderId}`);
    await page.getByText('Transmission: succeeded').waitFor();
    await page.getByText('Papers', { exact: true }).click();
    await page.getByText('The label', { exact: true }).click();
    await page.locator('iframe[title=Label]').waitFor();

    expect(await page.locator('main button').count()).toBe(0);
  });
});
