import { z } from 'zod';
import { DateTime, Decimal, FreeObject, Id, NullableText, Text } from '../schemas.ts';

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
        raw: FreeObject,
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
    purchase: FreeObject,
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
