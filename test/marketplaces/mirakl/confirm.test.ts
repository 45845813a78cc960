import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ShipmentConfirmation } from '../../../src/marketplaces/adapter.ts';
import { mirakl } from '../../../src/marketplaces/mirakl/index.ts';
import { type ScriptedReply, type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';
import { callerOf, failureOf } from '../call-marketplace.ts';

const ID = 'Ordine_1-A';
const LINES = [
  { order_line_id: '1-1', order_line_state: 'SHIPPING', quantity: 3 },
  { order_line_id: '1-2', order_line_state: 'SHIPPING', quantity: 2 },
];
const orderOf = (more: object = {}): ScriptedReply => ({
  method: 'GET',
  path: '/api/orders',
  body: {
    orders: [
      {
        order_id: ID,
        created_date: '2026-11-20T09:00:00Z',
        last_updated_date: '2026-11-20T10:30:00Z',
        order_state: 'SHIPPING',
        order_lines: LINES,
        ...more,
      },
    ],
    total_count: 1,
  },
});
const NONE: ScriptedReply = { method: 'GET', path: '/api/orders', body: { orders: [], total_count: 0 } };
const put = (action: string, more: Partial<ScriptedReply> = {}): ScriptedReply => ({
  method: 'PUT',
  path: `/api/orders/${ID}/${action}`,
  status: 204,
  ...more,
});
const refusal = (message: string, status = 400, code?: string) => ({ status, body: { code, message } });
const shipmentOf = (pieces: Record<string, number>, tracking_number = 'BR1', id = 's-1') => ({
  id,
  status: 'SHIPPED',
  tracking: { carrier_code: null, carrier_name: 'BRT', tracking_number, tracking_url: 'https://t.example/BR1' },
  shipment_lines: Object.entries(pieces).map(([order_line_id, quantity]) => ({ order_line_id, quantity })),
});
const shipments = (data: object[], next_page_token: string | null = null): ScriptedReply => ({
  method: 'GET',
  path: '/api/shipments',
  body: { data, next_page_token, previous_page_token: null },
});
const created = (body: object): ScriptedReply => ({ method: 'POST', path: '/api/shipments', status: 201, body });
const ALL = { '1-1': 3, '1-2': 2 };
const linesOf = (pieces: Record<string, number>) =>
  Object.entries(pieces).map(([externalLineId, quantity]) => ({ externalLineId, quantity }));
const confirmation = (more: Partial<ShipmentConfirmation> = {}): ShipmentConfirmation => ({
  externalOrderId: ID,
  lines: [],
  trackingNumber: 'BR1',
  carrierId: 'brt',
  carrierName: 'BRT',
  trackingUrl: 'https://t.example/BR1',
  shippedOn: '2026-11-21',
  ...more,
});
const CARRIERS = {
  carriers: [
    { code: 'C-7', label: 'GLS', standardCode: '' },
    { code: 'DHL', label: 'DHL', standardCode: '' },
    { code: 'DHLX', label: 'DHL Express', standardCode: '' },
    { code: '44', label: 'Corriere bruno', standardCode: 'UPS' },
    { code: 'poste-italiane', label: 'Pacchi', standardCode: '' },
  ],
};

let server: ScriptedServer;
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(() => server.close());
const shop = (more: object = {}) =>
  callerOf(mirakl, { account: { baseUrl: server.url, apiKey: 'private-shop-key', ...more } });
const several = () => shop({ multipleShipments: true });
const bodyAt = (index: number) => JSON.parse(server.requests.at(index)?.body ?? '');

describe('a whole order', () => {
  test('gets its number, with blanks taken out, and then is shipped', async () => {
    server.script(orderOf(), put('tracking'), put('ship'));
    const caller = shop();

    const confirmed = await caller.confirm(confirmation({ trackingNumber: ' BR 1 ' }));

    expect(caller.writes()).toEqual(['OR23', 'OR24']);
    expect(bodyAt(1)).toEqual({ carrier_name: 'BRT', carrier_url: 'https://t.example/BR1', tracking_number: 'BR1' });
    expect(confirmed).toMatchObject({ trackingNumber: 'BR1', trackingUrl: 'https://t.example/BR1', status: 'SHIPPED' });
  });

  test.each<[string, string, string, object]>([
    ['a label', 'gls-it', 'GLS Italy', { carrier_code: 'C-7' }],
    ['the fuller label of two', 'dhl-express', 'DHL Express', { carrier_code: 'DHLX' }],
    ['a standard code', 'ups', 'UPS', { carrier_code: '44' }],
    ['a code', 'poste-it', 'Poste Italiane', { carrier_code: 'poste-italiane' }],
    ['our own name', 'fedex', 'FedEx', { carrier_name: 'FedEx' }],
    ['the account', 'inpost-it', 'InPost', { carrier_code: 'IP-1' }],
  ])('names its carrier by %s', async (_name, carrierId, carrierName, expected) => {
    server.script(orderOf(), put('tracking'), put('ship'));
    const caller = shop({ carrierNames: { 'inpost-it': 'IP-1' } });

    const confirmed = await caller.confirm(confirmation({ carrierId, carrierName, trackingUrl: '' }), CARRIERS);

    expect(bodyAt(1)).toEqual({ ...expected, tracking_number: 'BR1' });
    expect(confirmed.trackingCarrier).toBe(Object.values(expected)[0]);
  });

  test('is only shipped when its number is there already', async () => {
    server.script(orderOf({ shipping_tracking: 'br1' }), put('ship'));
    const caller = shop();

    expect(await caller.confirm(confirmation())).toMatchObject({ alreadySent: false });
    expect(caller.writes()).toEqual(['OR24']);
  });

  test.each(['SHIPPED', 'TO_COLLECT', 'RECEIVED', 'CLOSED'])(
    'that is %s with our number is done',
    async (order_state) => {
      const shown = {
        shipping_carrier_code: 'C-7',
        shipping_tracking: 'BR1',
        shipping_tracking_url: 'https://m.example',
      };
      server.script(orderOf({ order_state, ...shown }));

      expect(await shop().confirm(confirmation())).toEqual({
        alreadySent: true,
        transactionId: ID,
        trackingCarrier: 'C-7',
        trackingNumber: 'BR1',
        trackingUrl: 'https://m.example',
        status: order_state,
      });
    },
  );

  test.each<[string, object, Partial<ShipmentConfirmation>, string]>([
    ['shipped with another number', { order_state: 'SHIPPED', shipping_tracking: 'ZZ' }, {}, 'already_shipped'],
    ['shipped without a number', { order_state: 'SHIPPED' }, {}, 'already_shipped'],
    ['given another number', { shipping_tracking: 'ZZ' }, {}, 'already_shipped'],
    ['waiting for a yes', { order_state: 'WAITING_ACCEPTANCE' }, {}, 'order_not_shippable'],
    ['cancelled', { order_state: 'CANCELED' }, {}, 'order_not_shippable'],
    ['of an unknown state', { order_state: 'ON_THE_MOON' }, {}, 'order_not_shippable'],
    ['to leave in part', {}, { lines: linesOf({ '1-1': 3 }) }, 'feature_disabled'],
    ['without that line', {}, { lines: linesOf({ '9-9': 1 }) }, 'line_not_found'],
    ['smaller than that', {}, { lines: linesOf({ '1-1': 4, '1-2': 2 }) }, 'quantity_exceeded'],
    ['to leave with nothing', {}, { lines: linesOf({ '1-1': 0 }) }, 'validation'],
  ])('%s is refused before anything is written', async (_name, order, wanted, code) => {
    server.script(orderOf(order));
    const caller = shop();

    expect(await failureOf(caller.confirm(confirmation(wanted)))).toMatchObject({ kind: 'permanent', code });
    expect(caller.writes()).toEqual([]);
  });

  test('that takes no other number any more leaves the correction to a person', async () => {
    const closed = orderOf({ order_state: 'CLOSED', shipping_tracking: 'DEAD1' });
    server.script(closed, put('tracking', refusal("The order status must be 'SHIPPING' but it is 'CLOSED'.")), closed);

    const error = await failureOf(shop().confirm(confirmation({ replacedNumbers: ['DEAD1'] })));

    expect(error).toMatchObject({ kind: 'permanent', code: 'told_another_number' });
    expect(error.message).toContain('DEAD1');
  });

  test('is whole without a refused line', async () => {
    const order_lines = [LINES[0], { ...LINES[1], order_line_state: 'REFUSED' }];
    server.script(orderOf({ order_lines }), put('tracking'), put('ship'));

    expect(await shop().confirm(confirmation({ lines: linesOf({ '1-1': 3 }) }))).toMatchObject({ status: 'SHIPPED' });
  });

  test('that is not there is not confirmed', async () => {
    server.script(NONE);

    expect(await failureOf(shop().confirm(confirmation()))).toMatchObject({ code: 'order_not_found' });
  });

  test('without a tracking number is not even read', async () => {
    expect(await failureOf(shop().confirm(confirmation({ trackingNumber: ' ' })))).toMatchObject({
      code: 'tracking_invalid',
    });
  });

  test.each<[string, Partial<ScriptedReply>, string]>([
    ["Unknown carrier code 'C-7'", refusal("Unknown carrier code 'C-7'"), 'carrier_invalid'],
    ['Tracking details are mandatory', refusal('Tracking details are mandatory'), 'tracking_invalid'],
    ['No right', refusal('No right', 403), 'permission_missing'],
    ['No such order', refusal('No such order', 404), 'order_not_found'],
    ['Gone', refusal('Gone', 400, 'ORDER_NOT_FOUND'), 'order_not_found'],
    ['Fulfilled', refusal('Fulfilled', 400, 'ORDER_FULFILLED_UNAUTHORIZED'), 'order_not_shippable'],
    ['Wrong state', refusal('Wrong state', 400, 'ORDER_INVALID_STATE'), 'order_not_shippable'],
    ['Wrong line', refusal('Wrong line', 400, 'ORDER_LINE_NOT_FOUND'), 'line_not_found'],
    ['Anything', refusal('Anything', 400, 'VALIDATION_ERROR'), 'validation'],
  ])('is refused in the words "%s"', async (words, reply, code) => {
    server.script(orderOf(), put('tracking', reply), orderOf());

    const error = await failureOf(shop().confirm(confirmation()));

    expect(error).toMatchObject({ kind: 'permanent', code });
    expect(error.message).toContain(words);
  });

  test('was sent when its shipment is refused because it is done', async () => {
    const done = orderOf({ order_state: 'SHIPPED', shipping_tracking: 'BR1' });
    server.script(orderOf(), put('tracking'), put('ship', refusal('Bad Request')), done);

    expect(await shop().confirm(confirmation())).toMatchObject({ alreadySent: true, status: 'SHIPPED' });
  });

  test('does not believe a shipment that was answered with a page', async () => {
    server.script(orderOf(), put('tracking'), put('ship', { status: 200, body: '<p>Ok</p>' }));

    expect(await failureOf(shop().confirm(confirmation()))).toMatchObject({ kind: 'unknown-outcome' });
  });
});

describe('an order that may leave in several shipments', () => {
  test('leaves in part, and waits for the rest', async () => {
    server.script(
      orderOf(),
      shipments([]),
      created({ shipment_success: [shipmentOf({ '1-1': 1 })], shipment_errors: [] }),
    );

    const confirmed = await several().confirm(confirmation({ lines: linesOf({ '1-1': 1 }) }));

    expect(bodyAt(-1)).toEqual({
      shipments: [
        {
          order_id: ID,
          shipped: true,
          shipment_lines: [{ order_line_id: '1-1', quantity: 1 }],
          tracking: { carrier_name: 'BRT', tracking_number: 'BR1', tracking_url: 'https://t.example/BR1' },
        },
      ],
    });
    expect(confirmed).toEqual({
      alreadySent: false,
      transactionId: 's-1',
      trackingCarrier: 'BRT',
      trackingNumber: 'BR1',
      trackingUrl: 'https://t.example/BR1',
      status: 'SHIPPING',
    });
  });

  test('is given only what is missing of our number, and the registered carrier by its code', async () => {
    const made = created({ shipment_success: [shipmentOf({ '1-2': 2 })] });
    server.script(orderOf(), shipments([shipmentOf({ '1-1': 3 })]), made);

    const confirmed = await several().confirm(confirmation({ carrierId: 'gls-it' }), CARRIERS);

    expect(bodyAt(-1).shipments[0]).toMatchObject({
      shipment_lines: [{ order_line_id: '1-2', quantity: 2 }],
      tracking: { carrier_code: 'C-7', tracking_number: 'BR1' },
    });
    expect(confirmed.status).toBe('SHIPPED');
  });

  test('that has the shipment on a later page is left alone', async () => {
    server.script(
      orderOf(),
      shipments([shipmentOf({ '1-1': 1 }, 'ZZ', 's-0')], 'next'),
      shipments([shipmentOf({ '1-1': 2 })]),
    );
    const caller = several();

    const confirmed = await caller.confirm(confirmation({ lines: linesOf({ '1-1': 2 }) }));

    expect(confirmed).toMatchObject({ alreadySent: true, transactionId: 's-1' });
    expect(server.requests.at(-1)?.query.get('page_token')).toBe('next');
    expect(caller.writes()).toEqual([]);
  });

  test.each<[string, object, object[], string]>([
    ['has all of it in another shipment', {}, [shipmentOf(ALL, 'ZZ')], 'already_shipped'],
    ['has some of it in another shipment', {}, [shipmentOf({ '1-1': 1 }, 'ZZ')], 'quantity_exceeded'],
    ['was shipped as a whole', { order_state: 'SHIPPED' }, [], 'already_shipped'],
  ])('that %s is refused before anything is written', async (_name, order, existing, code) => {
    server.script(orderOf(order), shipments(existing));
    const caller = several();

    expect(await failureOf(caller.confirm(confirmation()))).toMatchObject({ kind: 'permanent', code });
    expect(caller.writes()).toEqual([]);
  });

  test.each([
    ["The order status must be 'SHIPPING' but it is 'SHIPPED'.", 'already_shipped'],
    ["The order status must be 'SHIPPING' but it is 'CANCELED'.", 'order_not_shippable'],
    ['Shipment quantity is invalid.', 'quantity_exceeded'],
    ['Something else', 'validation'],
  ])('is refused inside of a 201 with "%s"', async (message, code) => {
    const refused = created({ shipment_success: [], shipment_errors: [{ order_id: ID, message }] });
    server.script(orderOf(), shipments([]), refused, orderOf(), shipments([]));

    const error = await failureOf(several().confirm(confirmation()));

    expect(error).toMatchObject({ kind: 'permanent', code });
    expect(error.message).toContain(message);
  });

  test('was sent when its shipment is refused because it has come to light', async () => {
    const refused = created({ shipment_errors: [{ order_id: ID, message: 'Shipment quantity is invalid.' }] });
    server.script(orderOf(), shipments([]), refused, orderOf(), shipments([shipmentOf(ALL)]));

    expect(await several().confirm(confirmation())).toMatchObject({ alreadySent: true, transactionId: 's-1' });
  });

  test.each([{}, { shipment_success: [], shipment_errors: [] }])('does not know what %j means', async (body) => {
    server.script(orderOf(), shipments([]), created(body));

    expect(await failureOf(several().confirm(confirmation()))).toMatchObject({ kind: 'unknown-outcome' });
  });
});
