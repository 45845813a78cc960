import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ShipmentConfirmation } from '../../../src/marketplaces/adapter.ts';
import { shopify } from '../../../src/marketplaces/shopify/index.ts';
import { type ScriptedReply, type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';
import { callerOf, failureOf } from '../call-marketplace.ts';
import {
  confirmationOf,
  data,
  errors,
  ORDER,
  SHOP,
  userError,
  useShop,
  wireFulfillment,
  wireLinesToShip,
} from './shop.ts';

const shop = useShop();
const TWO_PLACES = { lineItems: [ORDER.lineItems[0], { ...ORDER.lineItems[1], locationId: 72 }] };

describe('a shipment', () => {
  test('is told to the shop once, however often it is confirmed', async () => {
    const order = await shop.import();
    const caller = shop.caller();

    const first = await caller.confirm(confirmationOf(order));
    const second = await caller.confirm(confirmationOf(order));

    expect(caller.writes()).toEqual(['fulfillmentCreate']);
    expect(first).toEqual({
      alreadySent: false,
      transactionId: expect.stringMatching(/^gid:\/\/shopify\/Fulfillment\/\d+$/),
      trackingCarrier: 'GLS Italy',
      trackingNumber: 'RM512345678',
      trackingUrl: 'https://track.example/gls/RM512345678',
      status: 'FULFILLED',
    });
    expect(second).toEqual({ ...first, alreadySent: true });
    expect(await shop.ledger(order)).toMatchObject({ confirmed: 1, trackingNumbers: ['RM512345678'] });
  });

  test('needs no lines when it holds everything', async () => {
    const order = await shop.import(TWO_PLACES);
    const caller = shop.caller();

    await caller.confirm(confirmationOf(order, { lines: [] }));
    const again = await caller.confirm(confirmationOf(order, { lines: [] }));

    expect(again).toMatchObject({ alreadySent: true, status: 'FULFILLED' });
    expect(caller.writes()).toHaveLength(2);
  });

  test('leaves the other lines to a second one', async () => {
    const order = await shop.import();
    const [cups] = confirmationOf(order).lines as [ShipmentConfirmation['lines'][number]];
    const caller = shop.caller();

    const part = await caller.confirm(
      confirmationOf(order, { lines: [{ ...cups, quantity: 1 }], trackingNumber: 'PART1' }),
    );
    const repeated = await caller.confirm(
      confirmationOf(order, { lines: [{ ...cups, quantity: 1 }], trackingNumber: 'PART1' }),
    );
    const rest = await caller.confirm(confirmationOf(order, { lines: [], trackingNumber: 'PART2' }));

    expect(part.status).toBe('PARTIALLY_FULFILLED');
    expect(repeated.alreadySent).toBe(true);
    expect(rest.status).toBe('FULFILLED');
    expect(await shop.ledger(order)).toMatchObject({ confirmed: 2, trackingNumbers: ['PART1', 'PART2'] });
  });

  test('corrects the number that no longer holds, once', async () => {
    const order = await shop.import();
    await shop.caller().confirm(confirmationOf(order));
    const caller = shop.caller();
    const replaced = confirmationOf(order, {
      trackingNumber: 'RM599999999',
      trackingUrl: 'https://track.example/gls/RM599999999',
      replacedNumbers: ['RM512345678'],
    });

    const corrected = await caller.confirm(replaced);
    const again = await caller.confirm(replaced);

    expect(caller.writes()).toEqual(['fulfillmentTrackingInfoUpdate']);
    expect(corrected).toMatchObject({
      alreadySent: false,
      trackingNumber: 'RM599999999',
      trackingUrl: 'https://track.example/gls/RM599999999',
      status: 'FULFILLED',
    });
    expect(again).toEqual({ ...corrected, alreadySent: true });
    expect(await shop.ledger(order)).toMatchObject({ confirmed: 1, trackingNumbers: ['RM599999999'] });
  });

  test('corrects a part under another number and ships the rest', async () => {
    const order = await shop.import();
    const [cups] = confirmationOf(order).lines as [ShipmentConfirmation['lines'][number]];
    await shop.caller().confirm(confirmationOf(order, { lines: [cups], trackingNumber: 'DEAD1' }));
    const caller = shop.caller();

    await caller.confirm(confirmationOf(order, { replacedNumbers: ['DEAD1'] }));

    expect(caller.writes()).toEqual(['fulfillmentTrackingInfoUpdate', 'fulfillmentCreate']);
    expect(await shop.ledger(order)).toMatchObject({ trackingNumbers: ['RM512345678', 'RM512345678'] });
  });

  test('from two places is two calls, and one result', async () => {
    const order = await shop.import(TWO_PLACES);
    const caller = shop.caller();

    const confirmed = await caller.confirm(confirmationOf(order));

    expect(caller.writes()).toHaveLength(2);
    expect(confirmed.transactionId.split(',')).toHaveLength(2);
    expect(confirmed.status).toBe('FULFILLED');
  });

  test('from two places of which one was told is made up for in the other alone', async () => {
    const order = await shop.import(TWO_PLACES);
    const [cups] = confirmationOf(order).lines as [ShipmentConfirmation['lines'][number]];
    await shop.caller().confirm(confirmationOf(order, { lines: [cups] }));
    const caller = shop.caller();

    const confirmed = await caller.confirm(confirmationOf(order));

    expect(caller.writes()).toEqual(['fulfillmentCreate']);
    expect(confirmed).toMatchObject({ alreadySent: false, status: 'FULFILLED' });
    expect(confirmed.transactionId.split(',')).toHaveLength(2);
  });

  test('is told like any other while the shop works on the order', async () => {
    const order = await shop.import();
    await shop.change(order, { fulfillmentStatus: 'IN_PROGRESS' });

    expect(await shop.caller().confirm(confirmationOf(order))).toMatchObject({ status: 'FULFILLED' });
  });

  test('leaves digital goods to who delivers them', async () => {
    const order = await shop.import({
      lineItems: [...ORDER.lineItems, { name: 'Buono regalo', requiresShipping: false }],
    });
    const caller = shop.caller();

    const confirmed = await caller.confirm(confirmationOf(order));
    const again = await caller.confirm(confirmationOf(order));

    expect(confirmed.status).toBe('PARTIALLY_FULFILLED');
    expect(again.alreadySent).toBe(true);
  });

  test('has its number trimmed, and is known by it', async () => {
    const order = await shop.import();

    const confirmed = await shop.caller().confirm(confirmationOf(order, { trackingNumber: ' RM1 ' }));

    expect(confirmed.trackingNumber).toBe('RM1');
    expect(await shop.ledger(order)).toMatchObject({ trackingNumbers: ['RM1'] });
  });

  test.each([
    ['gls-it', undefined, 'GLS Italy'],
    ['brt', undefined, 'BRT'],
    ['poste-it', undefined, 'Poste Italiane'],
    ['dhl-express', undefined, 'DHL Express'],
    ['ups', undefined, 'UPS'],
    ['fedex', undefined, 'FedEx'],
    ['inpost-it', undefined, 'InPost'],
    ['unlisted', undefined, 'Our own name'],
    ['gls-it', { 'gls-it': 'GLS' }, 'GLS'],
  ])('with %s and the names %j is by "%s"', async (carrierId, carrierNames, company) => {
    const order = await shop.import();
    const caller = shop.caller(carrierNames ? { carrierNames } : {});

    const confirmed = await caller.confirm(confirmationOf(order, { carrierId, carrierName: 'Our own name' }));

    expect(confirmed.trackingCarrier).toBe(company);
  });

  test('without a link of ours gets the one that the shop makes', async () => {
    const order = await shop.import();

    const confirmed = await shop.caller().confirm(confirmationOf(order, { trackingUrl: '' }));

    expect(confirmed.trackingUrl).toBe('https://tracking.example/gls?n=RM512345678');
  });

  test.each([
    [{}, 1],
    [{ notifyCustomer: false }, 0],
  ])('with the account %j is told to the customer %i times', async (account, mails) => {
    const order = await shop.import();

    await shop.caller(account).confirm(confirmationOf(order));

    const sent = (await shop.seed('GET', '/_mails')) as { order: string }[];
    expect(sent.filter((mail) => mail.order === order.externalNumber)).toHaveLength(mails);
  });
});

describe('a shipment is not told', () => {
  const refused = async (order: Parameters<typeof confirmationOf>[0], more: Partial<ShipmentConfirmation> = {}) => {
    const caller = shop.caller();
    const error = await failureOf(caller.confirm(confirmationOf(order, more)));
    expect(caller.writes()).toEqual([]);
    return error;
  };

  test('when the order is cancelled', async () => {
    const order = await shop.import();
    await shop.change(order, { cancel: true });

    expect(await refused(order)).toMatchObject({ kind: 'permanent', code: 'order_not_shippable' });
  });

  test.each(['ON_HOLD', 'SCHEDULED'])('while it is %s, and why is said', async (fulfillmentStatus) => {
    const order = await shop.import();
    await shop.change(order, { fulfillmentStatus, holds: ['AWAITING_PAYMENT'] });

    const error = await refused(order);

    expect(error).toMatchObject({ kind: 'permanent', code: 'order_not_shippable' });
    expect(error.message).toContain(`${fulfillmentStatus}, AWAITING_PAYMENT`);
  });

  test.each([undefined, []])('when another one is there, which is named (lines %j)', async (lines) => {
    const order = await shop.import();
    await shop.caller().confirm(confirmationOf(order, { trackingNumber: 'OTHER1' }));

    const error = await refused(order, lines ? { lines } : {});

    expect(error).toMatchObject({ kind: 'permanent', code: 'already_shipped' });
    expect(error.message).toContain('OTHER1');
  });

  test.each<[string, Partial<ShipmentConfirmation>, string]>([
    ['of a line that the order does not have', { lines: [{ externalLineId: '9', quantity: 1 }] }, 'line_not_found'],
    ['without a tracking number', { trackingNumber: ' ' }, 'tracking_invalid'],
    ['of an order that is not there', { externalOrderId: '987654' }, 'order_not_found'],
    ['of what is no order number', { externalOrderId: 'W-1' }, 'order_not_found'],
  ])('%s', async (_name, more, code) => {
    const order = await shop.import();

    expect(await refused(order, more)).toMatchObject({ kind: 'permanent', code });
  });

  test('when it has more pieces than are left', async () => {
    const order = await shop.import();
    const [cups] = confirmationOf(order).lines as [ShipmentConfirmation['lines'][number]];

    const error = await refused(order, { lines: [{ ...cups, quantity: 3 }] });

    expect(error).toMatchObject({ kind: 'permanent', code: 'quantity_exceeded' });
  });

  test('when it holds digital goods alone', async () => {
    const order = await shop.import({ lineItems: [{ name: 'Buono', requiresShipping: false }] });

    expect(await refused(order)).toMatchObject({ kind: 'permanent', code: 'validation' });
  });

  test('before the shop knows from where, which it may know soon', async () => {
    const order = await shop.import({ isRouted: false });

    const error = await refused(order);
    await shop.change(order, { route: true });

    expect(error).toMatchObject({ kind: 'retryable', code: 'order_not_shippable' });
    expect(await shop.caller().confirm(confirmationOf(order))).toMatchObject({ status: 'FULFILLED' });
  });

  test('when the app may not read fulfilment orders', async () => {
    const order = await shop.import();
    const caller = shop.caller({ accessToken: 'shpat_sandbox_orders_only' });

    const error = await failureOf(caller.confirm(confirmationOf(order)));

    expect(error).toMatchObject({ kind: 'permanent', code: 'permission_missing' });
  });

  test('when the app may only read', async () => {
    const order = await shop.import();
    const caller = shop.caller({ accessToken: 'shpat_sandbox_readonly' });

    const error = await failureOf(caller.confirm(confirmationOf(order)));

    expect(error).toMatchObject({ kind: 'permanent', code: 'permission_missing' });
    expect(error.message).toContain('Access denied for fulfillmentCreate');
  });
});

describe('a refused write', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScriptedServer();
  });
  afterEach(() => server.close());
  const reads = (remaining = 2, more: Record<string, unknown> = {}): ScriptedReply[] => [
    data(wireFulfillment(more)),
    data(wireLinesToShip(remaining)),
  ];
  const confirm = (lines = [{ externalLineId: '71', quantity: 2 }]) => {
    const account = { shop: SHOP, baseUrl: server.url, accessToken: 'shpat_private' };
    return callerOf(shopify, { account }).confirm({
      externalOrderId: '815',
      lines,
      trackingNumber: 'RM1',
      carrierId: 'gls-it',
      carrierName: 'GLS Italy',
      trackingUrl: '',
      shippedOn: '2026-11-21',
    });
  };

  test.each<[string, string]>([
    ['Quantity must be greater than 0', 'validation'],
    ['Fulfillment order does not exist.', 'permission_missing'],
    ['Fulfillment order line item does not exist.', 'line_not_found'],
    ['All fulfillment orders must belong to the same order. Check them.', 'validation'],
    ['All fulfillment orders must be assigned to a single location. Check them.', 'validation'],
    ['Something that nobody recorded', 'validation'],
  ])('with "%s" keeps those words', async (words, code) => {
    server.script(...reads(), userError(words));

    const error = await failureOf(confirm());

    expect(error).toMatchObject({ kind: 'permanent', code });
    expect(error.message).toContain(words);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['was cancelled', { cancelledAt: '2026-11-21T10:00:00Z' }, 'order_not_shippable'],
    [
      'was shipped by another',
      { fulfillments: [{ id: 'gid://shopify/Fulfillment/1', status: 'SUCCESS', trackingInfo: [{ number: 'X1' }] }] },
      'already_shipped',
    ],
  ])('is explained by the order when the fulfilment order is closed: it %s', async (_name, more, code) => {
    server.script(
      ...reads(),
      userError('Fulfillment order 91 has an unfulfillable status= closed.'),
      ...reads(0, more),
    );

    const error = await failureOf(confirm());

    expect(error).toMatchObject({ kind: 'permanent', code });
  });

  test.each([
    'Fulfillment order 91 has an unfulfillable status= closed.',
    'Invalid fulfillment order line item quantity requested.',
  ])('with "%s" is a success when the order has our own number by now', async (words) => {
    const id = 'gid://shopify/Fulfillment/1';
    const shipped = [{ quantity: 2, lineItem: { id: 'gid://shopify/LineItem/71' } }];
    const pageInfo = { hasNextPage: false, endCursor: null };
    server.script(
      ...reads(),
      userError(words),
      data(wireFulfillment({ fulfillments: [{ id, status: 'SUCCESS', trackingInfo: [{ number: 'RM1' }] }] })),
      data({ fulfillment: { fulfillmentLineItems: { nodes: shipped, pageInfo } } }),
      data(wireLinesToShip(0)),
    );

    expect(await confirm()).toMatchObject({ alreadySent: true, transactionId: id });
  });

  test('never counts on what a cancelled fulfilment order still holds', async () => {
    const [open] = (wireFulfillment().order as { fulfillmentOrders: { nodes: object[] } }).fulfillmentOrders.nodes;
    const cancelled = { ...open, id: 'gid://shopify/FulfillmentOrder/90', status: 'CANCELLED', supportedActions: [] };
    const nodes = [cancelled, open];
    const denied = userError('Quantity must be greater than 0');
    server.script(
      data(wireFulfillment({ fulfillmentOrders: { nodes } })),
      data(wireLinesToShip()),
      data(wireLinesToShip()),
    );
    server.script(denied);

    await failureOf(confirm([]));

    const { variables } = JSON.parse(server.requests.at(-1)?.body ?? '');
    expect(variables.fulfillment.lineItemsByFulfillmentOrder).toEqual([
      {
        fulfillmentOrderId: 'gid://shopify/FulfillmentOrder/91',
        fulfillmentOrderLineItems: [{ id: 'gid://shopify/FulfillmentOrderLineItem/92', quantity: 2 }],
      },
    ]);
  });

  test('for its quantity keeps the words of the shop when the order explains nothing', async () => {
    const words = 'Invalid fulfillment order line item quantity requested.';
    server.script(...reads(), userError(words), ...reads());

    const error = await failureOf(confirm());

    expect(error).toMatchObject({ kind: 'permanent', code: 'quantity_exceeded' });
    expect(error.message).toContain(words);
  });

  test('ignores a cancelled shipment of the same number and ships again', async () => {
    const cancelled = [{ id: 'gid://shopify/Fulfillment/1', status: 'CANCELLED', trackingInfo: [{ number: 'RM1' }] }];
    server.script(...reads(2, { fulfillments: cancelled }), userError('Quantity must be greater than 0'));

    const error = await failureOf(confirm());

    expect(error.code).toBe('validation');
  });

  test('for want of points was not written, with a good status as well', async () => {
    const throttleStatus = { maximumAvailable: 2000, currentlyAvailable: 0, restoreRate: 100 };
    const cost = { requestedQueryCost: 14, actualQueryCost: null, throttleStatus };
    server.script(...reads(), errors('THROTTLED', 'Throttled', { extensions: { cost } }));

    const error = await failureOf(confirm());

    expect(error).toMatchObject({ kind: 'retryable', code: 'rate_limited', retryAfterMs: 140 });
  });

  test.each<[string, ScriptedReply]>([
    ['a broken inside', errors('INTERNAL_SERVER_ERROR')],
    ['an error that nobody knows', errors('SOMETHING_NEW')],
    [
      'a field denied to an answer that has the shipment',
      errors('ACCESS_DENIED', 'Access denied', { data: { fulfillmentCreate: { fulfillment: { id: 'gid' } } } }),
    ],
    ['neither shipment nor refusal', data({ fulfillmentCreate: { fulfillment: null, userErrors: [] } })],
  ])('with %s may have been written', async (_name, reply) => {
    server.script(...reads(), reply);

    const error = await failureOf(confirm());

    expect(error.kind).toBe('unknown-outcome');
  });
});
