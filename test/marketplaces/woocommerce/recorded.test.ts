import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { woocommerce } from '../../../src/marketplaces/woocommerce/index.ts';
import { type FakeServer, type Reply, startFakeServer } from '../../support/fake-server.ts';
import { callerOf, failureOf } from '../call-marketplace.ts';

/** Answers of a real WooCommerce 11.0.1, recorded 2026-11-22; they are not part of this repository. */
const FILE = path.resolve('../shared/recorded/woocommerce-11.0.1.json');
interface Answer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}
const recorded = existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Answer>) : null;

const window = { modifiedAfter: new Date('2026-11-22T00:00:00Z'), modifiedBefore: new Date('2026-11-23T00:00:00Z') };
const EMPTY: Reply = { status: 200, headers: { 'content-type': 'application/json' }, body: '[]' };

describe.runIf(recorded)('a recorded answer of a real WooCommerce', () => {
  let server: FakeServer;
  beforeEach(async () => {
    server = await startFakeServer([]);
  });
  afterEach(() => server.close().catch(() => {}));

  const of = (name: string): Reply => {
    const answer = recorded?.[name];
    if (!answer) throw new Error(`Nothing is recorded as ${name}`);
    const headers = { 'content-type': 'application/json', ...answer.headers };
    return { status: answer.status, headers, body: JSON.stringify(answer.body) };
  };
  const shopWith = async (replies: readonly Reply[], more: Record<string, unknown> = {}) => {
    await server.close().catch(() => {});
    server = await startFakeServer(replies);
    return callerOf(woocommerce, { account: { url: server.url, consumerKey: 'ck', consumerSecret: 'cs', ...more } });
  };
  const read = async (name: string, ...more: Reply[]) => {
    const { id } = JSON.parse(String(of(name).body)) as { id: number };
    return (await shopWith([of(name), ...more])).read(String(id));
  };

  test('is an order paid to the courier, with its titles as people read them', async () => {
    expect(await read('order.guestCod')).toMatchObject({
      externalNumber: '16',
      state: 'shipped',
      currency: 'EUR',
      cashOnDelivery: true,
      createdAt: new Date('2026-11-22T06:53:06Z'),
      totalGross: '44.22',
      totalNet: '37.67',
      shippingGross: '8.42',
      note: 'Citofonare "Rossi" &',
      shipping: { fullName: "Giulia D'Amico", company: 'Bottega Verdi S.r.l.', province: 'BO', zip: '40121' },
      lines: [
        { externalLineId: '3', sku: 'TAZZA-1', title: 'Tazza "blu" & piattino', quantity: 2, totalGross: '25.80' },
        { externalLineId: '4', sku: 'LIBRO', title: 'Libro', quantity: 1, totalGross: '10.00' },
      ],
      problems: [],
    });
  });

  test('is an order with a discount, whose lines are what was paid', async () => {
    const order = await read('order.coupon');

    expect(order?.lines).toMatchObject([
      { quantity: 3, totalGross: '34.83', totalNet: '28.55', unitPriceGross: '11.61' },
      { title: 'Maglia - M', totalGross: '26.99' },
    ]);
    expect(order?.shipping).toMatchObject({ fullName: 'Marco Rossi', phone: '+39 333 1234567' });
  });

  test.each<[string, string, string[]]>([
    ['order.plain', 'shipped', []],
    ['order.pendingBacs', 'held', []],
    ['order.cancelled', 'cancelled', []],
    ['order.completed', 'shipped', []],
    ['order.trashed', 'cancelled', []],
    ['order.sanmarino', 'cancelled', []],
    ['order.threeForTen', 'cancelled', []],
    ['order.core', 'open', []],
    ['order.fees', 'open', []],
    ['order.usd', 'shipped', []],
    ['order.noLines', 'open', ['The order has no lines']],
  ])('is the %s, which is %s here', async (name, state, problems) => {
    expect(await read(name)).toMatchObject({ state, problems });
  });

  test('is an order of three pieces for ten euros, with the decimals of its price', async () => {
    expect((await read('order.threeForTen'))?.lines).toMatchObject([{ unitPriceGross: '3.3333', totalGross: '10.00' }]);
  });

  test.each(['order.autodraft', 'order.checkoutdraft'])('is the %s, which is no order yet', async (name) => {
    expect(await read(name)).toMatchObject({ state: 'held', mayCreate: false });
  });

  test('is an order of which a piece was refunded: two of three are left', async () => {
    const order = await read('order.partialRefund', of('refunds'));

    expect(server.requests.map(({ path: asked }) => asked)).toEqual([
      '/wp-json/wc/v3/orders/22',
      '/wp-json/wc/v3/orders/22/refunds',
    ]);
    expect(order).toMatchObject({
      state: 'open',
      totalGross: '32.71',
      lines: [{ externalLineId: '25', quantity: 2, totalGross: '25.80', totalNet: '21.15' }],
      problems: [],
    });
  });

  test('is an order of which money was refunded: three pieces are left', async () => {
    const refund = [{ id: 25, amount: '2.00', line_items: [] }];
    const order = await read('order.moneyRefundOnly', { ...EMPTY, body: JSON.stringify(refund) });

    expect(order).toMatchObject({ state: 'open', totalGross: '43.61', lines: [{ quantity: 3 }], problems: [] });
  });

  test('is an order that was refunded as a whole, and is shown as it was', async () => {
    const order = await read('order.fullRefund', EMPTY);

    expect(order).toMatchObject({ state: 'cancelled', totalGross: '45.61', lines: [{ quantity: 3 }] });
  });

  test('is an order of one book to read on a screen, and one with a cup beside it', async () => {
    expect((await read('order.virtualOnly'))?.needsShipping).toBe(false);
    expect((await read('order.mixedVirtual'))?.needsShipping).toBeUndefined();
  });

  test('is a list, read to its end with the trash behind it', async () => {
    const caller = await shopWith([of('list'), of('refunds'), { ...EMPTY, headers: of('order.plain').headers ?? {} }]);

    const orders = await caller.listAll(window);

    expect(orders.map(({ externalId, state }) => [externalId, state])).toEqual([
      ['16', 'shipped'],
      ['17', 'shipped'],
      ['21', 'open'],
      ['22', 'open'],
    ]);
    expect(server.requests.map(({ query }) => query.get('status'))).toEqual(['any', null, 'trash']);
  });

  test('is an order that is gone for good', async () => {
    expect(await (await shopWith([of('order.gone')])).read('38')).toBeNull();
  });

  test('is a shop with core fulfilments, found by its newest order', async () => {
    const caller = await shopWith([of('index'), of('list.newest'), of('fulfillments.none')]);

    expect(await caller.detect()).toEqual({ mechanism: 'core', plugin: 'note' });
    expect(server.requests.at(-1)?.path).toBe('/wp-json/wc/v3/orders/176/fulfillments');
  });

  const confirmation = {
    externalOrderId: '43',
    lines: [
      { externalLineId: '71', quantity: 2 },
      { externalLineId: '72', quantity: 1 },
    ],
    trackingNumber: 'YA610000006',
    carrierId: 'gls-it',
    carrierName: 'GLS Italy',
    trackingUrl: 'https://carrier.example/YA610000099',
    shippedOn: '2026-11-22',
  };
  const core = { mechanism: 'core', plugin: 'note' };

  test('is a fulfilment of ours, which is not written again', async () => {
    const caller = await shopWith([of('order.core'), of('fulfillments.done')]);

    const confirmed = await caller.confirm(confirmation, core);

    expect(confirmed).toMatchObject({ alreadySent: true, transactionId: '1', status: 'processing' });
    expect(caller.writes()).toEqual([]);
  });

  test('is a fulfilment under a number that no longer holds, which is updated with all its keys', async () => {
    const written = {
      id: 1,
      is_fulfilled: '1',
      meta_data: [{ key: '_tracking_number', value: 'YA610000099' }],
    };
    const update = { ...EMPTY, body: JSON.stringify(written) };
    const caller = await shopWith([of('order.core'), of('fulfillments.done'), update]);

    await caller.confirm({ ...confirmation, trackingNumber: 'YA610000099', replacedNumbers: ['YA610000006'] }, core);

    const request = server.requests.at(-1);
    const { meta_data } = JSON.parse(request?.body ?? '') as { meta_data: { key: string; value: unknown }[] };
    expect([request?.method, request?.path]).toEqual(['PUT', '/wp-json/wc/v3/orders/43/fulfillments/1']);
    expect(Object.fromEntries(meta_data.map(({ key, value }) => [key, value]))).toEqual({
      _items: [
        { item_id: 71, qty: 2 },
        { item_id: 72, qty: 1 },
      ],
      _tracking_number: 'YA610000099',
      _shipment_provider: 'gls',
      _tracking_url: 'https://carrier.example/YA610000099',
      _date_fulfilled: '2026-11-22T07:00:37Z',
    });
  });

  test.each<[string, string, string, string]>([
    ['fulfillments.foreign', '349', 'MANUAL1', 'alreadySent'],
    ['fulfillments.foreign', '349', 'OURS1', 'already_shipped'],
    ['fulfillments.draft', '345', 'DRAFT1', 'fulfillments.update'],
  ])('is the %s of a person: line %s under %s is %s', async (name, line, trackingNumber, expected) => {
    const order = { id: 176, number: '176', status: 'processing', line_items: [{ id: Number(line), quantity: 1 }] };
    const written = {
      id: 4,
      is_fulfilled: '1',
      meta_data: [{ key: '_tracking_number', value: trackingNumber }],
    };
    const json = (body: unknown): Reply => ({ ...EMPTY, body: JSON.stringify(body) });
    const caller = await shopWith([json(order), of(name), json(written)]);
    const lines = [{ externalLineId: line, quantity: 1 }];
    const confirming = caller.confirm({ ...confirmation, externalOrderId: '176', lines, trackingNumber }, core);

    if (expected === 'already_shipped') {
      expect(await failureOf(confirming)).toMatchObject({ kind: 'permanent', code: expected });
    } else {
      const { alreadySent } = await confirming;
      expect(alreadySent ? ['alreadySent'] : caller.writes()).toEqual([expected]);
    }
  });

  test('is a note of ours, found among those of the shop', async () => {
    const caller = await shopWith([of('order.guestCod'), of('notes')]);
    const note = { ...confirmation, externalOrderId: '16', lines: [], trackingNumber: 'YA610000001' };

    expect(await caller.confirm(note, { mechanism: 'note', plugin: 'note' })).toMatchObject({
      alreadySent: true,
      transactionId: '88',
      status: 'completed',
    });
  });

  test('is a wrong key, told apart from one that may only read', async () => {
    const wrong = await failureOf((await shopWith([of('auth.bad')])).verify());
    const readOnly = await failureOf(
      (await shopWith([of('order.core'), of('fulfillments.none'), of('auth.readonly')])).confirm(confirmation, core),
    );

    expect(wrong).toMatchObject({ kind: 'permanent', code: 'auth_invalid' });
    expect(readOnly).toMatchObject({ kind: 'permanent', code: 'permission_missing', isAuthoritative: false });
  });
});

test.skipIf(recorded)('passes without the recorded answers of WooCommerce', () => {
  console.log('woocommerce-11.0.1.json is not here: nothing is compared with a real shop.');
  expect(existsSync(FILE)).toBe(false);
});
