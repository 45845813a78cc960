import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { addPerson, CHROMIUM, type Credentials, logIn, openBrowser, visit } from './browser.ts';

const DOCS = fileURLToPath(new URL('../../docs', import.meta.url));
const WIDTH = 1280;
/** True: the pictures are written (`WRITE_PICTURES=true npx vitest run test/console/pictures.test.ts`). */
const IS_WRITING = process.env.WRITE_PICTURES === 'true';

/** Made-up people, and addresses that exist. */
const PEOPLE = [
  ['Rosaria Prova', 'Via Torino 5', '20123', 'Milano', 'MI'],
  ['Matteo Esempio', 'Via Nizza 30', '10126', 'Torino', 'TO'],
  ['Greta Finta', 'Via Mazzini 48', '40137', 'Bologna', 'BO'],
  ['Piero Campione', 'Via Toledo 156', '80134', 'Napoli', 'NA'],
  ['Noemi Prova', 'Via Maqueda 100', '90133', 'Palermo', 'PA'],
  ['Luca Esempio', 'Corso Italia 12', '34122', 'Trieste', 'TS'],
  ['Aurora Finta', 'Via Roma 9', '37121', 'Verona', 'VR'],
  ['Dario Campione', 'Via Manzoni 3', '16121', 'Genova', 'GE'],
] as const;

describe.skipIf(CHROMIUM === null)('the pictures of docs/console.md', () => {
  let test: TestApp;
  let browser: Browser;
  let operator: Credentials;
  let admin: Credentials;
  const orders: number[] = [];

  beforeAll(async () => {
    [test, browser] = await Promise.all([
      startTestApp({ queues: ['carrier-gls-it'] }),
      openBrowser({ showsPdf: true }),
    ]);
    operator = await addPerson(test, 'operator');
    admin = await addPerson(test, 'admin');
    for (const [at, [name, address, zip, city, province]] of PEOPLE.entries()) {
      const person = { full_name: name, phone: '0510000002', country_code: 'IT' };
      const shipping = { ...person, address, zip, city, province };
      const order = buildOrder({
        order_number: `IT-${1041 + at}`,
        shipping,
        customer: { ...person, email: 'a@example.com' },
      });
      orders.push((await test.call('POST', '/orders', order)).body.order.id);
    }
    const ask = (ids: readonly number[]) => ids.map((orderId) => ({ orderId }));
    await test.call('POST', '/shipment/create', ask(orders.slice(0, 5)));
    await test.call('POST', '/shipment/transmit', ask(orders.slice(0, 3)));
    await test.fault('gls-it', 'AddParcel', 'status-503', 9);
    await test.call('POST', '/shipment/create', ask(orders.slice(5, 6)));
    await test.clearFaults();
    await test.call('POST', '/event-endpoints', { url: 'https://erp.example.com/smista-events' });
  });
  afterAll(async () => {
    await browser.close();
    await test.stop();
  });

  it.each<{ name: string; path: () => string; ready: (page: Page) => Promise<void> }>([
    {
      name: 'today',
      path: () => '/console',
      ready: (page) => page.getByRole('link', { name: 'Booking failed' }).waitFor(),
    },
    { name: 'orders', path: () => '/console/orders', ready: (page) => page.getByText('IT-1048').waitFor() },
    {
      name: 'order',
      path: () => `/console/orders/${orders[0]}`,
      ready: (page) => page.getByText('Transmission').first().waitFor(),
    },
    {
      name: 'desk',
      path: () => '/console/desk',
      ready: (page) => page.getByRole('heading', { name: 'IT-1046' }).first().waitFor(),
    },
    {
      name: 'ship',
      path: () => '/console/ship',
      ready: async (page) => {
        await page.getByRole('textbox').first().fill('IT-1047');
        await page.keyboard.press('Enter');
        await page.getByText('Aurora Finta').first().waitFor();
      },
    },
    {
      name: 'close',
      path: () => '/console/close',
      ready: (page) => page.getByRole('button', { name: 'Transmit all 2' }).waitFor(),
    },
    {
      name: 'shops',
      path: () => '/console/shops',
      ready: (page) => page.getByText('No order of this shop was shipped yet.').waitFor(),
    },
    {
      name: 'carriers',
      path: () => '/console/carriers',
      ready: (page) => page.getByText('GLS Italia 2026').waitFor(),
    },
    { name: 'events', path: () => '/console/events', ready: (page) => page.getByText('up to event').waitFor() },
    { name: 'admin', path: () => '/console/admin', ready: (page) => page.getByText('(you)').waitFor() },
  ])('show $name as it is', async ({ name, path: address, ready }) => {
    const { page, faults } = await visit(browser, test, { width: WIDTH });
    await logIn(page, name === 'admin' ? admin : operator, address());
    await ready(page);
    const picture = await page.screenshot();
    const file = path.join(DOCS, 'pictures', `console-${name}.png`);
    if (IS_WRITING) {
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, picture);
    }
    const guide = readFileSync(path.join(DOCS, 'console.md'), 'utf8');

    expect(existsSync(file)).toBe(true);
    expect(sizeOf(readFileSync(file))).toEqual(sizeOf(picture));
    expect(guide).toContain(`(pictures/console-${name}.png)`);
    expect(faults).toEqual([]);
  });
});

/** Width and height of a PNG are the first numbers of its header. */
function sizeOf(png: Buffer): number[] {
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}
