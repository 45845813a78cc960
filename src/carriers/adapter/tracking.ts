import type { HeldReason } from '../../domain/held-reasons.ts';
import type { EventContext, EventStatus } from '../../domain/tracking-status.ts';

/** Events as carriers report them. */

export interface CarrierEvent {
  /** The carrier's own code. */
  code: string;
  text: string;
  at: Date;
  location: string;
  note: string;
  /** From the adapter's table; `unrecognised` when the table has no such code: never guessed. */
  status: EventStatus;
  /** The carrier says it will be late. */
  delayed?: boolean;
  /** Where the code alone does not say what it means; `status` is with it. */
  context?: EventContext;
  /** Why a parcel is held, or will be; for events that say so. */
  heldReason?: HeldReason;
  /** The carrier says that giacenza is about to open; null: not when. */
  announcesHeld?: { inDays: number | null };
}

/** An event as the carrier wrote it. */
export type RawEvent = Pick<CarrierEvent, 'code' | 'text' | 'note'>;
/** The meaning of an event by a table of codes alone, before its context. */
export type EventMeaning = Pick<CarrierEvent, 'status' | 'delayed'>;

export interface TrackingReport {
  /** In any order, repeats allowed: the caller keeps each event once. */
  events: CarrierEvent[];
  related: { type: 'return' | 'forward'; trackingNumber: string; date: Date | null }[];
  /** False when the carrier has no record yet: ask again later. */
  found: boolean;
}
