import { OrderBooks, type PartialOrder } from '../../order-partner.ts';
import type { SandboxWorld } from '../../partner.ts';
import { seedOrders } from './seeds.ts';

export interface StoredFulfillment {
  fulfillmentId: string;
  shipmentTrackingNumber?: string;
  shippingCarrierCode?: string;
  shippedDate: string;
  lineItems: { lineItemId: string; quantity: number }[];
}

export interface StoredItem {
  lineItemId: string;
  quantity: number;
  lineItemFulfillmentStatus?: string;
}

/** The platform's order. What a seed gave is kept as it came, however odd. */
export interface StoredOrder extends Record<string, unknown> {
  orderId: string;
  creationDate: string;
  lastModifiedDate: string;
  orderFulfillmentStatus: string;
  lineItems: unknown;
}

export interface EbayState {
  nextId: number;
  orders: StoredOrder[];
  fulfillments: (StoredFulfillment & { orderId: string })[];
}

/** The memory of the simulated marketplace. */
export class EbayBooks extends OrderBooks<EbayState> {
  constructor(world: SandboxWorld) {
    super(world, { nextId: 1, orders: [], fulfillments: [] });
    const hourAgo = this.hourAgo().toISOString();
    for (const order of seedOrders()) this.addOrder({ creationDate: hourAgo, ...order });
  }

  findOrder(orderId: unknown): StoredOrder | undefined {
    return this.state.orders.find((order) => order.orderId === orderId);
  }

  fulfillmentsOf(orderId: string): StoredFulfillment[] {
    return this.state.fulfillments
      .filter((each) => each.orderId === orderId)
      .map(({ orderId: _orderId, ...fulfillment }) => fulfillment);
  }

  /** Adds an order; missing fields become those of an ordinary paid order. */
  addOrder(given: PartialOrder): StoredOrder {
    const creationDate = String(given.creationDate ?? this.world.now().toISOString());
    const order: StoredOrder = {
      lastModifiedDate: creationDate,
      orderFulfillmentStatus: 'NOT_STARTED',
      orderPaymentStatus: 'PAID',
      sellerId: 'sandbox-seller',
      buyer: {},
      cancelStatus: { cancelState: 'NONE_REQUESTED', cancelRequests: [] },
      pricingSummary: {},
      paymentSummary: { payments: [{ paymentMethod: 'EBAY', paymentStatus: 'PAID' }], refunds: [] },
      fulfillmentStartInstructions: [],
      fulfillmentHrefs: [],
      ...given,
      orderId: String(given.orderId ?? `17-${String(this.takeId()).padStart(5, '0')}-00017`),
      creationDate,
      lineItems: Array.isArray(given.lineItems)
        ? given.lineItems.map((item) => this.#completed(item))
        : given.lineItems,
    };
    this.state.orders.push(order);
    this.world.touch();
    return order;
  }

  /** A line counts as fulfilled as soon as one piece of it is. */
  ship(order: StoredOrder, fulfillment: StoredFulfillment): void {
    this.state.fulfillments.push({ orderId: order.orderId, ...fulfillment });
    const shipped = new Set(this.fulfillmentsOf(order.orderId).flatMap((each) => each.lineItems.map(idOf)));
    for (const item of itemsOf(order)) {
      if (shipped.has(item.lineItemId)) item.lineItemFulfillmentStatus = 'FULFILLED';
    }
    order.orderFulfillmentStatus = itemsOf(order).every((item) => shipped.has(item.lineItemId))
      ? 'FULFILLED'
      : 'IN_PROGRESS';
    order.lastModifiedDate = this.world.now().toISOString();
    this.world.touch();
  }

  #completed(item: unknown): unknown {
    if (typeof item !== 'object' || item === null) return item;
    const lineItemId = `1000000${String(this.takeId()).padStart(7, '0')}`;
    return { lineItemId, quantity: 1, lineItemFulfillmentStatus: 'NOT_STARTED', taxes: [], refunds: [], ...item };
  }
}

export function itemsOf({ lineItems }: StoredOrder): StoredItem[] {
  return Array.isArray(lineItems) ? lineItems.filter((item) => typeof item?.lineItemId === 'string') : [];
}

function idOf({ lineItemId }: { lineItemId: string }): string {
  return lineItemId;
}
