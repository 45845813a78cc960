import type { TrackingStatus } from '../../domain/tracking-status.ts';

export interface CodeMeaning {
  status: TrackingStatus;
  /** InPost says that it will be late. */
  delayed?: true;
}

const on = (status: TrackingStatus): CodeMeaning => ({ status });
const late: CodeMeaning = { status: 'in_transit', delayed: true };

/**
 * ShipX status to ours: the 53 names that `GET /v1/statuses` lists, read on 2026-11-21. Left out, and so `unrecognised`: `canceled`
 * (no parcel travels), `canceled_redirect_to_box` (a redirection was called off, which says nothing of where the parcel is) and
 * `other`.
 */
export const TRACKING_CODES: Readonly<Record<string, CodeMeaning>> = {
  created: on('awaiting_pickup'),
  offers_prepared: on('awaiting_pickup'),
  offer_selected: on('awaiting_pickup'),
  confirmed: on('awaiting_pickup'),
  dispatched_by_sender: on('awaiting_pickup'), // put into a locker, not fetched yet
  dispatched_by_sender_to_pok: on('awaiting_pickup'),
  collected_from_sender: on('picked_up'),
  taken_by_courier: on('picked_up'),
  taken_by_courier_from_pok: on('picked_up'),
  adopted_at_source_branch: on('in_transit'),
  sent_from_source_branch: on('in_transit'),
  adopted_at_sorting_center: on('in_transit'),
  sent_from_sorting_center: on('in_transit'),
  adopted_at_target_branch: on('in_transit'),
  readdressed: on('in_transit'),
  redirect_to_box: on('in_transit'),
  unstack_from_box_machine: on('in_transit'),
  unstack_from_customer_service_point: on('in_transit'),
  delay_in_delivery: late,
  oversized: late, // does not fit into the locker
  out_for_delivery: on('out_for_delivery'),
  out_for_delivery_to_address: on('out_for_delivery'),
  ready_to_pickup: on('available_for_pickup'),
  ready_to_pickup_from_pok: on('available_for_pickup'),
  ready_to_pickup_from_pok_registered: on('available_for_pickup'),
  ready_to_pickup_from_branch: on('available_for_pickup'),
  stack_in_box_machine: on('available_for_pickup'),
  stack_in_customer_service_point: on('available_for_pickup'),
  pickup_reminder_sent: on('available_for_pickup'),
  courier_avizo_in_customer_service_point: on('available_for_pickup'),
  // InPost describes it as a courier who did not find the recipient, unlike the reminder above.
  pickup_reminder_sent_address: on('attempt_failed'),
  avizo: on('attempt_failed'),
  rejected_by_receiver: on('attempt_failed'),
  undelivered: on('attempt_failed'),
  undelivered_wrong_address: on('attempt_failed'),
  undelivered_incomplete_address: on('attempt_failed'),
  undelivered_unknown_receiver: on('attempt_failed'),
  undelivered_cod_cash_receiver: on('attempt_failed'),
  undelivered_no_mailbox: on('attempt_failed'),
  undelivered_not_live_address: on('attempt_failed'),
  undelivered_lack_of_access_letterbox: on('attempt_failed'),
  delivered: on('delivered'),
  // InPost waits for no decision: an uncollected parcel goes back by itself.
  pickup_time_expired: on('returning'),
  stack_parcel_pickup_time_expired: on('returning'),
  stack_parcel_in_box_machine_pickup_time_expired: on('returning'),
  taken_by_courier_from_customer_service_point: on('returning'),
  returned_to_sender: on('returned'),
  return_pickup_confirmation_to_sender: on('returned'),
  claimed: on('exception'), // a complaint was made
  // Not `lost`, which is final: InPost describes this name nowhere, and tracking must not end on a guess.
  missing: on('exception'),
};

export function meaningOf(code: string): CodeMeaning | undefined {
  return Object.hasOwn(TRACKING_CODES, code) ? TRACKING_CODES[code] : undefined;
}
