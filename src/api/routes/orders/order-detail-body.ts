import type { OrderView } from '../../../usecases/orders/read-orders.ts';
import { isoOrNull } from '../../http/format.ts';
import { shipmentSummaryBody } from '../shipments/shipment-body.ts';
import { addressDoubtsBody } from './address-doubts-body.ts';
import { createdOrderBody } from './order-body.ts';
import { productDoubtsBody } from './product-doubts-body.ts';

export function orderDetailBody(view: OrderView) {
  const { order, marketplace } = view;
  return {
    ...createdOrderBody(view),
    revision: order.revision,
    cancelReason: order.cancelReason,
    shipments: view.shipments.map(shipmentSummaryBody),
    parts: view.parts.map((part) => partBody(part, view)),
    joinedInto: order.joinedInto === order.id ? null : order.joinedInto,
    joinedOrderIds: view.joinedOrderIds,
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
  };
}

function partBody(part: OrderView['parts'][number], { shipments }: OrderView) {
  const live = shipments.find(
    ({ partId, direction, processStatus }) =>
      partId === part.id && direction === 'outbound' && processStatus !== 'cancelled' && processStatus !== 'rejected',
  );
  return {
    id: part.id,
    position: part.position,
    lines: part.lines.map(({ itemId, quantity }) => ({ itemId, quantity })),
    parcelCount: Math.max(1, part.parcels.length),
    codAmount: part.codCents === null ? null : (part.codCents / 100).toFixed(2),
    shipmentId: live?.id ?? null,
  };
}

/** Returns the name of the order's version, which changes with what is shipped. */
export function revisionOf({ order }: Pick<OrderView, 'order'>): string {
  return `${order.id}-${order.revision}`;
}
