import { ledgerOf, ParcelBooks } from '../../parcel-books.ts';
import type { LedgerEntry, SandboxWorld } from '../../partner.ts';

export interface Place {
  name: string;
  street: string;
  zip: string;
  city: string;
  country: string;
}

export interface Shipment {
  /** The number of its first package. */
  master: string;
  account: string;
  service: string;
  reference: string;
  orderNumber: string;
  sender: Place;
  isReturn: boolean;
  recipient: Place;
  description: string;
  isDeclared: boolean;
  packages: { number: string; kilograms: number }[];
  /** Wall-clock YYYY-MM-DD, as the shipper dated it. */
  shipDate: string;
  createdAt: number;
  cancelledAt: number | null;
}

interface State {
  nextPackage: number;
  shipments: Shipment[];
}

type Order = Omit<Shipment, 'master' | 'packages' | 'createdAt' | 'cancelledAt'>;

/** Everything the pretend carrier remembers. A repeat is a second shipment. */
export class Books extends ParcelBooks<State> {
  constructor(world: SandboxWorld) {
    super(world, { nextPackage: 1, shipments: [] });
  }

  add(order: Order, weights: readonly number[]): Shipment {
    const packages = weights.map((kilograms) => ({
      number: `7946${String(this.state.nextPackage++).padStart(8, '0')}`,
      kilograms,
    }));
    const master = packages[0]?.number ?? '';
    const shipment = { ...order, master, packages, createdAt: this.now().getTime(), cancelledAt: null };
    this.state.shipments.push(shipment);
    this.touch();
    return shipment;
  }

  /** Finds a shipment by the number of any of its packages. */
  find(number: string): Shipment | undefined {
    return this.state.shipments.find(({ packages }) => packages.some((one) => one.number === number));
  }

  search(reference: string, account: string): Shipment[] {
    return this.state.shipments.filter((one) => one.account === account && one.reference === reference);
  }

  cancel(shipment: Shipment): void {
    shipment.cancelledAt = this.now().getTime();
    this.touch();
  }

  /** Creating transmits, so every live shipment counts as confirmed. */
  ledger(): LedgerEntry[] {
    return ledgerOf(
      this.state.shipments.map(({ reference, master, recipient, packages, cancelledAt }) => ({
        reference,
        number: master,
        address: recipient.street,
        parcels: packages.length,
        isConfirmed: cancelledAt === null,
        isCancelled: cancelledAt !== null,
      })),
    );
  }
}
