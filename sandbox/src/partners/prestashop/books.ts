import { confirmationsOf } from '../../order-partner.ts';
import type { LedgerEntry, SandboxWorld } from '../../partner.ts';
import { type OrderSeed, seedOrders } from './seeds.ts';
import { fixedTables, type Row } from './tables.ts';

/** A mail to a customer, with the numbers that were there when it was sent. */
export interface StoredMail {
  orderId: number;
  kind: string;
  trackingNumbers: string[];
}

export interface ShopState {
  nextId: number;
  tables: Record<string, Row[]>;
  mails: StoredMail[];
}

const HOUR_MS = 3_600_000;
/** The shop writes its dates in this zone, and does not say so. */
const wall = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Rome', dateStyle: 'short', timeStyle: 'medium' });

/** The memory of the simulated shop. */
export class PrestashopBooks {
  readonly world: SandboxWorld;
  state: ShopState = { nextId: 1001, tables: fixedTables(), mails: [] };

  constructor(world: SandboxWorld) {
    this.world = world;
    const at = new Date(world.now().getTime() - HOUR_MS);
    for (const seed of seedOrders()) this.addOrder({ date_add: wall.format(at), ...seed });
  }

  table(resource: string): Row[] {
    const rows = this.state.tables[resource] ?? [];
    this.state.tables[resource] = rows;
    return rows;
  }

  find(resource: string, id: unknown): Row | undefined {
    return this.table(resource).find((row) => row.id === Number(id));
  }

  insert(resource: string, row: Record<string, unknown>): Row {
    const stored = { ...row, id: this.state.nextId++ };
    this.table(resource).push(stored);
    this.world.touch();
    return stored;
  }

  /** Adds an order; missing fields become those of an ordinary paid order, and given ones are stored as they are, however odd. */
  addOrder({ customer, delivery, invoice, order_details, order_carriers, ...given }: OrderSeed): Row {
    const buyer = this.insert('customers', customer ?? {});
    const shipTo = this.#addAddress(delivery ?? {});
    const date_add = given.date_add ?? this.shopTime();
    const order = this.insert('orders', {
      id_address_delivery: String(shipTo.id),
      id_address_invoice: String(invoice ? this.#addAddress(invoice).id : shipTo.id),
      id_currency: '1',
      id_customer: String(buyer.id),
      id_carrier: '2',
      current_state: '2',
      module: 'ps_wirepayment',
      payment: 'Bonifico bancario',
      valid: '1',
      note: '',
      total_shipping_tax_incl: '0.000000',
      reference: `SBX${String(this.state.nextId).padStart(6, '0')}`,
      date_add,
      date_upd: date_add,
      ...given,
    });
    const id_order = String(order.id);
    for (const line of order_details ?? []) this.insert('order_details', { ...line, id_order });
    for (const row of order_carriers ?? [{}]) {
      const costs = { shipping_cost_tax_excl: '5.000000', shipping_cost_tax_incl: '6.100000' };
      this.insert('order_carriers', {
        id_carrier: order.id_carrier,
        id_order_invoice: '7',
        weight: '1.200000',
        ...costs,
        tracking_number: '',
        date_add,
        ...row,
        id_order,
      });
    }
    return order;
  }

  /** Every state that an order had stays in its history. */
  setState(order: Row, state: Row): Row {
    order.current_state = String(state.id);
    this.changed(order);
    return this.insert('order_histories', {
      id_employee: '0',
      id_order_state: String(state.id),
      id_order: String(order.id),
      date_add: this.shopTime(),
    });
  }

  changed(order: Row): void {
    order.date_upd = this.shopTime();
    this.world.touch();
  }

  mail(order: Row, kind: string): void {
    this.state.mails.push({ orderId: order.id, kind, trackingNumbers: this.#trackingNumbers(order) });
    this.world.touch();
  }

  ledger(): LedgerEntry[] {
    return this.table('orders').map((order) => {
      const trackingNumbers = this.#trackingNumbers(order);
      return confirmationsOf(String(order.reference), {
        confirmed: trackingNumbers.length,
        trackingNumbers,
      });
    });
  }

  shopTime(): string {
    return wall.format(this.world.now());
  }

  #trackingNumbers(order: Row): string[] {
    return this.table('order_carriers')
      .filter((row) => row.id_order === String(order.id) && row.tracking_number)
      .map((row) => String(row.tracking_number));
  }

  #addAddress({ country, state, ...given }: Record<string, unknown>): Row {
    const idOf = (table: string, iso: unknown) =>
      String(this.table(table).find(({ iso_code }) => iso_code === iso)?.id ?? '0');
    return this.insert('addresses', {
      id_country: idOf('countries', country),
      id_state: idOf('states', state),
      ...given,
    });
  }
}
