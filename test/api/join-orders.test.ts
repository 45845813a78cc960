import { PDFDocument } from 'pdf-lib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Connection, OperationItem, Order, Shipment } from '../../src/db/entities/index.ts';
import { authorize } from '../../src/marketplaces/woocommerce/auth.ts';
import { importOneOrder, importOrders } from '../../src/usecases/marketplaces/import-orders.ts';
import { apply } from '../../src/usecases/setup/apply.ts';
import { ApplyDocument } from '../../src/usecases/setup/apply-document.ts';
import { buildOrder } from '../support/build-order.ts';
import { backends, startTestApp, type TestApp } from '../support/test-app.ts';
import { database, jobContext, waitForLocks } from '../usecases/engine.ts';
import { ACCOUNTS, SHOPIFY_ADDRESS } from './marketplace-accounts.ts';

const PARCEL = { weight_kg: 1, length_cm: 10, width_cm: 10, height_cm: 10 };
/** Where the Shopify order goes too. */
const SHIPPING = {
  full_name: 'Ada Colombini',
  address: 'Via San Vitale 77',
  city: 'Bologna',
  province: 'BO',
  zip: '40125',
  country_code: 'IT',
  phone: '+39 347 5550142',
};
const BOUGHT = {
  first_name: 'Ada',
  last_name: 'Colombini',
  address_1: 'Via San Vitale 77',
  city: 'Bologna',
  state: 'BO',
  postcode: '40125',
  country: 'IT',
};

let test: TestApp;

const create = async (overrides: Record<string, unknown> = {}): Promise<number> =>
  (await test.call('POST', '/orders', buildOrder({ shipping: SHIPPING, ...overrides }))).body.order.id;
const join = (...orderIds: number[]) => test.call('POST', '/orders/join', { orderIds });
const leave = (id: number) => test.call('DELETE', `/orders/${id}/join`);
const ship = (...ids: number[]) =>
  test.call(
    'POST',
    '/shipment/create',
    ids.map((orderId) => ({ orderId })),
  );
const read = async (id: number) => (await test.call('GET', `/orders/${id}`)).body;
const statuses = (ids: readonly number[]) => Promise.all(ids.map(async (id) => (await read(id)).order.status));
const active = (orderId: number) =>
  database(test).find(Shipment, { orderId, processStatus: { $nin: ['cancelled', 'rejected'] } });

async function seed(shop: string, sold: object): Promise<string> {
  const response = await fetch(`${test.app.sandboxUrl}/${shop}/_seed/orders`, {
    method: 'POST',
    body: JSON.stringify(sold),
  });
  return String(((await response.json()) as { id: number | string }).id);
}

/** An order that WooCommerce knows, which the demo company's first connection leads to. */
async function atWooCommerce(overrides: Record<string, unknown> = {}): Promise<{ id: number; number: string }> {
  const line = { name: 'Tazza', sku: 'MUG-01', quantity: 2, total: '20.49', total_tax: '4.51' };
  const number = await seed('woocommerce', {
    billing: BOUGHT,
    shipping: BOUGHT,
    total: '25.00',
    total_tax: '4.51',
    line_items: [line],
  });
  const marketplace = { connection_id: test.connectionId, order_id: number, order_number: number };
  return { id: await create({ marketplace, ...overrides }), number };
}

async function writeInShop(externalId: string, change: object): Promise<void> {
  const url = `${test.app.sandboxUrl}/woocommerce/wp-json/wc/v3/orders/${externalId}`;
  const account = { url: '', consumerKey: 'ck_sandbox', consumerSecret: 'cs_sandbox' };
  const signed = authorize(account, { method: 'PUT', url, now: new Date() });
  const headers = { 'content-type': 'application/json' };
  await fetch(signed.url, { method: 'PUT', headers, body: JSON.stringify(change) });
}

async function changeInShop(externalId: string, change: object): Promise<void> {
  await writeInShop(externalId, change);
  const { connectionId } = test;
  await importOneOrder(test.app.deps, { connectionId, externalId, ...jobContext() });
}

/** An order that was imported from Shopify. */
async function atShopify(): Promise<Order> {
  await seed('shopify', {
    email: 'ada.colombini@example.com',
    billingAddress: SHOPIFY_ADDRESS,
    shippingAddress: SHOPIFY_ADDRESS,
    lineItems: [{ name: 'Piatto fondo', sku: 'PIA-F', quantity: 3, unitPrice: '7.50' }],
  });
  const em = database(test);
  const connection = await em.findOneOrFail(Connection, { key: 'shopify' });
  await em.execute('delete from partner_budgets');
  await importOrders(test.app.deps, { connectionId: connection.id, ...jobContext() });
  const [order] = await em.find(Order, { connectionId: connection.id }, { orderBy: { id: 'desc' }, limit: 1 });
  if (!order) throw new Error('Shopify sold nothing');
  return order;
}

describe.each(backends())('joined orders, queue in %s', (backend) => {
  beforeAll(async () => {
    const queues = [
      'carrier-gls-it',
      'carrier-brt',
      'tracking-gls-it',
      'marketplace-woocommerce',
      'marketplace-shopify',
    ];
    test = await startTestApp({ backend, queues });
    const account = ACCOUNTS.shopify?.(`${test.app.sandboxUrl}/shopify`);
    const shopify = { key: 'shopify', label: 'shopify', marketplace: 'shopify', account, import_orders: true };
    const company = { key: 'demo', name: 'Bottega Aurora S.r.l.', connections: [shopify] };
    await apply(test.app.deps, ApplyDocument.parse({ companies: [company] }));
    await test.app.workers?.refresh();
  });
  afterEach(() => test.clearFaults());
  afterAll(() => test.stop());

  it('of two shops get one label with all parcels, and each shop is told once of its number', async () => {
    const one = await atWooCommerce({ parcels: [PARCEL, PARCEL] });
    const two = await atWooCommerce({
      shipping: { ...SHIPPING, address: 'via S. Vitale, 77', full_name: 'ADA COLOMBINI' },
    });
    const three = await atShopify();
    const same = await atWooCommerce();
    const ids = [one.id, three.id, same.id];

    const differing = await join(one.id, two.id);
    const joined = await join(...ids);
    const booked = await ship(...ids);
    const [shipment] = booked.body.details.shipments;
    const numbers = [];
    for (const id of ids) numbers.push((await test.call('POST', `/orders/${id}/send-to-marketplace`)).body);
    for (const id of ids) await test.call('POST', `/orders/${id}/send-to-marketplace`);

    expect(differing.body.violations).toMatchObject([
      { pointer: '/orderIds/1', message: expect.stringMatching(/in street$/) },
    ]);
    expect(joined.body).toMatchObject({ joinedInto: null, joinedOrderIds: ids.slice(1).toSorted((a, b) => a - b) });
    expect(booked.body).toMatchObject({ success: true, total: 3, details: { success: ids } });
    expect(new Set(booked.body.details.shipments.map((made: { shipmentId: number }) => made.shipmentId)).size).toBe(1);
    const rows = await database(test).find(Shipment, { orderId: { $in: ids } });
    expect(rows).toMatchObject([{ id: shipment.shipmentId, orderId: one.id, parcelCount: 3 }]);
    expect(await test.ledger('gls-it', rows[0]?.reference ?? '')).toMatchObject({ labelsSold: 3 });
    expect(numbers).toMatchObject(ids.map(() => ({ Result: 'OK', TrackingNumber: shipment.trackingNumber })));
    for (const [shop, number] of [
      ['woocommerce', one.number],
      ['woocommerce', same.number],
      ['shopify', three.externalOrderNumber ?? ''],
    ] as const) {
      expect(await test.ledger(shop, number), shop).toMatchObject({
        confirmed: 1,
        trackingNumbers: [shipment.trackingNumber],
      });
    }
  });

  it('are printed, transmitted, put on a bordero, followed and sent back by any of their ids', async () => {
    const ids = [await create({ parcels: [PARCEL, PARCEL] }), await create(), await create()];
    const [lead = 0, second = 0, third = 0] = ids;
    await join(...ids);
    const booked = await ship(second);
    const again = await ship(third, lead);
    const { shipmentId } = booked.body.details.shipments[0];
    const steps = [await statuses(ids)];

    const labels = await fetch(`${test.app.url}/api/v1/external/labels?orderIds=${third},${second}`, {
      headers: { 'x-api-key': test.demo.apiKey },
    });
    const sent = await test.call('POST', '/shipment/transmit', [{ orderId: third }, { orderId: second }]);
    steps.push(await statuses(ids));
    const bordero = await test.call('POST', '/bordero', { carrierId: test.carrierId, orderIds: [second, third] });
    steps.push(await statuses(ids));
    await test.advance(24 * 10);
    await test.call('POST', `/shipment/${shipmentId}/poll`);
    steps.push(await statuses(ids));
    const refused = await test.call('POST', '/shipment/return', [{ orderId: third }]);

    expect(again.body.details).toMatchObject({
      success: [third, lead],
      shipments: [
        { orderId: third, shipmentId },
        { orderId: lead, shipmentId },
      ],
    });
    expect((await PDFDocument.load(await labels.arrayBuffer())).getPageCount()).toBe(3);
    expect(sent.body.details).toMatchObject({ success: [third, second], errors: [] });
    expect(bordero.body).toMatchObject({ totalShipments: 1 });
    expect(steps).toEqual(
      ['shipment_created', 'transmitted', 'manifested', 'delivered'].map((status) => ids.map(() => status)),
    );
    // GLS orders no returns: the refusal is about the carrier, so the shipment was found.
    expect(refused.body.details.errors).toMatchObject([
      { id: third, message: expect.stringContaining('return labels') },
    ]);
    expect(await read(third)).toMatchObject({ joinedInto: lead, shipments: [{ id: shipmentId }] });
  });

  it('are on their own again after the label was cancelled and the join undone', async () => {
    const ids = [await create(), await create(), await create()];
    const [lead = 0, second = 0, third = 0] = ids;
    await join(...ids);
    const { shipmentId } = (await ship(lead)).body.details.shipments[0];

    const early = await leave(second);
    await test.call('DELETE', `/shipment/${shipmentId}`);
    const freed = await statuses(ids);
    const left = await leave(second);
    const remaining = await read(lead);
    const dissolved = await leave(lead);
    await ship(...ids);

    expect([early.status, early.body.detail]).toEqual([422, expect.stringContaining(`DELETE /shipment/${shipmentId}`)]);
    expect(freed).toEqual(ids.map(() => 'pending'));
    expect(left.body).toMatchObject({ joinedInto: null, joinedOrderIds: [], revision: 2 });
    expect(remaining).toMatchObject({ joinedOrderIds: [third], revision: 2 });
    expect(dissolved.body).toMatchObject({ joinedOrderIds: [], revision: 3 });
    for (const id of ids) expect(await active(id)).toHaveLength(1);
    const events = (await database(test).execute(
      `select data->>'orderId' as id, type from events where type in ('order.joined', 'order.corrected')
          and (data->>'orderId')::int = ? order by id`,
      [third],
    )) as { type: string }[];
    expect(events.map(({ type }) => type)).toEqual(['order.joined', 'order.corrected']);
  });

  it('cannot be corrected, split or cancelled one by one, and the answer names the way out', async () => {
    const ids = [await create(), await create()];
    await join(...ids);
    const item = (await read(ids[1] ?? 0)).orderItems[0].id;

    for (const id of ids) {
      const answers = [
        await test.call(
          'PATCH',
          `/orders/${id}`,
          { note: 'other' },
          { 'content-type': 'application/merge-patch+json' },
        ),
        await test.call('POST', `/orders/${id}/split`, { parts: [{ lines: [{ itemId: item, quantity: 1 }] }] }),
        await test.call('POST', `/orders/${id}/cancel`),
      ];
      for (const { status, body } of answers) {
        expect([status, body.detail]).toEqual([422, expect.stringContaining(`DELETE /orders/${id}/join`)]);
      }
    }
  });

  it('tell both shops by themselves, and tell them again when the number is dead', async () => {
    const em = database(test);
    await em.nativeUpdate(Connection, { isConnected: true }, { confirmWhenTransmitted: true });
    const other = await atShopify();
    const one = await atWooCommerce();
    const ids = [one.id, other.id];
    await join(...ids);
    const contracts: { id: number; carrier: { code: string } }[] = (await test.call('GET', '/carriers/contracts')).body;
    const carrierCompanyId = contracts.find(({ carrier }) => carrier.code === 'brt')?.id;
    const opened: number[][] = [];
    const numbers: string[] = [];

    for (let round = 0; round < 2; round++) {
      const { body } = await test.call('POST', '/shipment/create', [{ orderId: other.id, carrierCompanyId }]);
      const [shipment] = body.details.shipments;
      numbers.push(shipment.trackingNumber);
      await test.call('POST', '/shipment/transmit', [{ orderId: one.id }]);
      opened.push(await Promise.all(ids.map((orderId) => em.count(OperationItem, { orderId, kind: 'send' }))));
      for (const id of ids) await test.call('POST', `/orders/${id}/send-to-marketplace`);
      if (round === 0) await test.call('DELETE', `/shipment/${shipment.shipmentId}`);
    }
    await em.nativeUpdate(Connection, { isConnected: true }, { confirmWhenTransmitted: false });

    expect(opened).toEqual([
      [1, 1],
      [3, 3],
    ]);
    const [dead = '', live = ''] = numbers;
    expect(live).not.toBe(dead);
    for (const [shop, number] of [
      ['woocommerce', one.number],
      ['shopify', other.externalOrderNumber ?? ''],
    ] as const) {
      const { trackingNumbers = [] } = (await test.ledger(shop, number)) ?? {};
      expect(
        trackingNumbers.map((text) => text.toUpperCase()),
        shop,
      ).toEqual([live]);
    }
  });

  it('stay at the desk until the last of their shops has the number that holds', async () => {
    const [lead, other] = [await atWooCommerce(), await atShopify()];
    const ids = [lead.id, other.id];
    await join(...ids);
    const contracts: { id: number; carrier: { code: string } }[] = (await test.call('GET', '/carriers/contracts')).body;
    const carrierCompanyId = contracts.find(({ carrier }) => carrier.code === 'brt')?.id;
    const book = async (): Promise<{ shipmentId: number; trackingNumber: string }> => {
      const { body } = await test.call('POST', '/shipment/create', [{ orderId: lead.id, carrierCompanyId }]);
      await test.call('POST', '/shipment/transmit', [{ orderId: lead.id }]);
      return body.details.shipments[0];
    };
    const send = (id: number) => test.call('POST', `/orders/${id}/send-to-marketplace`);
    const reasons = async (id: number) => {
      const { status, body } = await test.call('GET', `/attention/${id}`);
      return status === 404 ? [] : body.reasons.map(({ reason }: { reason: string }) => reason);
    };

    const dead = await book();
    for (const id of ids) await send(id);
    await test.call('DELETE', `/shipment/${dead.shipmentId}`);
    const cancelled = await reasons(dead.shipmentId);
    const live = await book();
    await send(lead.id);
    const half = await reasons(live.shipmentId);
    await test.call('POST', `/attention/${live.shipmentId}/resolve`, { choice: 'resubmit' });

    expect(cancelled).toEqual(['marketplace-told-another-number']);
    expect(half).toEqual(['marketplace-told-another-number']);
    expect(await reasons(live.shipmentId)).toEqual([]);
    expect((await test.ledger('shopify', other.externalOrderNumber ?? ''))?.trackingNumbers).toEqual([
      live.trackingNumber,
    ]);
  });

  it('go without one that its shop cancelled, and stay as they are once there is a label', async () => {
    const [one, other, third] = [await atWooCommerce(), await atWooCommerce(), await atWooCommerce()];
    const ids = [one.id, other.id, third.id];
    await join(...ids);

    await changeInShop(other.number, { status: 'cancelled' });
    const before = await statuses(ids);
    const remaining = await read(one.id);
    await ship(third.id);
    await changeInShop(third.number, { status: 'cancelled' });

    expect(before).toEqual(['pending', 'cancelled', 'pending']);
    expect(remaining).toMatchObject({ joinedOrderIds: [third.id] });
    expect(await statuses(ids)).toEqual(['shipment_created', 'cancelled', 'shipment_created']);
    expect(await read(third.id)).toMatchObject({
      joinedInto: one.id,
      error: 'The marketplace cancelled the order, but it shares a shipment with other orders: cancel that first',
    });
    expect(await active(one.id)).toHaveLength(1);
  });

  it('lose their queued label when a shop cancels one of them, because its parcel would hold too much', async () => {
    const [one, other, third] = [await atWooCommerce(), await atWooCommerce(), await atWooCommerce()];
    const ids = [one.id, other.id, third.id];
    await join(...ids);
    await test.fault('gls-it', '*', 'status-503', 50);
    await test.call('POST', '/shipment/create', [{ orderId: one.id }], { prefer: 'respond-async' });
    const [queued] = await test.until(
      () => active(one.id),
      ([shipment]) => shipment?.processStatus === 'queued' && shipment.exhaustedAt !== null,
    );

    await changeInShop(other.number, { status: 'cancelled' });
    await test.clearFaults();
    const freed = await statuses(ids);
    await ship(third.id);

    expect(freed).toEqual(['pending', 'cancelled', 'pending']);
    const [again] = await active(one.id);
    expect(again?.id).not.toBe(queued?.id);
    expect(await active(other.id)).toEqual([]);
    expect(await test.ledger('gls-it', again?.reference ?? '')).toMatchObject({ labelsSold: 1 });
    expect(await test.ledger('gls-it', queued?.reference ?? '')).toBeUndefined();
  });

  it('are asked about in all their shops before the label is bought', async () => {
    const [one, other, third] = [await atWooCommerce(), await atWooCommerce(), await atWooCommerce()];
    const ids = [one.id, other.id, third.id];
    await join(...ids);
    // The product asks a shop only about orders that it imported some time ago.
    await database(test).nativeUpdate(Order, { id: other.id }, { importedAt: new Date(Date.now() - 600_000) });
    await writeInShop(other.number, { status: 'cancelled' });

    const { body } = await ship(one.id);

    expect(body.details.errors).toEqual([{ id: one.id, message: 'The marketplace cancelled the order' }]);
    expect(await statuses(ids)).toEqual(['pending', 'cancelled', 'pending']);
    expect(await read(one.id)).toMatchObject({ joinedOrderIds: [third.id] });
  });

  it('leave their join when their shop sends them elsewhere', async () => {
    const [one, other] = [await atWooCommerce(), await atWooCommerce()];
    await join(one.id, other.id);

    await changeInShop(other.number, { shipping: { ...BOUGHT, address_1: 'Via Emilia 3' } });

    expect(await read(one.id)).toMatchObject({ joinedOrderIds: [], order: { status: 'pending' } });
    expect(await read(other.id)).toMatchObject({ joinedInto: null, customerAddress: { address: 'Via Emilia 3' } });
  });

  it('cost their sum on delivery, and show the refusal of their shipment on each', async () => {
    const cod = { payment_method: 'COD', cod_amount: 10.01 };
    const ids = [await create({ ...cod, insurance: true }), await create(cod)];
    await join(...ids);
    const whole = await ship(ids[1] ?? 0);
    const lost = [await create(), await create()];
    await database(test).nativeUpdate(Order, { id: lost[1] ?? 0 }, { problems: ['The payment is open'] });
    await join(...lost);
    await ship(lost[1] ?? 0);

    const [shipment] = await active(ids[0] ?? 0);
    expect(whole.body.success, JSON.stringify(whole.body)).toBe(true);
    const gross = (await database(test).find(Order, { id: { $in: ids } })).reduce(
      (sum, one) => sum + one.grossCents,
      0,
    );
    expect(shipment).toMatchObject({ codCents: 2002, insuredCents: gross, parcelCount: 1 });
    for (const id of lost) {
      expect(await read(id)).toMatchObject({
        order: { status: 'error' },
        error: expect.stringContaining('payment is open'),
      });
    }
  });

  it('get no label of their own from a booking that was planned before the join', async () => {
    const ids = [await create(), await create()];
    const [lead = 0, second = 0] = ids;
    const em = database(test);

    const [joining, booking] = await em.transactional(async (tx) => {
      await tx.execute('select id from orders where id = ? for update', [second]);
      const first = join(...ids);
      await waitForLocks(test, 1);
      const late = ship(second);
      await waitForLocks(test, 2);
      return [first, late];
    });

    expect((await joining).status).toBe(200);
    expect((await booking).body.details.errors).toEqual([
      { id: second, message: expect.stringContaining('changed at this moment') },
    ]);
    expect((await ship(second)).body.success).toBe(true);
    expect(await Promise.all([lead, second].map(async (id) => (await active(id)).length))).toEqual([1, 0]);
    const own = `insert into shipments (company_id, order_id, contract_id, carrier_id, direction, parcel_count, weight_grams,
                                        volume_cm3, options, warnings)
      select company_id, ?, contract_id, carrier_id, direction, 1, 1, 1, '[]', '[]' from shipments where order_id = ?`;
    await expect(em.execute(own, [second, lead])).rejects.toThrow('is joined into another');
  });

  it('are not joined beside a booking that began while the join waited', async () => {
    const ids = [await create(), await create()];
    const [lead = 0, second = 0] = ids;
    const em = database(test);

    const [booking, joining] = await em.transactional(async (tx) => {
      await tx.execute('select id from orders where id = ? for update', [second]);
      const first = ship(second);
      await waitForLocks(test, 1);
      const late = join(second, lead);
      await waitForLocks(test, 2);
      return [first, late];
    });

    expect((await booking).body.success).toBe(true);
    expect(await joining).toMatchObject({
      status: 422,
      body: { violations: [{ pointer: '/orderIds/0', message: expect.stringContaining('has a shipment') }] },
    });
    expect(await read(second)).toMatchObject({ joinedInto: null, joinedOrderIds: [] });
  });

  it('get one label or two when they are joined and booked at the same moment, and never three', async () => {
    for (let round = 0; round < 5; round++) {
      const ids = [await create(), await create()];

      const [joined] = await Promise.all([join(...ids), ship(...ids), ship(ids[1] ?? 0)]);

      const shipments = await database(test).find(Shipment, {
        orderId: { $in: ids },
        processStatus: { $nin: ['cancelled', 'rejected'] },
      });
      if (joined.status === 200) expect(shipments.every(({ orderId }) => orderId === ids[0])).toBe(true);
      expect(shipments.length).toBeLessThanOrEqual(joined.status === 200 ? 1 : 2);
    }
  });

  it('are refused, each with its reason, and nothing is joined', async () => {
    const lead = await create();
    const booked = await create();
    await ship(booked);
    const split = await create({ items: [{ sku: 'A', name: 'Tazza', quantity: 2, price: 10 }] });
    const [item] = (await read(split)).orderItems;
    await test.call('POST', `/orders/${split}/split`, { parts: [{ lines: [{ itemId: item.id, quantity: 1 }] }] });
    const taken = [await create(), await create()];
    await join(...taken);
    const cancelled = await create();
    await test.call('POST', `/orders/${cancelled}/cancel`);
    const dollars = await create();
    await database(test).nativeUpdate(Order, { id: dollars }, { currency: 'USD' });
    const place = (fields: object) => create({ shipping: { ...SHIPPING, ...fields } });
    const cases: [number, RegExp][] = [
      [lead, /again/],
      [2_000_000_000, /no order/],
      [booked, /has a shipment/],
      [split, /is split/],
      [taken[1] ?? 0, /joined already/],
      [cancelled, /is cancelled/],
      [await place({ full_name: 'Altra Persona' }), /in name$/],
      [await place({ address: 'Via San Vitale 78' }), /in street$/],
      [await place({ zip: '40126' }), /in postal code$/],
      [await place({ city: 'Casalecchio' }), /in city$/],
      [dollars, /in currency$/],
      [await create({ carrier_company_id: test.contractId }), /in named contract$/],
      [await create({ payment_method: 'COD' }), /in cash on delivery$/],
      [await create({ pickup_point_id: 'MIL01' }), /in pickup point$/],
    ];

    const { status, body } = await join(lead, ...cases.map(([id]) => id));

    expect(status).toBe(422);
    expect(body.violations).toMatchObject(
      cases.map(([, message], at) => ({ pointer: `/orderIds/${at + 1}`, message: expect.stringMatching(message) })),
    );
    expect(await read(lead)).toMatchObject({ joinedOrderIds: [], revision: 0 });
  });
});
