import Big from 'big.js';
import type { SandboxWorld } from '../../partner.ts';
import { type PartialOrder, seedOrders } from './seeds.ts';

export interface StoredLine {
  id: number;
  name: string;
  sku: string;
  quantity: number;
  currentQuantity: number;
  requiresShipping: boolean;
  /** Net amount of the rest, without taxes. */
  net: string;
  /** Tax on the ordered pieces. */
  tax: string;
  taxRate: number;
}

export interface StoredFulfillmentOrder {
  id: number;
  locationId: number;
  status: string;
  holds: string[];
  createdAt: string;
  updatedAt: string;
  lines: { id: number; lineId: number; total: number; remaining: number }[];
}

export interface TrackingInfo {
  company: string | null;
  number: string | null;
  url: string | null;
}

export interface StoredFulfillment {
  id: number;
  status: string;
  createdAt: string;
  trackingInfo: TrackingInfo[];
  lines: { id: number; lineId: number; quantity: number }[];
}

export interface StoredOrder {
  id: number;
  name: string;
  createdAt: string;
  updatedAt: string;
  cancelledAt: string | null;
  shippingPrice: string;
  taxCode: string | null;
  lines: StoredLine[];
  fulfillmentOrders: StoredFulfillmentOrder[];
  fulfillments: StoredFulfillment[];
  /** Fields of the interface that the seed gives itself, however odd. */
  given: Record<string, unknown>;
}

/** A mail to a customer, with the tracking numbers in it. */
export interface StoredMail {
  order: string;
  trackingNumbers: string[];
}

export interface ShopState {
  nextId: number;
  nextNumber: number;
  orders: StoredOrder[];
  mails: StoredMail[];
  /** Given out by the login. */
  tokens: { value: string; expiresAt: string }[];
}

export const LOCATIONS: Readonly<Record<number, string>> = { 71: 'Magazzino Prato', 72: 'Negozio Firenze' };
const FIRST_LOCATION = 71;
const FIRST_ID = 5_600_001;
const FIRST_NUMBER = 1001;
const HOUR_MS = 3_600_000;

/** The memory of the simulated shop. */
export class ShopBooks {
  readonly world: SandboxWorld;
  state: ShopState = { nextId: FIRST_ID, nextNumber: FIRST_NUMBER, orders: [], mails: [], tokens: [] };

  constructor(world: SandboxWorld) {
    this.world = world;
    const yesterday = new Date(world.now().getTime() - HOUR_MS).toISOString();
    for (const seed of seedOrders()) this.addOrder({ createdAt: yesterday, ...seed });
  }

  takeId(): number {
    this.state.nextId += 1;
    return this.state.nextId - 1;
  }

  now(): string {
    return this.world.now().toISOString();
  }

  /** Adds an order; missing fields become those of an ordinary paid order, and given ones are shown as they are. */
  addOrder(seed: PartialOrder): StoredOrder {
    const { lineItems = [], shippingPrice = '0.00', taxCode = null, isRouted = true, ...given } = seed;
    const { createdAt = this.now(), updatedAt = createdAt, ...shown } = given;
    const number = this.state.nextNumber;
    this.state.nextNumber += 1;
    const order: StoredOrder = {
      id: this.takeId(),
      name: `#${number}`,
      createdAt: String(createdAt),
      updatedAt: String(updatedAt),
      cancelledAt: null,
      shippingPrice: String(shippingPrice),
      taxCode: taxCode === null ? null : String(taxCode),
      lines: lineItems.map((line) => this.#lineOf(line)),
      fulfillmentOrders: [],
      fulfillments: [],
      given: shown,
    };
    if (isRouted) this.route(order, lineItems);
    this.state.orders.push(order);
    this.world.touch();
    return order;
  }

  /** Decides from where each line is shipped, as the shop does a moment after an order is placed. */
  route(order: StoredOrder, seeds: readonly Record<string, unknown>[] = []): void {
    const places = Map.groupBy(order.lines, (_line, index) => Number(seeds[index]?.locationId ?? FIRST_LOCATION));
    for (const [locationId, lines] of places) {
      order.fulfillmentOrders.push({
        id: this.takeId(),
        locationId,
        status: 'OPEN',
        holds: [],
        createdAt: order.createdAt,
        updatedAt: order.updatedAt,
        lines: lines.map(({ id, currentQuantity }) => ({
          id: this.takeId(),
          lineId: id,
          total: currentQuantity,
          remaining: currentQuantity,
        })),
      });
    }
  }

  /** Puts what is still to be shipped on hold, plans it for later, or opens it; the order's own time is left alone. */
  setFulfillmentStatus(order: StoredOrder, status: string, holds: string[] = []): void {
    for (const each of order.fulfillmentOrders.filter((open) => open.status !== 'CLOSED')) {
      Object.assign(each, { status, holds, updatedAt: this.now() });
    }
    this.world.touch();
  }

  cancel(order: StoredOrder): void {
    order.cancelledAt = this.now();
    order.updatedAt = order.cancelledAt;
    for (const each of order.fulfillmentOrders) {
      Object.assign(each, { status: 'CLOSED', updatedAt: order.cancelledAt });
      for (const line of each.lines) line.remaining = 0;
    }
    this.world.touch();
  }

  #lineOf(seed: Record<string, unknown>): StoredLine {
    const quantity = Number(seed.quantity ?? 1);
    const currentQuantity = Number(seed.currentQuantity ?? quantity);
    const taxRate = Number(seed.taxRate ?? 0.22);
    const gross = new Big(String(seed.unitPrice ?? '10.00'));
    const netOf = (pieces: number): Big =>
      gross
        .times(pieces)
        .div(1 + taxRate)
        .round(2);
    return {
      id: this.takeId(),
      name: String(seed.name ?? 'Articolo'),
      sku: String(seed.sku ?? ''),
      quantity,
      currentQuantity,
      requiresShipping: seed.requiresShipping !== false,
      net: netOf(currentQuantity).toFixed(2),
      tax: gross.times(quantity).minus(netOf(quantity)).toFixed(2),
      taxRate,
    };
  }
}
