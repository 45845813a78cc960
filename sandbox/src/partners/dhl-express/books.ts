import { ledgerOf, ParcelBooks } from '../../parcel-books.ts';
import type { LedgerEntry, PickupEntry, SandboxWorld } from '../../partner.ts';

export interface Place {
  postalCode: string;
  cityName: string;
  countryCode: string;
  addressLine1: string;
}

export interface Shipment {
  number: string;
  account: string;
  /** References of type CU. */
  references: string[];
  sender: Place;
  recipient: Place & { fullName: string; wholeAddress: string };
  product: string;
  description: string;
  isDeclarable: boolean;
  pieces: { number: string; weightKg: number }[];
  /** On the sender's wall clock. */
  plannedDate: string;
  createdAt: number;
}

interface State {
  nextNumber: number;
  nextPiece: number;
  nextPickup: number;
  shipments: Shipment[];
  pickups: { number: string; reference: string; isCancelled: boolean }[];
}

/** Everything the pretend carrier remembers. A repeat is a second shipment, and nothing is ever taken back. */
export class Books extends ParcelBooks<State> {
  constructor(world: SandboxWorld) {
    super(world, { nextNumber: 4_210_000_001, nextPiece: 1, nextPickup: 1, shipments: [], pickups: [] });
  }

  add(order: Omit<Shipment, 'number' | 'pieces' | 'createdAt'>, weightsKg: readonly number[]): Shipment {
    const pieces = weightsKg.map((weightKg) => ({
      number: `JD0146${String(this.state.nextPiece++).padStart(14, '0')}`,
      weightKg,
    }));
    const number = String(this.state.nextNumber++);
    const shipment = { ...order, number, pieces, createdAt: this.now().getTime() };
    this.state.shipments.push(shipment);
    this.touch();
    return shipment;
  }

  find(number: string): Shipment | undefined {
    return this.state.shipments.find((shipment) => shipment.number === number);
  }

  search(wanted: (shipment: Shipment) => boolean): Shipment[] {
    return this.state.shipments.filter(wanted);
  }

  addPickup(reference: string): string {
    const number = `PRG${String(this.state.nextPickup++).padStart(12, '0')}`;
    this.state.pickups.push({ number, reference, isCancelled: false });
    this.touch();
    return number;
  }

  cancelPickup(number: string): 'cancelled' | 'cancelled-before' | 'unknown' {
    const pickup = this.state.pickups.find((known) => known.number === number);
    if (!pickup) return 'unknown';
    if (pickup.isCancelled) return 'cancelled-before';
    pickup.isCancelled = true;
    this.touch();
    return 'cancelled';
  }

  pickups(): PickupEntry[] {
    return this.state.pickups.map(({ number, ...rest }) => ({ ...rest, confirmation: number }));
  }

  /** Creating transmits, so every shipment counts as confirmed. */
  ledger(): LedgerEntry[] {
    return ledgerOf(
      this.state.shipments.map(({ references, number, recipient, pieces }) => ({
        reference: references[0] ?? '',
        number,
        address: recipient.wholeAddress,
        parcels: pieces.length,
        isConfirmed: true,
        isCancelled: false,
      })),
    );
  }
}
