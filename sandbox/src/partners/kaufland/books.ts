import { OrderBooks, type PartialOrder } from '../../order-partner.ts';
import type { SandboxWorld } from '../../partner.ts';
import { seedOrders } from './seeds.ts';

export interface StoredUnit extends Record<string, unknown> {
  id_order_unit: number;
  ts_updated_iso: string;
  status: string;
}

/** The platform's order. What a seed gave is kept as it came, however odd. */
export interface StoredOrder extends Record<string, unknown> {
  id_order: string;
  ts_created_iso: string;
  storefront: string;
  order_units: unknown;
}

export interface Sending {
  id_order: string;
  id_order_unit: number;
  tracking_numbers: string;
  carrier_code: string;
}

export interface KauflandState {
  nextId: number;
  orders: StoredOrder[];
  sendings: Sending[];
}

const FIRST_UNIT_ID = 314567896580000;

/** The memory of the simulated marketplace. */
export class KauflandBooks extends OrderBooks<KauflandState> {
  constructor(world: SandboxWorld) {
    super(world, { nextId: 1, orders: [], sendings: [] });
    const hourAgo = isoOf(this.hourAgo());
    for (const order of seedOrders()) this.addOrder({ ts_created_iso: hourAgo, ...order });
  }

  findOrder(id: unknown): StoredOrder | undefined {
    return this.state.orders.find((order) => order.id_order === id);
  }

  findUnit(id: unknown): { order: StoredOrder; unit: StoredUnit } | undefined {
    for (const order of this.state.orders) {
      const unit = unitsOf(order).find((each) => String(each.id_order_unit) === id);
      if (unit) return { order, unit };
    }
    return undefined;
  }

  /** Adds an order; missing fields become those of an ordinary order that waits to be sent. */
  addOrder(given: PartialOrder): StoredOrder {
    const created = String(given.ts_created_iso ?? isoOf(this.world.now()));
    const id = String(given.id_order ?? `MSBX${String(this.takeId()).padStart(3, '0')}`);
    const storefront = String(given.storefront ?? 'it');
    const common = { id_order: id, ts_created_iso: created, storefront, is_marketplace_deemed_supplier: false };
    const order: StoredOrder = {
      fulfillment_type: 'fulfilled_by_merchant',
      billing_address: null,
      shipping_address: null,
      buyer: null,
      ...given,
      ...common,
      order_units: Array.isArray(given.order_units)
        ? given.order_units.map((unit) => this.#completed(unit, common))
        : given.order_units,
    };
    this.state.orders.push(order);
    this.world.touch();
    return order;
  }

  setStatus(unit: StoredUnit, status: string): void {
    unit.status = status;
    unit.ts_updated_iso = isoOf(this.world.now());
    this.world.touch();
  }

  #completed(unit: unknown, common: object): unknown {
    if (typeof unit !== 'object' || unit === null) return unit;
    const { ts_created_iso } = common as StoredOrder;
    return {
      id_order_unit: FIRST_UNIT_ID + this.takeId(),
      ...common,
      ts_updated_iso: ts_created_iso,
      status: 'need_to_be_sent',
      currency: 'EUR',
      price: 1000,
      shipping_rate: 0,
      vat: 22,
      note: null,
      id_offer: null,
      unit_condition: 'new',
      cancel_reason: null,
      product: null,
      ...unit,
    };
  }
}

export function unitsOf({ order_units }: StoredOrder): StoredUnit[] {
  return Array.isArray(order_units) ? order_units.filter((unit) => typeof unit?.id_order_unit === 'number') : [];
}

/** Kaufland counts in seconds. */
function isoOf(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}
