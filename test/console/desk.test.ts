import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { trackNow } from '../../src/usecases/tracking/queue-tracking.ts';
import { createOrder, transmitOrder } from '../api/ship-orders.ts';
import { buildOrderTo } from '../support/build-order.ts';
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

const QUEUES = ['gls-it', 'brt'].flatMap((code) => [`carrier-${code}`, `tracking-${code}`]);

interface Booked {
  orderId: number;
  shipmentId: number;
}

describe.skipIf(CHROMIUM === null)('the desk of the console', () => {
  let test: TestApp;
  let browser: Browser;
  let operator: Credentials;
  const contracts = new Map<string, number>();

  beforeAll(async () => {
    [test, browser] = await Promise.all([startTestApp({ queues: QUEUES }), openBrowser()]);
    operator = await addPerson(test, 'operator');
    for (const { id, carrier } of (await test.call('GET', '/carriers/contracts')).body) contracts.set(carrier.code, id);
  });
  afterEach(() => test.clearFaults());
  afterAll(async () => {
    await browser.close();
    await test.stop();
  });

  /** Books an order while its carrier misbehaves, until it is at the desk. */
  async function failed(order_number: string, faults: readonly [string, string][]): Promise<Booked> {
    const orderId = await createOrder(test, { order_number });
    for (const [operation, fault] of faults) await test.fault('gls-it', operation, fault, 9);
    await test.call('POST', '/shipment/create', [{ orderId }]);
    const { body } = await test.until(
      () => test.call('GET', '/attention'),
      (answer) => answer.body.some((one: { orderId: number }) => one.orderId === orderId),
    );
    await test.clearFaults();
    return { orderId, shipmentId: body.find((one: { orderId: number }) => one.orderId === orderId).id };
  }
  const unbooked = (number: string) => failed(number, [['AddParcel', 'status-503']]);
  const unknown = (number: string) =>
    failed(number, [
      ['AddParcel', 'accept-then-500'],
      ['ListSped', 'status-503'],
    ]);

  /** Sends a parcel that its carrier holds. */
  async function held(carrier: 'gls-it' | 'brt', order_number: string): Promise<Booked> {
    const parcels = [{ weight_kg: 1, length_cm: 30, width_cm: 20, height_cm: 10 }];
    const wishes = { order_number, carrier_company_id: contracts.get(carrier), parcels };
    const sent = await transmitOrder(test, buildOrderTo('Via Torino, 5 GIACENZA', wishes));
    await test.advance(80);
    await trackNow(test.app.deps, [sent.shipmentId]);
    await test.until(
      () => test.call('GET', `/attention/${sent.shipmentId}`),
      ({ status }) => status === 200,
    );
    return sent;
  }
  const statusOf = async ({ orderId }: Booked): Promise<string> =>
    (await test.call('GET', `/orders/${orderId}`)).body.order.status;
  const decisionOf = async ({ shipmentId }: Booked) =>
    (await test.call('GET', '/shipments/held')).body.find(
      (one: { shipmentId: number }) => one.shipmentId === shipmentId,
    )?.decision;

  /** Opens the case of a shipment. */
  async function openCase(page: Page, { shipmentId }: Booked, who = operator): Promise<void> {
    await logIn(page, who, `/console/desk?shipment=${shipmentId}`);
    await page.locator('.case h2').waitFor();
  }
  const caseOf = (page: Page, number: string) =>
    page.locator('.case').getByRole('heading', { name: `Order ${number}` });
  const choose = (page: Page, name: string) => page.locator('.choices').getByRole('button', { name }).click();
  const confirm = (page: Page, name = 'Confirm') => page.getByRole('dialog').getByRole('button', { name }).click();

  it('teaches what comes to it, and is worked through with two keys for each case', async () => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, operator, '/console/desk');
    await page.getByText('No shipment needs a decision.').waitFor();
    const [again, cancelled, adopted] = [await unbooked('KEY-1'), await unbooked('KEY-2'), await unknown('KEY-3')];
    const [attention] = (await test.call('GET', '/attention')).body;
    const sold = (await test.ledger('gls-it', attention.reference))?.trackingNumbers[0] ?? '';
    await caseOf(page, 'KEY-1').waitFor();
    await page.getByRole('button', { name: 'KEY-3' }).waitFor();
    await page.keyboard.press('j');
    await caseOf(page, 'KEY-2').waitFor();
    await page.keyboard.press('k');
    await caseOf(page, 'KEY-1').waitFor();

    await page.keyboard.press('1');
    await page.keyboard.press('Enter');
    await page.getByText('Order KEY-1: Try again. Done.').waitFor();
    await caseOf(page, 'KEY-2').waitFor();
    await page.keyboard.press('2');
    await page.keyboard.press('Enter');
    await page.getByText('Order KEY-2: Cancel. Done.').waitFor();
    await caseOf(page, 'KEY-3').waitFor();
    await page.keyboard.press('1');
    await page.keyboard.type(sold);
    await page.keyboard.press('Enter');
    await page.getByText('Order KEY-3: Accept what is there. Done.').waitFor();
    await page.getByText('No shipment needs a decision.').waitFor();
    const log = await page.getByRole('region', { name: 'Your decisions' }).textContent();

    expect(await Promise.all([again, cancelled, adopted].map(statusOf))).toEqual([
      'shipment_created',
      'pending',
      'shipment_created',
    ]);
    expect((await test.call('GET', `/orders/${adopted.orderId}`)).body.shipments[0].trackingNumber).toBe(sold);
    expect(log?.match(/Request [\w-]+/g)).toHaveLength(3);
    expect(faults).toEqual([]);
  });

  it('shows what was tried and said, and refuses what the API refuses, in its words', async () => {
    const other = await transmitOrder(test, { order_number: 'SOLD' });
    const { trackingNumber } = (await test.call('GET', `/orders/${other.orderId}`)).body.shipments[0];
    const one = await unknown('EVIDENCE');
    const { page, faults } = await visit(browser, test);
    await openCase(page, one);
    await page.locator('details', { hasText: 'AddParcel' }).locator('summary').click();
    const request = await page.locator('details pre').first().textContent();
    await choose(page, 'Accept what is there');
    await page.getByLabel('Tracking number').fill(trackingNumber);
    await confirm(page);
    await page.getByRole('alert').getByText('That is the label of another order').waitFor();
    const problem = await page.getByRole('alert').textContent();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    expect(request).toContain('AddParcel');
    expect(problem).toMatch(/trackingNumber.*Request [\w-]+/);
    expect(await statusOf(one)).not.toBe('shipment_created');
    expect(faults).toEqual([]);
  });

  it('releases a held parcel after saying when the carrier decides by itself, and what it costs', async () => {
    const one = await held('gls-it', 'HELD-1');
    const { page, faults } = await visit(browser, test);
    await openCase(page, one);
    const facts = await page.locator('.case').textContent();
    await choose(page, 'Deliver to another address');
    await page.getByLabel('Street and number').fill('Via Zamboni, 33');
    const consequences = await page.getByRole('dialog').getByRole('list').textContent();
    await confirm(page);
    await page.getByText('Order HELD-1: Deliver to another address. Done.').waitFor();

    expect(facts).toMatch(/Decide before .* \(in \d+ days\)\. Then the carrier returns or destroys the parcel/);
    expect(facts).toContain('It costs nothing.');
    expect(consequences).toContain('GLS Italy is asked at once.The carrier charges for it.It cannot be undone here.');
    expect(await decisionOf(one)).toMatchObject({ action: 'REDISPATCH_NEW_ADDRESS', via: 'api' });
    expect(faults).toEqual([]);
  });

  it('leaves what only a portal can do as a task, writes it down as done, and takes a correction', async () => {
    const one = await held('brt', 'PORTAL-1');
    await unbooked('NEXT-1');
    const { page, faults } = await visit(browser, test);
    await openCase(page, one);
    await choose(page, 'Deliver again');
    const portal = await page.getByRole('dialog').getByRole('link').getAttribute('href');
    await confirm(page, 'Leave it as a task');
    await page.getByText('It waits for a person in the portal').waitFor();
    await page.goto(`/console/desk?shipment=${one.shipmentId}`);
    await page.getByText('To do in the portal: Deliver again').waitFor();
    await choose(page, 'Deliver again');
    await confirm(page, 'Done in the portal');
    await page.getByText('Order PORTAL-1: Deliver again. Done.').waitFor();
    const first = await decisionOf(one);
    await caseOf(page, 'PORTAL-1').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Change it' }).waitFor();
    await page.keyboard.press('u');
    await page.getByRole('heading', { name: 'Correct the decision' }).waitFor();
    await page.keyboard.press('3');
    await page.keyboard.press('Enter');
    await page.getByText('Order PORTAL-1: Return to us. Done.').waitFor();

    expect(portal).toBe('https://vas.brt.it');
    expect(first).toMatchObject({ action: 'REDISPATCH_SAME_ADDRESS', via: 'portal' });
    expect(await decisionOf(one)).toMatchObject({ action: 'RETURN_TO_SENDER', via: 'portal' });
    expect(faults).toEqual([]);
  });

  it('tells the second of two people the truth, before and after pressing', async () => {
    const [pressed, seen] = [await unbooked('TWO-1'), await unbooked('TWO-2')];
    const [anna, bruno] = [await visit(browser, test), await visit(browser, test)];
    await openCase(anna.page, pressed);
    await openCase(bruno.page, pressed, await addPerson(test, 'operator'));
    await choose(anna.page, 'Cancel');
    await choose(bruno.page, 'Try again');
    await confirm(anna.page);
    await anna.page.getByText('Order TWO-1: Cancel. Done.').waitFor();
    await confirm(bruno.page);
    await bruno.page.getByRole('alert').getByText('There is no such shipment that needs a person').waitFor();
    await bruno.page.keyboard.press('Escape');
    await bruno.page.goto(`/console/desk?shipment=${seen.shipmentId}`);
    await caseOf(bruno.page, 'TWO-2').waitFor();
    await test.call('POST', `/attention/${seen.shipmentId}/resolve`, { choice: 'cancel' });
    await bruno.page.getByRole('status').getByText('Order TWO-2 needs no decision any more').waitFor();

    expect(await statusOf(pressed)).toBe('pending');
    expect([...anna.faults, ...bruno.faults]).toEqual([]);
  });

  it('goes on while a carrier is asked, and shows its late answer', async () => {
    const [refused, booked] = [await unbooked('LATE-1'), await unbooked('LATE-2')];
    const { page, faults } = await visit(browser, test);
    const answers: number[] = [];
    page.on('response', (answer) => answer.url().endsWith('/resolve') && answers.push(answer.status()));
    await page.route('**/resolve', (route) =>
      route.continue({ headers: { ...route.request().headers(), prefer: 'respond-async' } }),
    );
    await openCase(page, refused);
    await test.fault('gls-it', 'AddParcel', 'status-503', 9);
    await choose(page, 'Try again');
    await confirm(page);
    const outcomes = page.getByRole('region', { name: 'Your decisions' });
    await outcomes.getByText('Order LATE-1: GLS Italy answered 503').waitFor();
    await test.clearFaults();
    await page.goto(`/console/desk?shipment=${booked.shipmentId}`);
    await choose(page, 'Try again');
    await confirm(page);
    await outcomes.getByText('Order LATE-2: Try again. Done.').waitFor();

    expect(answers).toEqual([202, 202]);
    expect([await statusOf(refused), await statusOf(booked)]).toEqual(['error', 'shipment_created']);
    expect(faults).toEqual([]);
  });

  it('shows a viewer every choice and no button for it', async () => {
    const one = await unknown('VIEW');
    const { page, faults } = await visit(browser, test);
    await openCase(page, one, await addPerson(test, 'viewer'));
    await page.getByText('Your role shows cases and decides none.').waitFor();
    await page.keyboard.press('1');
    const choices = await page.locator('.choices li').count();

    expect(choices).toBe(3);
    expect(await page.locator('.case button').count()).toBe(0);
    expect(await page.getByRole('dialog').count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'is accessible in the %s theme, in Italian, and fits a telephone',
    async (theme) => {
      const one = await unknown(`AXE-${theme}`);
      const parcel = await held('brt', `AXE-HELD-${theme}`);
      const { page, faults } = await visit(browser, test, { theme, width: 390, language: 'it' });
      await openCase(page, one);
      await page.locator('details summary').first().click();
      await page.locator('details pre').first().waitFor();
      const words = await page.locator('.choices').textContent();
      const opened = [...(await accessibilityFaults(page)), await overflowOf(page)];
      await page.keyboard.press('1');
      await page.getByLabel('Numero di spedizione').waitFor();
      const dialog = [...(await accessibilityFaults(page)), await overflowOf(page)];
      await page.goto(`/console/desk?shipment=${parcel.shipmentId}`);
      await page.getByRole('heading', { name: 'Giacenza', exact: true }).waitFor();
      const stay = [...(await accessibilityFaults(page)), await overflowOf(page)];

      expect(words).toContain('Il corriere ce l’ha');
      expect(opened).toEqual([0]);
      expect(dialog).toEqual([0]);
      expect(stay).toEqual([0]);
      expect(faults).toEqual([]);
    },
  );
});
