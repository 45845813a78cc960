import type { ShipmentConfirmation } from '../adapter.ts';
import { doubtAbout, type LookUp } from '../look-up.ts';
import type { ShopContext } from './client.ts';
import { refuse } from './refusals.ts';
import type { Order } from './schema.ts';

export interface Shipment {
  order: Order;
  confirmation: ShipmentConfirmation;
}

/** A shipment at the shop. */
export interface Sent {
  transactionId: string;
  trackingCarrier: string;
  trackingUrl: string;
}

/** Either the shop has the shipment already, or `write` writes what is missing of it. */
export type Look = { sent: Sent } | { write(): Promise<Sent> };

export interface Mechanism {
  /** Whether the order must also be completed, after the tracking is written: the mail about it prints the tracking. */
  completesOrder: boolean;
  /** Reads only. */
  look(context: ShopContext, shipment: Shipment): Promise<Look>;
}

/** Tells whether the shop was told a number that no longer holds. */
export function isReplaced({ confirmation }: Shipment, number: string): boolean {
  return number !== confirmation.trackingNumber && (confirmation.replacedNumbers ?? []).includes(number);
}

/** Throws when the shop may already have what is about to be written, in an element that could not be read. */
export function requireWhole(found: LookUp<unknown>, what: string): void {
  const doubt = doubtAbout(found.unreadable, what);
  if (doubt) throw refuse('unknown', doubt);
}
