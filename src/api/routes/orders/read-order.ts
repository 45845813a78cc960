import { readOrder } from '../../../usecases/orders/read-orders.ts';
import { isoOrNull } from '../../http/format.ts';
import { defineRoute } from '../../http/route.ts';
import { IdPath } from '../../http/schemas.ts';
import { shipmentStatus } from '../shipments/shipment-status.ts';
import { addressDoubtsBody } from './address-doubts-body.ts';
import { createdOrderBody } from './order-body.ts';
import { productDoubtsBody } from './product-doubts-body.ts';
import { OrderDetail } from './schemas.ts';

export const readOrderRoute = defineRoute({
  method: 'get',
  path: '/orders/{id}',
  tag: 'Orders',
  summary: 'Read an order',
  description:
    'The answer of order creation, and in addition shipments, payment, origin and doubts. The contract leaves the object open, so every field is an addition of ours.',
  params: IdPath,
  responses: {
    200: {
      description: 'The order with its shipments and its history',
      schema: OrderDetail,
    },
  },
  async handle(deps, { companyId, params }) {
    const view = await readOrder(deps, { companyId, orderId: params.id });
    const { order, marketplace } = view;
    return {
      status: 200,
      body: {
        ...createdOrderBody(view),
        shipments: view.shipments.map((shipment) => ({
          id: shipment.id,
          direction: shipment.direction,
          status: shipmentStatus(shipment),
          carrierCompanyId: shipment.contractId,
          trackingNumber: shipment.trackingNumber ?? '',
          reference: shipment.reference,
          parcelCount: shipment.parcelCount,
          warnings: shipment.warnings,
          error: shipment.failure?.message ?? null,
          createdAt: shipment.createdAt.toISOString(),
          printedAt: isoOrNull(shipment.printedAt),
          transmittedAt: isoOrNull(shipment.transmittedAt),
          deliveredAt: isoOrNull(shipment.deliveredAt),
        })),
        payment: {
          method: order.paymentMethod,
          codAmount: order.codCents === null ? null : (order.codCents / 100).toFixed(2),
        },
        marketplace: marketplace
          ? {
              connectionId: marketplace.connectionId,
              platform: marketplace.code,
              orderId: order.externalOrderId,
              orderNumber: order.externalOrderNumber,
            }
          : null,
        sentToMarketplace: order.sentToMarketplaceAt !== null,
        dateSendToMarketplace: isoOrNull(order.sentToMarketplaceAt),
        sentToCarrier: order.sentToCarrierAt !== null,
        dateSendToCarrier: isoOrNull(order.sentToCarrierAt),
        error: order.error,
        problems: order.problems,
        addressDoubts: addressDoubtsBody(view),
        productDoubts: productDoubtsBody(view),
      },
    };
  },
});
