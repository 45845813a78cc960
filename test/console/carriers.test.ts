import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { apply } from '../../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../../src/usecases/setup/apply-document.ts';
import { demoContract, demoTariff } from '../api/second-company.ts';
import { bookOrder } from '../api/ship-orders.ts';
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

/** The zones of the demo company with other prices. */
const PRICES = [
  'Peso;Italia;Sicilia, Sardegna e Calabria;Venezia laguna',
  'fino a 3 kg;7,20;8,90;14,90',
  'fino a 5 kg;8,10;10,00;20,00',
  'fino a 30 kg;14,90;19,90;29,00',
  'ogni 10 kg in più;4,00;5,50;-',
].join('\n');

describe.skipIf(CHROMIUM === null)('the carriers in the console', () => {
  let test: TestApp;
  let browser: Browser;
  let operator: Credentials;
  let admin: Credentials;

  beforeAll(async () => {
    [test, browser] = await Promise.all([startTestApp(), openBrowser()]);
    operator = await addPerson(test, 'operator');
    admin = await addPerson(test, 'admin');
  });
  afterEach(() => test.clearFaults());
  afterAll(async () => {
    await browser.close();
    await test.stop();
  });

  const inDialog = (page: Page) => page.getByRole('dialog');
  const gls = (page: Page) => page.getByRole('region', { name: 'GLS Bologna' });
  const changeOf = (page: Page, text: string) => page.locator('tbody tr', { hasText: text });

  /** Confirms the open dialog once it shows the state of now. */
  async function confirm(page: Page): Promise<void> {
    await inDialog(page).locator('button[type=submit][aria-disabled=false]').waitFor();
    await page.keyboard.press('Enter');
    await inDialog(page).waitFor({ state: 'detached' });
  }

  async function choose(page: Page, { text = PRICES, from }: { text?: string; from: string }): Promise<void> {
    const file = { name: 'listino.csv', mimeType: 'text/csv', buffer: Buffer.from(text) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.locator('input[name=from]').first().fill(from);
    await page.locator('form button.main').click();
  }

  async function declareContract(changes: Record<string, unknown>): Promise<void> {
    const contracts = [{ ...demoContract(test), ...changes }];
    const company = { key: 'demo', name: 'Demo', contracts, tariffs: [demoTariff(test)] };
    await apply(test.app.deps, ApplyDocument.parse({ companies: [company] }));
  }

  it('checks a contract by keys: what is asked, a carrier that is away, refused credentials, and accepted ones', async () => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, operator, '/console/carriers');
    await gls(page).getByText('not checked here yet').waitFor();
    await gls(page).getByText('GLS Italia 2026 (always, 14 prices)').waitFor();
    await test.fault('gls-it', 'ListSped', 'status-503', 9);
    await page.keyboard.press('v');
    const plan = await inDialog(page).getByText('one harmless read').textContent();
    await confirm(page);
    await page.getByRole('status').getByText('the check failed').waitFor();
    const away = await page.getByRole('status').textContent();
    await gls(page).getByText('carrier not reached').waitFor();
    await test.clearFaults();
    const { account } = demoContract(test) as { account: object };
    await declareContract({ account: { ...account, passwordClienteGls: 'wrong' } });
    await page.keyboard.press('v');
    await confirm(page);
    await page.getByRole('status').getByText('puts the right credentials').waitFor();
    await declareContract({});
    await gls(page).getByRole('button', { name: 'Check the contract' }).click();
    await confirm(page);
    await page.getByRole('status').getByText('the credentials are accepted').waitFor();
    const told = await page.getByRole('status').textContent();
    await gls(page).locator('.good', { hasText: 'accepted' }).waitFor();

    expect(plan).toContain('GLS Bologna');
    expect(away).toMatch(/503.*try again later.*Request [\w-]+/);
    expect(told).toMatch(/Request [\w-]+/);
    expect(faults).toEqual([]);
  });

  it('previews a file price by price, refuses what was overtaken, and uses what was agreed to', async () => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, admin, '/console/carriers');
    await page.locator('input[type=file]').waitFor();
    await page.keyboard.press('p');
    const focused = await page.evaluate('document.activeElement?.id');
    await choose(page, { from: '2027-01-01' });
    await changeOf(page, 'up to 3 kg').getByText('€7.20').waitFor();
    const changed = await changeOf(page, 'up to 3 kg').textContent();
    const { body: before } = await test.call('GET', '/carriers/state');
    const late = PRICES.replace('7,20', '7,30');
    await test.call('POST', `/carriers/contracts/${test.contractId}/price-list?from=2027-01-01`, late, {
      'content-type': 'text/csv',
    });
    await page.getByRole('button', { name: 'Use this price list' }).click();
    await inDialog(page).getByText('Other prices were saved meanwhile').waitFor();
    await page.keyboard.press('Escape');
    await choose(page, { from: '2027-01-01' });
    await changeOf(page, 'up to 3 kg').getByText('€7.30').waitFor();
    await page.getByRole('button', { name: 'Use this price list' }).click();
    const plan = await inDialog(page).getByText('will be in force').textContent();
    await confirm(page);
    await page.getByRole('status').getByText('is saved').waitFor();
    const told = await page.getByRole('status').textContent();
    await gls(page).getByText('Next price list').waitFor();

    expect(focused).toBe('price-list-file');
    expect(changed).toContain('€6.90');
    expect(before[0].tariff.next).toBeNull();
    expect(plan).toContain('from Jan 1, 2027');
    expect(told).toMatch(/changed: 1, .*Request [\w-]+/);
    expect(faults).toEqual([]);
  });

  it('names the cells of a file that cannot be taken, and offers nothing to use', async () => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, admin, '/console/carriers');
    await choose(page, { text: 'Peso;Italia\nfino a 3 kg;sette\nfino a 5 kg;8,10\n', from: '2028-01-01' });
    await page.getByText('CSV!B2').waitFor();
    const uses = await page.getByRole('button', { name: 'Use this price list' }).count();
    await choose(page, { text: '%PDF-1.7', from: '2028-01-01' });
    const refused = await page.getByRole('alert').textContent();

    expect(uses).toBe(0);
    expect(refused).toMatch(/PDF.*Request [\w-]+/);
    expect(faults).toEqual([]);
  });

  it('works out what shipments would have cost, by carrier and province', async () => {
    await bookOrder(test);
    const day = new Date().toISOString().slice(0, 10);
    const { page, faults } = await visit(browser, test);
    await logIn(page, operator, '/console/carriers');
    await page.getByRole('region', { name: /^BRT/ }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Prices of BRT' }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'Prices of GLS' }).waitFor();
    await page.getByRole('button', { name: 'Show its prices BRT' }).click();
    await page.getByRole('heading', { name: 'Prices of BRT' }).waitFor();
    const focused = await page.evaluate('document.activeElement?.id');
    await page.keyboard.press('w');
    await page.getByText('No shipments in that time.').waitFor();
    await page.getByLabel('From', { exact: true }).fill(day);
    await page.getByLabel('To (at most 31 days)').fill(day);
    await page.getByRole('button', { name: 'Work it out' }).press('Enter');
    await page.getByRole('status').getByText('Shipments: 1.').waitFor();
    const row = await changeOf(page, 'GLS Bologna').textContent();

    expect(focused).toBe('prices-of-contract');
    expect(row).toMatch(/€\d+\.\d\d€\d+\.\d\d/);
    expect(new URL(page.url()).searchParams.get('contract')).toBeTruthy();
    expect(faults).toEqual([]);
  });

  it('shows a viewer everything and no write, and an operator no new prices', async () => {
    const { page, faults } = await visit(browser, test);
    await logIn(page, await addPerson(test, 'viewer'), '/console/carriers');
    await gls(page).waitFor();
    await page.keyboard.press('v');
    await page.keyboard.press('p');
    await page.getByText('An administrator brings new price lists in.').waitFor();

    expect(await page.getByRole('button', { name: 'Check the contract' }).count()).toBe(0);
    expect(await page.locator('input[type=file]').count()).toBe(0);
    expect(await inDialog(page).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('teaches the first step to a company without a contract', async () => {
    await apply(
      test.app.deps,
      ApplyDocument.parse({ companies: [{ key: 'senza', name: 'Senza contratti', contracts: [], connections: [] }] }),
    );
    const { page, faults } = await visit(browser, test);
    await logIn(page, await addPerson(test, 'admin', 'senza'), '/console/carriers');
    await page.getByText('No contract with a carrier yet. An administrator adds one').waitFor();

    expect(faults).toEqual([]);
  });

  it.each(['light', 'dark'] as const)(
    'is accessible in the %s theme, in Italian, and fits a telephone',
    async (theme) => {
      await bookOrder(test);
      const day = new Date().toISOString().slice(0, 10);
      await test.fault('gls-it', 'ListSped', 'status-503', 9);
      const { page, faults } = await visit(browser, test, { theme, width: 390, language: 'it' });
      await logIn(page, admin, '/console/carriers');
      await gls(page).getByRole('button', { name: 'Verifica il contratto' }).click();
      await confirm(page);
      await page.getByRole('status').getByText('la verifica non è riuscita').waitFor();
      await choose(page, { text: PRICES.replace('8,10', '8,40'), from: '2029-01-01' });
      await page.locator('tbody tr').first().waitFor();
      await page.locator('section form input[name=from]').fill(day);
      await page.locator('input[name=to]').fill(day);
      await page.locator('#what-if').click();
      await page.locator('svg.chart').first().waitFor();
      const screen = [...(await accessibilityFaults(page)), await overflowOf(page)];
      if (process.env.PICTURES) {
        await page.screenshot({ path: `${process.env.PICTURES}/carriers-390-${theme}.png`, fullPage: true });
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.screenshot({ path: `${process.env.PICTURES}/carriers-1280-${theme}.png`, fullPage: true });
        await page.setViewportSize({ width: 390, height: 800 });
      }
      await page.getByRole('button', { name: 'Usa questo listino' }).click();
      await inDialog(page).getByText('sarà in vigore').waitFor();
      const dialog = [...(await accessibilityFaults(page)), await overflowOf(page)];

      expect(screen).toEqual([0]);
      expect(dialog).toEqual([0]);
      expect(faults).toEqual([]);
    },
  );
});
