import { describe, expect, test } from 'vitest';
import { officialSpec } from '../../support/official-spec.ts';
import { recordSentHeaders } from '../../support/sent-headers.ts';
import { CUPS, confirmationOf, euro, useEbay } from './world.ts';

const spec = officialSpec('ebay-sell-fulfillment-v1.json');
const ORDERS = '/sell/fulfillment/v1/order';
const FULFILLMENTS = '/order/{orderId}/shipping_fulfillment';
const TEMPLATES = [
  [/^\/order$/, '/order'],
  [/^\/order\/[^/]+$/, '/order/{orderId}'],
  [/^\/order\/[^/]+\/shipping_fulfillment$/, FULFILLMENTS],
  [/^\/order\/[^/]+\/shipping_fulfillment\/[^/]+$/, `${FULFILLMENTS}/{fulfillmentId}`],
] as const;
/** A 201 has an object without fields by the description, and in practice an empty body and a `Location` (2026-11-22). */
const EMPTY = '/ must be object';
const headersOf = recordSentHeaders();
const world = useEbay();

describe.runIf(spec)('as eBay describes it', () => {
  const faultsOf = async (path: string, template: string) => {
    const { status, json: body } = await world.api('GET', path);
    return spec?.faultsOfAnswer('get', template, { status, body });
  };

  test('is what the adapter confirms a shipment with', async () => {
    const order = await world.place();
    const caller = world.caller();

    await caller.confirm(confirmationOf(order));

    const sent = caller.exchanges.find(({ effect }) => effect === 'write');
    expect(sent?.url).toBe(`${world.url()}${ORDERS}/${order.externalId}/shipping_fulfillment`);
    expect(spec?.faultsOfRequest('post', FULFILLMENTS, JSON.parse(sent?.requestBody ?? ''))).toEqual([]);
    expect(spec?.faultsOfQuery('post', FULFILLMENTS, new URL(sent?.url ?? '').searchParams)).toEqual([]);
    expect(sent && spec?.faultsOfHeaders('post', FULFILLMENTS, headersOf(sent))).toEqual([]);
  });

  test('is what the adapter asks and is answered, with every query and header', async () => {
    const order = await world.place();
    const caller = world.caller();

    await caller.verify();
    await caller.listAll({ modifiedAfter: new Date('2026-11-01T00:00:00Z'), modifiedBefore: new Date() });
    await caller.read(order.externalId);
    await caller.confirm(confirmationOf(order));

    const compared = new Set<string>();
    const faults = caller.exchanges.flatMap(({ status, ...exchange }) => {
      const method = exchange.method.toLowerCase();
      const path = new URL(exchange.url).pathname.split('/sell/fulfillment/v1')[1] ?? '';
      const template = TEMPLATES.find(([pattern]) => pattern.test(path))?.[1];
      if (!spec || !template || status === null) return [];
      compared.add(`${method} ${template}`);
      const call = { ...exchange, status, headers: headersOf(exchange) };
      return spec.faultsOfCall(method, template, call).filter((fault) => status !== 201 || fault !== EMPTY);
    });
    expect([...compared].toSorted()).toEqual(
      expect.arrayContaining(['get /order', 'get /order/{orderId}', `post ${FULFILLMENTS}`]),
    );
    expect(faults).toEqual([]);
  });

  test('the description refuses a quantity in words', () => {
    const wrong = { lineItems: [{ lineItemId: '71', quantity: 'two' }] };

    expect(spec?.faultsOfRequest('post', FULFILLMENTS, wrong)).toEqual(['/lineItems/0/quantity must be integer']);
  });

  test('is what the pretend eBay answers about orders and fulfilments', async () => {
    const order = await world.place({
      lineItems: [
        { ...CUPS, taxes: [{ amount: euro('1.00'), taxType: 'VAT' }], discountedLineItemCost: euro('18.00') },
      ],
    });
    await world.caller().confirm(confirmationOf(order));
    const one = `${ORDERS}/${order.externalId}`;

    expect(await faultsOf(`${ORDERS}?limit=2&fieldGroups=TAX_BREAKDOWN`, '/order')).toEqual([]);
    expect(await faultsOf(one, '/order/{orderId}')).toEqual([]);
    expect(await faultsOf(`${one}/shipping_fulfillment`, FULFILLMENTS)).toEqual([]);
    expect(await faultsOf(`${one}/shipping_fulfillment/RM512345678`, `${FULFILLMENTS}/{fulfillmentId}`)).toEqual([]);
  });
});
