import type { Books, Shipment } from './books.ts';

interface JourneyEvent {
  at: Date;
  status: string;
}

const HOUR_MS = 3_600_000;

type Step = readonly [hours: number, status: string];

const TO_LOCKER: readonly Step[] = [
  [6, 'taken_by_courier'],
  [8, 'adopted_at_source_branch'],
  [10, 'sent_from_source_branch'],
  [12, 'adopted_at_sorting_center'],
  [18, 'sent_from_sorting_center'],
  [24, 'adopted_at_target_branch'],
  [26, 'out_for_delivery'],
  [28, 'ready_to_pickup'],
];
/** Chosen by a word in the comments or in the recipient's name. InPost holds nothing: what is not collected goes back. */
const ENDINGS: readonly (readonly [word: RegExp, steps: readonly Step[]])[] = [
  [
    /GIACENZA/i,
    [
      [52, 'pickup_reminder_sent'],
      [76, 'pickup_time_expired'],
      [100, 'returned_to_sender'],
    ],
  ],
  [
    /ASSENTE/i,
    [
      [52, 'pickup_reminder_sent'],
      [57, 'delivered'],
    ],
  ],
  [
    /RIFIUTA/i,
    [
      [33, 'rejected_by_receiver'],
      [57, 'returned_to_sender'],
    ],
  ],
];
const DELIVERED: readonly Step[] = [[33, 'delivered']];

/** What has happened to a confirmed shipment by now, newest first as InPost lists it. */
export function journeyOf(shipment: Shipment, books: Books): JourneyEvent[] {
  const words = `${shipment.comments} ${shipment.receiver.name}`;
  const ending = ENDINGS.find(([word]) => word.test(words))?.[1] ?? DELIVERED;
  const handedOver = shipment.sendingMethod === 'dispatch_order' ? 'collected_from_sender' : 'dispatched_by_sender';
  const start = books.confirmedAt(shipment).getTime();
  const now = books.now();
  const steps: readonly Step[] = [[0, 'confirmed'], [4, handedOver], ...TO_LOCKER, ...ending];
  return steps
    .map(([hours, status]) => ({ at: new Date(start + hours * HOUR_MS), status }))
    .filter(({ at }) => at <= now)
    .toReversed();
}
