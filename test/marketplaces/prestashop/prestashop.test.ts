import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { prestashop } from '../../../src/marketplaces/prestashop/index.ts';
import { type ScriptedReply, type ScriptedServer, startScriptedServer } from '../../support/scripted-server.ts';
import { callerOf, failureOf } from '../call-marketplace.ts';
import { testMarketplace } from '../conformance.ts';
import { KEYS, usePrestashop } from './shop.ts';

const KEY = 'VERYPRIVATEVERYPRIVATEVERYPRIVAT';
const get = (resource: string, body: unknown): ScriptedReply => ({ method: 'GET', path: `/api/${resource}`, body });
const STATES = {
  order_states: [
    { id: 2, name: 'Payment accepted', template: 'payment', paid: '1', shipped: '0', deleted: '0' },
    { id: 4, name: 'Shipped', template: 'shipped', paid: '1', shipped: '1', deleted: '0' },
  ],
};
const ORDER = { id: 815, reference: 'XKBKNABJK', current_state: '2', id_carrier: '2' };
const ROW = { id: '91', id_order: '815', id_carrier: '2', weight: '1.200000', tracking_number: '' };
const CARRIERS = { carriers: [{ id: 2, name: 'Corriere', url: 'https://track.example/?n=@' }] };
const DETAILS = { order_details: [{ id: 71, id_order: '815', product_quantity: '2' }] };
/** What is read for orders that point to nothing. */
const FOLLOW_UPS = [get('order_states', STATES), get('order_details', DETAILS)];
const NUMBERED = { ...ROW, tracking_number: 'RM512345678' };

testMarketplace({
  marketplace: prestashop,
  account: (url) => ({ url, key: KEY }),
  secrets: [KEY, btoa(`${KEY}:`)],
  requiredField: 'key',
  verify: get('orders', []),
  refusedKey: { status: 401, body: { errors: [{ code: 20, message: 'Authentification key is not active' }] } },
  listing: {
    pages: [
      get('orders', { orders: [{ id: 1 }, { id: 2 }] }),
      ...FOLLOW_UPS,
      get('orders', { orders: [{ id: 3 }] }),
      ...FOLLOW_UPS,
      get('orders', []),
    ],
    numbers: ['1', '2', '3'],
  },
  reading: {
    externalId: '815',
    found: [get('orders', { orders: [ORDER] }), ...FOLLOW_UPS],
    externalNumber: 'XKBKNABJK',
    absent: [get('orders', [])],
  },
  poison: 'whatever has an id is read, and what is wrong with it is said on the order; see prestashop-orders.test.ts',
  confirming: {
    confirmation: {
      externalOrderId: '815',
      lines: [{ externalLineId: '71', quantity: 2 }],
      trackingNumber: 'RM512345678',
      carrierId: 'gls-it',
      carrierName: 'GLS Italy',
      trackingUrl: 'https://track.example/gls/RM512345678',
      shippedOn: '2026-11-21',
    },
    detected: {},
    reads: [
      get('orders', { orders: [ORDER] }),
      get('order_states', STATES),
      get('order_carriers', { order_carriers: [ROW] }),
      get('carriers', CARRIERS),
      get('order_details', DETAILS),
    ],
    writes: [
      { method: 'PATCH', path: '/api/order_carriers/91', body: { order_carrier: NUMBERED } },
      { method: 'POST', path: '/api/order_histories', status: 201, body: { order_history: { id: 5 } } },
    ],
    ownWords: {
      refused: [
        {
          status: 400,
          body: { errors: [{ code: 85, message: 'Property OrderCarrier->tracking_number is not valid' }] },
        },
      ],
    },
    readsAfterwards: [
      get('orders', { orders: [{ ...ORDER, current_state: '4' }] }),
      get('order_states', STATES),
      get('order_carriers', { order_carriers: [NUMBERED] }),
      get('carriers', CARRIERS),
    ],
    result: {
      alreadySent: false,
      transactionId: '91',
      trackingCarrier: 'Corriere',
      trackingNumber: 'RM512345678',
      trackingUrl: 'https://track.example/?n=RM512345678',
      status: 'Shipped',
    },
  },
});

describe('refusals in the words of the shop', () => {
  let server: ScriptedServer;
  beforeEach(async () => {
    server = await startScriptedServer();
  });
  afterEach(() => server.close());
  const caller = () => callerOf(prestashop, { account: { url: `${server.url}/`, key: KEY } });

  test.each<[number, number, string, string]>([
    [401, 16, 'permanent', 'auth_invalid'],
    [401, 17, 'permanent', 'auth_invalid'],
    [401, 18, 'permanent', 'auth_invalid'],
    [401, 20, 'permanent', 'auth_invalid'],
    [401, 21, 'permanent', 'permission_missing'],
    [401, 26, 'permanent', 'permission_missing'],
    [405, 23, 'permanent', 'configuration'],
    [405, 25, 'permanent', 'permission_missing'],
    [405, 101, 'permanent', 'configuration'],
    [503, 22, 'permanent', 'feature_disabled'],
    [403, 132, 'permanent', 'permission_missing'],
    [404, 131, 'permanent', 'order_not_found'],
    [404, 92, 'permanent', 'order_not_found'],
    [404, 87, 'permanent', 'order_not_found'],
    [400, 27, 'permanent', 'configuration'],
    [400, 41, 'permanent', 'validation'],
    [400, 84, 'permanent', 'validation'],
    [400, 85, 'permanent', 'validation'],
    [400, 86, 'permanent', 'validation'],
    [400, 89, 'permanent', 'validation'],
    [400, 90, 'permanent', 'validation'],
    [400, 91, 'permanent', 'validation'],
    [400, 93, 'permanent', 'validation'],
    [400, 123, 'permanent', 'validation'],
    [500, 46, 'retryable', 'platform_unavailable'],
    [500, 127, 'permanent', 'configuration'],
    [500, 2, 'retryable', 'platform_unavailable'],
    [401, 999, 'permanent', 'auth_invalid'],
    [400, 999, 'permanent', 'validation'],
  ])('calls %i with the code %i by its name', async (status, code, kind, type) => {
    server.script({ ...get('orders', { errors: [{ code, message: 'Sono le parole del negozio' }] }), status });

    const error = await failureOf(caller().verify());

    expect(error).toMatchObject({ kind, code: type });
    expect(error.message).toContain('Sono le parole del negozio');
  });

  const page = '<html><body>Maintenance</body></html>';
  test.each<[string, number, unknown, string, string]>([
    ['a maintenance page', 503, page, 'retryable', 'platform_unavailable'],
    ['a firewall page', 403, page, 'retryable', 'platform_unavailable'],
    ['a login of the web server', 401, page, 'retryable', 'platform_unavailable'],
    ['an empty answer', 200, '', 'retryable', 'platform_unavailable'],
    ['a missing resource without a word', 404, '', 'permanent', 'order_not_found'],
    ['a moved shop', 301, '', 'permanent', 'configuration'],
  ])('calls %s by its name', async (_name, status, body, kind, code) => {
    server.script({ ...get('orders', body), status });

    expect(await failureOf(caller().verify())).toMatchObject({ kind, code });
  });

  test.each([
    [
      'in XML',
      '<?xml version="1.0"?>\n<prestashop><errors><error><code><![CDATA[21]]></code><message><![CDATA[No permission]]></message></error></errors></prestashop>',
    ],
    [
      'behind a notice of PHP',
      '<br />\n<b>Notice</b>: {"x in old.php\n{"errors":[{"code":21,"message":"No permission"}]}',
    ],
  ])('reads a refusal %s', async (_name, body) => {
    server.script({ ...get('orders', body), status: 401 });

    const error = await failureOf(caller().verify());

    expect(error).toMatchObject({ kind: 'permanent', code: 'permission_missing' });
    expect(error.message).toContain('No permission');
  });

  test('reads data behind a notice of PHP', async () => {
    const notice = '<br />\n<b>Deprecated</b>: foo[] in old.php<br />\n';
    server.script(get('orders', `${notice}${JSON.stringify({ orders: [ORDER] })}`), ...FOLLOW_UPS);

    expect(await caller().read('815')).toMatchObject({ externalId: '815', externalNumber: 'XKBKNABJK' });
  });

  test('sends the key as the user of Basic, without a password, and asks the shop of a multishop', async () => {
    server.script(get('orders', []));

    await callerOf(prestashop, { account: { url: server.url, key: KEY, shopId: 3 } }).verify();

    expect(server.requests[0]?.headers.authorization).toBe(`Basic ${btoa(`${KEY}:`)}`);
    expect(server.requests[0]?.query.get('id_shop')).toBe('3');
  });

  test('a shop without a state that mails "shipped" must name one', async () => {
    const states = { order_states: [{ id: 9, name: 'Partito', template: '', paid: '1', shipped: '1', deleted: '0' }] };
    server.script(get('order_states', states), get('order_states', states));
    const named = callerOf(prestashop, { account: { url: server.url, key: KEY, shippedState: 9 } });

    const error = await failureOf(caller().detect());
    const detected = await named.detect();

    expect(error).toMatchObject({ kind: 'permanent', code: 'configuration' });
    expect(detected).toMatchObject({ states: [{ id: '9', name: 'Partito' }] });
  });
});

describe('keys of the pretend shop', () => {
  const shop = usePrestashop();
  test.each([
    ['no right at all', KEYS.none, 'permission_missing'],
    ['been switched off', KEYS.inactive, 'auth_invalid'],
    ['never been given out', 'X'.repeat(32), 'auth_invalid'],
  ])('a key that has %s is told apart', async (_name, key, code) => {
    expect(await failureOf(shop.caller({ key }).verify())).toMatchObject({ kind: 'permanent', code });
  });

  test('a key for orders alone cannot read what they point to', async () => {
    const { externalId } = await shop.place();

    const error = await failureOf(shop.caller({ key: KEYS.ordersOnly }).read(externalId));

    expect(error).toMatchObject({ kind: 'permanent', code: 'permission_missing' });
    expect(error.message).toContain('order_states');
  });
});
