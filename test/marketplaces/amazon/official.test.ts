import { expect, test } from 'vitest';
import { officialSpec } from '../../support/official-spec.ts';
import { recordSentHeaders } from '../../support/sent-headers.ts';
import { type Caller, failureOf } from '../call-marketplace.ts';
import { confirmationOf, ORDER, useAmazon } from './world.ts';

const reading = officialSpec('amazon-orders-2026-01-01.json');
const confirming = officialSpec('amazon-orders-v0.json');
const headersOf = recordSentHeaders();
const world = useAmazon();

const TEMPLATES = {
  searchOrders: [reading, 'get', '/orders/2026-01-01/orders'],
  getOrder: [reading, 'get', '/orders/2026-01-01/orders/{orderId}'],
  confirmShipment: [confirming, 'post', '/orders/v0/orders/{orderId}/shipmentConfirmation'],
} as const;

/** The descriptions leave out how every call is signed; Amazon's page "Connecting to the Selling Partner API" demands it (2026-11-22). */
const TOKEN = 'x-amz-access-token';

function officialFaults({ exchanges }: Caller): string[] {
  return exchanges.flatMap(({ status, ...exchange }) => {
    const { operation } = exchange;
    const [spec, method, template] = TEMPLATES[operation as keyof typeof TEMPLATES] ?? [];
    if (!spec || status === null) return [];
    const { [TOKEN]: token, ...headers } = headersOf(exchange);
    if (!token) return [`${operation} ${status}: header ${TOKEN} is missing`];
    const call = { ...exchange, status, headers };
    return spec.faultsOfCall(method, template, call).map((fault) => `${operation} ${status}: ${fault}`);
  });
}

test.runIf(reading && confirming)(
  'everything that is sent and answered keeps to the official descriptions',
  async () => {
    const caller = world.caller({ marketplaceIds: ['APJ6JRA9NG5V4', 'A1PA6795UKMFR9'] });
    for (let index = 0; index < 100; index++) await world.seed(ORDER);
    const order = await world.place({ lastUpdatedTime: '2026-11-20T09:00:00Z' });

    await caller.verify();
    await caller.listAll({ modifiedAfter: new Date('2026-11-01T00:00:00Z'), modifiedBefore: new Date() });
    await caller.read('405-9999999-9999999');
    await caller.confirm(confirmationOf(order, { carrierId: 'brt', carrierName: 'BRT' }));
    await failureOf(caller.confirm(confirmationOf(order, { trackingNumber: 'OTHER1' })));
    const refused = await failureOf(
      world.caller({ refreshToken: 'Atzr|sandbox-readonly' }).confirm(confirmationOf(await world.place())),
    );

    const compared = new Set(caller.exchanges.map(({ operation, status }) => `${operation} ${status}`));
    expect([...compared]).toEqual([
      'token 200',
      'searchOrders 200',
      'getOrder 404',
      'getOrder 200',
      'confirmShipment 204',
    ]);
    expect(officialFaults(caller)).toEqual([]);
    const answer = { status: 403, body: JSON.parse(refused.body ?? '') };
    expect(confirming?.faultsOfAnswer('post', TEMPLATES.confirmShipment[2], answer)).toEqual([]);
  },
);
