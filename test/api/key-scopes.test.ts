import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Route } from '../../src/api/http/route.ts';
import { ROUTES } from '../../src/api/routes/index.ts';
import { SCOPES } from '../../src/domain/scopes.ts';
import { createKey, type NewKey } from '../../src/usecases/setup/api-keys.ts';
import { buildOrder } from '../support/build-order.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { pathOf } from './path-of.ts';

/** The scope of every endpoint, as docs/openapi.json says it. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'addresses:read': ['post /shipment/check-address', 'get /carriers/pickup-points'],
  'attention:read': ['get /attention', 'get /attention/{id}'],
  'attention:write': ['post /attention/{id}/resolve'],
  'audit:read': ['get /audit'],
  'documents:read': [
    'get /shipment/{id}/label',
    'get /labels',
    'get /shipment/{id}/documents',
    'get /bordero/{id}/pdf',
  ],
  'events:read': ['get /events', 'get /events/stream', 'get /event-endpoints', 'get /event-endpoints/{id}/deliveries'],
  'events:write': [
    'post /event-endpoints',
    'delete /event-endpoints/{id}',
    'post /event-endpoints/{id}/rotate-secret',
    'post /event-endpoints/{id}/enable',
    'patch /event-endpoints/{id}',
    'post /event-endpoints/{id}/disable',
    'post /event-endpoints/{id}/test',
    'post /event-endpoints/{id}/replay',
  ],
  'exchanges:read': ['get /shipment/{id}/exchanges', 'get /exchanges/{id}'],
  'held:read': ['get /shipments/held'],
  'held:write': ['post /shipment/{id}/release-held', 'post /shipments/held/{shipmentId}/done-in-portal'],
  'manifests:read': ['get /bordero', 'get /bordero/open', 'get /bordero/{id}'],
  'manifests:write': ['post /bordero', 'delete /bordero/{id}'],
  'marketplaces:read': [
    'get /marketplace/connected',
    'get /marketplace/state',
    'get /marketplace/connected/{id}/import-failures',
    'get /marketplace/connected/{id}/confirmations',
  ],
  'marketplaces:write': [
    'post /orders/{id}/send-to-marketplace',
    'post /marketplace/connected/{id}/detect',
    'post /marketplace/connected/{id}/verify',
    'post /marketplace/connected/{id}/import',
  ],
  'operations:read': ['get /operations/{id}', 'get /operations'],
  'operations:write': ['delete /operations/{id}'],
  'orders:read': [
    'get /orders/{id}',
    'get /orders',
    'get /orders/{id}/packing',
    'get /orders/{id}/timeline',
    'get /search',
  ],
  'orders:write': [
    'post /orders',
    'patch /orders/{id}',
    'post /orders/{id}/cancel',
    'post /orders/{id}/reopen',
    'post /orders/batch',
    'post /orders/import',
    'post /orders/{id}/split',
    'post /orders/join',
    'delete /orders/{id}/join',
  ],
  'overview:read': ['get /overview'],
  'partners:read': [
    'get /carriers/contracts',
    'get /carriers/state',
    'get /carriers/{carrierId}/services',
    'get /warehouses',
  ],
  'partners:write': ['post /carriers/contracts/{id}/verify'],
  'pickups:read': ['get /pickups', 'get /pickups/{id}'],
  'pickups:write': ['post /pickups', 'delete /pickups/{id}'],
  'quotes:read': [
    'get /shipment/quote',
    'get /shipment/quotes',
    'get /shipment/live-rates',
    'get /carriers/contracts/{id}/what-if',
  ],
  'rules:read': ['get /orders/{id}/carrier-choice', 'get /rules'],
  'rules:write': ['put /rules'],
  'shipments:read': ['get /shipments', 'get /shipment/{id}', 'get /printers'],
  'shipments:write': [
    'post /shipment/create',
    'post /shipment/transmit',
    'delete /shipment/{id}',
    'post /shipment/return',
    'post /shipment/{id}/printed',
    'post /shipment/{id}/print',
  ],
  'tariffs:write': ['post /carriers/contracts/{id}/price-list'],
  'tracking:read': ['get /shipment/{id}/tracking'],
  'tracking:write': ['post /shipment/{id}/poll'],
  none: ['get /limits', 'get /documents/{id}'],
};

const nameOf = ({ method, path }: Route) => `${method} ${path}`;
/** Ids that are nowhere: a request that a scope lets through finds nothing. */

let test: TestApp;
let made = 0;

async function keyWith(limits: Pick<NewKey, 'scopes' | 'addressRanges'>): Promise<Record<string, string>> {
  const input = { companyKey: 'demo', name: `key ${made++}`, expiresAt: null, ...limits };
  return { 'x-api-key': (await createKey(test.app.deps, input)).key };
}

beforeAll(async () => {
  test = await startTestApp({ roles: ['api'], env: { WAIT_SECONDS: '0' } });
});
afterAll(() => test.stop());

describe('the scopes of a key', () => {
  it('are needed as this table says', () => {
    const needed = Map.groupBy(ROUTES, ({ scope }) => scope ?? 'none');
    const table = Object.fromEntries([...needed].map(([scope, routes]) => [scope, routes.map(nameOf).toSorted()]));

    expect(table).toEqual(
      Object.fromEntries(Object.entries(NEEDED).map(([scope, names]) => [scope, names.toSorted()])),
    );
    expect(Object.keys(table).toSorted()).toEqual([...SCOPES, 'none'].toSorted());
  });

  it('refuse every endpoint to a key that has all other scopes, and let a key through that has this one alone', async () => {
    const answers: Record<string, unknown> = {};
    for (const [scope, routes] of Map.groupBy(ROUTES, (route) => route.scope)) {
      if (scope === null) continue;
      const without = await keyWith({ scopes: SCOPES.filter((one) => one !== scope) });
      const alone = await keyWith({ scopes: [scope] });
      for (const route of routes) {
        const ask = (headers: Record<string, string>) =>
          test.call(route.method.toUpperCase(), pathOf(route), undefined, headers);
        const [refused, passed] = [await ask(without), await ask(alone)];
        answers[nameOf(route)] = [
          refused.status,
          refused.body.code,
          refused.body.scope === scope,
          passed.status === 403,
        ];
      }
    }

    const wanted = ROUTES.filter(({ scope }) => scope !== null).map((route) => nameOf(route));
    expect(answers).toEqual(Object.fromEntries(wanted.map((name) => [name, [403, 'missing-scope', true, false]])));
  });

  it('include that of the write for labels that are marked as printed', async () => {
    const [reader, both] = [
      await keyWith({ scopes: ['documents:read'] }),
      await keyWith({ scopes: ['documents:read', 'shipments:write'] }),
    ];
    const print = (mark: boolean, headers: Record<string, string>) =>
      test.call('GET', `/labels?shipmentIds=987654321&mark=${mark}`, undefined, headers);

    const refused = await print(true, reader);

    expect(refused).toMatchObject({ status: 403, body: { code: 'missing-scope', scope: 'shipments:write' } });
    expect([(await print(false, reader)).status, (await print(true, both)).status]).toEqual([422, 422]);
  });

  it('write nothing when one is missing', async () => {
    const reader = await keyWith({ scopes: ['orders:read'] });

    const refused = await test.call('POST', '/orders', buildOrder({ order_number: 'NOT-MINE' }), reader);
    const found = await test.call('GET', '/orders?orderNumber=NOT-MINE', undefined, reader);

    expect([refused.status, found.status, found.body]).toEqual([403, 200, []]);
  });

  it('are all there for a key without a list, and none for a key with an empty one', async () => {
    const [all, none] = [await keyWith({}), await keyWith({ scopes: [] })];
    const ask = async (headers: Record<string, string>) =>
      Promise.all(
        ['/orders', '/limits'].map(async (path) => (await test.call('GET', path, undefined, headers)).status),
      );

    expect([await ask(all), await ask(none)]).toEqual([
      [200, 200],
      [403, 200],
    ]);
  });

  it('are refused by name when there is no such scope or range', async () => {
    await expect(keyWith({ scopes: ['orders:delete'] })).rejects.toThrow('There is no scope orders:delete: use *');
    await expect(keyWith({ addressRanges: ['10.0.0.0/33'] })).rejects.toThrow('10.0.0.0/33 is no address and no range');
  });
});

describe('the addresses of a key', () => {
  it.each([
    { ranges: ['203.0.113.0/24'], from: '203.0.113.7', status: 200 },
    { ranges: ['203.0.113.0/24'], from: '203.0.114.7', status: 403 },
    { ranges: ['198.51.100.1', '2001:db8::/32'], from: '2001:db8::5', status: 200 },
    { ranges: ['198.51.100.1'], from: '198.51.100.2', status: 403 },
    { ranges: ['198.51.100.1'], from: '::ffff:198.51.100.1', status: 200 },
    { ranges: [], from: '198.51.100.2', status: 200 },
  ])('$ranges answer $status to $from', async ({ ranges, from, status }) => {
    const key = await keyWith({ addressRanges: ranges });

    const answer = await test.call('GET', '/limits', undefined, { ...key, 'x-forwarded-for': from });

    expect(answer.status).toBe(status);
    if (status === 403) expect(answer.body.code).toBe('address-not-allowed');
  });
});
