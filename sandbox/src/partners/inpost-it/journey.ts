import { endingFor, happened, type Journey } from '../../journey.ts';
import type { Books, Shipment } from './books.ts';

const TO_LOCKER: Journey = {
  6: 'taken_by_courier',
  8: 'adopted_at_source_branch',
  10: 'sent_from_source_branch',
  12: 'adopted_at_sorting_center',
  18: 'sent_from_sorting_center',
  24: 'adopted_at_target_branch',
  26: 'out_for_delivery',
  28: 'ready_to_pickup',
};
/** A word in the comments or in the recipient's name chooses one. InPost holds nothing: an uncollected parcel goes back. */
const ENDINGS: Readonly<Record<string, Journey>> = {
  GIACENZA: { 52: 'pickup_reminder_sent', 76: 'pickup_time_expired', 100: 'returned_to_sender' },
  ASSENTE: { 52: 'pickup_reminder_sent', 57: 'delivered' },
  RIFIUTA: { 33: 'rejected_by_receiver', 57: 'returned_to_sender' },
};
const DELIVERED: Journey = { 33: 'delivered' };

/** Lists what has happened to a confirmed shipment by now, newest first as InPost does. */
export function journeyOf(shipment: Shipment, books: Books): { at: Date; status: string }[] {
  const { comments, receiver, sendingMethod } = shipment;
  const ending = endingFor(`${comments} ${receiver.name}`, ENDINGS) ?? DELIVERED;
  const handedOver = sendingMethod === 'dispatch_order' ? 'collected_from_sender' : 'dispatched_by_sender';
  const steps: Journey = { 0: 'confirmed', 4: handedOver, ...TO_LOCKER, ...ending };
  return happened(steps, books.confirmedAt(shipment).getTime(), books.now())
    .map(({ at, code: status }) => ({ at, status }))
    .toReversed();
}
