import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ShipmentConfirmation } from '../../../src/marketplaces/adapter.ts';
import { ebay } from '../../../src/marketplaces/ebay/index.ts';
import { type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';
import { callerOf, failureOf } from '../call-marketplace.ts';
import { confirmationOf, ORDER, shipTo, useEbay } from './world.ts';

const world = useEbay();
const ORDERS = '/sell/fulfillment/v1/order';

interface Fulfillment {
  fulfillmentId: string;
  shipmentTrackingNumber?: string;
  shippingCarrierCode?: string;
  shippedDate: string;
  lineItems: { lineItemId: string; quantity: number }[];
}

const fulfillmentsOf = async (orderId: string) => {
  const { json } = await world.api('GET', `${ORDERS}/${orderId}/shipping_fulfillment`);
  return (json as { fulfillments: Fulfillment[] }).fulfillments;
};
const fulfil = (orderId: string, body: unknown) => world.api('POST', `${ORDERS}/${orderId}/shipping_fulfillment`, body);

describe('a shipment', () => {
  test('is added beside the number that no longer holds, once', async () => {
    const order = await world.place();
    await world.caller().confirm(confirmationOf(order));
    const caller = world.caller();
    const replaced = confirmationOf(order, { trackingNumber: 'RM599999999', replacedNumbers: ['RM-512345678'] });

    const corrected = await caller.confirm(replaced);
    const again = await caller.confirm(replaced);

    expect(caller.writes()).toEqual(['createShippingFulfillment']);
    expect([corrected.alreadySent, again.alreadySent]).toEqual([false, true]);
    const numbers = (await fulfillmentsOf(order.externalId)).map((each) => each.shipmentTrackingNumber);
    expect(numbers).toEqual(['RM512345678', 'RM599999999']);
  });

  test('is confirmed with its pieces, day, carrier and number, and once only', async () => {
    const order = await world.place();
    const caller = world.caller();

    const first = await caller.confirm(confirmationOf(order));
    const second = await caller.confirm(confirmationOf(order));

    expect(first).toEqual({
      alreadySent: false,
      transactionId: 'RM512345678',
      trackingCarrier: 'GLS',
      trackingNumber: 'RM512345678',
      trackingUrl: '',
      status: 'FULFILLED',
    });
    expect(second).toEqual({ ...first, alreadySent: true });
    expect(caller.writes()).toEqual(['createShippingFulfillment']);
    expect(await fulfillmentsOf(order.externalId)).toEqual([
      {
        fulfillmentId: 'RM512345678',
        shipmentTrackingNumber: 'RM512345678',
        shippingCarrierCode: 'GLS',
        shippedDate: '2026-11-21T12:00:00.000Z',
        lineItems: order.lines.map(({ externalLineId, quantity }) => ({ lineItemId: externalLineId, quantity })),
      },
    ]);
  });

  test('needs no lines when it holds everything', async () => {
    const order = await world.place();

    await world.caller().confirm(confirmationOf(order, { lines: [] }));

    const [made] = await fulfillmentsOf(order.externalId);
    expect(made?.lineItems.map(({ quantity }) => quantity)).toEqual([2, 1]);
  });

  test.each([
    ['brt', 'Bartolini'],
    ['dhl-express', 'DHL'],
    ['fedex', 'FedEx'],
    ['gls-it', 'GLS'],
    ['poste-it', 'PosteItaliane'],
    ['ups', 'UPS'],
    ['inpost-it', 'Other'],
    ['a-new-one', 'Other'],
  ])('with %s is one with %s at eBay', async (carrierId, code) => {
    const order = await world.place();

    const confirmed = await world.caller().confirm(confirmationOf(order, { carrierId }));

    expect(confirmed.trackingCarrier).toBe(code);
    expect((await fulfillmentsOf(order.externalId))[0]?.shippingCarrierCode).toBe(code);
  });

  test('has the carrier code that the account gives, and keeps the one that eBay already has', async () => {
    const order = await world.place();
    const caller = world.caller({ carrierNames: { 'gls-it': 'SDA' } });

    const confirmed = await caller.confirm(confirmationOf(order));
    const again = await world.caller().confirm(confirmationOf(order));

    expect([confirmed.trackingCarrier, again.trackingCarrier]).toEqual(['SDA', 'SDA']);
  });

  test('is confirmed with letters and digits alone, and recognised however its number is written', async () => {
    const order = await world.place();
    const caller = world.caller();

    const confirmed = await caller.confirm(confirmationOf(order, { trackingNumber: ' rm5-1234 5678 ' }));
    const again = await caller.confirm(confirmationOf(order, { trackingNumber: 'RM512345678' }));

    expect(confirmed).toMatchObject({ trackingNumber: 'rm512345678', transactionId: 'rm512345678' });
    expect(again).toMatchObject({ alreadySent: true, transactionId: 'rm512345678' });
  });

  test.each(['', ' - ', 'RM5/1234', 'RM5123📦'])(
    'with the number "%s" is refused before eBay hears of it',
    async (trackingNumber) => {
      const order = await world.place();
      const caller = world.caller();

      const error = await failureOf(caller.confirm(confirmationOf(order, { trackingNumber })));

      expect(error).toMatchObject({ kind: 'permanent', code: 'tracking_invalid' });
      expect(caller.exchanges).toEqual([]);
    },
  );

  test('that left before the order was placed gets the time of the order', async () => {
    const order = await world.place();

    await world.caller().confirm(confirmationOf(order, { shippedOn: '2026-11-19' }));

    expect((await fulfillmentsOf(order.externalId))[0]?.shippedDate).toBe('2026-11-20T09:00:00.000Z');
  });

  test('gets a time that has passed for eBay too when it leaves later today', async () => {
    const order = await world.place();

    await world.caller().confirm(confirmationOf(order, { shippedOn: '2199-01-01' }));

    const [made] = await fulfillmentsOf(order.externalId);
    expect(Date.now() - Date.parse(made?.shippedDate ?? '')).toBeGreaterThanOrEqual(120_000);
  });
});

describe('a shipment of a part', () => {
  const pieceOf = (order: Awaited<ReturnType<typeof world.place>>, line: number, quantity = 1) => ({
    lines: [{ externalLineId: order.lines[line]?.externalLineId ?? '', quantity }],
  });

  test('is followed by the rest under other numbers', async () => {
    const order = await world.place();
    const caller = world.caller();

    const one = await caller.confirm(confirmationOf(order, pieceOf(order, 0)));
    const two = await caller.confirm(confirmationOf(order, { ...pieceOf(order, 1), trackingNumber: 'RM599999999' }));
    const three = await caller.confirm(confirmationOf(order, { ...pieceOf(order, 0), trackingNumber: 'RM577777777' }));

    expect([one, two, three].map(({ status }) => status)).toEqual(['IN_PROGRESS', 'FULFILLED', 'FULFILLED']);
    expect(await world.ledger(order.externalId)).toMatchObject({
      confirmed: 3,
      trackingNumbers: ['RM512345678', 'RM599999999', 'RM577777777'],
    });
  });

  test('makes the order whole for eBay with one line of two, and still lets the rest be sent', async () => {
    const order = await world.place({ lineItems: ORDER.lineItems.slice(0, 1) });
    const caller = world.caller();

    const one = await caller.confirm(confirmationOf(order, pieceOf(order, 0)));
    const two = await caller.confirm(confirmationOf(order, { ...pieceOf(order, 0), trackingNumber: 'RM599999999' }));

    expect([one.status, two.status]).toEqual(['FULFILLED', 'FULFILLED']);
    expect(two.alreadySent).toBe(false);
  });

  test('that is more than is left is refused', async () => {
    const order = await world.place();
    const caller = world.caller();
    await caller.confirm(confirmationOf(order, pieceOf(order, 0)));

    const error = await failureOf(
      caller.confirm(confirmationOf(order, { ...pieceOf(order, 0, 2), trackingNumber: 'RM599999999' })),
    );

    expect(error).toMatchObject({ kind: 'permanent', code: 'quantity_exceeded' });
    expect(caller.writes()).toHaveLength(1);
  });

  test('is another shipment under another number', async () => {
    const order = await world.place();
    const caller = world.caller();
    await caller.confirm(confirmationOf(order));

    const error = await failureOf(caller.confirm(confirmationOf(order, { trackingNumber: 'RM599999999' })));

    expect(error).toMatchObject({ kind: 'permanent', code: 'already_shipped' });
    expect(caller.writes()).toHaveLength(1);
  });

  test('is added to an order that was marked shipped without a number', async () => {
    const order = await world.place();
    const lineItems = order.lines.map(({ externalLineId, quantity }) => ({ lineItemId: externalLineId, quantity }));
    await fulfil(order.externalId, { lineItems });

    const confirmed = await world.caller().confirm(confirmationOf(order));

    expect(confirmed).toMatchObject({ alreadySent: false, status: 'FULFILLED' });
    expect(await world.ledger(order.externalId)).toMatchObject({ confirmed: 2, trackingNumbers: ['RM512345678'] });
  });

  test('that eBay wants changed instead of added is another shipment', async () => {
    const order = await world.place();
    const caller = world.caller();
    await caller.confirm(confirmationOf(order, pieceOf(order, 0)));

    const error = await failureOf(caller.confirm(confirmationOf(order)));

    expect(error).toMatchObject({ kind: 'permanent', code: 'already_shipped' });
    expect(error.message).toContain('Please use PUT operation');
  });
});

describe('nothing is written', () => {
  test.each<[string, Record<string, unknown>]>([
    ['unpaid', { orderPaymentStatus: 'PENDING' }],
    ['paid back', { orderPaymentStatus: 'FULLY_REFUNDED' }],
    ['cancelled', { cancelStatus: { cancelState: 'CANCELED' } }],
    [
      'to be cancelled',
      { cancelStatus: { cancelState: 'IN_PROGRESS', cancelRequests: [{ cancelRequestState: 'REQUESTED' }] } },
    ],
  ])('for an order that is %s', async (_name, changes) => {
    const order = await world.place(changes);
    const caller = world.caller();

    const error = await failureOf(caller.confirm(confirmationOf(order)));

    expect(error).toMatchObject({ kind: 'permanent', code: 'order_not_shippable' });
    expect(caller.writes()).toEqual([]);
  });

  test('for a line that the order does not have', async () => {
    const order = await world.place();
    const caller = world.caller();

    const error = await failureOf(
      caller.confirm(confirmationOf(order, { lines: [{ externalLineId: '999', quantity: 1 }] })),
    );

    expect(error).toMatchObject({ kind: 'permanent', code: 'line_not_found' });
    expect(caller.writes()).toEqual([]);
  });

  test('for no pieces', async () => {
    const order = await world.place();
    const caller = world.caller();
    const lines = order.lines.map(({ externalLineId }) => ({ externalLineId, quantity: 0 }));

    const error = await failureOf(caller.confirm(confirmationOf(order, { lines })));

    expect(error).toMatchObject({ kind: 'permanent', code: 'validation' });
    expect(caller.writes()).toEqual([]);
  });

  test('for an order that eBay does not have', async () => {
    const order = await world.place();

    const error = await failureOf(world.caller().confirm(confirmationOf(order, { externalOrderId: '00-00000-00000' })));

    expect(error).toMatchObject({ kind: 'permanent', code: 'order_not_found' });
  });
});

describe('a refusal of eBay', () => {
  test.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
    ['a carrier', {}, { carrierNames: { 'gls-it': 'Nessuno' } }, 'carrier_invalid'],
    ['a suspended seller', {}, { refreshToken: 'sandbox-suspended' }, 'permission_missing'],
    [
      'several lines through the international shipping',
      {
        fulfillmentStartInstructions: [
          { ...shipTo({ fullName: 'Magazzino' }, { shipToReferenceId: '1' }), ebaySupportedFulfillment: true },
        ],
      },
      {},
      'order_not_shippable',
    ],
  ])('about %s is told by its name', async (_name, changes, account, code) => {
    const order = await world.place(changes);

    const error = await failureOf(world.caller(account).confirm(confirmationOf(order)));

    expect(error).toMatchObject({ kind: 'permanent', code });
    expect(await world.ledger(order.externalId)).toMatchObject({ confirmed: 0 });
  });

  test('to let the application write is told with the first call', async () => {
    const error = await failureOf(world.caller({ refreshToken: 'sandbox-readonly' }).verify());

    expect(error).toMatchObject({ kind: 'permanent', code: 'permission_missing' });
  });
});

describe('a refusal that the pretend eBay never makes', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScriptedServer();
  });
  afterEach(() => server.close());

  const ID = '17-12345-67890';
  const FULFILLMENTS = `${ORDERS}/${ID}/shipping_fulfillment`;
  const confirmation = {
    externalOrderId: ID,
    lines: [],
    trackingNumber: 'RM512345678',
    carrierId: 'gls-it',
    carrierName: 'GLS Italy',
    trackingUrl: '',
    shippedOn: '2026-11-21',
  };
  const order = {
    orderId: ID,
    creationDate: '2026-11-20T09:00:00.000Z',
    lastModifiedDate: '2026-11-20T09:00:00.000Z',
    orderFulfillmentStatus: 'NOT_STARTED',
    orderPaymentStatus: 'PAID',
    lineItems: [{ lineItemId: '71', quantity: 1 }],
  };
  const made = {
    fulfillmentId: 'RM512345678',
    shipmentTrackingNumber: 'RM512345678',
    lineItems: [{ lineItemId: '71' }],
  };
  const read = (fulfillments: object[]) => [
    { method: 'GET', path: `${ORDERS}/${ID}`, body: order },
    { method: 'GET', path: FULFILLMENTS, body: { fulfillments } },
  ];
  const confirm = (more: Partial<ShipmentConfirmation> = {}) =>
    callerOf(ebay, {
      account: {
        clientId: 'a',
        clientSecret: 'b',
        refreshToken: 'c',
        baseUrl: server.url,
        tokenUrl: `${server.url}/t`,
      },
    }).confirm({ ...confirmation, ...more });
  const script = (status: number, body: unknown, ...more: Parameters<ScriptedServer['script']>) =>
    server.script(
      { method: 'POST', path: '/t', body: { access_token: 'x', expires_in: 7200 } },
      ...read([]),
      { method: 'POST', path: FULFILLMENTS, status, body },
      ...more,
    );
  const said = (errorId: number, parameters: object[] = []) => ({
    errors: [{ errorId, domain: 'API_FULFILLMENT', message: `Words of ${errorId}`, parameters }],
  });

  test.each<[number, string]>([
    [32100, 'order_not_found'],
    [32110, 'order_not_found'],
    [32200, 'line_not_found'],
    [32210, 'validation'],
    [32300, 'tracking_invalid'],
    [32400, 'permission_missing'],
    [32500, 'validation'],
    [32600, 'validation'],
    [34100, 'quantity_exceeded'],
    [34200, 'order_not_shippable'],
    [34300, 'order_not_shippable'],
    [1100, 'permission_missing'],
  ])('is told by its name: %s', async (errorId, code) => {
    script(400, said(errorId));

    const error = await failureOf(confirm());

    expect(error).toMatchObject({ kind: 'permanent', code });
    expect(error.message).toContain(`Words of ${errorId} [${errorId}]`);
  });

  test.each([
    ['shippingCarrierCode', 'carrier_invalid'],
    ['trackingNumber', 'tracking_invalid'],
  ])('names the %s when eBay names its parameter', async (name, code) => {
    script(400, said(32300, [{ name, value: 'X' }]));

    expect(await failureOf(confirm())).toMatchObject({ code });
  });

  test.each([
    ['an error', 400, said(34500)],
    ['a conflict', 409, said(1)],
  ])('is a success when %s is about a fulfilment that came to light late', async (_name, status, body) => {
    script(status, body, ...read([made]));

    expect(await confirm()).toMatchObject({ alreadySent: true, transactionId: 'RM512345678' });
  });

  test('stays a conflict without any fulfilment of ours', async () => {
    script(409, said(1), ...read([]));

    expect(await failureOf(confirm())).toMatchObject({ kind: 'permanent', code: 'already_shipped' });
  });

  test('leaves the correction to a person when a second number may not stand beside a dead one', async () => {
    const dead = { ...made, fulfillmentId: 'DEAD1', shipmentTrackingNumber: 'DEAD1' };
    server.script({ method: 'POST', path: '/t', body: { access_token: 'x', expires_in: 7200 } }, ...read([dead]), {
      method: 'POST',
      path: FULFILLMENTS,
      status: 400,
      body: said(34100),
    });

    const error = await failureOf(confirm({ replacedNumbers: ['DEAD1'] }));

    expect(error).toMatchObject({ kind: 'permanent', code: 'told_another_number' });
    expect(error.message).toContain('DEAD1');
  });

  test('is tried again when a firewall wrote it', async () => {
    script(409, '<html>Blocked</html>');

    expect(await failureOf(confirm())).toMatchObject({ kind: 'retryable', code: 'platform_unavailable' });
  });

  test('leaves the outcome unknown when it is a system error', async () => {
    script(500, said(30500));

    expect(await failureOf(confirm())).toMatchObject({ kind: 'unknown-outcome' });
  });

  test('is not guessed from a success that names no fulfilment', async () => {
    script(201, '');

    expect(await failureOf(confirm())).toMatchObject({ kind: 'unknown-outcome', code: 'answer-unreadable' });
  });
});
