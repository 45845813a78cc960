/** The types of events for clients. The triggers that write events name the same types. */
export const EVENT_TYPES = [
  'order.created',
  'order.status_changed',
  'order.corrected',
  'order.cancelled',
  'order.split',
  'order.joined',
  'order.sent_to_marketplace',
  'order.marketplace_failed',
  'shipment.status_changed',
  'shipment.held',
  'shipment.released',
  'tracking.status_changed',
  'manifest.created',
  'manifest.deleted',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Reasons why an endpoint gets no events: its owner disabled it, it failed for days, or it answered 410. */
export const DISABLED_REASONS = ['switched-off', 'failing', 'gone'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];
