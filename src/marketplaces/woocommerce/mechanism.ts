import type { ShipmentConfirmation } from '../contract.ts';
import type { ShopContext } from './client.ts';
import type { Order } from './schema.ts';

export interface Shipment {
  order: Order;
  confirmation: ShipmentConfirmation;
}

/** What the shop has of a shipment. */
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
