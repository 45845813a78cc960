import type { OperationView } from '../../../engine/read-operation.ts';
import { readShipmentReference } from '../../../usecases/shipments/read-results.ts';
import type { ApiDeps, OperationBody } from '../../http/route.ts';

async function releaseBody(deps: ApiDeps, { items, open }: OperationView, companyId: number) {
  const succeeded = items.filter((item) => item.status === 'succeeded').length;
  const failed = items.filter((item) => item.status === 'failed').length;
  return {
    success: open === 0 && failed === 0,
    message:
      open > 0
        ? 'The carrier has not answered yet'
        : failed > 0
          ? 'The carrier did not release the shipment'
          : 'Released',
    summary: { requested: items.length, succeeded, failed },
    blockingError: null,
    items: await Promise.all(
      items.map(async (item) => ({
        shipmentId: item.shipmentId ?? 0,
        carrierShipmentReference: await readShipmentReference(deps, { companyId, shipmentId: item.shipmentId ?? 0 }),
        success: item.status === 'succeeded',
        message: item.message,
        raw: item.result ?? {},
      })),
    ),
  };
}

/** Returns the release-held result of a request that smista did not send to the carrier. */
export function blockedRelease(blockingError: string) {
  return {
    success: false,
    message: blockingError,
    summary: { requested: 1, succeeded: 0, failed: 1 },
    blockingError,
    items: [],
  };
}

export const heldBodies = { release: releaseBody } satisfies Record<string, OperationBody>;
