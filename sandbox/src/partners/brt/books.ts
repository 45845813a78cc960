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
export class Books {
  #state: State = { nextShipment: 4_000_001, nextParcel: 1_000_001, shipments: [] };
  readonly #world: SandboxWorld;

  constructor(world: SandboxWorld) {
    this.#world = world;
  }

  now(): Date {
    return this.#world.now();
  }

  /** The same references may be sold any number of times. */
  add({ departureDepot, ...order }: Order): Shipment {
    const state = this.#state;
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
    this.#world.touch();
    return shipment;
  }

  /** Not deleted and not older than 40 days. */
  named({ customer, numeric, alphanumeric }: References): Shipment[] {
    const since = this.now().getTime() - KEPT_MS;
    return this.#state.shipments.filter(
      (known) =>
        known.customer === customer &&
        known.numeric === numeric &&
        (alphanumeric === undefined || known.alphanumeric === alphanumeric) &&
        known.deletedAt === null &&
        known.createdAt >= since,
    );
  }

  find(wanted: (shipment: Shipment) => boolean): Shipment | undefined {
    return this.#state.shipments.find((known) => known.deletedAt === null && wanted(known));
  }

  confirm(shipment: Shipment): void {
    shipment.confirmedAt = this.now().getTime();
    this.#world.touch();
  }

  delete(shipment: Shipment): void {
    shipment.deletedAt = this.now().getTime();
    this.#world.touch();
  }

  decide(shipment: Shipment, name: string): void {
    shipment.decision = { name, at: this.now().getTime() };
    this.#world.touch();
  }

  /** The depot has it: too late to delete. */
  isInCharge(shipment: Shipment): boolean {
    return journeyOf(shipment, this.now()).some(({ code }) => code !== '700');
  }

  /** By the first word of the generic reference, where a customer writes what it knows the shipment by. */
  ledger(): LedgerEntry[] {
    const entries = new Map<string, LedgerEntry>();
    for (const shipment of this.#state.shipments) {
      const [reference = ''] = (shipment.generic || shipment.alphanumeric).split(' ');
      const entry = entries.get(reference) ?? emptyEntry(reference);
      entries.set(reference, entry);
      const number = trackingIdOf(shipment, 1);
      entry.trackingNumbers.push(number);
      if (shipment.decision) entry.released += 1;
      if (shipment.confirmedAt !== null) entry.confirmed += 1;
      if (shipment.deletedAt !== null) {
        entry.cancelled += 1;
        continue;
      }
      entry.labelsSold += shipment.parcels;
      entry.liveNumbers.push(number);
      if (shipment.confirmedAt !== null) entry.confirmedNumbers.push(number);
    }
    return [...entries.values()];
  }

  save(): unknown {
    return structuredClone(this.#state);
  }

  load(state: unknown): void {
    this.#state = structuredClone(state) as State;
  }
}

function emptyEntry(reference: string): LedgerEntry {
  const counts = { labelsSold: 0, confirmed: 0, cancelled: 0, released: 0 };
  return { reference, ...counts, liveNumbers: [], confirmedNumbers: [], trackingNumbers: [] };
}

/** Of some contracts everything counts as confirmed at once: here those of customers whose code begins with 9. */
function isAutomatic(customer: string): boolean {
  return customer.padStart(7, '0').startsWith('9');
}
