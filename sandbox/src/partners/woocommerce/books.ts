import { createHash } from 'node:crypto';
import type { PartialOrder } from '../../order-partner.ts';
import type { SandboxWorld } from '../../partner.ts';
import { seedOrders } from './seeds.ts';

/** Which way of marking orders shipped a pretend shop has. */
export type ShopKind = 'core' | 'tracking' | 'ast' | 'note';

export interface Meta {
  id: number;
  key: string;
  value: unknown;
}

/** The platform's order without its dates, which are kept as instants and shown in two time zones. */
export interface OrderBody extends Record<string, unknown> {
  id: number;
  number: string;
  status: string;
  customer_note: string;
  meta_data: Meta[];
  line_items: unknown;
}

export interface StoredOrder {
  body: OrderBody;
  createdAt: string;
  modifiedAt: string;
  paidAt: string | null;
  completedAt: string | null;
}

export interface StoredNote {
  id: number;
  orderId: number;
  createdAt: string;
  note: string;
  customer_note: boolean;
  author: string;
}

export interface StoredRefund {
  id: number;
  orderId: number;
  createdAt: string;
  /** A positive decimal. */
  amount: string;
  reason: string;
  lines: { id: number; refundedId: number; quantity: number; total: number; tax: number }[];
}

export interface StoredFulfillment {
  id: number;
  orderId: number;
  status: string;
  is_fulfilled: boolean;
  updatedAt: string;
  deletedAt: string | null;
  meta_data: Meta[];
}

export interface StoredTracking {
  tracking_id: string;
  orderId: number;
  tracking_provider: string;
  tracking_link: string;
  tracking_number: string;
  date_shipped: string;
}

/** A mail to a customer, with what it printed at that moment. */
export interface StoredMail {
  orderId: number;
  kind: 'completed' | 'note' | 'fulfillment';
  trackingNumbers: string[];
}

export interface ShopState {
  nextId: number;
  orders: StoredOrder[];
  notes: StoredNote[];
  refunds: StoredRefund[];
  fulfillments: StoredFulfillment[];
  trackings: StoredTracking[];
  /** The orders whose trackings were deleted, one entry per deletion. */
  deletedTrackings: number[];
  mails: StoredMail[];
}

/** Far apart, so that an order number tells the shop. */
const FIRST_IDS: Readonly<Record<ShopKind, number>> = {
  core: 1001,
  tracking: 5_000_001,
  ast: 6_000_001,
  note: 7_000_001,
};
const HOUR_MS = 3_600_000;

/** The memory of one simulated shop. */
export class ShopBooks {
  readonly kind: ShopKind;
  readonly world: SandboxWorld;
  #state: ShopState;
  #ordersById = new Map<number, StoredOrder>();

  constructor(kind: ShopKind, world: SandboxWorld) {
    this.kind = kind;
    this.world = world;
    this.#state = {
      nextId: FIRST_IDS[kind],
      orders: [],
      notes: [],
      refunds: [],
      fulfillments: [],
      trackings: [],
      deletedTrackings: [],
      mails: [],
    };
    for (const seed of seedOrders()) this.addOrder(seed, new Date(world.now().getTime() - HOUR_MS));
  }

  get state(): ShopState {
    return this.#state;
  }

  set state(state: ShopState) {
    // Books of an earlier version have no refunds.
    this.#state = { ...state, refunds: state.refunds ?? [] };
    this.#ordersById = new Map(state.orders.map((order) => [order.body.id, order]));
  }

  /** A number never used before in this shop. */
  takeId(): number {
    this.state.nextId += 1;
    return this.state.nextId - 1;
  }

  findOrder(id: unknown): StoredOrder | undefined {
    return this.#ordersById.get(Number(id));
  }

  /** Adds an order; missing fields become those of an ordinary paid order, and given ones are stored as they are, however odd. */
  addOrder({ date_created_gmt, date_modified_gmt, ...given }: PartialOrder, at = this.world.now()): StoredOrder {
    const id = this.takeId();
    const createdAt = instantOf(date_created_gmt) ?? at.toISOString();
    const order: StoredOrder = {
      body: {
        parent_id: 0,
        number: String(id),
        order_key: `wc_order_${createHash('md5').update(`${this.kind}${id}`).digest('hex').slice(0, 13)}`,
        created_via: 'checkout',
        version: '11.0.1',
        status: 'processing',
        currency: 'EUR',
        prices_include_tax: true,
        discount_total: '0.00',
        shipping_total: '0.00',
        shipping_tax: '0.00',
        total: '0.00',
        total_tax: '0.00',
        customer_id: 0,
        customer_note: '',
        billing: {},
        shipping: {},
        payment_method: 'bacs',
        payment_method_title: 'Bonifico bancario',
        transaction_id: '',
        meta_data: [],
        shipping_lines: [],
        fee_lines: [],
        coupon_lines: [],
        refunds: [],
        is_editable: false,
        needs_payment: false,
        needs_processing: true,
        ...given,
        id,
        line_items: Array.isArray(given.line_items)
          ? given.line_items.map((line) => this.#numbered(line))
          : given.line_items,
      },
      createdAt,
      modifiedAt: instantOf(date_modified_gmt) ?? createdAt,
      paidAt: given.payment_method === 'cod' ? null : createdAt,
      completedAt: null,
    };
    this.#state.orders.push(order);
    this.#ordersById.set(id, order);
    this.world.touch();
    return order;
  }

  /** For good, as after a month in the trash. */
  removeOrder(order: StoredOrder): void {
    this.#state.orders = this.#state.orders.filter((one) => one !== order);
    this.#ordersById.delete(order.body.id);
    this.world.touch();
  }

  setStatus(order: StoredOrder, status: string): void {
    const wasCompleted = order.body.status === 'completed';
    order.body.status = status;
    if (status === 'completed' && !wasCompleted) {
      order.completedAt = this.world.now().toISOString();
      this.mail(order.body.id, 'completed');
    }
    this.modified(order);
  }

  /** Replaces a meta field of the order, or adds it. */
  setMeta(order: StoredOrder, key: string, value: unknown): void {
    const others = order.body.meta_data.filter((meta) => meta.key !== key);
    order.body.meta_data = [...others, { id: this.takeId(), key, value }];
  }

  modified(order: StoredOrder): void {
    order.modifiedAt = this.world.now().toISOString();
    this.world.touch();
  }

  /** Mails print the tracking that is there when they are sent, not what comes later. */
  mail(orderId: number, kind: StoredMail['kind']): void {
    this.state.mails.push({ orderId, kind, trackingNumbers: this.trackingNumbersOf(orderId) });
    this.world.touch();
  }

  trackingNumbersOf(orderId: number): string[] {
    const { trackings, notes } = this.state;
    return [
      ...this.fulfillmentsOf(orderId).flatMap(trackingOf),
      ...trackings.filter((each) => each.orderId === orderId).map((each) => each.tracking_number),
      ...notes.filter((each) => each.orderId === orderId && each.customer_note).flatMap((each) => numbersIn(each.note)),
    ];
  }

  /** Those that were not deleted. */
  fulfillmentsOf(orderId: number): StoredFulfillment[] {
    return this.state.fulfillments.filter((each) => each.orderId === orderId && each.deletedAt === null);
  }

  #numbered(line: unknown): unknown {
    if (typeof line !== 'object' || line === null || Array.isArray(line) || 'id' in line) return line;
    return { id: this.takeId(), ...line };
  }
}

/** Returns the tracking numbers of a fulfilment; empty when it has none. */
export function trackingOf({ meta_data }: StoredFulfillment): string[] {
  const value = meta_data.find(({ key }) => key === '_tracking_number')?.value;
  return value === undefined ? [] : [String(value)];
}

function instantOf(gmt: unknown): string | undefined {
  return typeof gmt === 'string' ? new Date(`${gmt.slice(0, 19)}Z`).toISOString() : undefined;
}

/** Finds texts in a note that look like tracking numbers. */
export function numbersIn(note: string): string[] {
  return note.replace(/https?:\S+/g, '').match(/\b(?=[A-Z0-9]*\d)[A-Z0-9]{8,}\b/gi) ?? [];
}
