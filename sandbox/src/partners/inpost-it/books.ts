import type { LedgerEntry, PickupEntry, SandboxWorld } from '../../partner.ts';

export interface Peer {
  name: string;
  company: string;
  email: string;
  phone: string;
}

export interface ShipmentOrder {
  organization: string;
  reference: string | null;
  comments: string;
  receiver: Peer;
  sender: Peer;
  template: string;
  targetPoint: string;
  sendingMethod: string | null;
  cod: { amount: number; currency: string } | null;
}

export interface Shipment extends ShipmentOrder {
  id: number;
  /** Shown once the shipment is confirmed. */
  number: string;
  createdAt: number;
  isCanceled: boolean;
}

interface DispatchOrder {
  id: number;
  organization: string;
  shipments: number[];
}

interface State {
  nextId: number;
  shipments: Shipment[];
  nextOrder: number;
  /** Those that were cancelled are not kept. */
  orders: DispatchOrder[];
}

const HOUR_MS = 3_600_000;
/** Long enough that nobody sees a number in the answer to the order, short enough to be waited for. */
const MAKING_MS = 400;
const FIRST_NUMBER = 843_534_321_829_832_368_000_000n;

/** ATTESA in the comments or the name: InPost takes an hour to confirm. */
function makingMs({ comments, receiver }: ShipmentOrder): number {
  return /ATTESA/i.test(`${comments} ${receiver.name}`) ? HOUR_MS : MAKING_MS;
}

/** Everything the pretend carrier remembers. References are not looked at: a repeat is a second shipment. */
export class Books {
  #state: State = { nextId: 1_500_001, shipments: [], nextOrder: 70_001, orders: [] };
  readonly #world: SandboxWorld;

  constructor(world: SandboxWorld) {
    this.#world = world;
  }

  now(): Date {
    return this.#world.now();
  }

  add(order: ShipmentOrder): Shipment {
    const id = this.#state.nextId++;
    const number = String(FIRST_NUMBER + BigInt(id));
    const shipment = { ...order, id, number, createdAt: this.now().getTime(), isCanceled: false };
    this.#state.shipments.push(shipment);
    this.#world.touch();
    return shipment;
  }

  /** When InPost confirms the shipment, or did. */
  confirmedAt(shipment: Shipment): Date {
    return new Date(shipment.createdAt + makingMs(shipment));
  }

  isConfirmed(shipment: Shipment): boolean {
    return !shipment.isCanceled && this.confirmedAt(shipment) <= this.now();
  }

  find(id: string): Shipment | undefined {
    return this.#state.shipments.find((shipment) => String(shipment.id) === id);
  }

  /** By the number that a confirmed shipment has. */
  findByNumber(number: string): Shipment | undefined {
    return this.#state.shipments.find((shipment) => shipment.number === number && this.isConfirmed(shipment));
  }

  search(wanted: (shipment: Shipment) => boolean): Shipment[] {
    return this.#state.shipments.filter(wanted);
  }

  cancel(shipment: Shipment): void {
    shipment.isCanceled = true;
    this.#world.touch();
  }

  addOrder(organization: string, shipments: number[]): DispatchOrder {
    const order = { id: this.#state.nextOrder++, organization, shipments };
    this.#state.orders.push(order);
    this.#world.touch();
    return order;
  }

  /** False when there is no such order. */
  cancelOrder(id: string): boolean {
    const left = this.#state.orders.filter((order) => String(order.id) !== id);
    if (left.length === this.#state.orders.length) return false;
    this.#state.orders = left;
    this.#world.touch();
    return true;
  }

  /** A dispatch order has no field for our reference, and one that is cancelled is gone. */
  pickups(): PickupEntry[] {
    return this.#state.orders.map(({ id }) => ({ reference: '', confirmation: String(id), isCancelled: false }));
  }

  /** An order that is still being confirmed counts as sold: nobody needs to do anything more for it. */
  ledger(): LedgerEntry[] {
    const byReference = Map.groupBy(this.#state.shipments, ({ reference }) => reference ?? '');
    return [...byReference].map(([reference, own]) => {
      const live = own.filter(({ isCanceled }) => !isCanceled);
      const confirmed = live.filter((shipment) => this.isConfirmed(shipment));
      return {
        reference,
        labelsSold: live.length,
        liveNumbers: live.map(({ number }) => number),
        confirmedNumbers: confirmed.map(({ number }) => number),
        confirmed: confirmed.length,
        cancelled: own.length - live.length,
        released: 0,
        trackingNumbers: own.map(({ number }) => number),
      };
    });
  }

  save(): unknown {
    return structuredClone(this.#state);
  }

  load(state: unknown): void {
    this.#state = structuredClone(state) as State;
  }
}
