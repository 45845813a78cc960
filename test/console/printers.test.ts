import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { carrierQueue, PRINTERS_QUEUE } from '../../src/queue/jobs.ts';
import { apply } from '../../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../../src/usecases/setup/apply-document.ts';
import { bookOrder, createOrder, readOrder } from '../api/ship-orders.ts';
import { type PretendPrinter, startPretendPrinter } from '../support/pretend-printer.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import {
  accessibilityFaults,
  addPerson,
  CHROMIUM,
  type Credentials,
  logIn,
  openBrowser,
  overflowOf,
  type Visit,
  type VisitOptions,
  visit,
} from './browser.ts';

describe.skipIf(CHROMIUM === null)('a station with a printer of the server', () => {
  let test: TestApp;
  let browser: Browser;
  let operator: Credentials;
  let printer: PretendPrinter;

  beforeAll(async () => {
    printer = await startPretendPrinter();
    const env = { PRINTERS_ALLOW_LOOPBACK: 'true', PRINTER_PORTS: String(printer.port) };
    const queues = [carrierQueue('gls-it'), PRINTERS_QUEUE];
    [test, browser] = await Promise.all([startTestApp({ env, queues }), openBrowser()]);
    const address = `socket://127.0.0.1:${printer.port}`;
    const printers = [
      { key: 'laser', name: 'Laser A', address, format: 'pdf', stations: ['Banco 1'] },
      { key: 'zebra', name: 'Zebra B', address, format: 'zpl', stations: ['Banco 1', 'Banco 2'] },
    ];
    const companies = [{ key: 'demo', name: 'Bottega Aurora S.r.l.', printers }];
    await apply(test.app.deps, ApplyDocument.parse({ companies }));
    await test.app.workers?.refresh();
    operator = await addPerson(test, 'operator');
  });
  afterEach(async () => {
    await printer.switchOn();
    printer.behave('prints');
    printer.received.length = 0;
  });
  afterAll(async () => {
    await browser.close();
    await test.stop();
    await printer.close();
  });

  /** Opens Ship at a station, and notes in `prints` what the browser itself prints. */
  async function openStation(station: string, options: VisitOptions = {}): Promise<Visit & { prints: string[] }> {
    const visited = await visit(browser, test, options);
    const prints: string[] = [];
    await visited.context.exposeFunction('notePrint', (address: string) => prints.push(address));
    await visited.context.addInitScript('window.print = () => window.top.notePrint(location.href)');
    await logIn(visited.page, operator, '/console/ship');
    const label = options.language === 'it' ? 'Le etichette le stampa' : 'Labels are printed by';
    await visited.page.getByLabel(label).selectOption(station);
    await visited.page.getByLabel(options.language === 'it' ? 'Verifica i prodotti' : 'Check products').uncheck();
    return { ...visited, prints };
  }
  async function scan(page: Page, code: string): Promise<void> {
    await page.locator('input[name=code]').focus();
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
  }
  const printedAt = async (orderId: number) => (await readOrder(test, orderId)).shipments[0].printedAt;
  const loud = (page: Page, text: string) => page.locator('.loud', { hasText: text }).waitFor();

  it('prints the bought label at once on its printer, and never with the browser', async () => {
    const id = await createOrder(test, { order_number: 'PRN-1' });
    const { page, faults, prints } = await openStation('Banco 1');
    await scan(page, 'PRN-1');
    await page.locator('.calm', { hasText: 'Enter buys' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('Printed on Laser A.').waitFor();
    const first = printer.received.length;
    await page.keyboard.press('F9');
    await page.getByText('Printed again').waitFor();

    expect(first).toBe(1);
    expect(printer.received).toHaveLength(2);
    expect(printer.received[0]).toMatch(/^%PDF/);
    expect(prints).toEqual([]);
    expect(await printedAt(id)).not.toBeNull();
    expect(faults).toEqual([]);
  });

  it('says that the printer does not answer, and prints by F9 once it does', async () => {
    const { orderId } = await bookOrder(test, { order_number: 'PRN-2' });
    await printer.switchOff();
    const { page, prints } = await openStation('Banco 1');
    await scan(page, 'PRN-2');
    await page.getByRole('button', { name: 'Print (F9)' }).click();
    await loud(page, 'Not printed. Laser A does not answer.');
    const during = await printedAt(orderId);
    await printer.switchOn();
    await page.keyboard.press('F9');
    await page.getByText('Printed on Laser A.').waitFor();

    expect(during).toBeNull();
    expect(printer.received).toHaveLength(1);
    expect(prints).toEqual([]);
  });

  it('leaves a label that may be printed to the person, also after the page was opened again', async () => {
    const one = await bookOrder(test, { order_number: 'PRN-3' });
    const two = await bookOrder(test, { order_number: 'PRN-4' });
    const { page, faults } = await openStation('Banco 1');
    printer.behave('cuts');
    for (const code of ['PRN-3', 'PRN-4']) {
      await scan(page, code);
      await page.getByRole('heading', { name: code }).waitFor();
      await page.getByRole('button', { name: 'Print (F9)' }).click();
      await loud(page, 'It may have been printed: look at Laser A.');
    }
    const before = printer.received.length;
    await page.getByRole('button', { name: 'It is printed' }).click();
    await page.getByText('Marked as printed.').waitFor();
    printer.behave('prints');
    await page.reload();
    await page.locator('input[name=code]:focus').waitFor();
    await scan(page, 'PRN-3');
    await page.getByRole('button', { name: 'Print (F9)' }).click();
    await loud(page, 'It was printed, or may have been');
    const asked = printer.received.length;
    await page.keyboard.press('F9');
    await page.getByText('Printed again').waitFor();

    expect([before, asked, printer.received.length]).toEqual([2, 2, 3]);
    expect([await printedAt(one.orderId), await printedAt(two.orderId)]).not.toContain(null);
    expect(faults).toEqual([]);
  });

  it('prints the labels of chosen orders, and says which may be on paper', async () => {
    const done = await bookOrder(test, { order_number: 'SHEET-A' });
    await bookOrder(test, { order_number: 'SHEET-B' });
    await createOrder(test, { order_number: 'SHEET-C' });
    await test.call('POST', `/shipment/${done.shipmentId}/printed`);
    const { page, faults } = await visit(browser, test);
    await logIn(page, operator, '/console/orders?q=SHEET-');
    await page.getByLabel('Choose all').check();
    await page.getByRole('button', { name: 'Print labels' }).click();
    await page.getByLabel('Labels are printed by').selectOption({ label: 'Laser A (PDF)' });
    await page.getByRole('dialog').getByRole('button', { name: 'Print', exact: true }).click();
    await page.locator('.errors li').nth(1).waitFor();
    await page.getByText('1 of 3 done').waitFor();
    const errors = await page.locator('.errors li').allTextContents();

    expect(errors.toSorted()).toEqual([
      expect.stringMatching(/SHEET-A.*was printed, or may have been/),
      expect.stringMatching(/SHEET-C.*There is no label/),
    ]);
    expect(printer.received).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it('prints nothing elsewhere where the station has no printer for the label', async () => {
    await bookOrder(test, { order_number: 'PRN-5' });
    const { page, prints } = await openStation('Banco 2');
    await scan(page, 'PRN-5');
    await page.getByText('Banco 2 has no printer for PDF.').waitFor();

    expect(prints).toEqual([]);
    expect(printer.received).toEqual([]);
  });

  it.each<VisitOptions & { name: string }>([
    { name: 'light', theme: 'light', language: 'en' },
    { name: 'dark', theme: 'dark', language: 'it' },
    { name: 'narrow', width: 390, language: 'it' },
  ])('is accessible and fits: $name', async ({ name, ...options }) => {
    await bookOrder(test, { order_number: `FIT-${name}` });
    const { page, faults } = await openStation('Banco 1', options);
    printer.behave('cuts');
    await scan(page, `FIT-${name}`);
    await page.getByRole('button', { name: options.language === 'it' ? 'Stampa (F9)' : 'Print (F9)' }).waitFor();
    await page.keyboard.press('F9');
    await loud(page, 'Laser A');
    if (process.env.PICTURES)
      await page.screenshot({ path: `${process.env.PICTURES}/printers-${name}.png`, fullPage: true });

    expect(await accessibilityFaults(page)).toEqual([]);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
  });
});
