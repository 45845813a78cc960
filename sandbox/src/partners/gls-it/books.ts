import { ledgerOf, ParcelBooks } from '../../parcel-books.ts';
import type { LedgerEntry, SandboxWorld } from '../../partner.ts';
import { isHeld } from './journey.ts';
import { routeOf } from './localities.ts';
import type { BookedParcel, Shipment } from './shipment.ts';

export interface Login {
  sede: string;
  cliente: string;
}

export type ParcelOrder = Omit<
  Shipment,
  'number' | 'parcels' | 'route' | 'createdAt' | 'closedAt' | 'cancelledAt' | 'release'
> & { parcel: BookedParcel };

const MAX_PARCELS = 99;
const DAY_MS = 86_400_000;
export const REFERENCE_USED = 'La Bda specificata è già stata utilizzata in precedenza.';

interface State {
  nextRouted: number;
  nextUnrouted: number;
  shipments: Shipment[];
}

/** Everything the pretend carrier remembers, and the rules by which it changes. */
export class Books extends ParcelBooks<State> {
  constructor(world: SandboxWorld) {
    super(world, { nextRouted: 610_000_001, nextUnrouted: 800_000_001, shipments: [] });
  }

  /** Books one parcel: into the open shipment of the same recipient and Bda, else into a new one. Null: silently ignored. */
  add(order: ParcelOrder): Shipment | string | null {
    const { parcel, ...fields } = order;
    const live = this.state.shipments.filter(
      (known) => known.bda === order.bda && sameLogin(known, order) && known.cancelledAt === null,
    );
    const open = live.find((known) => known.closedAt === null && mergeKey(known) === mergeKey(order));
    this.touch();
    if (open) {
      if (open.parcels.length >= MAX_PARCELS) return null;
      open.parcels.push(parcel);
      open.codCents += order.codCents;
      open.note = order.note;
      open.driverNote = order.driverNote;
      open.customerReference = order.customerReference;
      return open;
    }
    if (order.bda !== '' && live.length > 0) return REFERENCE_USED;
    const route = routeOf(order);
    const number = String(route ? this.state.nextRouted++ : this.state.nextUnrouted++);
    const createdAt = this.now().getTime();
    const life = { createdAt, closedAt: null, cancelledAt: null, release: null };
    const shipment: Shipment = { ...fields, ...life, number, route, parcels: [parcel] };
    this.state.shipments.push(shipment);
    return shipment;
  }

  /** Lists the routed and recent shipments of one login. */
  list(login: Login): Shipment[] {
    const since = this.now().getTime() - 40 * DAY_MS;
    return this.state.shipments.filter(
      (known) =>
        sameLogin(known, login) && known.cancelledAt === null && known.route !== null && known.createdAt >= since,
    );
  }

  find(login: Login, wanted: (shipment: Shipment) => boolean): Shipment | undefined {
    return this.state.shipments.find((known) => sameLogin(known, login) && known.cancelledAt === null && wanted(known));
  }

  /** Tracking knows no password; a parcel deleted after closing is still on its way. */
  findTracked(wanted: (shipment: Shipment) => boolean): Shipment | undefined {
    return this.state.shipments.find(
      (known) => (known.cancelledAt === null || known.closedAt !== null) && wanted(known),
    );
  }

  close(login: Login, number: string): boolean {
    const shipment = this.find(login, (known) => known.number === number && known.closedAt === null);
    if (!shipment) return false;
    shipment.closedAt = this.now().getTime();
    this.touch();
    return true;
  }

  cancel(login: Login, number: string): boolean {
    const shipment = this.find(login, (known) => known.number === number);
    if (!shipment) return false;
    shipment.cancelledAt = this.now().getTime();
    this.touch();
    return true;
  }

  release(login: Login, { number, type }: { number: string; type: string }): boolean {
    const shipment = this.find(login, (known) => `${known.sede}${known.number}` === number);
    if (!shipment || !isHeld(shipment, this.now())) return false;
    const returnNumber = type === '3' ? String(this.state.nextRouted++) : '';
    shipment.release = { type, at: this.now().getTime(), returnNumber };
    this.touch();
    return true;
  }

  ledger(): LedgerEntry[] {
    return ledgerOf(
      this.state.shipments.map(({ bda, sede, number, address, parcels, closedAt, cancelledAt, release }) => ({
        reference: bda,
        number: `${sede}${number}`,
        address,
        parcels: parcels.length,
        isConfirmed: closedAt !== null,
        isCancelled: cancelledAt !== null,
        released: release === null ? 0 : 1,
      })),
    );
  }
}

function sameLogin(shipment: Shipment, login: Login): boolean {
  return shipment.sede === login.sede && shipment.cliente === login.cliente;
}

/** The depot's mode "recipient + Bda". */
function mergeKey(order: Shipment | ParcelOrder): string {
  return JSON.stringify(
    [order.contratto, order.name, order.address, order.city, order.freight, order.bda].map((part) =>
      part.toUpperCase(),
    ),
  );
}
