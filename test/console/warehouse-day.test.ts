import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { trackNow } from '../../src/usecases/tracking/queue-tracking.ts';
import { buyInShop } from '../support/pretend-shop.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { addPerson, CHROMIUM, type Credentials, logIn, openBrowser, visit } from './browser.ts';

const BOUGHT = 60;
const QUEUES = ['carrier-gls-it', 'tracking-gls-it', 'carrier-dhl-express', 'marketplace-woocommerce'];
const HOME = {
  address_1: 'Via Torino, 5',
  city: 'Milano',
  state: 'MI',
  postcode: '20123',
  country: 'IT',
  phone: '+39 02 5550100',
  email: 'chiara.prova@example.com',
};

/** Orders that differ from the others, by their place among those of the day. */
const SPECIAL: Readonly<Record<number, { name: string; address?: object; quantity?: number }>> = {
  1: { name: 'Corta', address: { postcode: '2012' } },
  2: { name: 'Ignota', address: { state: 'ZZ' } },
  3: { name: 'Divisa', quantity: 3 },
  4: { name: 'Rifiutata' },
  5: { name: 'Persa' },
  6: { name: 'Ferma', address: { address_1: 'Via Torino, 5 GIACENZA' } },
};

describe.skipIf(CHROMIUM === null)('a day in the warehouse', () => {
  let test: TestApp;
  let browser: Browser;
  let operator: Credentials;

  beforeAll(async () => {
    [test, browser] = await Promise.all([startTestApp({ queues: QUEUES }), openBrowser()]);
    operator = await addPerson(test, 'operator');
    for (let at = 1; at <= BOUGHT; at++) {
      const { name = 'Comune', address = {}, quantity = 1 } = SPECIAL[at] ?? {};
      const person = { ...HOME, ...address, first_name: 'Chiara', last_name: `${name} ${at}` };
      const line = { name: 'Tazza', sku: 'MUG-01', quantity, total: '20.49', total_tax: '4.51' };
      await buyInShop(test, { billing: person, shipping: person, line_items: [line] });
    }
  });
  afterAll(async () => {
    await browser.close();
    await test.stop();
  });

  const dialog = (page: Page) => page.getByRole('dialog');
  const goTo = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name }).click();

  /** Confirms the open dialog once it shows the state of now. */
  async function confirm(page: Page): Promise<void> {
    await dialog(page).locator('button[type=submit][aria-disabled=false]').waitFor();
    await page.keyboard.press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
  }

  /** Opens the order of a person by its name. */
  async function open(page: Page, name: string): Promise<void> {
    await goTo(page, 'Orders');
    await page.getByRole('searchbox').fill(name);
    await page.locator('tbody tr', { hasText: name }).first().waitFor();
    await page.locator('tbody tr', { hasText: 'Comune' }).first().waitFor({ state: 'detached' });
    await page.locator('tbody tr', { hasText: name }).getByRole('link').click();
    await page.getByRole('heading', { name: /^Order / }).waitFor();
  }

  async function correct(page: Page, field: string, value: string): Promise<void> {
    await page.getByRole('button', { name: 'Correct the address' }).click();
    await page.getByLabel(field).fill(value);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Correct the address' }).waitFor();
  }

  /** Opens the desk once it has a case. */
  async function openDesk(page: Page): Promise<void> {
    await test.until(
      () => test.call('GET', '/attention'),
      ({ body }) => body.length > 0,
    );
    await goTo(page, 'Desk');
    await page.locator('.case h2').waitFor();
  }

  const ship = (page: Page) => page.getByRole('button', { name: 'Ship', exact: true }).click();

  it('is worked through with nothing but the console', async () => {
    const { page, faults, context } = await visit(browser, test);
    await context.addInitScript('window.print = () => undefined');
    await logIn(page, operator);

    // The orders of the night come in.
    await goTo(page, 'Shops');
    await page.getByText('No order of this shop was shipped yet.').waitFor();
    await page.keyboard.press('i');
    await confirm(page);
    await page
      .getByRole('status')
      .getByText(/new 6\d, changed 0/)
      .waitFor();

    // One is divided: a piece goes today, two when they arrive.
    await open(page, 'Divisa');
    await page.getByRole('button', { name: 'Split', exact: true }).click();
    await dialog(page).getByLabel('pieces in part 1').fill('1');
    await dialog(page).getByRole('button', { name: 'Split the order' }).click();
    await page.getByRole('button', { name: 'Book part 1' }).click();
    await confirm(page);
    await page.getByText(/Part 1 is booked/).waitFor();

    // GLS refuses one, which DHL takes.
    await test.fault('gls-it', 'AddParcel', 'proxy-403', 1);
    await open(page, 'Rifiutata');
    await ship(page);
    await page.getByRole('alert').getByText('403').waitFor();
    await page.getByText('Parcel 1 needs length, width and height').first().waitFor();
    await page.getByRole('button', { name: 'Correct the parcels' }).click();
    for (const side of ['Length cm', 'Width cm', 'Height cm']) await dialog(page).getByLabel(side).fill('20');
    await confirm(page);
    await page.getByText(/The parcels are corrected\. Request [\w-]+/).waitFor();
    await page.getByRole('button', { name: 'Ship with DHL Express' }).first().click();
    await page.getByRole('link', { name: 'Label' }).waitFor();

    // The answer about one is lost: the person looks at the carrier's portal, and decides at the desk.
    await test.fault('gls-it', 'AddParcel', 'accept-then-500', 1);
    await test.fault('gls-it', 'ListSped', 'status-503', 9);
    await open(page, 'Persa');
    await ship(page);
    await openDesk(page);
    await test.clearFaults();
    const [lost] = (await test.call('GET', '/attention')).body;
    const sold = (await test.ledger('gls-it', lost.reference))?.trackingNumbers[0] ?? '';
    await page.keyboard.press('1');
    await page.keyboard.type(sold);
    await page.keyboard.press('Enter');
    await page.getByText('Accept what is there. Done.').waitFor();

    // All others together; two addresses are wrong.
    await goTo(page, 'Orders');
    await page.getByLabel('Status').selectOption('pending');
    await page.getByText('Comune 60').waitFor();
    await page.getByLabel('Choose all').check();
    await page.getByRole('button', { name: 'Ship', exact: true }).click();
    await page.locator('.errors li').nth(1).waitFor();
    const refused = await page.locator('.errors li').allTextContents();
    for (const [name, field, value] of [
      ['Corta', 'Postal code', '20123'],
      ['Ignota', 'Province', 'MI'],
    ] as const) {
      await open(page, name);
      await correct(page, field, value);
      await ship(page);
      await page.getByRole('link', { name: 'Label' }).waitFor();
    }

    // Labels on sheets of four, of which two places are used.
    await goTo(page, 'Orders');
    await page.getByLabel('Status').selectOption('shipment_created');
    await page.getByText('Comune 60').waitFor();
    await page.getByLabel('Choose all').check();
    await page.getByRole('button', { name: 'Print labels' }).click();
    await page.getByLabel('Paper').selectOption('a4-4');
    await page.getByLabel('First free place').selectOption('3');
    await dialog(page).getByRole('button', { name: 'Print' }).click();
    await page.locator('iframe[title=Labels]').waitFor();

    // Everything goes, the courier is asked, and each carrier gets its bordero.
    await goTo(page, 'Close the day');
    await page.getByRole('button', { name: /^Transmit all/ }).waitFor();
    await page.keyboard.press('t');
    await page.getByText(/(\d+) of \1 transmitted/).waitFor({ timeout: 60_000 });
    await page
      .getByRole('region', { name: 'DHL Express' })
      .getByRole('button', { name: 'Ask for the courier' })
      .click();
    await page.getByLabel('Day', { exact: true }).fill('2027-12-01');
    await dialog(page).getByRole('button', { name: 'Ask for the courier' }).click();
    await page.getByText('confirmed').waitFor();
    await page.keyboard.press('b');
    await confirm(page);
    const made = page.getByRole('status');
    await made.getByRole('link').nth(1).waitFor();
    const papers = await made.getByRole('link').count();

    // The shop is away when it is told, so it is told once more.
    await test.fault('woocommerce', '*', 'status-503', 9);
    await goTo(page, 'Shops');
    await page.getByLabel('What the shop knows').selectOption('missing');
    const untold = page.locator('tbody tr', { hasText: 'missing' });
    await untold.first().getByRole('button').click();
    await confirm(page);
    await page.getByRole('status').getByText('503').waitFor();
    await test.clearFaults();
    await untold.first().getByRole('button').click();
    await confirm(page);
    await page.getByRole('status').getByText('has the number').waitFor();

    // Days later a parcel is held, and goes out once more.
    await test.advance(80);
    const shipments = (await test.call('GET', '/shipments?limit=200')).body;
    await trackNow(
      test.app.deps,
      shipments.map(({ id }: { id: number }) => id),
    );
    await openDesk(page);
    await page.locator('.choices').getByRole('button', { name: 'Deliver again' }).click();
    await confirm(page);
    await page.getByText('Deliver again. Done.').waitFor();

    expect(refused).toHaveLength(2);
    expect(papers).toBe(2);
    expect(faults).toEqual([]);
  });
});
