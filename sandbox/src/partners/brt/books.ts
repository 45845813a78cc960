import { ledgerOf, ParcelBooks } from '../../parcel-books.ts';
import type { LedgerEntry, SandboxWorld } from '../../partner.ts';
import { journeyOf } from './journey.ts';
import { type Shipment, shipmentIdOf, trackingIdOf } from './shipment.ts';

const DAY_MS = 86_400_000;
const KEPT_MS = 40 * DAY_MS;

export interface References {
  customer: string;
  numeric: number;
  /** Undefined: any. */
  alphanumeric: string | undefined;
}

export type Order = Omit<Shipment, 'id' | 'parcelFrom' | 'createdAt' | 'confirmedAt' | 'deletedAt' | 'decision'> & {
  departureDepot: string;
};

interface State {
  nextShipment: number;
  nextParcel: number;
  shipments: Shipment[];
}

/** Everything the pretend carrier remembers, and the rules by which it changes. */
export class Books extends ParcelBooks<State> {
  constructor(world: SandboxWorld) {
    super(world, { nextShipment: 4_000_001, nextParcel: 1_000_001, shipments: [] });
  }

  /** The same references may be sold any number of times. */
  add({ departureDepot, ...order }: Order): Shipment {
    const state = this.state;
    const createdAt = this.now().getTime();
    const shipment: Shipment = {
      ...order,
      id: shipmentIdOf(departureDepot, state.nextShipment++),
      parcelFrom: state.nextParcel,
      createdAt,
      confirmedAt: isAutomatic(order.customer) ? createdAt : null,
      deletedAt: null,
    };
    state.nextParcel += order.parcels;
    state.shipments.push(shipment);
    this.touch();
    return shipment;
  }

  /** Not deleted and not older than 40 days. */
  named({ customer, numeric, alphanumeric }: References): Shipment[] {
    const since = this.now().getTime() - KEPT_MS;
    return this.state.shipments.filter(
      (known) =>
        known.customer === customer &&
        known.numeric === numeric &&
        (alphanumeric === undefined || known.alphanumeric === alphanumeric) &&
        known.deletedAt === null &&
        known.createdAt >= since,
    );
  }

  find(wanted: (shipment: Shipment) => boolean): Shipment | undefined {
    return this.state.shipments.find((known) => known.deletedAt === null && wanted(known));
  }

  confirm(shipment: Shipment): void {
    shipment.confirmedAt = this.now().getTime();
    this.touch();
  }

  delete(shipment: Shipment): void {
    shipment.deletedAt = this.now().getTime();
    this.touch();
  }

  decide(shipment: Shipment, name: string): void {
    shipment.decision = { name, at: this.now().getTime() };
    this.touch();
  }

  /** The depot has it: too late to delete. */
  isInCharge(shipment: Shipment): boolean {
    return journeyOf(shipment, this.now()).some(({ code }) => code !== '700');
  }

  /** The first word of the generic reference is what a customer knows the shipment by. */
  ledger(): LedgerEntry[] {
    return ledgerOf(
      this.state.shipments.map((shipment) => ({
        reference: (shipment.generic || shipment.alphanumeric).split(' ')[0] ?? '',
        number: trackingIdOf(shipment, 1),
        address: shipment.address,
        parcels: shipment.parcels,
        isConfirmed: shipment.confirmedAt !== null,
        isCancelled: shipment.deletedAt !== null,
        released: shipment.decision ? 1 : 0,
      })),
    );
  }
}

/** Some contracts confirm everything at once: here those of customers whose code begins with 9. */
function isAutomatic(customer: string): boolean {
  return customer.padStart(7, '0').startsWith('9');
}
