import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../src/db/entities/index.ts';
import { apply } from '../../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../../src/usecases/setup/apply-document.ts';
import { demoConnection } from '../api/second-company.ts';
import { buyInShop, fulfilInShop, shipBought } from '../support/pretend-shop.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { database } from '../usecases/engine.ts';
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

describe.skipIf(CHROMIUM === null)('the shops in the console', () => {
  let test: TestApp;
  let browser: Browser;
  let operator: Credentials;

  beforeAll(async () => {
    [test, browser] = await Promise.all([startTestApp(), openBrowser()]);
    operator = await addPerson(test, 'operator');
  });
  afterEach(() => test.clearFaults());
  afterAll(async () => {
    await browser.close();
    await test.stop();
  });

  const inDialog = (page: Page) => page.getByRole('dialog');
  const shopOf = (page: Page) => page.getByRole('region', { name: 'Negozio online' });
  const rowOf = (page: Page, text: string) => page.locator('tbody tr', { hasText: text });
  const fact = (page: Page, name: string) => shopOf(page).locator(`dt:text-is("${name}") + dd`);

  /** Confirms the open dialog once it shows the state of now. */
  async function confirm(page: Page): Promise<void> {
    await inDialog(page).locator('button[type=submit][aria-disabled=false]').waitFor();
    await page.keyboard.press('Enter');
    await inDialog(page).waitFor({ state: 'detached' });
  }

  async function declareShop(changes: Record<string, unknown>): Promise<void> {
    const connections = [{ ...demoConnection(test), ...changes }];
    await apply(test.app.deps, ApplyDocument.parse({ companies: [{ key: 'demo', name: 'Demo', connections }] }));
  }

  it('imports by keys: what will be read, what came, the fault of a shop that is away, and its end', async () => {
    await buyInShop(test);
    const { page, faults } = await visit(browser, test);
    await logIn(page, operator, '/console/shops');
    await page.getByText('No order of this shop was shipped yet.').waitFor();
    await fact(page, 'Imported up to').getByText('never').waitFor();
    await page.keyboard.press('i');
    const plan = await inDialog(page).getByText('since 30 days ago').textContent();
    await confirm(page);
    const told = await page.getByRole('status').textContent();
    await fact(page, 'Last import').getByText('never').waitFor({ state: 'detached' });
    await test.fault('woocommerce', 'orders.list', 'status-503', 9);
    await page.keyboard.press('i');
    await confirm(page);
    await page.getByRole('status').getByText('not imported').waitFor();
    const away = await page.getByRole('status').textContent();
    await shopOf(page).getByText('The last import failed:').waitFor();
    await test.clearFaults();
    await page.keyboard.press('i');
    await confirm(page);
    await page.getByText('imports are on').waitFor();

    expect(plan).toContain('Negozio online');
    expect(told).toMatch(/Negozio online: new [1-9]\d*, changed 0, unchanged 0, failed 0\..*Request [\w-]+/);
    expect(away).toContain('does not work at the moment');
    expect(away).toMatch(/503.*Request [\w-]+/);
    expect(faults).toEqual([]);
  });

  it('reads one order again that could not be imported, until it can', async () => {
    const id = await buyInShop(test);
    // A fault of ours: the shop's order is fine.
    await database(test).execute(`alter table orders add constraint fault check (external_order_id <> '${id}')`);
    await test.call('POST', `/marketplace/connected/${test.connectionId}/import`, {});
    const { page, faults } = await visit(browser, test);
    await logIn(page, operator, '/console/shops');
    await rowOf(page, id).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const plan = await inDialog(page).getByText(`Order ${id} is read`).textContent();
    await confirm(page);
    await page.getByRole('status').getByText('not imported').waitFor();
    const tries = rowOf(page, id).locator('td.number');
    await tries.getByText('2', { exact: true }).waitFor();
    await database(test).execute('alter table orders drop constraint fault');
    await rowOf(page, id).getByRole('button').click();
    await confirm(page);
    await page.getByText('None. No order of this shop waits for another try.').waitFor();
    const told = await page.getByRole('status').textContent();
    const found = await test.call('GET', `/orders?marketplaceOrderId=${id}`);

    expect(plan).toContain('Nothing is written there');
    expect(told).toMatch(/new 1, .*Request [\w-]+/);
    expect(found.body).toHaveLength(1);
    expect(faults).toEqual([]);
  });

  it('follows what the shop was told: missing, another number, told and read back', async () => {
    const orderId = await shipBought(test);
    const { page, faults } = await visit(browser, test);
    await logIn(page, operator, '/console/shops?state=missing');
    const { orderNumber } = (await test.call('GET', `/orders/${orderId}`)).body.order;
    const [row] = (await test.call('GET', `/marketplace/connected/${test.connectionId}/confirmations?state=missing`))
      .body;
    await rowOf(page, orderNumber).getByText('missing').waitFor();
    await fulfilInShop(test, row.marketplaceOrderId, 'BY-HAND');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    const plan = await inDialog(page).locator('.facts').textContent();
    await confirm(page);
    await page.getByRole('status').getByText('did not take the number').waitFor();
    const refused = await page.getByRole('status').textContent();
    await page.getByText('No order of this shop.').waitFor();
    await page.getByLabel('What the shop knows').selectOption('told_another');
    await rowOf(page, orderNumber).getByText('another number').waitFor();
    await fulfilInShop(test, row.marketplaceOrderId, row.shipments[0].trackingNumber);
    await rowOf(page, orderNumber).getByRole('button').click();
    await inDialog(page).getByText('check which number is right').waitFor();
    await confirm(page);
    await page.getByRole('status').getByText('has the number').waitFor();
    const told = await page.getByRole('status').textContent();
    await page.getByLabel('What the shop knows').selectOption('read_back');
    await rowOf(page, orderNumber).getByText('read back').waitFor();

    expect(plan).toBe(`Travels under${row.shipments[0].trackingNumber}The shop hasnothing`);
    expect(refused).toMatch(/another tracking number.*Request [\w-]+/);
    expect(told).toContain(row.shipments[0].trackingNumber);
    expect(new URL(page.url()).searchParams.get('state')).toBe('read_back');
    expect(faults).toEqual([]);
  });

  it('shows by itself what was told meanwhile', async () => {
    const orderId = await shipBought(test);
    const { page, faults } = await visit(browser, test);
    await logIn(page, operator, '/console/shops?state=missing');
    const { orderNumber } = (await test.call('GET', `/orders/${orderId}`)).body.order;
    await rowOf(page, orderNumber).waitFor();
    await test.call('POST', `/orders/${orderId}/send-to-marketplace`);
    await rowOf(page, orderNumber).waitFor({ state: 'detached' });

    expect(faults).toEqual([]);
  });

  it('checks the connection: says what the shop refuses, and that it accepts the right credentials', async () => {
    const { account } = demoConnection(test) as { account: object };
    await declareShop({ account: { ...account, consumerSecret: 'cs_wrong' } });
    const { page, faults } = await visit(browser, test);
    await logIn(page, operator, '/console/shops');
    await shopOf(page).getByRole('button', { name: 'Check the connection' }).click();
    await inDialog(page).getByText('Nothing changes').waitFor();
    await confirm(page);
    await page.getByRole('status').getByText('refuses the credentials').waitFor();
    await declareShop({});
    await page.keyboard.press('v');
    await confirm(page);
    await page.getByRole('status').getByText('accepts the credentials').waitFor();
    const told = await page.getByRole('status').textContent();

    expect(told).toMatch(/Request [\w-]+/);
    expect(faults).toEqual([]);
  });

  it('says before a person agrees that another import is running', async () => {
    const { page } = await visit(browser, test);
    await logIn(page, operator, '/console/shops');
    await shopOf(page).waitFor();
    const em = database(test);
    const held = new Date(Date.now() + 60_000);
    await em.nativeUpdate(Connection, { id: test.connectionId }, { importingUntil: held });
    await page.keyboard.press('i');
    await inDialog(page).getByText('this one would do nothing').waitFor();
    await confirm(page);
    await page.getByRole('status').getByText('nothing was done').waitFor();
    await em.nativeUpdate(Connection, { id: test.connectionId }, { importingUntil: null });
  });

  it('shows a viewer everything and no button', async () => {
    await shipBought(test);
    const { page, faults } = await visit(browser, test);
    await logIn(page, await addPerson(test, 'viewer'), '/console/shops');
    await page.locator('tbody tr').first().waitFor();
    await page.keyboard.press('i');
    await page.keyboard.press('v');

    expect(await page.locator('main button').count()).toBe(0);
    expect(await inDialog(page).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('teaches the first step to a company without a shop', async () => {
    await apply(
      test.app.deps,
      ApplyDocument.parse({ companies: [{ key: 'senza', name: 'Senza negozi', contracts: [], connections: [] }] }),
    );
    const { page, faults } = await visit(browser, test);
    await logIn(page, await addPerson(test, 'operator', 'senza'), '/console/shops');
    await page.getByText('No shop is connected. An administrator adds one').waitFor();

    expect(faults).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'is accessible in the %s theme, in Italian, and fits a telephone',
    async (theme) => {
      await shipBought(test);
      const id = await buyInShop(test);
      await database(test).execute(`alter table orders add constraint fault check (external_order_id <> '${id}')`);
      await test.call('POST', `/marketplace/connected/${test.connectionId}/import`, {});
      await database(test).execute('alter table orders drop constraint fault');
      const { page, faults } = await visit(browser, test, { theme, width: 390, language: 'it' });
      await logIn(page, operator, '/console/shops');
      await rowOf(page, id).waitFor();
      await page.locator('tbody tr', { hasText: 'mancante' }).first().waitFor();
      const screen = [...(await accessibilityFaults(page)), await overflowOf(page)];
      await page.locator('tbody tr', { hasText: 'mancante' }).first().getByRole('button').click();
      await inDialog(page).getByText('Riceve solo ciò che manca').waitFor();
      const dialog = [...(await accessibilityFaults(page)), await overflowOf(page)];
      await confirm(page);
      await page.getByRole('status').getByText('ha il numero').waitFor();
      const note = [...(await accessibilityFaults(page)), await overflowOf(page)];
      if (process.env.PICTURES) {
        await page.screenshot({ path: `${process.env.PICTURES}/shops-390-${theme}.png`, fullPage: true });
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.screenshot({ path: `${process.env.PICTURES}/shops-1280-${theme}.png`, fullPage: true });
      }

      expect(screen).toEqual([0]);
      expect(dialog).toEqual([0]);
      expect(note).toEqual([0]);
      expect(faults).toEqual([]);
    },
  );
});
