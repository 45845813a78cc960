import { ledgerOf, ParcelBooks } from '../../parcel-books.ts';
import type { LedgerEntry, PickupEntry, SandboxWorld } from '../../partner.ts';
import type { Address, PickupOrder, WaybillOrder } from './protocol.ts';

/** One parcel: Poste gives every parcel a waybill of its own. */
export interface Waybill {
  code: string;
  /** The number of its shipment here; a repeat of a reference is another one. */
  booking: number;
  reference: string;
  costCenter: string;
  printFormat: WaybillOrder['printFormat'];
  product: string;
  sender: Address;
  recipient: Address;
  content: string;
  weightGrams: number;
  place: number;
  of: number;
  /** In the label's address, instead of a login. */
  labelToken: string;
  createdAt: number;
  release: { action: string; at: number } | null;
}

interface State {
  nextCode: number;
  nextBooking: number;
  nextPickup: number;
  waybills: Waybill[];
  /** Place and day, which is what Poste finds twice. */
  pickups: { bookingId: string; key: string; reference: string }[];
}

/** Everything the pretend carrier remembers. A repeat sells again, and nothing is ever taken back. */
export class Books extends ParcelBooks<State> {
  constructor(world: SandboxWorld) {
    super(world, { nextCode: 1, nextBooking: 1, nextPickup: 41_500_001, waybills: [], pickups: [] });
  }

  sell(order: WaybillOrder, costCenter: string): Waybill[] {
    const { clientReferenceId, data, printFormat, product } = order;
    const booking = this.state.nextBooking++;
    const sold = data.declared.map(({ weight }, index) => ({
      code: `SBX0${String(this.state.nextCode++).padStart(9, '0')}`,
      booking,
      reference: clientReferenceId,
      costCenter,
      printFormat,
      product,
      sender: data.sender,
      recipient: data.receiver,
      content: data.content,
      weightGrams: Number(weight),
      place: index + 1,
      of: data.declared.length,
      labelToken: crypto.randomUUID(),
      createdAt: this.now().getTime(),
      release: null,
    }));
    this.state.waybills.push(...sold);
    this.touch();
    return sold;
  }

  find(code: string): Waybill | undefined {
    return this.state.waybills.find((waybill) => waybill.code === code);
  }

  search(wanted: (waybill: Waybill) => boolean): Waybill[] {
    return this.state.waybills.filter(wanted);
  }

  release(waybill: Waybill, action: string): void {
    waybill.release = { action, at: this.now().getTime() };
    this.touch();
  }

  /** The number of the booking; null when there is one for that place and day. */
  bookPickup({ where, pickupDate, note1 }: PickupOrder): string | null {
    const [place] = where.item;
    const key = [place?.postCode, place?.streetName, place?.streetNumber, pickupDate].join('|').toUpperCase();
    if (this.state.pickups.some((pickup) => pickup.key === key)) return null;
    const bookingId = `CP${this.state.nextPickup++}`;
    this.state.pickups.push({ bookingId, key, reference: note1 ?? '' });
    this.touch();
    return bookingId;
  }

  pickups(): PickupEntry[] {
    return this.state.pickups.map(({ bookingId: confirmation, reference }) => ({
      reference,
      confirmation,
      isCancelled: false,
    }));
  }

  /** Selling transmits, so every shipment counts as confirmed. */
  ledger(): LedgerEntry[] {
    const bookings = Map.groupBy(this.state.waybills, ({ booking }) => booking).values();
    return ledgerOf(
      [...bookings].map((own) => ({
        reference: own[0]?.reference ?? '',
        number: own[0]?.code ?? '',
        address: [own[0]?.recipient.address, own[0]?.recipient.streetNumber].filter(Boolean).join(' '),
        parcels: own.length,
        isConfirmed: true,
        isCancelled: false,
        released: own.filter(({ release }) => release !== null).length,
      })),
    );
  }
}
