import { OrderBooks, type PartialOrder } from '../../order-partner.ts';
import type { SandboxWorld } from '../../partner.ts';
import { seedOrders } from './seeds.ts';

export interface StoredPackage {
  packageReferenceId: string;
  createdTime: string;
  packageStatus: { status: string };
  carrier: string;
  shippingService?: string;
  shipTime: string;
  trackingNumber: string;
  packageItems: { orderItemId: string; quantity: number; transparencyCodes?: string[] }[];
}

/** The platform's order with every dataset. What a seed gave is kept as it came, however odd. */
export interface StoredOrder extends Record<string, unknown> {
  orderId: string;
  createdTime: string;
  lastUpdatedTime: string;
  orderItems: unknown;
  packages: StoredPackage[];
}

export interface StoredItem {
  orderItemId: string;
  quantityOrdered: number;
  fulfillment?: Record<string, unknown>;
}

export interface AmazonState {
  nextId: number;
  orders: StoredOrder[];
}

/** Amazon.it */
const MARKETPLACE = { channelName: 'AMAZON', marketplaceId: 'APJ6JRA9NG5V4', marketplaceName: 'Amazon.it' };

/** The memory of the simulated marketplace. */
export class AmazonBooks extends OrderBooks<AmazonState> {
  constructor(world: SandboxWorld) {
    super(world, { nextId: 1, orders: [] });
    const hourAgo = this.hourAgo().toISOString();
    for (const order of seedOrders()) this.addOrder({ createdTime: hourAgo, ...order });
  }

  findOrder(orderId: unknown): StoredOrder | undefined {
    return this.state.orders.find((order) => order.orderId === orderId);
  }

  /** Adds an order; missing fields become those of an ordinary paid order that the seller ships. */
  addOrder(given: PartialOrder): StoredOrder {
    const number = this.takeId();
    const createdTime = String(given.createdTime ?? this.world.now().toISOString());
    const order: StoredOrder = {
      lastUpdatedTime: createdTime,
      programs: [],
      salesChannel: MARKETPLACE,
      fulfillment: {},
      ...given,
      orderId: String(given.orderId ?? `405-0000000-${String(number).padStart(7, '0')}`),
      createdTime,
      orderItems: Array.isArray(given.orderItems)
        ? given.orderItems.map((item) => this.#completed(item))
        : given.orderItems,
      packages: (given.packages ?? []) as StoredPackage[],
    };
    order.fulfillment = {
      fulfillmentStatus: 'UNSHIPPED',
      fulfilledBy: 'MERCHANT',
      fulfillmentServiceLevel: 'STANDARD',
      ...(given.fulfillment as object | undefined),
    };
    this.state.orders.push(order);
    this.world.touch();
    return order;
  }

  /** Adds a package, or replaces the one with its reference, and counts the pieces again. */
  ship(order: StoredOrder, shipped: StoredPackage): void {
    const others = order.packages.filter((each) => each.packageReferenceId !== shipped.packageReferenceId);
    order.packages = [...others, shipped];
    for (const item of itemsOf(order)) {
      const quantityFulfilled = shippedOf(order.packages, item.orderItemId);
      item.fulfillment = {
        ...item.fulfillment,
        quantityFulfilled,
        quantityUnfulfilled: item.quantityOrdered - quantityFulfilled,
      };
    }
    const isWhole = itemsOf(order).every((item) => leftOf(order, item) === 0);
    order.fulfillment = {
      ...(order.fulfillment as object),
      fulfillmentStatus: isWhole ? 'SHIPPED' : 'PARTIALLY_SHIPPED',
    };
    order.lastUpdatedTime = this.world.now().toISOString();
    this.world.touch();
  }

  #completed(item: unknown): unknown {
    if (typeof item !== 'object' || item === null) return item;
    const { quantityOrdered = 1 } = item as { quantityOrdered?: unknown };
    return {
      orderItemId: `4050000000${String(this.takeId()).padStart(4, '0')}`,
      quantityOrdered,
      product: {},
      fulfillment: { quantityFulfilled: 0, quantityUnfulfilled: quantityOrdered },
      ...item,
    };
  }
}

export function itemsOf({ orderItems }: StoredOrder): StoredItem[] {
  return Array.isArray(orderItems) ? orderItems.filter((item) => typeof item?.orderItemId === 'string') : [];
}

/** Pieces of an item that are in no package yet. */
export function leftOf({ packages }: StoredOrder, { orderItemId, quantityOrdered }: StoredItem): number {
  return quantityOrdered - shippedOf(packages, orderItemId);
}

function shippedOf(packages: StoredPackage[], orderItemId: string): number {
  return packages
    .filter(({ packageStatus }) => packageStatus.status !== 'CANCELLED')
    .flatMap(({ packageItems }) => packageItems)
    .filter((item) => item.orderItemId === orderItemId)
    .reduce((sum, { quantity }) => sum + quantity, 0);
}
