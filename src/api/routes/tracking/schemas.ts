import { z } from 'zod';
import { Id, NullableDateTime, NullableText, Text } from '../../http/schemas.ts';

import { SHIPMENT_STATUS_WORDS } from '../shipments/schemas.ts';

export const PolledShipment = z
  .object({
    shipmentId: Id,
    trackingNumber: Text,
    status: Text.describe(SHIPMENT_STATUS_WORDS),
    newEvents: z.number().int().nullable().describe('Number of new tracking events; null until the carrier answers'),
    lastEventAt: NullableDateTime,
    polledAt: NullableDateTime.describe('When the carrier last answered'),
  })
  .meta({ id: 'PolledShipment' });

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
