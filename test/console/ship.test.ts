import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bookOrder, createOrder, readOrder } from '../api/ship-orders.ts';
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

const PARCELS = { parcels: [{ weight_kg: 1.5, length_cm: 30, width_cm: 20, height_cm: 10 }] };

describe.skipIf(CHROMIUM === null)('the packing station of the console', () => {
  let test: TestApp;
  let browser: Browser;
  let operator: Credentials;

  beforeAll(async () => {
    [test, browser] = await Promise.all([startTestApp(), openBrowser({ showsPdf: true })]);
    operator = await addPerson(test, 'operator');
  });
  afterEach(() => test.clearFaults());
  afterAll(async () => {
    await browser.close();
    await test.stop();
  });

  /** Opens the station, notes in `prints` what its frames send to the printer, and counts its tones. */
  async function openStation(
    options: VisitOptions = {},
  ): Promise<Visit & { prints: string[]; tones: () => Promise<number> }> {
    const visited = await visit(browser, test, options);
    const prints: string[] = [];
    await visited.context.exposeFunction('notePrint', (address: string) => prints.push(address));
    await visited.context.addInitScript('window.print = () => window.top.notePrint(location.href)');
    await visited.context.addInitScript(
      'tones = 0; OscillatorNode.prototype.start = function () { tones += 1 }; OscillatorNode.prototype.stop = () => undefined;',
    );
    await logIn(visited.page, operator, '/console/ship');
    await visited.page.locator('input[name=code]:focus').waitFor();
    return { ...visited, prints, tones: () => visited.page.evaluate('tones') };
  }

  /** Types as a scanner does: at once, and with Enter at the end. */
  async function scan(page: Page, code: string): Promise<void> {
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
  }
  const loud = (page: Page, text: string) => page.locator('.loud', { hasText: text }).waitFor();
  const calm = (page: Page, text: string) => page.locator('.calm', { hasText: text }).waitFor();
  const outbound = async (orderId: number) => (await readOrder(test, orderId)).shipments;
  const ledgerOf = async (orderId: number) => {
    const [{ reference }] = await outbound(orderId);
    return (await test.ledger('gls-it', reference))?.trackingNumbers ?? [];
  };

  it('goes from the order to the printed label with a scanner alone', async () => {
    const id = await createOrder(test, { order_number: 'PACK-1' });
    const { page, faults, prints } = await openStation();
    await scan(page, 'PACK-1');
    await scan(page, 'MUG-01');
    await calm(page, 'Pieces left: 1');
    await scan(page, 'WRONG-9');
    await loud(page, 'WRONG-9 does not belong');
    await page.getByText('1 of 2').waitFor();
    await page.keyboard.press('Enter');
    await loud(page, 'Pieces left: 1');
    await scan(page, 'mug-01');
    await calm(page, 'Everything is there.');
    await scan(page, 'MUG-01');
    await loud(page, 'MUG-01 is one too many');
    await page.getByText('2 of 2').waitFor();
    await page.keyboard.press('Enter');
    await calm(page, 'Label of order PACK-1');
    await page.getByText('Sent to the printer.').waitFor();
    await test.until(
      () => outbound(id),
      ([shipment]) => shipment.printedAt !== null,
    );
    await page.locator('input[name=code]:focus').waitFor();
    await page.getByText('Every label of today is printed.').waitFor();

    expect(prints).toEqual([expect.stringMatching(/^blob:/)]);
    expect(await ledgerOf(id)).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it('is loud about what must not be shipped, and changes nothing', async () => {
    const cancelled = await createOrder(test, { order_number: 'GONE-1' });
    await test.call('POST', `/orders/${cancelled}/cancel`, { reason: 'ordered twice' });
    const { page, faults, prints, tones } = await openStation();
    await scan(page, 'GONE');
    await loud(page, 'No order has the code GONE.');
    await scan(page, 'GONE-1');
    await loud(page, 'Order GONE-1 The order is cancelled. Do not ship it. ordered twice');
    const heard = await tones();
    await page.getByLabel('No sound').check();
    await scan(page, 'GONE-2');
    await loud(page, 'No order has the code GONE-2.');

    expect(heard).toBeGreaterThan(0);
    expect(await tones()).toBe(heard);
    expect(prints).toEqual([]);
    expect(await outbound(cancelled)).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('offers the label of a shipped order again, and says that it is a copy', async () => {
    const { orderId } = await bookOrder(test, { order_number: 'TWICE-1' });
    const { page, faults, prints } = await openStation();
    await page.getByRole('button', { name: 'Label of TWICE-1' }).waitFor();
    await scan(page, 'TWICE-1');
    await loud(page, 'Order TWICE-1 It already has a label, not printed yet.');
    await page.getByRole('button', { name: 'Print (F9)' }).waitFor();
    const before = [...prints];
    await page.keyboard.press('F9');
    await page.getByText('Sent to the printer.').waitFor();
    await page.getByRole('button', { name: 'Label of TWICE-1' }).waitFor({ state: 'detached' });
    await page.keyboard.press('F9');
    await page.getByText('Printed again').waitFor();
    await scan(page, String(orderId));
    await loud(page, 'the label was printed');
    await page.getByText('Printed before').waitFor();

    expect(before).toEqual([]);
    expect(prints).toHaveLength(2);
    expect(faults).toEqual([]);
  });

  it('lets one key choose among the orders of a product and among the last boxes', async () => {
    const items = [{ sku: '8012345678901', name: 'Vaso', quantity: 1, price: 9 }];
    const [older, newer] = [await createOrder(test, { items }), await createOrder(test, { items })];
    const { page, faults } = await openStation();
    await scan(page, '8012345678901');
    await calm(page, 'Several orders have 8012345678901.');
    await page.keyboard.press('2');
    await page.getByRole('heading', { name: `Order ${newer}` }).waitFor();
    await page.getByText('The weight of the products is unknown').waitFor();
    await scan(page, '8012345678901');
    await page.getByLabel('Kilograms each').fill('2,5');
    await page.getByLabel('Length cm').fill('40');
    await page.getByLabel('Width cm').fill('30');
    await page.getByLabel('Height cm').fill('20');
    await page.keyboard.press('Enter');
    await page.locator('input[name=code]:focus').waitFor();
    await page.keyboard.press('Enter');
    await calm(page, `Label of order ${newer}`);
    await scan(page, '8012345678901');
    await page.getByRole('heading', { name: `Order ${older}` }).waitFor();
    await page.getByLabel('Number').fill('2');
    await page.keyboard.press('Enter');
    await page.keyboard.press('1');
    await calm(page, 'Box 40 × 30 × 20 cm.');
    await page.getByLabel('Kilograms each').fill('8012345678901');
    await page.keyboard.press('Enter');
    await page.keyboard.press('F2');
    await loud(page, 'Correct weight and sizes');
    await page.getByLabel('Kilograms each').fill('1');
    await page.keyboard.press('Enter');
    await page.keyboard.press('F2');
    await calm(page, `Label of order ${older}`);
    const parcelsOf = async (id: number) => (await test.call('GET', `/orders/${id}/packing`)).body.parcels;
    const box = { length_cm: 40, width_cm: 30, height_cm: 20 };

    expect(await parcelsOf(newer)).toEqual([{ weight_kg: 2.5, ...box }]);
    expect(await parcelsOf(older)).toEqual([
      { weight_kg: 1, ...box },
      { weight_kg: 1, ...box },
    ]);
    expect(faults).toEqual([]);
  });

  it('says in the words of the carrier why there is no label, and leads to the desk', async () => {
    const refused = await createOrder(test, { order_number: 'NO-1', carrier_options: ['no-such-service'] });
    const lost = await createOrder(test, { order_number: 'NO-2' });
    const { page, faults, prints } = await openStation();
    await scan(page, 'NO-1');
    await page.getByRole('heading', { name: 'Order NO-1' }).waitFor();
    await page.keyboard.press('F2');
    await loud(page, 'no-such-service');
    await test.call('PATCH', `/orders/${refused}`, { carrier_options: [] });
    await test.until(
      async () => {
        await page.keyboard.press('Enter');
        return page.locator('.calm').allTextContents();
      },
      ([text]) => text?.startsWith('Label of order NO-1') ?? false,
    );
    await page.getByText('Sent to the printer.').waitFor();
    await test.fault('gls-it', 'AddParcel', 'accept-then-500', 9);
    await test.fault('gls-it', 'ListSped', 'status-503', 9);
    await scan(page, 'NO-2');
    await page.getByRole('heading', { name: 'Order NO-2' }).waitFor();
    await page.keyboard.press('F2');
    await loud(page, 'Order NO-2 No label was bought.');
    await page.getByRole('link', { name: 'Decide at the desk' }).waitFor();
    await scan(page, 'NO-2');
    await loud(page, 'It is unknown whether the carrier sold a label.');
    await page.getByRole('link', { name: 'Decide at the desk' }).click();
    await page.locator('.case').getByRole('heading', { name: 'Order NO-2' }).waitFor();

    expect(await outbound(lost)).toHaveLength(1);
    expect(await ledgerOf(refused)).toHaveLength(1);
    expect(prints).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it('buys once when Enter comes twice, when the answer is lost, and without a network', async () => {
    const ids: number[] = [];
    for (const number of ['ONCE-1', 'ONCE-2', 'ONCE-3']) ids.push(await createOrder(test, { order_number: number }));
    const { page, faults, context, prints } = await openStation();
    await page.getByLabel('Check products by scanning').uncheck();
    await scan(page, 'ONCE-1');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await calm(page, 'Label of order ONCE-1');

    let answers = 0;
    await page.route('**/shipment/create', async (route) => {
      const response = await route.fetch();
      answers += 1;
      return answers === 1 ? route.abort() : route.fulfill({ response });
    });
    await scan(page, 'ONCE-2');
    await page.keyboard.press('Enter');
    await calm(page, 'Label of order ONCE-2');
    await page.unroute('**/shipment/create');

    await scan(page, 'ONCE-3');
    await calm(page, 'Enter buys the label.');
    await context.setOffline(true);
    await page.keyboard.press('Enter');
    await page.getByText('No connection. The request is repeated').waitFor();
    await scan(page, 'ONCE-1');
    await loud(page, 'The label is not here yet.');
    await context.setOffline(false);
    await calm(page, 'Label of order ONCE-3');
    await test.until(
      async () => prints.length,
      (count) => count === 3,
    );

    expect(answers).toBe(2);
    expect(await Promise.all(ids.map(async (id) => (await outbound(id)).length))).toEqual([1, 1, 1]);
    expect((await Promise.all(ids.map(ledgerOf))).map((numbers) => numbers.length)).toEqual([1, 1, 1]);
    expect(faults).toEqual([]);
  });

  it('leaves a purchase alone when the packer goes away, and lists its label', async () => {
    const id = await createOrder(test, { order_number: 'AWAY-1' });
    await test.fault('gls-it', 'AddParcel', 'delay', 1);
    const { page, faults, prints } = await openStation();
    await scan(page, 'AWAY-1');
    await page.getByRole('heading', { name: 'Order AWAY-1' }).waitFor();
    await page.keyboard.press('F2');
    await test.until(
      () => outbound(id),
      (shipments) => shipments.length === 1,
    );
    await page.goBack();
    await page.goto('/console/ship');
    await page.getByRole('button', { name: 'Label of AWAY-1' }).waitFor();
    await scan(page, 'AWAY-1');
    await loud(page, 'It already has a label');

    expect(await ledgerOf(id)).toHaveLength(1);
    expect(prints).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('stops a packer when the order is cancelled meanwhile', async () => {
    const id = await createOrder(test, { order_number: 'LIVE-1' });
    const { page, faults } = await openStation();
    await scan(page, 'LIVE-1');
    await scan(page, 'MUG-01');
    await calm(page, 'Pieces left: 1');
    await test.call('POST', `/orders/${id}/cancel`);
    await loud(page, 'Order LIVE-1 The order has changed');

    expect(faults).toEqual([]);
  });

  it('shows a viewer the labels and no button', async () => {
    await bookOrder(test, { order_number: 'SEEN-1' });
    const { page, faults } = await visit(browser, test);
    await logIn(page, await addPerson(test, 'viewer'), '/console/ship');
    await page.getByRole('link', { name: 'Order SEEN-1' }).waitFor();

    expect(await page.locator('main button, main input').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it.each([
    ['light', 390],
    ['dark', 820],
  ] as const)('is accessible in the %s theme, in Italian, and fits %i pixels', async (theme, width) => {
    const numbers = [`FIT-${width}-1`, `FIT-${width}-2`];
    for (const order_number of numbers) await createOrder(test, { order_number, ...PARCELS });
    const { page, faults } = await openStation({ theme, width, language: 'it' });
    const look = async () => [...(await accessibilityFaults(page)), await overflowOf(page)];
    await scan(page, 'NESSUNO');
    await loud(page, 'Nessun ordine ha il codice NESSUNO.');
    const alarm = await look();
    await scan(page, numbers[0] ?? '');
    await page.getByRole('heading', { name: numbers[0] ?? '' }).waitFor();
    const weight = await page.getByLabel('Chili ciascuno').inputValue();
    const packing = await look();
    await page.keyboard.press('F2');
    await page.getByText('Inviata alla stampante.').waitFor();
    const label = await look();
    await scan(page, 'MUG-01');
    await page.locator('.choices, .pack').first().waitFor();
    const choice = await look();

    expect(weight).toBe('1,5');
    expect({ alarm, packing, label, choice }).toEqual({ alarm: [0], packing: [0], label: [0], choice: [0] });
    expect(faults).toEqual([]);
  });
});
