import { OrderBooks, type PartialOrder } from '../../order-partner.ts';
import type { SandboxWorld } from '../../partner.ts';
import { seedOrders } from './seeds.ts';

export interface StoredItem extends Record<string, unknown> {
  item_id: number;
  parent_item_id?: number | null;
  sku: string;
  is_virtual: number;
  qty_ordered: number;
  qty_invoiced: number;
  qty_shipped: number;
  qty_canceled: number;
  qty_refunded: number;
}

/** The platform's order. What a seed gave is kept as it came, however odd. */
export interface StoredOrder extends Record<string, unknown> {
  entity_id: number;
  increment_id: string;
  state: string;
  status: string;
  updated_at: string;
  items: unknown;
}

export interface StoredTrack {
  entity_id: number;
  order_id: number;
  parent_id: number;
  track_number: string;
  title: string;
  carrier_code: string;
  weight: number;
  qty: number;
  description: string | null;
}

export interface StoredShipment extends Record<string, unknown> {
  entity_id: number;
  order_id: number;
  total_qty: number;
  items: { order_item_id: number; qty: number }[];
  tracks: StoredTrack[];
}

export interface MagentoState {
  nextId: number;
  orders: StoredOrder[];
  /** Ids of orders that the interface cannot render. */
  broken: number[];
  shipments: StoredShipment[];
  /** Whom the shop told about which shipment. */
  mails: { orderId: number; shipmentId: number }[];
}

/** The status for each new state of an order, unless the shop has other names. */
const STATUSES: Readonly<Record<string, string>> = { new: 'pending' };
const FIRST_ID = 301;

/** The memory of the simulated shop. */
export class MagentoBooks extends OrderBooks<MagentoState> {
  constructor(world: SandboxWorld) {
    super(world, { nextId: FIRST_ID, orders: [], broken: [], shipments: [], mails: [] });
    const hourAgo = dateOf(this.hourAgo());
    for (const order of seedOrders()) this.addOrder({ created_at: hourAgo, ...order });
  }

  now(): string {
    return dateOf(this.world.now());
  }

  findOrder(id: unknown): StoredOrder | undefined {
    return this.state.orders.find((order) => String(order.entity_id) === String(id));
  }

  shipmentsOf(orderId: number): StoredShipment[] {
    return this.state.shipments.filter(({ order_id }) => order_id === orderId);
  }

  /** Adds an order; missing fields become those of an ordinary paid order. */
  addOrder({ isBroken, ...given }: PartialOrder): StoredOrder {
    const entity_id = this.takeId();
    const created_at = given.created_at ?? this.now();
    const state = String(given.state ?? 'processing');
    const order: StoredOrder = {
      increment_id: String(entity_id).padStart(9, '0'),
      status: STATUSES[state] ?? state,
      updated_at: String(created_at),
      store_id: 1,
      is_virtual: 0,
      order_currency_code: 'EUR',
      base_currency_code: 'EUR',
      ...given,
      state,
      created_at,
      entity_id,
      items: Array.isArray(given.items) ? given.items.map((item) => this.#completed(item, state)) : given.items,
    };
    this.state.orders.push(order);
    if (isBroken === true) this.state.broken.push(entity_id);
    this.world.touch();
    return order;
  }

  /** Counts the pieces, and moves the order on: out of `new`, and to `complete` when it is invoiced as well. */
  ship(order: StoredOrder, shipment: StoredShipment): void {
    this.state.shipments.push(shipment);
    const items = itemsOf(order);
    for (const { order_item_id, qty } of shipment.items) {
      const item = items.find(({ item_id }) => item_id === order_item_id);
      if (item) item.qty_shipped += qty;
    }
    const mine = items.filter((item) => !item.parent_item_id);
    const isWhole = mine.every((item) => item.is_virtual === 1 || openOf(item) <= 0);
    const isInvoiced = mine.every((item) => item.qty_invoiced + item.qty_canceled >= item.qty_ordered);
    const state = isWhole && isInvoiced ? 'complete' : order.state === 'new' ? 'processing' : order.state;
    if (state !== order.state) Object.assign(order, { state, status: state });
    this.changed(order);
  }

  changed(order: StoredOrder): void {
    order.updated_at = this.now();
    this.world.touch();
  }

  #completed(item: unknown, state: string): unknown {
    if (typeof item !== 'object' || item === null) return item;
    const given = item as Partial<StoredItem>;
    const { qty_ordered = 1 } = given;
    return {
      item_id: this.takeId(),
      product_type: 'simple',
      is_virtual: 0,
      qty_ordered,
      // An order that is in process has been paid.
      qty_invoiced: state === 'processing' || state === 'complete' ? qty_ordered : 0,
      qty_shipped: 0,
      qty_canceled: 0,
      qty_refunded: 0,
      ...given,
    };
  }
}

export function itemsOf({ items }: StoredOrder): StoredItem[] {
  return Array.isArray(items) ? items.filter((item) => Number.isInteger(item?.item_id)) : [];
}

export function openOf({ qty_ordered, qty_shipped, qty_canceled, qty_refunded }: StoredItem): number {
  return qty_ordered - qty_shipped - qty_canceled - qty_refunded;
}

/** UTC, without saying so. */
function dateOf(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ');
}
