import { confirmationsOf, OrderBooks, type PartialOrder } from '../../order-partner.ts';
import type { LedgerEntry, SandboxWorld } from '../../partner.ts';
import type { Tracking } from './carriers.ts';
import { seedOrders } from './seeds.ts';

export interface StoredLine extends Record<string, unknown> {
  order_line_id: string;
  order_line_state: string;
  offer_sku: string;
  quantity: number;
}

/** The platform's order, its prices with taxes. What a seed gave is kept as it came, however odd. */
export interface StoredOrder extends Record<string, unknown> {
  order_id: string;
  created_date: string;
  last_updated_date: string;
  order_state: string;
  order_lines: unknown;
  shipping_tracking: string | null;
}

export interface StoredShipment extends Record<string, unknown> {
  id: string;
  order_id: string;
  status: string;
  shipment_lines: { order_line_id: string; offer_sku: string; quantity: number }[];
  tracking: Tracking;
}

export interface MiraklState {
  nextId: number;
  orders: StoredOrder[];
  shipments: StoredShipment[];
  /** Ids of orders that were shipped as a whole. */
  shipped: string[];
}

/** The memory of the simulated operator. */
export class MiraklBooks extends OrderBooks<MiraklState> {
  constructor(world: SandboxWorld) {
    super(world, { nextId: 1, orders: [], shipments: [], shipped: [] });
    const created_date = this.hourAgo().toISOString();
    for (const order of seedOrders()) this.addOrder({ created_date, ...order });
  }

  findOrder(orderId: unknown): StoredOrder | undefined {
    return this.state.orders.find(({ order_id }) => order_id === orderId);
  }

  shipmentsOf(orderId: string): StoredShipment[] {
    return this.state.shipments.filter(({ order_id }) => order_id === orderId);
  }

  /** Adds an order; missing fields become those of an ordinary order that waits to be shipped. */
  addOrder(given: PartialOrder): StoredOrder {
    const commercial_id = `Ordine_${String(this.takeId()).padStart(5, '0')}`;
    const order_id = String(given.order_id ?? `${commercial_id}-A`);
    const created_date = String(given.created_date ?? this.world.now().toISOString());
    const order_state = String(given.order_state ?? 'SHIPPING');
    const order: StoredOrder = {
      commercial_id,
      last_updated_date: created_date,
      currency_iso_code: 'EUR',
      can_cancel: false,
      can_shop_ship: order_state === 'SHIPPING',
      has_incident: false,
      payment_type: 'CARD',
      payment_workflow: 'PAY_ON_ACCEPTANCE',
      shipping_type_code: 'STD',
      shipping_type_label: 'Standard',
      shipping_price: 0,
      shipping_carrier_code: null,
      shipping_company: null,
      shipping_tracking: null,
      shipping_tracking_url: null,
      ...given,
      order_id,
      created_date,
      order_state,
      order_lines: Array.isArray(given.order_lines)
        ? given.order_lines.map((line, index) => completed(line, { order_id, index, order_state }))
        : given.order_lines,
    };
    this.state.orders.push(order);
    this.world.touch();
    return order;
  }

  change(order: StoredOrder, changes: Record<string, unknown>): void {
    Object.assign(order, changes, { last_updated_date: this.world.now().toISOString() });
    this.world.touch();
  }

  /** The order and every line that goes with it. */
  moveTo(order: StoredOrder, order_state: string): void {
    for (const line of linesOf(order)) {
      if (line.order_line_state !== 'REFUSED') line.order_line_state = order_state;
    }
    this.change(order, { order_state, can_shop_ship: order_state === 'SHIPPING' });
  }

  /** Shipments count as confirmations, and so does the shipment of a whole order. */
  ledger(): LedgerEntry[] {
    return this.state.orders.map(({ order_id, shipping_tracking }) => {
      const numbers = this.shipmentsOf(order_id).map(({ tracking }) => tracking.tracking_number);
      const whole = this.state.shipped.filter((id) => id === order_id).map(() => shipping_tracking);
      return confirmationsOf(order_id, {
        confirmed: numbers.length + whole.length,
        trackingNumbers: [...numbers, ...whole].filter((number) => number !== null),
      });
    });
  }
}

function completed(line: unknown, at: { order_id: string; index: number; order_state: string }): unknown {
  if (typeof line !== 'object' || line === null) return line;
  const order_line_id = `${at.order_id}-${at.index + 1}`;
  const more = { order_line_index: at.index + 1, order_line_state: at.order_state };
  return { order_line_id, ...more, quantity: 1, taxes: [], shipping_taxes: [], cancelations: [], refunds: [], ...line };
}

export function linesOf({ order_lines }: StoredOrder): StoredLine[] {
  return Array.isArray(order_lines) ? order_lines.filter((line) => typeof line?.order_line_id === 'string') : [];
}
