import { type Caller, requireScope } from './access.ts';
import type { ShopBooks, StoredOrder } from './books.ts';
import { createFulfillment, type FulfillmentInput, updateTracking } from './fulfill.ts';
import type { Node } from './graphql-run.ts';
import { connectionOf, matchesTimes, type Place } from './pages.ts';
import { FULFILLMENT_ORDER_SCOPES, gid, idOf, mayReadFulfillmentOrders, Renderer } from './render.ts';

type Given = Record<string, unknown>;

/** Builds the root of all queries, with the rights of the caller. */
export function queryRoot(books: ShopBooks, caller: Caller): Node {
  const show = new Renderer(caller);
  const orderWith = (given: Given, kind: 'fulfillmentOrders' | 'fulfillments', type: string) => {
    const id = idOf(given.id, type);
    const order = books.state.orders.find((each) => each[kind].some((one) => one.id === id));
    return { order, id };
  };
  return {
    currentAppInstallation: {
      id: gid('AppInstallation', 1),
      accessScopes: caller.scopes.map((handle) => ({ handle })),
    },
    shop: { id: gid('Shop', 1), name: 'Sandbox', myshopifyDomain: 'sandbox.myshopify.com' },
    order: (given: Given) => {
      const id = idOf(given.id, 'Order');
      const order = books.state.orders.find((each) => each.id === id);
      return order && show.order(order);
    },
    orders: (given: Given) => {
      const field = given.sortKey === 'UPDATED_AT' ? 'updatedAt' : 'createdAt';
      const placeOf = (order: StoredOrder): Place => ({ id: order.id, value: Date.parse(order[field]) });
      const found = books.state.orders
        .filter((each) => matchesTimes(given.query, { updated_at: each.updatedAt, created_at: each.createdAt }))
        .sort((a, b) => compare(placeOf(a), placeOf(b)));
      return connectionOf(found, given, { placeOf, render: (order) => show.order(order) });
    },
    fulfillment: (given: Given) => {
      const { order, id } = orderWith(given, 'fulfillments', 'Fulfillment');
      const found = order?.fulfillments.find((each) => each.id === id);
      return order && found && show.fulfillment(order, found);
    },
    fulfillmentOrder: (given: Given) => {
      const { order, id } = orderWith(given, 'fulfillmentOrders', 'FulfillmentOrder');
      const found = order?.fulfillmentOrders.find((each) => each.id === id);
      return order && found && mayReadFulfillmentOrders(caller) ? show.fulfillmentOrder(order, found) : null;
    },
    fulfillmentOrders: (given: Given) => {
      requireScope(caller, FULFILLMENT_ORDER_SCOPES, 'fulfillmentOrders');
      const all = books.state.orders.flatMap((order) => order.fulfillmentOrders.map((each) => ({ order, each })));
      const isUpdated = given.sortKey === 'UPDATED_AT';
      const placeOf = ({ each }: (typeof all)[number]): Place => ({
        id: each.id,
        value: isUpdated ? Date.parse(each.updatedAt) : each.id,
      });
      const found = all
        .filter(({ each }) => given.includeClosed === true || each.status !== 'CLOSED')
        .filter(({ each }) => matchesTimes(given.query, { updated_at: each.updatedAt }))
        .sort((a, b) => compare(placeOf(a), placeOf(b)));
      return connectionOf(found, given, { placeOf, render: ({ order, each }) => show.fulfillmentOrder(order, each) });
    },
  };
}

export function mutationRoot(books: ShopBooks, caller: Caller): Node {
  return {
    fulfillmentCreate: (given: Given) => {
      const scopes = FULFILLMENT_ORDER_SCOPES.map((scope) => scope.replace('read_', 'write_'));
      requireScope(caller, scopes, 'fulfillmentCreate');
      const made = createFulfillment(books, given.fulfillment as FulfillmentInput);
      if ('refused' in made) return { fulfillment: null, userErrors: [made.refused] };
      const show = new Renderer(caller);
      return { fulfillment: show.fulfillment(made.order, made.fulfillment), userErrors: [] };
    },
    fulfillmentTrackingInfoUpdate: (given: Given) => {
      const scopes = FULFILLMENT_ORDER_SCOPES.map((scope) => scope.replace('read_', 'write_'));
      requireScope(caller, scopes, 'fulfillmentTrackingInfoUpdate');
      const made = updateTracking(books, given);
      if ('refused' in made) return { fulfillment: null, userErrors: [made.refused] };
      const show = new Renderer(caller);
      return { fulfillment: show.fulfillment(made.order, made.fulfillment), userErrors: [] };
    },
  };
}

function compare(a: Place, b: Place): number {
  return a.value - b.value || a.id - b.id;
}
