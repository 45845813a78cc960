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
export class Books {
  #state: State = { nextPackage: 1, nextPickup: 1, shipments: [], pickups: [] };
  readonly #world: SandboxWorld;

  constructor(world: SandboxWorld) {
    this.#world = world;
  }

  now(): Date {
    return this.#world.now();
  }

  add(order: Order, weights: readonly string[]): Shipment {
    const packages = weights.map((weight) => ({
      number: `1Z${order.shipper}${order.service}${String(this.#state.nextPackage++).padStart(8, '0')}`,
      weight,
    }));
    const id = packages[0]?.number ?? '';
    const shipment = { ...order, id, packages, createdAt: this.now().getTime(), voidedAt: null };
    this.#state.shipments.push(shipment);
    this.#world.touch();
    return shipment;
  }

  /** By the number of any of its packages. */
  find(number: string): Shipment | undefined {
    return this.#state.shipments.find(({ packages }) => packages.some((one) => one.number === number));
  }

  search(reference: string, shipper: string): Shipment[] {
    return this.#state.shipments.filter((one) => one.shipper === shipper && one.references.includes(reference));
  }

  void(shipment: Shipment): void {
    shipment.voidedAt = this.now().getTime();
    this.#world.touch();
  }

  /** As UPS does, the one that is there already is given again. */
  addPickup(address: string, reference: string): Pickup {
    const known = this.#state.pickups.find((pickup) => pickup.address === address && !pickup.isCancelled);
    if (known) return known;
    const prn = `29${String(this.#state.nextPickup++).padStart(9, '0')}`;
    const pickup = { prn, address, reference, isCancelled: false };
    this.#state.pickups.push(pickup);
    this.#world.touch();
    return pickup;
  }

  findPickup(prn: string): Pickup | undefined {
    return this.#state.pickups.find((pickup) => pickup.prn === prn);
  }

  cancelPickup(pickup: Pickup): void {
    pickup.isCancelled = true;
    this.#world.touch();
  }

  pickups(): PickupEntry[] {
    return this.#state.pickups.map(({ prn, reference, isCancelled }) => ({
      reference,
      confirmation: prn,
      isCancelled,
    }));
  }

  /** Creating transmits, so every shipment that lives counts as confirmed. */
  ledger(): LedgerEntry[] {
    const byReference = Map.groupBy(this.#state.shipments, ({ references }) => references[0] ?? '');
    return [...byReference].map(([reference, own]) => {
      const live = own.filter(({ voidedAt }) => voidedAt === null);
      const liveNumbers = live.map(({ id }) => id);
      return {
        reference,
        labelsSold: live.reduce((sum, { packages }) => sum + packages.length, 0),
        liveNumbers,
        confirmedNumbers: liveNumbers,
        confirmed: live.length,
        cancelled: own.length - live.length,
        released: 0,
        trackingNumbers: own.map(({ id }) => id),
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
