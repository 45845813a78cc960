/** What clients ask for, order by order. */
export type Asked = 'create' | 'transmit' | 'cancel' | 'bordero';

/** One definite answer about one order; `failed` carries the words. */
export interface Telling {
  at: number;
  asked: Asked;
  orderId: number;
  shipmentId: number | null;
  outcome: 'success' | 'failed';
  message: string;
}

export interface ToldOrder {
  company: string;
  orderNumber: string;
  /** Every id that was ever told for it: there must be one. */
  ids: number[];
}

export interface ToldManifest {
  id: number;
  orderIds: number[];
}

/** Everything the clients were told, and what they were never told. */
export class ClientBook {
  readonly orders = new Map<string, ToldOrder>();
  readonly tellings: Telling[] = [];
  readonly manifests: ToldManifest[] = [];
  /** Requests that got no definite answer until the end. */
  readonly unanswered: string[] = [];
  /** Orders somebody asked to cancel, whatever the answer. */
  readonly cancelAsked = new Set<number>();
  /** Answers that nobody should get, such as a 500, by what they were. */
  readonly strange = new Map<string, { count: number; example: string }>();

  accept(order: { company: string; orderNumber: string; id: number }): void {
    const known = this.orders.get(order.orderNumber);
    if (!known) {
      const { company, orderNumber } = order;
      this.orders.set(orderNumber, { company, orderNumber, ids: [order.id] });
    } else if (!known.ids.includes(order.id)) known.ids.push(order.id);
  }

  tell(telling: Omit<Telling, 'at'>): void {
    this.tellings.push({ at: Date.now(), ...telling });
  }

  wonder(what: string, example: string): void {
    const known = this.strange.get(what);
    if (known) known.count += 1;
    else this.strange.set(what, { count: 1, example: example.slice(0, 600) });
  }
}
