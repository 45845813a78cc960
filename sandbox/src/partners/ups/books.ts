import { ledgerOf, ParcelBooks } from '../../parcel-books.ts';
import type { LedgerEntry, PickupEntry, SandboxWorld } from '../../partner.ts';

export interface Place {
  name: string;
  street: string;
  zip: string;
  city: string;
  country: string;
}

export interface Shipment {
  /** The number of its first package. */
  id: string;
  shipper: string;
  service: string;
  references: string[];
  sender: Place;
  isReturn: boolean;
  recipient: Place;
  /** Id of an Access Point, where it goes to one. */
  point: string | null;
  cod: string | null;
  description: string;
  isDeclared: boolean;
  packages: { number: string; weight: string }[];
  /** YYYYMMDD, of the shipper's own clock. */
  pickupDate: string;
  createdAt: number;
  voidedAt: number | null;
}

export interface Pickup {
  prn: string;
  /** Two at one address are one. */
  address: string;
  reference: string;
  isCancelled: boolean;
}

interface State {
  nextPackage: number;
  nextPickup: number;
  shipments: Shipment[];
  pickups: Pickup[];
}

type Order = Omit<Shipment, 'id' | 'packages' | 'createdAt' | 'voidedAt'>;

/** Everything the pretend carrier remembers. A repeat is a second shipment. */
export class Books extends ParcelBooks<State> {
  constructor(world: SandboxWorld) {
    super(world, { nextPackage: 1, nextPickup: 1, shipments: [], pickups: [] });
  }

  add(order: Order, weights: readonly string[]): Shipment {
    const packages = weights.map((weight) => ({
      number: `1Z${order.shipper}${order.service}${String(this.state.nextPackage++).padStart(8, '0')}`,
      weight,
    }));
    const id = packages[0]?.number ?? '';
    const shipment = { ...order, id, packages, createdAt: this.now().getTime(), voidedAt: null };
    this.state.shipments.push(shipment);
    this.touch();
    return shipment;
  }

  /** Finds a shipment by the number of any of its packages. */
  find(number: string): Shipment | undefined {
    return this.state.shipments.find(({ packages }) => packages.some((one) => one.number === number));
  }

  search(reference: string, shipper: string): Shipment[] {
    return this.state.shipments.filter((one) => one.shipper === shipper && one.references.includes(reference));
  }

  void(shipment: Shipment): void {
    shipment.voidedAt = this.now().getTime();
    this.touch();
  }

  /** Adds a pickup, or returns the existing one, as UPS does. */
  addPickup(address: string, reference: string): Pickup {
    const known = this.state.pickups.find((pickup) => pickup.address === address && !pickup.isCancelled);
    if (known) return known;
    const prn = `29${String(this.state.nextPickup++).padStart(9, '0')}`;
    const pickup = { prn, address, reference, isCancelled: false };
    this.state.pickups.push(pickup);
    this.touch();
    return pickup;
  }

  findPickup(prn: string): Pickup | undefined {
    return this.state.pickups.find((pickup) => pickup.prn === prn);
  }

  cancelPickup(pickup: Pickup): void {
    pickup.isCancelled = true;
    this.touch();
  }

  pickups(): PickupEntry[] {
    return this.state.pickups.map(({ prn, reference, isCancelled }) => ({
      reference,
      confirmation: prn,
      isCancelled,
    }));
  }

  /** Creating transmits, so every live shipment counts as confirmed. */
  ledger(): LedgerEntry[] {
    return ledgerOf(
      this.state.shipments.map(({ references, id, recipient, packages, voidedAt }) => ({
        reference: references[0] ?? '',
        number: id,
        address: recipient.street,
        parcels: packages.length,
        isConfirmed: voidedAt === null,
        isCancelled: voidedAt !== null,
      })),
    );
  }
}
