import type { LedgerEntry, SandboxWorld } from './partner.ts';

/** Everything a pretend carrier remembers: plain JSON that survives a restart. */
export abstract class ParcelBooks<State extends object> {
  protected state: State;
  readonly #world: SandboxWorld;

  constructor(world: SandboxWorld, fresh: State) {
    this.#world = world;
    this.state = fresh;
  }

  now(): Date {
    return this.#world.now();
  }

  /** Call after every change of `state`. */
  protected touch(): void {
    this.#world.touch();
  }

  save(): unknown {
    return structuredClone(this.state);
  }

  load(state: unknown): void {
    this.state = structuredClone(state) as State;
  }
}

/** One shipment as the ledger counts it. */
export interface Sold {
  reference: string;
  number: string;
  /** Street or locker to which the label sends the parcel. */
  address: string;
  parcels: number;
  isConfirmed: boolean;
  isCancelled: boolean;
  /** Decisions about held parcels; absent: none. */
  released?: number;
}

/** Returns an entry per reference. What is cancelled is neither sold nor live. */
export function ledgerOf(sold: readonly Sold[]): LedgerEntry[] {
  return [...Map.groupBy(sold, ({ reference }) => reference)].map(([reference, own]) => {
    const live = own.filter(({ isCancelled }) => !isCancelled);
    return {
      reference,
      labelsSold: live.reduce((sum, { parcels }) => sum + parcels, 0),
      liveNumbers: live.map(({ number }) => number),
      liveAddresses: live.map(({ address }) => address),
      confirmedNumbers: live.filter(({ isConfirmed }) => isConfirmed).map(({ number }) => number),
      confirmed: own.filter(({ isConfirmed }) => isConfirmed).length,
      cancelled: own.length - live.length,
      released: own.reduce((sum, { released = 0 }) => sum + released, 0),
      trackingNumbers: own.map(({ number }) => number),
    };
  });
}
