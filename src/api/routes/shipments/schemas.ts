import { z } from 'zod';
import { DIRECTIONS } from '../../../domain/direction.ts';
import { PROCESS_STATUSES } from '../../../domain/shipment-status.ts';
import { TRACKING_STATUSES } from '../../../domain/tracking-status.ts';
import { DateTime, Decimal, freeObject, Id, NullableDateTime, NullableText, Text } from '../../http/schemas.ts';

/** New values may come, so the status stays a string. */
export const SHIPMENT_STATUS_WORDS = `The carrier's status once it has reported one: ${Object.keys(TRACKING_STATUSES).join(', ')}, or expired; before that ours: ${PROCESS_STATUSES.join(', ')}`;

export const ShipmentSummary = z
  .object({
    id: Id,
    direction: z.enum(DIRECTIONS),
    status: Text.describe(SHIPMENT_STATUS_WORDS),
    carrierCompanyId: Id,
    trackingNumber: Text.describe('Empty until the carrier has given one'),
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

export const PolledShipment = z
  .object({
    shipmentId: Id,
    trackingNumber: Text,
    status: Text.describe(SHIPMENT_STATUS_WORDS),
    newEvents: z
      .number()
      .int()
      .nullable()
      .describe('Tracking events that were new; null while the carrier has not answered'),
    lastEventAt: NullableDateTime,
    polledAt: NullableDateTime.describe('When the carrier last answered'),
  })
  .meta({ id: 'PolledShipment' });

export const PrintedLabel = z
  .object({
    shipmentId: Id,
    printedAt: NullableDateTime.describe('When it was first printed; null: it is not printed'),
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
            shipmentId: Id,
            trackingNumber: Text,
            labelUrl: NullableText.meta({
              description: 'Needs the API key; null while the carrier still owes the label',
            }),
          }),
        )
        .optional()
        .meta({
          description: 'An addition of ours: the shipment of each booked order; absent in the result of transmit',
        }),
    }),
  })
  .meta({ id: 'BatchResult' });

export const ReleaseResult = z
  .object({
    success: z.boolean(),
    message: Text,
    summary: z.object({
      requested: z.number().int(),
      succeeded: z.number().int(),
      failed: z.number().int(),
    }),
    blockingError: NullableText,
    items: z.array(
      z.object({
        shipmentId: Id,
        carrierShipmentReference: Text,
        success: z.boolean(),
        message: Text,
        raw: freeObject("The carrier's answer as parsed; its fields differ by carrier"),
      }),
    ),
  })
  .meta({ id: 'ReleaseResult' });

export const DocumentList = z
  .array(
    z.object({
      id: Id,
      kind: z.enum(['label', 'return_label', 'customs_invoice', 'manifest']),
      contentType: Text,
      size: z.number().int(),
      createdAt: DateTime,
      url: Text,
    }),
  )
  .meta({ id: 'DocumentList' });

export const QuoteBody = z
  .object({
    carrier_id: Id,
    carrier_company_id: Id,
    extra_steps: z.number().int(),
    carrier_name: Text,
    zone_label: Text,
    logo_url: Text,
    zone_name: Text,
    contract_label: Text,
    base_price: Decimal,
    coefficient: Decimal,
    chargeable_weight: Decimal,
    real_weight: Decimal,
    volumetric_weight: Decimal,
    surcharge_price: Decimal,
    extra_price: Decimal,
    carrier_options_total: Decimal,
    total_price: Decimal,
    vat_amount: Decimal,
    total_price_with_vat: Decimal,
    is_active: z.boolean(),
    is_connected: z.boolean(),
    delete_flag: z.boolean(),
    carrier_options_detail: z.array(
      z.object({
        name: Text,
        price: Decimal,
        option_id: z.number().int(),
        calculated: z.number().int(),
        description: Text,
      }),
    ),
    purchase: z
      .object({
        base_price: Decimal,
        extra_price: Decimal,
        surcharge_price: Decimal,
        carrier_options_total: Decimal,
        total_price: Decimal,
        margin: Decimal.describe('The sale total less total_price; negative when sold below cost'),
      })
      .partial()
      .describe('The cost of the same shipment; empty when the price list has no purchase prices for it'),
  })
  .meta({ id: 'Quote' });

export const TrackingDetail = z
  .object({
    shipment: z.object({
      id: Id,
      trackingNumber: Text,
      status: Text,
      shipmentDate: Text,
      expectedDeliveryDate: NullableText,
      deliveredDate: NullableText,
      shipmentType: Text,
      carrier: Text,
      carrierCode: Text,
      carrierLogo: Text,
      trackingUrl: Text,
      parcelCount: z.number().int(),
      weight: z.number(),
      volume: z.number(),
    }),
    recipient: z.object({
      id: Id,
      shipmentId: Id,
      companyName: Text,
      vatNumber: Text,
      taxCode: Text,
      address: Text,
      postalCode: Text,
      city: Text,
      province: Text,
      country: Text,
      countryCode: Text,
      phone: Text,
      email: Text,
    }),
    trackingEvents: z.array(
      z.object({
        id: Id,
        date: Text,
        time: Text,
        location: Text,
        status: Text,
        label: Text,
        classStyle: Text,
        color: Text,
        icon: Text,
        codeTracking: Text,
        description: Text,
        note: Text,
      }),
    ),
    relatedShipments: z.array(z.object({ id: Id, type: Text, trackingNumber: Text, carrier: Text, date: Text })),
    order: z.object({
      id: Id,
      orderNumber: Text,
      marketplaceOrderNumber: Text,
      marketplaceOrderId: Text,
      marketplaceName: Text,
      marketplaceLogo: Text,
      items: z.array(
        z.object({ sku: Text, title: Text, quantity: z.number().int(), price: z.number(), total: z.number() }),
      ),
    }),
  })
  .meta({ id: 'TrackingDetail' });

export const LiveRates = z
  .array(
    z.object({
      service_code: z.string(),
      service_name: z.string(),
      price: Decimal.describe('What the account pays, VAT as the carrier counts it'),
      currency: z.string(),
      delivery_date: z.string().nullable().describe('YYYY-MM-DD, where the carrier promises one'),
      as_of: z.iso
        .datetime()
        .nullable()
        .describe('When the carrier said so: an answer is kept for a quarter of an hour'),
    }),
  )
  .meta({ id: 'LiveRates' });
