import type { ListedShipment } from '../../../usecases/search/list-shipments.ts';
import { isoOrNull } from '../../http/format.ts';
import { shipmentStatus } from './shipment-status.ts';

type Summarised = Pick<
  ListedShipment['shipment'],
  | 'id'
  | 'direction'
  | 'partId'
  | 'processStatus'
  | 'trackingStatus'
  | 'expiredAt'
  | 'exhaustedAt'
  | 'contractId'
  | 'trackingNumber'
  | 'reference'
  | 'parcelCount'
  | 'warnings'
  | 'failure'
  | 'createdAt'
  | 'printedAt'
  | 'transmittedAt'
  | 'deliveredAt'
>;

export function shipmentSummaryBody(shipment: Summarised) {
  return {
    id: shipment.id,
    direction: shipment.direction,
    partId: shipment.partId,
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
  };
}

export function listedShipmentBody({ shipment, order, carrier, manifestId }: ListedShipment) {
  return {
    ...shipmentSummaryBody(shipment),
    orderId: order.id,
    orderNumber: order.orderNumber,
    carrier: { id: carrier.id, name: carrier.name },
    manifestId,
  };
}
