import { z } from 'zod';
import { DIRECTIONS } from '../../../domain/direction.ts';
import { PROCESS_STATUSES } from '../../../domain/shipment-status.ts';
import { TRACKING_STATUSES } from '../../../domain/tracking-status.ts';
import { DateTime, Id, NullableDateTime, NullableText, Text } from '../../http/schemas.ts';

/** A string, because later versions may add values. */
export const SHIPMENT_STATUS_WORDS = `The tracking status once the carrier has reported one: ${Object.keys(TRACKING_STATUSES).join(', ')}, or expired; before that the process status: ${PROCESS_STATUSES.join(', ')}`;

export const ShipmentSummary = z
  .object({
    id: Id,
    direction: z.enum(DIRECTIONS),
    partId: Id.nullable().describe('The part of a split order; null: the whole order'),
    status: Text.describe(SHIPMENT_STATUS_WORDS),
    carrierCompanyId: Id,
    trackingNumber: Text.describe('Empty until the carrier has assigned one'),
    reference: NullableText.describe('The reference that the carrier knows'),
    parcelCount: z.number().int(),
    warnings: z.array(Text),
    error: NullableText.describe('The last failure; null when there was none'),
    createdAt: DateTime,
    printedAt: NullableDateTime.describe('When its label was first printed; null: not marked as printed'),
    transmittedAt: NullableDateTime,
    deliveredAt: NullableDateTime,
  })
  .meta({ id: 'ShipmentSummary' });

export const ListedShipmentFields = ShipmentSummary.extend({
  orderId: Id,
  orderNumber: Text,
  carrier: z.object({ id: Id, name: Text }),
  manifestId: Id.nullable().describe('The bordero that it is on; null: on none'),
}).meta({ id: 'ListedShipment' });

export const PrintedLabel = z
  .object({
    shipmentId: Id,
    printedAt: NullableDateTime.describe('When it was first printed; null: not printed'),
  })
  .meta({ id: 'PrintedLabel' });

export const BatchResult = z
  .object({
    success: z.boolean(),
    message: Text,
    total: z.number().int(),
    details: z.object({
      success: z.array(z.number().int()),
      errors: z.array(z.object({ id: z.number().int(), message: Text })),
      shipments: z
        .array(
          z.object({
            orderId: Id,
            partId: Id.optional().describe('Only of a split order'),
            shipmentId: Id,
            trackingNumber: Text,
            labelUrl: NullableText.meta({
              description: 'Needs the API key; null until the carrier delivers the label',
            }),
          }),
        )
        .optional()
        .meta({
          description:
            'An addition to the contract: the shipment of each booked order; absent in the result of transmit',
        }),
    }),
  })
  .meta({ id: 'BatchResult' });
