import type { HeldAction } from '../../domain/held-actions.ts';
import type { HeldReason } from '../../domain/held-reasons.ts';
import type { Party, ShipmentHandle } from './shipment.ts';

/** Parcels in giacenza, and the decisions about them. */

export interface ReleaseRequest {
  shipment: ShipmentHandle;
  action: HeldAction;
  recipientPhone: string;
  /** Only for REDISPATCH_NEW_ADDRESS. */
  newAddress: Party | null;
  /** Only for actions that send it to a place of the carrier's: how the carrier names that. */
  pickupPointId: string;
  note: string;
  /** Wall-clock date YYYY-MM-DD of the wished redelivery. */
  redeliveryDate: string;
}

export interface ReleaseResult {
  /** False in the carrier's own words; an answer that says neither is thrown. */
  ok: boolean;
  message: string;
  /** The carrier's answer as parsed, for `items[].raw`. */
  raw: Record<string, unknown>;
}

/** A parcel in giacenza, as the carrier lists it. */
export interface HeldParcel {
  trackingNumber: string;
  reference: string;
  /** In the carrier's words. */
  reason: string;
  cause: HeldReason;
  since: Date | null;
  /** When the carrier decides by itself. */
  deadline: Date | null;
  isReleasable: boolean;
}
