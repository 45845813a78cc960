import Big from 'big.js';
import { type Caller, requireScope } from './access.ts';
import {
  LOCATIONS,
  type StoredFulfillment,
  type StoredFulfillmentOrder,
  type StoredLine,
  type StoredOrder,
} from './books.ts';
import type { Node } from './graphql-run.ts';
import { connectionOf } from './pages.ts';
import { RequestFault } from './request-fault.ts';

type Given = Record<string, unknown>;

export const FULFILLMENT_ORDER_SCOPES = [
  'read_assigned_fulfillment_orders',
  'read_merchant_managed_fulfillment_orders',
  'read_third_party_fulfillment_orders',
];

const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  OPEN: ['CREATE_FULFILLMENT', 'REPORT_PROGRESS', 'MOVE', 'HOLD', 'SPLIT'],
  IN_PROGRESS: ['CREATE_FULFILLMENT', 'MARK_AS_OPEN', 'HOLD'],
  ON_HOLD: ['RELEASE_HOLD', 'MOVE'],
  SCHEDULED: ['MARK_AS_OPEN', 'MOVE'],
};

export function gid(type: string, id: number): string {
  return `gid://shopify/${type}/${id}`;
}

/** Returns the number of an id; NaN for an id of another type, which never exists. Refuses text that is no id. */
export function idOf(value: unknown, type: string): number {
  const [, kind, id] = /^gid:\/\/shopify\/(\w+)\/(\d+)$/.exec(String(value)) ?? [];
  if (kind === undefined) throw new RequestFault('invalid id', { code: 'RESOURCE_NOT_FOUND' });
  return kind === type ? Number(id) : Number.NaN;
}

export function mayReadFulfillmentOrders(caller: Caller): boolean {
  return FULFILLMENT_ORDER_SCOPES.some((scope) => caller.scopes.includes(scope));
}

/** The books in the shapes of the interface, for one caller. */
export class Renderer {
  readonly #caller: Caller;

  constructor(caller: Caller) {
    this.#caller = caller;
  }

  order(order: StoredOrder): Node {
    const { given, lines } = order;
    const currency = String(given.currencyCode ?? 'EUR');
    const nets = lines.reduce((sum, { net }) => sum.plus(net), new Big(0));
    const taxes = lines.reduce((sum, line) => sum.plus(taxLeft(line)), new Big(0));
    return {
      id: gid('Order', order.id),
      legacyResourceId: String(order.id),
      name: order.name,
      createdAt: order.createdAt,
      processedAt: order.createdAt,
      updatedAt: order.updatedAt,
      cancelledAt: order.cancelledAt,
      test: false,
      currencyCode: currency,
      presentmentCurrencyCode: currency,
      taxesIncluded: true,
      requiresShipping: lines.some(({ requiresShipping }) => requiresShipping),
      displayFinancialStatus: 'PAID',
      displayFulfillmentStatus: fulfillmentStatusOf(order),
      paymentGatewayNames: ['shopify_payments'],
      currentTotalPriceSet: money(nets.plus(taxes).plus(order.shippingPrice), currency),
      currentTotalTaxSet: money(taxes, currency),
      currentShippingPriceSet: money(new Big(order.shippingPrice), currency),
      shippingLine: { title: 'Corriere espresso', code: 'Corriere espresso', taxLines: [] },
      ...given,
      localizedFields: (asked: Given) => connectionOf(localizedFieldsOf(order), asked, byIndex),
      lineItems: (asked: Given) =>
        connectionOf(lines, asked, { placeOf: byId, render: (line) => this.line(line, currency) }),
      fulfillments: (asked: Given) =>
        order.fulfillments
          .slice(0, Number(asked.first ?? order.fulfillments.length))
          .map((each) => this.fulfillment(order, each)),
      fulfillmentOrders: (asked: Given) => {
        const visible = mayReadFulfillmentOrders(this.#caller) ? order.fulfillmentOrders : [];
        return connectionOf(visible, asked, { placeOf: byId, render: (each) => this.fulfillmentOrder(order, each) });
      },
    };
  }

  line(line: StoredLine, currency = 'EUR'): Node {
    const title = line.name.split(' - ')[0] ?? '';
    return {
      id: gid('LineItem', line.id),
      sku: line.sku || null,
      name: line.name,
      title,
      quantity: line.quantity,
      currentQuantity: line.currentQuantity,
      unfulfilledQuantity: line.currentQuantity,
      requiresShipping: line.requiresShipping,
      priceAfterAllDiscountsBeforeTaxesSet: money(new Big(line.net), currency),
      taxLines: line.taxRate
        ? [{ title: 'IVA', rate: line.taxRate, priceSet: money(new Big(line.tax), currency) }]
        : [],
    };
  }

  fulfillmentOrder(order: StoredOrder, each: StoredFulfillmentOrder): Node {
    const { locationId } = each;
    return {
      id: gid('FulfillmentOrder', each.id),
      status: each.status,
      requestStatus: 'UNSUBMITTED',
      createdAt: each.createdAt,
      updatedAt: each.updatedAt,
      orderId: gid('Order', order.id),
      order: () => this.order(order),
      assignedLocation: {
        name: LOCATIONS[locationId],
        countryCode: 'IT',
        location: () => {
          requireScope(this.#caller, ['read_locations', 'read_inventory', 'read_markets_home'], 'location');
          return { id: gid('Location', locationId), name: LOCATIONS[locationId] };
        },
      },
      supportedActions: (ACTIONS[each.status] ?? []).map((action) => ({ action })),
      fulfillmentHolds: each.holds.map((reason) => ({ reason })),
      lineItems: (asked: Given) =>
        connectionOf(each.lines, asked, {
          placeOf: byId,
          render: ({ id, lineId, total, remaining }) => {
            const line = lineOf(order, lineId);
            return {
              id: gid('FulfillmentOrderLineItem', id),
              sku: line.sku || null,
              totalQuantity: total,
              remainingQuantity: remaining,
              requiresShipping: line.requiresShipping,
              lineItem: () => this.line(line),
            };
          },
        }),
    };
  }

  fulfillment(order: StoredOrder, each: StoredFulfillment): Node {
    return {
      id: gid('Fulfillment', each.id),
      status: each.status,
      displayStatus: each.status === 'CANCELLED' ? 'CANCELED' : 'FULFILLED',
      createdAt: each.createdAt,
      trackingInfo: each.trackingInfo,
      order: () => this.order(order),
      fulfillmentLineItems: (asked: Given) =>
        connectionOf(each.lines, asked, {
          placeOf: byId,
          render: ({ id, lineId, quantity }) => ({
            id: gid('FulfillmentLineItem', id),
            quantity,
            lineItem: () => this.line(lineOf(order, lineId)),
          }),
        }),
    };
  }
}

const byId = ({ id }: { id: number }) => ({ id, value: id });
const byIndex = { placeOf: () => ({ id: 1, value: 1 }), render: (field: object) => field };

function lineOf(order: StoredOrder, id: number): StoredLine {
  const line = order.lines.find((each) => each.id === id);
  if (!line) throw new Error(`Order ${order.name} has no line ${id}`);
  return line;
}

function taxLeft({ tax, quantity, currentQuantity }: StoredLine): Big {
  return quantity === 0 ? new Big(0) : new Big(tax).times(currentQuantity).div(quantity).round(2);
}

function money(amount: Big, currencyCode: string): Node {
  // The platform writes "10.0" for ten.
  const text = amount.toFixed(2).replace(/0$/, '');
  return { shopMoney: { amount: text, currencyCode }, presentmentMoney: { amount: text, currencyCode } };
}

function localizedFieldsOf({ taxCode }: StoredOrder): object[] {
  if (taxCode === null) return [];
  return [
    {
      key: 'TAX_CREDENTIAL_IT',
      countryCode: 'IT',
      purpose: 'TAX',
      title: 'Codice fiscale o partita IVA',
      value: taxCode,
    },
  ];
}

function fulfillmentStatusOf({ fulfillmentOrders, fulfillments }: StoredOrder): string {
  const open = fulfillmentOrders.filter(({ status }) => status !== 'CLOSED');
  const shipped = fulfillments.some(({ status }) => status === 'SUCCESS');
  if (shipped) return open.length === 0 ? 'FULFILLED' : 'PARTIALLY_FULFILLED';
  for (const status of ['ON_HOLD', 'SCHEDULED', 'IN_PROGRESS']) {
    if (open.length > 0 && open.every((each) => each.status === status)) return status;
  }
  return 'UNFULFILLED';
}
