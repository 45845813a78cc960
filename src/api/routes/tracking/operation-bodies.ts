import type { OperationView } from '../../../engine/read-operation.ts';
import { readPolledShipment } from '../../../usecases/shipments/read-results.ts';
import { isoOrNull } from '../../http/format.ts';
import { answerTo } from '../../http/operation-reply.ts';
import type { ApiDeps, OperationBody } from '../../http/route.ts';
import { shipmentStatus } from '../shipments/shipment-status.ts';

async function pollBody(deps: ApiDeps, view: OperationView, companyId: number) {
  const answer = answerTo(view);
  const shipment = await readPolledShipment(deps, { companyId, shipmentId: view.items[0]?.shipmentId ?? 0 });
  return {
    shipmentId: shipment.id,
    trackingNumber: shipment.trackingNumber ?? '',
    status: shipmentStatus(shipment),
    newEvents: answer?.newEvents ?? null,
    lastEventAt: isoOrNull(shipment.lastEventAt),
    polledAt: isoOrNull(shipment.polledAt),
  };
}

export const trackingBodies = { poll: pollBody } satisfies Record<string, OperationBody>;
