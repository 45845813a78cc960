import type { ConfirmedShipment, ShipmentConfirmation } from '../adapter.ts';
import type { Carrier } from './carriers.ts';
import type { MiraklContext } from './client.ts';
import type { Order } from './schema.ts';

/** A shipment, and the order that it is for as Mirakl has it. */
export interface Look {
  confirmation: ShipmentConfirmation;
  carrier: Carrier;
  /** To be shipped, or shipped. */
  order: Order;
}

export type Sent = Omit<ConfirmedShipment, 'alreadySent'>;

/** One of the two ways in which an operator hears of shipments. Refuses what cannot be written before it writes. */
export type Mechanism = (
  context: MiraklContext,
  look: Look,
) => Promise<{ sent: Sent } | { write: () => Promise<Sent> }>;
