import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { amazon } from '../../../src/marketplaces/amazon/index.ts';
import { type ScriptedReply, type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';
import { callerOf, failureOf } from '../call-marketplace.ts';
import { CUPS, confirmationOf, ORDER, useAmazon } from './world.ts';

const world = useAmazon();

interface Package {
  packageReferenceId: string;
  carrier: string;
  trackingNumber: string;
  packageItems: { orderItemId: string; quantity: number }[];
}

/** What Amazon has of an order. */
async function packagesOf(orderId: string): Promise<Package[]> {
  const path = `/orders/2026-01-01/orders/${orderId}?includedData=PACKAGES`;
  const { json } = await world.api('GET', path);
  return (json as { order: { packages: Package[] } }).order.packages;
}

describe('a confirmation', () => {
  test('changes the package whose number no longer holds, once', async () => {
    const order = await world.place();
    const first = await world.caller().confirm(confirmationOf(order));
    const caller = world.caller();
    const replaced = confirmationOf(order, { trackingNumber: 'RM599999999', replacedNumbers: ['rm512345678'] });

    const corrected = await caller.confirm(replaced);
    const again = await caller.confirm(replaced);

    expect(caller.writes()).toEqual(['confirmShipment']);
    expect(corrected).toMatchObject({ alreadySent: false, transactionId: first.transactionId });
    expect(again).toEqual({ ...corrected, alreadySent: true });
    expect(await packagesOf(order.externalId)).toMatchObject([
      { packageReferenceId: first.transactionId, trackingNumber: 'RM599999999' },
    ]);
  });

  test('is written once, however often it is asked for', async () => {
    const order = await world.place();
    const caller = world.caller();

    const first = await caller.confirm(confirmationOf(order));
    const second = await caller.confirm(confirmationOf(order));

    const [only] = await packagesOf(order.externalId);
    expect(caller.writes()).toEqual(['confirmShipment']);
    expect(first).toEqual({
      alreadySent: false,
      transactionId: only?.packageReferenceId,
      trackingCarrier: 'GLS',
      trackingNumber: 'RM512345678',
      trackingUrl: '',
      status: 'SHIPPED',
    });
    expect(second).toEqual({ ...first, alreadySent: true });
  });

  test('without lines is that of everything on the order', async () => {
    const order = await world.place();

    await world.caller().confirm(confirmationOf(order, { lines: [] }));

    expect((await packagesOf(order.externalId))[0]?.packageItems).toEqual(
      order.lines.map(({ externalLineId, quantity }) => ({ orderItemId: externalLineId, quantity })),
    );
  });

  test('leaves out lines of no pieces', async () => {
    const order = await world.place({ orderItems: [CUPS, { ...CUPS, quantityOrdered: 0 }] });

    await world.caller().confirm(confirmationOf(order));

    expect((await packagesOf(order.externalId))[0]?.packageItems).toHaveLength(1);
  });

  test('leaves the other lines to a second package with a reference of its own', async () => {
    const order = await world.place();
    const [cups, plate] = confirmationOf(order).lines;
    const caller = world.caller();

    const first = await caller.confirm(
      confirmationOf(order, { lines: [{ ...cups, quantity: 1 } as never], trackingNumber: 'PART1' }),
    );
    const rest = [{ ...cups, quantity: 1 } as never, plate as never];
    const second = await caller.confirm(confirmationOf(order, { lines: rest, trackingNumber: 'PART2' }));

    const packages = await packagesOf(order.externalId);
    expect([first.status, second.status]).toEqual(['PARTIALLY_SHIPPED', 'SHIPPED']);
    expect(packages.map(({ trackingNumber }) => trackingNumber)).toEqual(['PART1', 'PART2']);
    expect(new Set(packages.map(({ packageReferenceId }) => packageReferenceId)).size).toBe(2);
  });

  test('under the same tracking number is filled up with the missing lines only', async () => {
    const order = await world.place();
    const [cups] = confirmationOf(order).lines;
    const caller = world.caller();
    await caller.confirm(confirmationOf(order, { lines: [cups as never] }));

    await caller.confirm(confirmationOf(order));

    const packages = await packagesOf(order.externalId);
    expect(packages.map(({ packageItems }) => packageItems)).toEqual([
      [{ orderItemId: cups?.externalLineId, quantity: 2 }],
      [{ orderItemId: order.lines[1]?.externalLineId, quantity: 1 }],
    ]);
  });

  test('recognises its tracking number in another spelling, and trims what it sends', async () => {
    const order = await world.place();
    const caller = world.caller();
    await caller.confirm(confirmationOf(order, { trackingNumber: '  rm5 1234 5678 ' }));

    const again = await caller.confirm(confirmationOf(order));

    expect(again.alreadySent).toBe(true);
    expect((await packagesOf(order.externalId))[0]?.trackingNumber).toBe('rm5 1234 5678');
  });

  test('is not written again when the seller cancelled the sent order since', async () => {
    const order = await world.place({
      fulfillment: { fulfillmentStatus: 'CANCELLED' },
      packages: [
        {
          packageReferenceId: '7',
          packageStatus: { status: 'SHIPPED' },
          carrier: 'BRT',
          trackingNumber: 'RM512345678',
          packageItems: [],
        },
      ],
    });
    const caller = world.caller();

    const confirmed = await caller.confirm(confirmationOf(order));

    expect(confirmed).toMatchObject({ alreadySent: true, transactionId: '7', trackingCarrier: 'BRT' });
    expect(caller.writes()).toEqual([]);
  });

  test('does not count a package that was cancelled', async () => {
    const [line] = ORDER.orderItems;
    const id = await world.seed({
      ...ORDER,
      orderItems: [{ ...line, orderItemId: '71' }],
      packages: [
        {
          packageReferenceId: '9928883',
          packageStatus: { status: 'CANCELLED' },
          trackingNumber: 'RM512345678',
          packageItems: [{ orderItemId: '71', quantity: 2 }],
        },
      ],
    });
    const order = await world.caller().read(id);

    const confirmed = await world.caller().confirm(confirmationOf(order as never));

    expect(confirmed).toMatchObject({ alreadySent: false, transactionId: '9928884' });
  });
});

describe('nothing is written', () => {
  test.each<[string, string, (order: { externalId: string }) => object]>([
    ['without a tracking number', 'tracking_invalid', () => ({ trackingNumber: ' ' })],
    ['to an order that is not there', 'order_not_found', () => ({ externalOrderId: '405-9999999-9999999' })],
    [
      'about a line that the order does not have',
      'line_not_found',
      () => ({ lines: [{ externalLineId: '9', quantity: 1 }] }),
    ],
    ['about no pieces at all', 'validation', () => ({ lines: [] })],
  ])('%s', async (_name, code, change) => {
    const order = await world.place(code === 'validation' ? { orderItems: [] } : {});
    const caller = world.caller();

    const error = await failureOf(caller.confirm(confirmationOf(order, change(order))));

    expect(error).toMatchObject({ kind: 'permanent', code });
    expect(caller.writes()).toEqual([]);
  });

  test.each<[string, Record<string, unknown>]>([
    ['is pending', { fulfillment: { fulfillmentStatus: 'PENDING' } }],
    ['is cancelled', { fulfillment: { fulfillmentStatus: 'CANCELLED' } }],
    ['Amazon ships itself', { fulfillment: { fulfilledBy: 'AMAZON' } }],
    ['has no marketplace', { salesChannel: { channelName: 'NON_AMAZON' } }],
  ])('about an order that %s', async (_name, changes) => {
    const order = await world.place(changes);
    const caller = world.caller();

    const error = await failureOf(caller.confirm(confirmationOf(order)));

    expect(error).toMatchObject({ kind: 'permanent', code: 'order_not_shippable' });
    expect(caller.writes()).toEqual([]);
  });

  test('for pieces that another tracking number shipped', async () => {
    const order = await world.place();
    await world.caller().confirm(confirmationOf(order));
    const caller = world.caller();

    const error = await failureOf(caller.confirm(confirmationOf(order, { trackingNumber: 'OTHER1' })));

    expect(error).toMatchObject({ kind: 'permanent', code: 'already_shipped' });
    expect(caller.writes()).toEqual([]);
  });

  test('for more pieces than were ordered', async () => {
    const order = await world.place();
    const lines = order.lines.map(({ externalLineId }) => ({ externalLineId, quantity: 3 }));
    const caller = world.caller();

    const error = await failureOf(caller.confirm(confirmationOf(order, { lines })));

    expect(error).toMatchObject({ kind: 'permanent', code: 'quantity_exceeded' });
    expect(caller.writes()).toEqual([]);
  });
});

describe('the carrier', () => {
  const carrier = async (given: object, account = {}) => {
    const order = await world.place();
    const confirmed = await world.caller(account).confirm(confirmationOf(order, given));
    const [only] = await packagesOf(order.externalId);
    return { sent: confirmed.trackingCarrier, shown: only?.carrier };
  };

  test.each([
    ['gls-it', 'GLS'],
    ['dhl-express', 'DHL'],
    ['ups', 'UPS'],
    ['fedex', 'FedEx'],
    ['poste-it', 'Poste Italiane'],
  ])('%s is named as Amazon lists it', async (carrierId, code) => {
    expect(await carrier({ carrierId })).toEqual({ sent: code, shown: code });
  });

  test.each(['brt', 'inpost-it', 'nonno'])(
    '%s, which Amazon does not list, is Other with its name',
    async (carrierId) => {
      expect(await carrier({ carrierId, carrierName: 'Corriere' })).toEqual({ sent: 'Other', shown: 'Corriere' });
    },
  );

  test('is the one that the account names', async () => {
    expect(await carrier({}, { carrierNames: { 'gls-it': 'DPD' } })).toEqual({ sent: 'DPD', shown: 'DPD' });
  });

  test('that the account names wrongly is refused', async () => {
    const order = await world.place();
    const wrong = world.caller({ carrierNames: { 'gls-it': 'GLS Atlantis' } });

    const error = await failureOf(wrong.confirm(confirmationOf(order)));

    expect(error).toMatchObject({ kind: 'permanent', code: 'carrier_invalid' });
  });
});

describe('a confirmation on the wire', () => {
  const ID = '405-1234567-7654321';
  const ORDERS = `/orders/2026-01-01/orders/${ID}`;
  const CONFIRM = `/orders/v0/orders/${ID}/shipmentConfirmation`;
  const token = { method: 'POST', path: '/auth/o2/token', body: { access_token: 'Atza|sandbox', expires_in: 3600 } };
  const read = (more: object = {}): ScriptedReply => ({
    method: 'GET',
    path: ORDERS,
    body: {
      order: {
        orderId: ID,
        createdTime: '2026-11-20T09:00:00Z',
        lastUpdatedTime: '2026-11-20T09:00:00Z',
        salesChannel: { marketplaceId: 'APJ6JRA9NG5V4' },
        fulfillment: { fulfillmentStatus: 'UNSHIPPED', fulfilledBy: 'MERCHANT' },
        orderItems: [{ orderItemId: '71', quantityOrdered: 2 }],
        ...more,
      },
    },
  });
  const packageOf = (trackingNumber: string) => ({
    packageReferenceId: '4',
    packageStatus: { status: 'SHIPPED' },
    carrier: 'GLS',
    trackingNumber,
    packageItems: [{ orderItemId: '71', quantity: 2 }],
  });
  const written = (status = 204, body?: unknown): ScriptedReply => ({ method: 'POST', path: CONFIRM, status, body });
  const refused = (message: string, details = '') =>
    written(400, { errors: [{ code: 'InvalidInput', message, details }] });
  const confirmation = {
    externalOrderId: ID,
    lines: [],
    trackingNumber: 'RM512345678',
    carrierId: 'brt',
    carrierName: 'BRT',
    trackingUrl: '',
    shippedOn: '2026-11-21',
  };
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScriptedServer();
    server.script(token);
  });
  afterEach(() => server.close());

  const caller = (now = new Date('2026-11-21T18:00:00Z')) =>
    callerOf(amazon, {
      now: () => now,
      account: {
        clientId: 'one',
        clientSecret: 'sandbox',
        refreshToken: 'Atzr|sandbox',
        baseUrl: server.url,
        tokenUrl: `${server.url}/auth/o2/token`,
      },
    });
  const sent = () =>
    server.requests.filter(({ path }) => path === CONFIRM).map(({ body }) => JSON.parse(body).packageDetail);

  test('is the one that Amazon describes, after reading the packages and no names', async () => {
    server.script(read(), written());

    await caller().confirm(confirmation);

    const [, asked, confirmed] = server.requests;
    expect(asked?.query.get('includedData')).toBe('FULFILLMENT,PACKAGES');
    expect(JSON.parse(confirmed?.body ?? '')).toEqual({
      marketplaceId: 'APJ6JRA9NG5V4',
      packageDetail: {
        packageReferenceId: '9928883',
        carrierCode: 'Other',
        carrierName: 'BRT',
        trackingNumber: 'RM512345678',
        shipDate: '2026-11-21T12:00:00.000Z',
        orderItems: [{ orderItemId: '71', quantity: 2 }],
      },
    });
  });

  test.each<[string, string, string, string]>([
    ['in the future', '2026-11-21', '2026-11-21T08:30:00Z', '2026-11-21T08:30:00.000Z'],
    ['before the order', '2026-11-19', '2026-11-21T18:00:00Z', '2026-11-20T09:00:00.000Z'],
  ])('never has a date %s', async (_name, shippedOn, now, shipDate) => {
    server.script(read(), written());

    await caller(new Date(now)).confirm({ ...confirmation, shippedOn });

    expect(sent()).toMatchObject([{ shipDate }]);
  });

  test('keeps the reference of a package that is not shown yet, so that Amazon changes it instead of adding one', async () => {
    server.script(read(), written(500, '<h1>Error</h1>'), read(), written());
    const shop = caller();

    const lost = await failureOf(shop.confirm(confirmation));
    await shop.confirm(confirmation);

    const [first, second] = sent();
    expect(lost.kind).toBe('unknown-outcome');
    expect(second.packageReferenceId).toBe(first.packageReferenceId);
  });

  test('leaves a shipped order without telling packages to Amazon', async () => {
    server.script(read({ fulfillment: { fulfillmentStatus: 'SHIPPED', fulfilledBy: 'MERCHANT' } }), written());

    expect(await caller().confirm(confirmation)).toMatchObject({ alreadySent: false, status: 'SHIPPED' });
  });

  const NO_PACKAGE = 'Failed to create package due to not finding a matching package or order already fulfilled.';

  test('refused because the order is fulfilled is done when the package is ours after all', async () => {
    server.script(read(), refused(NO_PACKAGE), read({ packages: [packageOf('RM512345678')] }));

    expect(await caller().confirm(confirmation)).toMatchObject({ alreadySent: true, transactionId: '4' });
  });

  test('refused because the order is fulfilled is refused when the package is another one', async () => {
    server.script(read(), refused(NO_PACKAGE), read({ packages: [packageOf('OTHER1')] }));

    const error = await failureOf(caller().confirm(confirmation));

    expect(error).toMatchObject({ kind: 'permanent', code: 'already_shipped' });
    expect(error.message).toContain('not finding a matching package');
  });

  const INVALID_TYPE = 'The input you have submitted is not valid. Please check the fields with invalid type';
  const errors = (code: string) => ({ errors: [{ code, message: 'No' }] });
  test.each<[string, ScriptedReply, string, string]>([
    [
      'a reference that is a number',
      refused(`${INVALID_TYPE} [packageDetail.packageReferenceId].`),
      'permanent',
      'configuration',
    ],
    [
      'a reference of no use',
      refused('PackageReferenceId: is invalid, must be a positive numeric value.'),
      'permanent',
      'configuration',
    ],
    [
      'a strange line',
      refused('OrderItemId is invalid, please obtain the value elsewhere'),
      'permanent',
      'line_not_found',
    ],
    [
      'two blanks in the words',
      refused('OrderItemId  is invalid, please obtain the value elsewhere'),
      'permanent',
      'line_not_found',
    ],
    ['a strange carrier', refused(`${INVALID_TYPE} [packageDetail.carrierCode].`), 'permanent', 'carrier_invalid'],
    ['a strange number', refused(`${INVALID_TYPE} [packageDetail.trackingNumber].`), 'permanent', 'tracking_invalid'],
    ['a strange date', refused('No', 'Invalid date/time field'), 'permanent', 'validation'],
    ['the words of its sandbox', written(400, errors('Invalid Input')), 'permanent', 'validation'],
    ['a missing role', written(403, errors('Unauthorized')), 'permanent', 'permission_missing'],
    ['no such order', written(404, errors('NotFound')), 'permanent', 'order_not_found'],
    ['a quota', written(429, errors('QuotaExceeded')), 'retryable', 'rate_limited'],
    ['maintenance', written(503, errors('ServiceUnavailable')), 'retryable', 'platform_unavailable'],
    ['an internal failure', written(500, errors('InternalFailure')), 'unknown-outcome', 'partner-broken'],
    ['a firewall page', written(403, '<p>Blocked</p>'), 'retryable', 'platform_unavailable'],
  ])('that meets %s says so', async (_name, reply, kind, code) => {
    server.script(read(), reply);

    const error = await failureOf(caller().confirm(confirmation));

    expect(error).toMatchObject({ kind, code });
  });
});
