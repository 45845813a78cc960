import { presentationOf } from '../../../domain/tracking-presentation.ts';
import { wallClock } from '../../../lib/clock.ts';
import { centsToNumber } from '../../../lib/decimal.ts';
import { readTracking } from '../../../usecases/orders/read-orders.ts';
import { iso, isoOrNull, logoUrl } from '../../http/format.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { shipmentStatus } from '../shipments/shipment-status.ts';
import { TrackingDetail } from './schemas.ts';

export const readTrackingRoute = defineRoute({
  method: 'get',
  scope: 'tracking:read',
  path: '/shipment/{id}/tracking',
  tag: 'Shipments',
  summary: 'Read the tracking of a shipment',
  description:
    'Events newest first; date and time on the wall clock of the company. `label` in Italian, or in English where Accept-Language prefers it.',
  params: IdPath,
  responses: { 200: { description: 'The shipment with its events and its order', schema: TrackingDetail } },
  isBatched: true,
  async handle(deps, { companyId, params, language }) {
    const view = await readTracking(deps, { companyId, shipmentId: params.id });
    const { shipment, carrier, company, recipient, order } = view;
    const { timeZone } = company.settings;
    const { publicUrl } = deps.settings;
    return {
      status: 200,
      headers: { 'Content-Language': language, Vary: 'Accept-Language' },
      body: {
        shipment: {
          id: shipment.id,
          trackingNumber: shipment.trackingNumber ?? '',
          status: shipmentStatus(shipment),
          shipmentDate: iso(shipment.createdAt),
          expectedDeliveryDate: isoOrNull(shipment.expectedDeliveryAt),
          deliveredDate: isoOrNull(shipment.deliveredAt),
          shipmentType: shipment.direction,
          carrier: carrier.name,
          carrierCode: carrier.code,
          carrierLogo: logoUrl(carrier.logoUrl, publicUrl),
          trackingUrl: view.trackingUrl,
          parcelCount: shipment.parcelCount,
          weight: shipment.weightGrams / 1000,
          volume: shipment.volumeCm3 / 1_000_000,
        },
        recipient: {
          id: recipient.id,
          shipmentId: shipment.id,
          companyName: recipient.companyName,
          vatNumber: recipient.vatNumber,
          taxCode: recipient.taxCode,
          address: [recipient.address, recipient.address2].filter(Boolean).join(', '),
          postalCode: recipient.zip,
          city: recipient.city,
          province: recipient.province,
          country: recipient.country,
          countryCode: recipient.countryCode,
          phone: recipient.phone,
          email: recipient.email,
        },
        trackingEvents: view.events.map((event) => ({
          id: event.id,
          ...wallClock(event.occurredAt, timeZone),
          location: event.location,
          status: event.status,
          ...presentationOf(event.status, language),
          codeTracking: event.code,
          description: event.description,
          note: event.note,
        })),
        relatedShipments: view.related.map((related) => ({
          id: related.id,
          type: related.type,
          trackingNumber: related.trackingNumber,
          carrier: carrier.name,
          date: related.date === null ? '' : iso(related.date),
        })),
        order: {
          id: order.id,
          orderNumber: order.orderNumber,
          marketplaceOrderNumber: order.externalOrderNumber ?? '',
          marketplaceOrderId: order.externalOrderId ?? '',
          marketplaceName: view.marketplace?.name ?? '',
          marketplaceLogo: view.marketplace ? logoUrl(view.marketplace.logoUrl, publicUrl) : '',
          items: view.items.map((item) => ({
            sku: item.sku,
            title: item.title,
            quantity: item.quantity,
            price: Number(item.unitPriceGross),
            total: centsToNumber(item.totalGrossCents),
          })),
        },
      },
    };
  },
});
