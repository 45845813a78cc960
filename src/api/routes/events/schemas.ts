import { z } from 'zod';
import { DIRECTIONS } from '../../../domain/direction.ts';
import type { EventType } from '../../../domain/event-types.ts';
import { HELD_ACTIONS } from '../../../domain/held-actions.ts';
import { MANIFEST_STATUSES } from '../../../domain/manifest-status.ts';
import { MARKETPLACE_ERRORS } from '../../../domain/marketplace-error.ts';
import { ORDER_STATUSES } from '../../../domain/order-status.ts';
import { PROCESS_STATUSES } from '../../../domain/shipment-status.ts';
import { TRACKING_STATUSES } from '../../../domain/tracking-status.ts';
import { DateTime, Id, Text } from '../../http/schemas.ts';

export const Sequence = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const ParcelStatus = z.enum(Object.keys(TRACKING_STATUSES));

/** Returns the schema of events whose `data` has the same fields. */
function eventOf<const Types extends readonly [EventType, ...EventType[]], Data extends z.ZodRawShape>(
  id: string,
  types: Types,
  data: Data,
) {
  return z
    .object({
      id: Text.describe('The webhook-id of its deliveries'),
      type: z.enum(types),
      timestamp: DateTime,
      data: z.object({ sequence: Sequence, ...data }),
    })
    .meta({ id });
}

const ORDER_EVENTS = [
  'order.created',
  'order.status_changed',
  'order.corrected',
  'order.cancelled',
  'order.split',
  'order.joined',
  'order.sent_to_marketplace',
] as const;

/** `data` holds only ids and statuses. Fields that do not apply are absent. */
export const EventFields = z
  .discriminatedUnion('type', [
    eventOf('OrderEvent', ORDER_EVENTS, {
      orderId: Id,
      status: z.enum(ORDER_STATUSES),
      previousStatus: z.enum(ORDER_STATUSES).optional(),
      connectionId: Id.optional(),
    }),
    eventOf('MarketplaceFailedEvent', ['order.marketplace_failed'], {
      orderId: Id,
      shipmentId: Id.optional(),
      operationId: Id,
      errorType: z.enum(Object.keys(MARKETPLACE_ERRORS)).optional(),
    }),
    eventOf('ShipmentEvent', ['shipment.status_changed'], {
      shipmentId: Id,
      orderId: Id,
      direction: z.enum(DIRECTIONS),
      status: z.enum(PROCESS_STATUSES),
    }),
    eventOf('ParcelEvent', ['shipment.held', 'tracking.status_changed'], {
      shipmentId: Id,
      orderId: Id,
      direction: z.enum(DIRECTIONS),
      status: ParcelStatus,
      previousStatus: ParcelStatus.optional(),
    }),
    eventOf('ReleasedEvent', ['shipment.released'], {
      shipmentId: Id,
      orderId: Id.optional(),
      operationId: Id,
      action: z.enum(HELD_ACTIONS),
    }),
    eventOf('ManifestEvent', ['manifest.created', 'manifest.deleted'], {
      manifestId: Id,
      carrierId: Id,
      number: Text,
      status: z.enum(MANIFEST_STATUSES),
    }),
  ])
  .meta({ id: 'Event', description: 'Later versions may add types and fields' });
