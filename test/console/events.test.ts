import type { Browser, Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EVENTS_QUEUE } from '../../src/queue/jobs.ts';
import { createOrder } from '../api/ship-orders.ts';
import { type EventReceiver, startEventReceiver } from '../support/event-receiver.ts';
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

describe.skipIf(CHROMIUM === null)('the events in the console', () => {
  let test: TestApp;
  let browser: Browser;
  let admin: Credentials;
  let receiver: EventReceiver;

  beforeAll(async () => {
    receiver = await startEventReceiver();
    [test, browser] = await Promise.all([
      startTestApp({
        roles: ['api', 'worker', 'scheduler'],
        queues: [EVENTS_QUEUE],
        env: { EVENTS_ALLOW_PRIVATE: 'true', EVENTS_TIMEOUT_SECONDS: '2' },
      }),
      openBrowser(),
    ]);
    admin = await addPerson(test, 'admin');
  });
  afterEach(async () => {
    receiver.answer(204);
    receiver.received.length = 0;
    for (const { id } of await endpoints()) await test.call('DELETE', `/event-endpoints/${id}`);
  });
  afterAll(async () => {
    await browser.close();
    await test.stop();
    await receiver.close();
  });

  const endpoints = async () => (await test.call('GET', '/event-endpoints')).body;
  const inDialog = (page: Page) => page.getByRole('dialog');
  const note = (page: Page) => page.locator('section[role=status]');
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: false }).first().click();

  async function declare(changes: object = {}): Promise<{ id: number; secret: string }> {
    const { body } = await test.call('POST', '/event-endpoints', { url: receiver.url, ...changes });
    await test.app.workers?.refresh();
    return body;
  }

  /** Confirms the open dialog once it shows the state of now. */
  async function confirm(page: Page): Promise<void> {
    const dialog = inDialog(page);
    await dialog.locator('button[type=submit][aria-disabled=false]').click();
    await dialog.waitFor({ state: 'detached' });
  }

  const untilDelivered = () =>
    test.until(endpoints, ([one]) => one !== undefined && one.deliveredSequence === one.lastSequence);

  it('creates the first endpoint by keys, shows its secret once, and proves it by a test event', async () => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, admin, '/console/events');
    await page.getByText('its secret is shown once').waitFor();
    await page.keyboard.press('n');
    await inDialog(page).getByText('Earlier events are not.').waitFor();
    await page.keyboard.type(receiver.url);
    await page.keyboard.press('Enter');
    await inDialog(page).waitFor({ state: 'detached' });
    const secret = (await note(page).locator('code').textContent()) ?? '';
    const told = await note(page).textContent();
    await test.app.workers?.refresh();
    await page.keyboard.press('t');
    const plan = await inDialog(page).getByText('One signed event').textContent();
    await confirm(page);
    await note(page).getByText('took the test event').waitFor();
    const tested = await note(page).textContent();
    const [got] = receiver.received;

    expect(told).toMatch(/gets every event from now on.*Request [\w-]+/);
    expect(plan).toContain(receiver.url);
    expect(tested).toMatch(/HTTP 204 after \d+ ms.*endpoint\.test.*Request [\w-]+/);
    expect(new Webhook(secret).verify(got?.raw ?? '', got?.headers as never)).toMatchObject({ type: 'endpoint.test' });
    expect(await page.content()).not.toContain(secret);
    expect(faults).toEqual([]);
  });

  it('shows each delivery with its request and answer, and why a receiver that refuses gets nothing', async () => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, admin, '/console/events');
    await declare();
    receiver.answer(500);
    const orderId = await createOrder(test);
    await page.getByText('failing', { exact: true }).waitFor();
    await page.getByText('No success since').getByText('The receiver refused it').waitFor();
    const waiting = await page.locator('dt:text-is("Waiting") + dd').textContent();
    await page.locator('.cards li').first().getByText('Request and answer').click();
    const request = await page.locator('.cards pre').textContent();
    const answer = await page.locator('.cards li').first().getByText('HTTP 500').first().textContent();
    receiver.answer(204);
    await press(page, 'Try now');
    await inDialog(page).getByText('At most 1 wait.').waitFor();
    await confirm(page);
    await note(page).getByText('is enabled').waitFor();
    await page.locator('.cards li').first().getByText('delivered', { exact: true }).waitFor();
    await page.getByText('active', { exact: true }).waitFor();

    expect(waiting).toBe('at most 1');
    expect(JSON.parse(request ?? '')).toMatchObject({ type: 'order.created', data: { orderId } });
    expect(answer).toContain('HTTP 500');
    expect(faults).toEqual([]);
  });

  it('says what a test event failed with, which changes nothing', async () => {
    await declare();
    receiver.answer(503);
    const { page, faults } = await visit(browser, test);
    await logIn(page, admin, '/console/events');
    await press(page, 'Send a test event');
    await confirm(page);
    await note(page).getByText('did not take the test event').waitFor();
    const told = await note(page).textContent();
    const [state] = await endpoints();

    expect(told).toMatch(/The receiver refused it \(HTTP 503\).*Request [\w-]+/);
    expect(state).toMatchObject({ status: 'active', failing: null });
    expect(faults).toEqual([]);
  });

  it('changes address and types, disables and enables, and leaves events out where a person says so', async () => {
    await declare({ url: 'http://127.0.0.1:9/nowhere' });
    const { page, faults } = await visit(browser, test);
    await logIn(page, admin, '/console/events');
    await press(page, 'Change');
    await inDialog(page).getByLabel('URL').fill(receiver.url);
    await inDialog(page).getByLabel('All types').uncheck();
    await inDialog(page).getByLabel('order created or imported').check();
    await confirm(page);
    await note(page).getByText('is changed').waitFor();
    await page.locator('dd', { hasText: /^order\.created$/ }).waitFor();
    await press(page, 'Disable');
    await inDialog(page).getByText('gets nothing until it is enabled').waitFor();
    await confirm(page);
    await page.getByText('Disabled by a person').waitFor();
    await createOrder(test);
    const kept = await createOrder(test);
    const [{ lastSequence }] = await endpoints();
    await press(page, 'Enable');
    await inDialog(page)
      .getByLabel('Go on after event')
      .fill(String(lastSequence - 1));
    await confirm(page);
    await untilDelivered();

    expect((await endpoints())[0]).toMatchObject({ url: receiver.url, types: ['order.created'], status: 'active' });
    expect(receiver.received.map(({ body }) => body.data.orderId)).toEqual([kept]);
    expect(faults).toEqual([]);
  });

  it('refuses a forbidden URL in the dialog, names the field, and takes the next one', async () => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, admin, '/console/events');
    await page.getByText('No program receives events yet.').waitFor();
    await page.keyboard.press('n');
    await inDialog(page).getByLabel('URL').fill('https://user:pass@example.com/');
    await inDialog(page).getByRole('button', { name: 'New endpoint' }).click();
    await inDialog(page).getByRole('alert').getByText('must not hold a user name').waitFor();
    const refused = await inDialog(page).getByRole('alert').textContent();
    await inDialog(page).getByLabel('URL').fill(receiver.url);
    await confirm(page);
    await note(page).locator('code').waitFor();

    expect(refused).toMatch(/\/url.*Request [\w-]+/);
    expect(await endpoints()).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it('rotates the secret, sends a range again and deletes the endpoint, each after saying what that means', async () => {
    const first = await declare();
    await createOrder(test);
    await untilDelivered();
    const { page, faults } = await visit(browser, test);
    await logIn(page, admin, '/console/events');
    await press(page, 'New secret');
    await inDialog(page).getByText('signs beside it for 24 hours').waitFor();
    await confirm(page);
    const secret = (await note(page).locator('code').textContent()) ?? '';
    const [{ deliveredSequence: last }] = await endpoints();
    await press(page, 'Send again');
    await inDialog(page).getByText(`event ${last}`).waitFor();
    await inDialog(page).getByLabel('From event').fill(String(last));
    await confirm(page);
    await note(page).getByText('gets the events again').waitFor();
    await page.locator('.cards li').first().getByText('sent again').waitFor();
    const [before, again] = receiver.received;
    await press(page, 'Delete');
    await inDialog(page).getByText('The events stay.').waitFor();
    await confirm(page);
    await page.getByText('No program receives events yet.').waitFor();
    const told = await note(page).textContent();

    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(first.secret);
    expect(again?.id).toBe(before?.id);
    for (const one of [secret, first.secret]) {
      expect(() => new Webhook(one).verify(again?.raw ?? '', again?.headers as never)).not.toThrow();
    }
    expect(told).toMatch(/is deleted.*Request [\w-]+/);
    expect(await endpoints()).toEqual([]);
    expect(faults).toEqual([]);
  });

  it('finds out in the dialog that the endpoint is gone', async () => {
    const { id } = await declare();
    const { page, faults } = await visit(browser, test);
    await logIn(page, admin, '/console/events');
    await page.getByRole('button', { name: 'Disable' }).waitFor();
    await test.call('DELETE', `/event-endpoints/${id}`);
    await press(page, 'Disable');
    await inDialog(page).getByText('deleted meanwhile').waitFor();
    await page.keyboard.press('Enter');

    expect(await inDialog(page).locator('button[aria-disabled=true]').count()).toBe(1);
    expect(faults).toEqual([]);
  });

  it.each(['viewer', 'operator'] as const)('shows the role %s everything and no button', async (role) => {
    await declare();
    await createOrder(test);
    await untilDelivered();
    const { page, faults } = await visit(browser, test);
    await logIn(page, await addPerson(test, role), '/console/events');
    await page.locator('.cards li').first().waitFor();
    await page.keyboard.press('n');
    await page.keyboard.press('t');

    expect(await page.locator('main button').count()).toBe(0);
    expect(await inDialog(page).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'is accessible in the %s theme, in Italian, and fits a telephone',
    async (theme) => {
      await declare({ types: ['order.created', 'shipment.held'] });
      await declare({ url: `${receiver.url}/un-indirizzo-molto-lungo-che-non-finisce-mai/${'a'.repeat(60)}` });
      receiver.answer((response, { body }) => response.writeHead(body.data.orderId ? 500 : 204).end());
      await createOrder(test);
      const { page, faults } = await visit(browser, test, { theme, width: 390, language: 'it' });
      await logIn(page, admin, '/console/events');
      await page.locator('.cards li').first().waitFor();
      await page.getByText('non risponde').nth(1).waitFor();
      const screen = [...(await accessibilityFaults(page)), await overflowOf(page)];
      await page.keyboard.press('n');
      await inDialog(page).getByLabel('Tutti i tipi').uncheck();
      const dialog = [...(await accessibilityFaults(page)), await overflowOf(page)];
      await page.keyboard.press('Escape');
      await inDialog(page).waitFor({ state: 'detached' });
      await press(page, 'Nuovo segreto');
      await confirm(page);
      await note(page).locator('code').waitFor();
      await page.locator('.cards li').first().getByText('Richiesta e risposta').click();
      await page.locator('.cards pre').waitFor();
      const after = [...(await accessibilityFaults(page)), await overflowOf(page)];
      if (process.env.PICTURES) {
        await page.screenshot({ path: `${process.env.PICTURES}/events-390-${theme}.png`, fullPage: true });
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.screenshot({ path: `${process.env.PICTURES}/events-1280-${theme}.png`, fullPage: true });
      }

      expect(screen).toEqual([0]);
      expect(dialog).toEqual([0]);
      expect(after).toEqual([0]);
      expect(faults).toEqual([]);
    },
  );
});
