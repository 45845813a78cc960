import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { magento } from '../../../src/marketplaces/magento/index.ts';
import { type ScriptedReply, type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';
import { callerOf, failureOf } from '../call-marketplace.ts';
import { CUPS, confirmationOf, PLATE, useMagento } from './shop.ts';

const shop = useMagento();

describe('a confirmation', () => {
  test('is written once, however often it is asked for', async () => {
    const order = await shop.place();
    const caller = shop.caller();

    const first = await caller.confirm(confirmationOf(order));
    const second = await caller.confirm(confirmationOf(order));

    const [only] = await shop.shipments(order);
    expect(caller.writes()).toEqual(['order.ship']);
    expect(first).toEqual({
      alreadySent: false,
      transactionId: String(only?.entity_id),
      trackingCarrier: 'custom GLS Italy',
      trackingNumber: 'RM512345678',
      trackingUrl: '',
      status: 'complete',
    });
    expect(second).toEqual({ ...first, alreadySent: true });
    expect(await shop.mails(order), 'the customer is told').toBe(1);
  });

  test('takes the place of a number that no longer holds, once', async () => {
    const order = await shop.place();
    await shop.caller().confirm(confirmationOf(order));
    const caller = shop.caller();
    const replaced = confirmationOf(order, { trackingNumber: 'RM599999999', replacedNumbers: ['RM512345678'] });

    const corrected = await caller.confirm(replaced);
    const again = await caller.confirm(replaced);

    const [only, ...others] = await shop.shipments(order);
    expect(caller.writes()).toEqual(['shipment.track', 'shipment-track.delete']);
    expect(corrected).toMatchObject({ alreadySent: false, transactionId: String(only?.entity_id), status: 'complete' });
    expect(again).toEqual({ ...corrected, alreadySent: true });
    expect(others).toEqual([]);
    expect(await shop.ledger(order)).toMatchObject({ trackingNumbers: ['RM599999999'] });
  });

  test('without lines is that of everything on the order', async () => {
    const order = await shop.place({ items: [CUPS, { ...PLATE, qty_ordered: 3, qty_canceled: 1 }] });

    await shop.caller().confirm(confirmationOf(order, { lines: [] }));

    expect((await shop.shipments(order))[0]?.items).toEqual([
      { order_item_id: Number(order.lines[0]?.externalLineId), qty: 2 },
      { order_item_id: Number(order.lines[1]?.externalLineId), qty: 2 },
    ]);
  });

  test('leaves out lines of no pieces, and digital ones', async () => {
    const order = await shop.place({ items: [CUPS, { ...PLATE, is_virtual: 1 }, PLATE] });
    const [cups, download, plate] = confirmationOf(order).lines;
    const lines = [cups, download, { ...plate, quantity: 0 }] as never;

    const confirmed = await shop.caller().confirm(confirmationOf(order, { lines }));

    expect((await shop.shipments(order))[0]?.items).toHaveLength(1);
    expect(confirmed.status).toBe('processing');
  });

  test('leaves the other lines to a second shipment', async () => {
    const order = await shop.place();
    const [cups, plate] = confirmationOf(order).lines;
    const caller = shop.caller();

    const first = await caller.confirm(
      confirmationOf(order, { lines: [{ ...cups, quantity: 1 } as never], trackingNumber: 'PART1' }),
    );
    const rest = [{ ...cups, quantity: 1 } as never, plate as never];
    const second = await caller.confirm(confirmationOf(order, { lines: rest, trackingNumber: 'PART2' }));

    expect([first.status, second.status]).toEqual(['processing', 'complete']);
    expect(await shop.ledger(order)).toMatchObject({ confirmed: 2, trackingNumbers: ['PART1', 'PART2'] });
  });

  test('under the same tracking number is filled up with the missing lines only', async () => {
    const order = await shop.place();
    const [cups] = confirmationOf(order).lines;
    const caller = shop.caller();
    await caller.confirm(confirmationOf(order, { lines: [cups as never] }));

    await caller.confirm(confirmationOf(order));

    expect((await shop.shipments(order)).map(({ items }) => items)).toEqual([
      [{ order_item_id: Number(cups?.externalLineId), qty: 2 }],
      [{ order_item_id: Number(order.lines[1]?.externalLineId), qty: 1 }],
    ]);
  });

  test('recognises its tracking number in another spelling, and trims what it sends', async () => {
    const order = await shop.place();
    const caller = shop.caller();
    await caller.confirm(confirmationOf(order, { trackingNumber: '  rm5 1234 5678 ' }));

    const again = await caller.confirm(confirmationOf(order));

    expect(again.alreadySent).toBe(true);
    expect((await shop.shipments(order))[0]?.tracks[0]?.track_number).toBe('rm5 1234 5678');
  });

  test('puts its number on a shipment of the same pieces that has none', async () => {
    const order = await shop.place();
    await shop.api('POST', `order/${order.externalId}/ship`, {});
    const caller = shop.caller();

    const confirmed = await caller.confirm(confirmationOf(order));

    expect(caller.writes()).toEqual(['shipment.track']);
    expect(confirmed).toMatchObject({ alreadySent: false, status: 'complete' });
    expect(await shop.ledger(order)).toMatchObject({ confirmed: 1, trackingNumbers: ['RM512345678'] });
    expect(await caller.confirm(confirmationOf(order))).toMatchObject({ alreadySent: true });
  });

  test('is accepted for a new order to be paid on delivery', async () => {
    const order = await shop.place({ state: 'new', total_due: 35, payment: { method: 'cashondelivery' } });

    expect(await shop.caller().confirm(confirmationOf(order))).toMatchObject({ status: 'processing' });
  });

  test('names the chosen product, not its part', async () => {
    const items = [
      { ...CUPS, item_id: 9001, product_type: 'configurable' },
      { ...CUPS, item_id: 9002, parent_item_id: 9001 },
    ];
    const order = await shop.place({ items });

    await shop.caller().confirm(confirmationOf(order, { lines: [] }));

    expect((await shop.shipments(order))[0]?.items).toEqual([{ order_item_id: 9001, qty: 2 }]);
  });

  test.each<[string, string, Record<string, unknown>, { carrier_code: string; title: string }]>([
    ['gls-it', 'GLS Italy', {}, { carrier_code: 'custom', title: 'GLS Italy' }],
    ['brt', 'BRT', {}, { carrier_code: 'custom', title: 'BRT' }],
    ['poste-it', 'Poste Italiane', {}, { carrier_code: 'custom', title: 'Poste Italiane' }],
    ['inpost-it', 'InPost', {}, { carrier_code: 'custom', title: 'InPost' }],
    ['dhl-express', 'DHL Express', {}, { carrier_code: 'dhl', title: 'DHL Express' }],
    ['ups', 'UPS', {}, { carrier_code: 'ups', title: 'UPS' }],
    ['fedex', 'FedEx', {}, { carrier_code: 'fedex', title: 'FedEx' }],
    ['brt', 'BRT', { carrierNames: { brt: 'bartolini' } }, { carrier_code: 'bartolini', title: 'BRT' }],
    ['ups', 'UPS', { carrierNames: { ups: 'custom' } }, { carrier_code: 'custom', title: 'UPS' }],
  ])('tells of %s (%s) with %o', async (carrierId, carrierName, account, carrier) => {
    const order = await shop.place();

    const confirmed = await shop.caller(account).confirm(confirmationOf(order, { carrierId, carrierName }));

    expect((await shop.shipments(order))[0]?.tracks[0]).toMatchObject(carrier);
    expect(confirmed.trackingCarrier).toBe(`${carrier.carrier_code} ${carrier.title}`);
  });
});

describe('nothing is written', () => {
  test.each<[string, string, Record<string, unknown>, object]>([
    ['without a tracking number', 'tracking_invalid', {}, { trackingNumber: ' ' }],
    ['for an order that is not there', 'order_not_found', {}, { externalOrderId: '999999' }],
    ['for an id that is none', 'order_not_found', {}, { externalOrderId: '../orders' }],
    ['for a line that is not there', 'line_not_found', {}, { lines: [{ externalLineId: '1', quantity: 1 }] }],
    ['for no pieces', 'validation', { items: [{ ...CUPS, is_virtual: 1 }] }, {}],
    ['for digital goods', 'order_not_shippable', { is_virtual: 1 }, {}],
    ['for an order on hold', 'order_not_shippable', { state: 'holded' }, {}],
    ['for a payment under review', 'order_not_shippable', { state: 'payment_review' }, {}],
    ['for a cancelled order', 'order_not_shippable', { state: 'canceled' }, {}],
    ['for pieces that left before', 'already_shipped', { items: [{ ...CUPS, qty_shipped: 2 }] }, {}],
    ['for more pieces than are left', 'quantity_exceeded', { items: [{ ...CUPS, qty_shipped: 1 }] }, {}],
  ])('%s (%s)', async (_name, code, changes, more) => {
    const order = await shop.place(changes);
    const caller = shop.caller();

    const error = await failureOf(caller.confirm(confirmationOf(order, more)));

    expect(error).toMatchObject({ kind: 'permanent', code });
    expect(caller.writes()).toEqual([]);
  });

  test('for pieces that were refunded since they were imported (quantity_exceeded)', async () => {
    const order = await shop.place({ items: [{ ...CUPS, qty_refunded: 1 }] });
    const caller = shop.caller();
    const lines = [{ externalLineId: order.lines[0]?.externalLineId ?? '', quantity: 2 }];

    const error = await failureOf(caller.confirm(confirmationOf(order, { lines })));

    expect(error).toMatchObject({ kind: 'permanent', code: 'quantity_exceeded' });
    expect(caller.writes()).toEqual([]);
  });

  test('for an order that left under another number', async () => {
    const order = await shop.place();
    const caller = shop.caller();
    await caller.confirm(confirmationOf(order, { trackingNumber: 'OTHER1' }));

    const error = await failureOf(caller.confirm(confirmationOf(order)));

    expect(error).toMatchObject({ kind: 'permanent', code: 'already_shipped' });
    expect(await shop.ledger(order)).toMatchObject({ confirmed: 1 });
  });
});

describe('a refusal of the write', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScriptedServer();
  });
  afterEach(() => server.close());

  const ORDER = {
    entity_id: 5,
    increment_id: '000005',
    state: 'processing',
    status: 'processing',
    created_at: '2026-11-20 09:00:00',
    updated_at: '2026-11-20 10:30:00',
    items: [{ item_id: 71, qty_ordered: 2 }],
  };
  const found: ScriptedReply = { method: 'GET', path: '/rest/all/V1/orders/5', body: ORDER };
  const shipments = (...items: unknown[]): ScriptedReply => ({
    method: 'GET',
    path: '/rest/all/V1/shipments',
    body: { items, total_count: items.length },
  });
  const ship: ScriptedReply = { method: 'POST', path: '/rest/all/V1/order/5/ship', body: 900 };
  const OURS = {
    entity_id: 900,
    items: [{ order_item_id: 71, qty: 2 }],
    tracks: [{ track_number: 'RM512345678', title: 'GLS Italy', carrier_code: 'custom' }],
  };
  const confirmation = confirmationOf({ externalId: '5', lines: [{ externalLineId: '71', quantity: 2 }] } as never);
  const caller = (more = {}) =>
    callerOf(magento, { account: { url: server.url, accessToken: 'private-token', ...more } });
  const validation = (...lines: string[]) => ['Shipment Document Validation Error(s):', ...lines].join('\n');
  const EMPTY = "You can't create a shipment without products.";

  test.each<[string, string, boolean]>([
    [validation('A shipment cannot be created when an order has a status of holded'), 'order_not_shippable', false],
    [validation('The order does not allow a shipment to be created.', EMPTY), 'already_shipped', true],
    [validation(EMPTY), 'validation', false],
    [
      validation('The shipment contains product SKU "X" that is not part of the original order.', EMPTY),
      'line_not_found',
      false,
    ],
    [validation('We can not found item "71" in order.'), 'line_not_found', false],
    [
      validation('The quantity to ship must not be greater than the unshipped quantity for product SKU "X".'),
      'quantity_exceeded',
      true,
    ],
    [validation('We found an invalid quantity to ship for item "X".'), 'quantity_exceeded', true],
    [validation('Please enter a tracking number.'), 'tracking_invalid', false],
    ['"%fieldName" is required. Enter and try again.', 'validation', false],
  ])('in the words %j is %s', async (message, code, isReadBack) => {
    const refused = { ...ship, status: 400, body: { message } };
    server.script(found, shipments(), refused, ...(isReadBack ? [shipments()] : []));

    const error = await failureOf(caller().confirm(confirmation));

    expect(error).toMatchObject({ kind: 'permanent', code });
  });

  test('that the shop explains in its log only is tried again', async () => {
    const refused = { ...ship, status: 400, body: { message: 'Could not save a shipment, see error log for details' } };
    server.script(found, shipments(), refused, shipments());

    const error = await failureOf(caller().confirm(confirmation));

    expect(error).toMatchObject({ kind: 'retryable', code: 'platform_unavailable' });
  });

  test.each([
    'The order does not allow a shipment to be created.',
    'Could not save a shipment, see error log for details',
  ])('is a success when our shipment is there: %s', async (message) => {
    server.script(found, shipments(), { ...ship, status: 400, body: { message } }, shipments(OURS), found);

    const confirmed = await caller().confirm(confirmation);

    expect(confirmed).toMatchObject({ alreadySent: true, transactionId: '900', trackingCarrier: 'custom GLS Italy' });
  });

  test.each<[string, number, unknown, string, string]>([
    [
      'a missing permission',
      401,
      {
        message: "The consumer isn't authorized to access %resources.",
        parameters: { resources: 'Magento_Sales::ship' },
      },
      'permanent',
      'permission_missing',
    ],
    [
      'an order that has gone',
      404,
      { message: "The entity that was requested doesn't exist." },
      'permanent',
      'order_not_found',
    ],
    ['a firewall', 403, '<p>Blocked</p>', 'retryable', 'platform_unavailable'],
    ['an internal error', 500, { message: 'Internal Error.' }, 'unknown-outcome', 'partner-broken'],
    ['an id that is none', 200, 0, 'unknown-outcome', 'answer-unreadable'],
  ])('from %s is what it is', async (_name, status, body, kind, code) => {
    server.script(found, shipments(), { ...ship, status, body });

    expect(await failureOf(caller().confirm(confirmation))).toMatchObject({ kind, code });
  });

  test('does not come of a quoted id, nor of a status that cannot be read afterwards', async () => {
    server.script(found, shipments(), { ...ship, body: '"900"' }, { ...found, status: 503, body: '<p>Down</p>' });

    const confirmed = await caller().confirm(confirmation);

    expect(confirmed).toMatchObject({ alreadySent: false, transactionId: '900', status: 'processing' });
  });

  test('is not asked for: the request says what, with which number, and from where', async () => {
    server.script(found, shipments(), ship, found);

    await caller({ sourceCode: 'milano' }).confirm(confirmation);

    const sent = server.requests.find(({ method }) => method === 'POST');
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      items: [{ order_item_id: 71, qty: 2 }],
      notify: true,
      tracks: [{ carrier_code: 'custom', title: 'GLS Italy', track_number: 'RM512345678' }],
      arguments: { extension_attributes: { source_code: 'milano' } },
    });
  });

  test('does not come of an order that was cancelled after it was sent', async () => {
    server.script({ ...found, body: { ...ORDER, state: 'canceled', status: 'canceled' } }, shipments(OURS));

    expect(await caller().confirm(confirmation)).toMatchObject({ alreadySent: true, status: 'canceled' });
  });

  test('does not come of a shipment that names no lines but has our number', async () => {
    server.script(found, shipments({ ...OURS, items: null }));

    expect(await caller().confirm(confirmation)).toMatchObject({ alreadySent: true });
  });
});
