import { ledgerOf, ParcelBooks } from '../../parcel-books.ts';
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
/** Long enough that the answer to the order never has a number, short enough to wait for. */
const MAKING_MS = 400;
const FIRST_NUMBER = 843_534_321_829_832_368_000_000n;

/** ATTESA in the comments or the name: InPost takes an hour to confirm. */
function makingMs({ comments, receiver }: ShipmentOrder): number {
  return /ATTESA/i.test(`${comments} ${receiver.name}`) ? HOUR_MS : MAKING_MS;
}

/** Everything the pretend carrier remembers. References are not looked at: a repeat is a second shipment. */
export class Books extends ParcelBooks<State> {
  constructor(world: SandboxWorld) {
    super(world, { nextId: 1_500_001, shipments: [], nextOrder: 70_001, orders: [] });
  }

  add(order: ShipmentOrder): Shipment {
    const id = this.state.nextId++;
    const number = String(FIRST_NUMBER + BigInt(id));
    const shipment = { ...order, id, number, createdAt: this.now().getTime(), isCanceled: false };
    this.state.shipments.push(shipment);
    this.touch();
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
    return this.state.shipments.find((shipment) => String(shipment.id) === id);
  }

  /** Finds a confirmed shipment by its number. */
  findByNumber(number: string): Shipment | undefined {
    return this.state.shipments.find((shipment) => shipment.number === number && this.isConfirmed(shipment));
  }

  search(wanted: (shipment: Shipment) => boolean): Shipment[] {
    return this.state.shipments.filter(wanted);
  }

  cancel(shipment: Shipment): void {
    shipment.isCanceled = true;
    this.touch();
  }

  addOrder(organization: string, shipments: number[]): DispatchOrder {
    const order = { id: this.state.nextOrder++, organization, shipments };
    this.state.orders.push(order);
    this.touch();
    return order;
  }

  /** False when there is no such order. */
  cancelOrder(id: string): boolean {
    const left = this.state.orders.filter((order) => String(order.id) !== id);
    if (left.length === this.state.orders.length) return false;
    this.state.orders = left;
    this.touch();
    return true;
  }

  /** A dispatch order has no field for our reference, and one that is cancelled is gone. */
  pickups(): PickupEntry[] {
    return this.state.orders.map(({ id }) => ({ reference: '', confirmation: String(id), isCancelled: false }));
  }

  /** An order that is still being confirmed counts as sold: it needs nothing more. */
  ledger(): LedgerEntry[] {
    return ledgerOf(
      this.state.shipments.map((shipment) => ({
        reference: shipment.reference ?? '',
        number: shipment.number,
        address: shipment.targetPoint,
        parcels: 1,
        isConfirmed: this.isConfirmed(shipment),
        isCancelled: shipment.isCanceled,
      })),
    );
  }
}
