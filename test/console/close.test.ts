import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bookOrder, transmitOrder } from '../api/ship-orders.ts';
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

const PARCELS = { parcels: [{ weight_kg: 1.5, length_cm: 30, width_cm: 20, height_cm: 10 }] };

describe.skipIf(CHROMIUM === null)('the end of the day in the console', () => {
  let test: TestApp;
  let browser: Browser;
  let operator: Credentials;
  let dhl: { carrier_company_id: number };

  beforeAll(async () => {
    [test, browser] = await Promise.all([
      startTestApp({ queues: ['carrier-gls-it', 'carrier-dhl-express'] }),
      openBrowser(),
    ]);
    operator = await addPerson(test, 'operator');
    const contracts: { id: number; carrier: { code: string } }[] = (await test.call('GET', '/carriers/contracts')).body;
    dhl = { carrier_company_id: contracts.find(({ carrier }) => carrier.code === 'dhl-express')?.id ?? 0 };
  });
  afterEach(() => test.clearFaults());
  afterAll(async () => {
    await browser.close();
    await test.stop();
  });

  const groupOf = (page: Page, carrier: string) => page.getByRole('region', { name: carrier });
  const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name });

  it('is closed by keys: transmitted with the truth for each order, listed, printed', async () => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, operator, '/console/close');
    await page.getByText('Nothing waits for a driver.').waitFor();
    await transmitOrder(test, PARCELS);
    await bookOrder(test, { order_number: 'LATE-1' });
    await bookOrder(test, { order_number: 'LATE-2', ...dhl, ...PARCELS });
    await page.getByRole('button', { name: 'Transmit all 2' }).waitFor();
    const before = await groupOf(page, 'GLS Italy').textContent();
    await test.fault('gls-it', 'CloseWorkDayByShipmentNumber', 'status-503', 9);
    await page.keyboard.press('t');
    await page.getByText('1 of 2 transmitted').waitFor();
    const refused = await page.locator('.errors li').textContent();
    await groupOf(page, 'GLS Italy').getByText('Not transmitted: 1').click();
    const reason = await groupOf(page, 'GLS Italy').locator('.problem').textContent();
    await test.clearFaults();
    await page.getByRole('button', { name: 'Transmit all 1' }).waitFor();
    await page.keyboard.press('t');
    await page.getByText('1 of 1 transmitted').waitFor();
    await page.keyboard.press('b');
    const plan = await page.getByRole('dialog').getByRole('list').textContent();
    await page.keyboard.press('Enter');
    const note = page.getByRole('status');
    await note.getByRole('link').first().waitFor();
    const told = await note.textContent();
    const paper = await page.request.get((await note.getByRole('link').first().getAttribute('href')) ?? '');
    await page.locator('table').getByRole('link', { name: 'Print GLS-IT' }).waitFor();
    const list = (await test.call('GET', '/bordero')).body;

    expect(before).toContain('Ready for the bordero: shipments: 1, parcels: 1, 1.5 kg');
    expect(refused).toContain('Order LATE-1');
    expect(refused).toContain('503');
    expect(reason).toContain('503');
    expect(plan).toMatch(/GLS Italy[^:]*: shipments: 2/);
    expect(plan).toMatch(/DHL Express[^:]*: shipments: 1/);
    expect(told).toMatch(/shipments: 2.*shipments: 1.*Request [\w-]+/);
    expect((await paper.body()).subarray(0, 5).toString()).toBe('%PDF-');
    expect(list.map((manifest: { totalShipments: number }) => manifest.totalShipments)).toEqual([1, 2]);
    expect(faults).toEqual([]);
  });

  it('makes one bordero when two people press at the same time, and tells the second the truth', async () => {
    await transmitOrder(test);
    const [anna, bruno] = [await visit(browser, test), await visit(browser, test)];
    for (const { page } of [anna, bruno]) {
      await logIn(page, operator, '/console/close');
      await page.getByRole('button', { name: 'Make the borderos' }).click();
    }
    await inDialog(anna.page, 'Make the borderos').click();
    await anna.page.getByRole('status').getByText('shipments: 1').waitFor();
    await inDialog(bruno.page, 'Make the borderos').click();
    await bruno.page.getByRole('alert').getByText('There are no open shipments').waitFor();

    expect([...anna.faults, ...bruno.faults]).toEqual([]);
  });

  it('asks for the courier, cancels it, and says when the answer was lost', async () => {
    await bookOrder(test, { ...dhl, ...PARCELS });
    const { page, faults } = await visit(browser, test);
    await logIn(page, operator, '/console/close');
    const byAgreement = await groupOf(page, 'GLS Italy').textContent();
    await groupOf(page, 'DHL Express').getByRole('button', { name: 'Ask for the courier' }).click();
    await page.getByLabel('Day', { exact: true }).fill('2027-12-01');
    await page.getByLabel('To', { exact: true }).fill('17:30');
    await inDialog(page, 'Ask for the courier').click();
    const courier = page.locator('li', { hasText: 'Dec 1, 2027, 14:00–17:30' });
    await courier.getByText('confirmed').waitFor();
    const [booked] = (await test.call('GET', '/pickups?limit=1')).body;
    await courier.getByRole('button', { name: 'Cancel the courier' }).click();
    await inDialog(page, 'Cancel the courier').click();
    await courier.getByText('cancelled').waitFor();
    await test.fault('dhl-express', 'bookPickup', 'accept-then-500');
    await groupOf(page, 'DHL Express').getByRole('button', { name: 'Ask for the courier' }).click();
    await inDialog(page, 'Ask for the courier').click();
    await page.getByRole('alert').getByText('Request').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('answer lost: call the carrier').waitFor();
    await page.getByRole('button', { name: 'Cancel the courier' }).click();
    await page.getByRole('dialog').getByText('the carrier is not asked: call it first').waitFor();

    expect(byAgreement).toContain('The courier comes by agreement.');
    expect(booked).toMatchObject({ status: 'booked', from: '14:00', to: '17:30', ...asContract(dhl) });
    expect(faults).toEqual([expect.stringMatching(/^504 .*\/pickups$/)]);
  });

  it('shows a viewer everything and no button', async () => {
    await bookOrder(test);
    const { page, faults } = await visit(browser, test);
    await logIn(page, await addPerson(test, 'viewer'), '/console/close');
    await groupOf(page, 'GLS Italy').getByText('Not transmitted').waitFor();
    await page.locator('table').waitFor();
    await page.keyboard.press('t');
    await page.keyboard.press('b');

    expect(await page.locator('main button').count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'is accessible in the %s theme, in Italian, and fits a telephone',
    async (theme) => {
      await bookOrder(test, { ...dhl, ...PARCELS });
      await transmitOrder(test);
      const { page, faults } = await visit(browser, test, { theme, width: 390, language: 'it' });
      await logIn(page, operator, '/console/close');
      await groupOf(page, 'DHL Express').getByText('Non trasmesse').click();
      await page.locator('table').waitFor();
      const screen = [...(await accessibilityFaults(page)), await overflowOf(page)];
      await page.getByRole('button', { name: 'Chiedi il ritiro' }).click();
      const courier = [...(await accessibilityFaults(page)), await overflowOf(page)];
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('b');
      await page.getByRole('dialog').getByText('Un borderò per ogni contratto').waitFor();
      const borderos = [...(await accessibilityFaults(page)), await overflowOf(page)];

      expect(screen).toEqual([0]);
      expect(courier).toEqual([0]);
      expect(borderos).toEqual([0]);
      expect(faults).toEqual([]);
    },
  );
});

function asContract({ carrier_company_id }: { carrier_company_id: number }): { carrierCompanyId: number } {
  return { carrierCompanyId: carrier_company_id };
}
