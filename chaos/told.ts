/** Requests of clients for an order. */
export type Asked =
  | 'create'
  | 'transmit'
  | 'cancel'
  | 'bordero'
  | 'return'
  | 'release'
  | 'send'
  | 'cancel-order'
  | 'reopen';

/** `unknown`: the product said that it does not know. */
export type Outcome = 'success' | 'failed' | 'unknown';

/** One definite answer about one order. */
export interface Telling {
  at: number;
  asked: Asked;
  orderId: number;
  shipmentId: number | null;
  outcome: Outcome;
  /** The words of a failure, or the number that a marketplace was told. */
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

/** One correction of an order's street. */
export interface Edit {
  street: string;
  /** `unknown`: no definite answer, or one that leaves the outcome open. */
  outcome: 'done' | 'refused' | 'unknown';
}

/** The last answer about a pickup, by its id. */
export interface ToldPickup {
  asked: 'book' | 'cancel';
  status: string;
}

/** An order that a customer placed in a shop. */
export interface PlacedOrder {
  marketplace: string;
  connectionId: number;
  externalId: string;
}

/** Reads the outcome of a failure from the words that the product uses. */
export function outcomeOfFailure(message: string): Outcome {
  return /^Unknown whether/.test(message) ? 'unknown' : 'failed';
}

/** Everything the clients were told, and what they were never told. */
export class ClientBook {
  readonly orders = new Map<string, ToldOrder>();
  readonly tellings: Telling[] = [];
  readonly manifests: ToldManifest[] = [];
  readonly pickups = new Map<number, ToldPickup>();
  readonly placed: PlacedOrder[] = [];
  /** Requests that got no definite answer until the end. */
  readonly unanswered: string[] = [];
  /** Orders that a client asked to cancel, whatever the answer. */
  readonly cancelAsked = new Set<number>();
  /** The corrections of each order, in the order in which they were asked for. */
  readonly edits = new Map<number, Edit[]>();
  /** Shipments that the person at the desk settled with the partner directly: its API was not used. */
  readonly settledByHand = new Set<number>();
  /** Answers that no client should get, such as a 500. */
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
