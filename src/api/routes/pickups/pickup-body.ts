import { z } from 'zod';
import { PICKUP_STATUSES } from '../../../domain/pickup-status.ts';
import type { PickupView } from '../../../usecases/pickups/read-pickups.ts';
import { iso } from '../../http/format.ts';
import { DateTime, Id } from '../../http/schemas.ts';

export const PickupFields = z
  .object({
    id: Id,
    carrierCompanyId: Id,
    carrier: z.object({ id: Id, name: z.string() }),
    warehouseId: Id.nullable(),
    date: z.string().describe('YYYY-MM-DD'),
    from: z.string().describe('HH:mm'),
    to: z.string(),
    shipmentIds: z.array(Id),
    note: z.string(),
    status: z
      .enum(PICKUP_STATUSES)
      .describe("unknown: the carrier's answer was lost, a courier may come or not; failed: none will come"),
    confirmation: z.string().describe("The carrier's confirmation number"),
    message: z.string().describe("In the carrier's words"),
    createdAt: DateTime,
    updatedAt: DateTime,
  })
  .meta({ id: 'Pickup' });

export function pickupBody({ pickup, carrier }: PickupView) {
  return {
    id: pickup.id,
    carrierCompanyId: pickup.contractId,
    carrier: { id: carrier.id, name: carrier.name },
    warehouseId: pickup.warehouseId,
    date: pickup.date,
    from: pickup.fromTime,
    to: pickup.toTime,
    shipmentIds: pickup.shipmentIds,
    note: pickup.note,
    status: pickup.status,
    confirmation: pickup.confirmation,
    message: pickup.message,
    createdAt: iso(pickup.createdAt),
    updatedAt: iso(pickup.updatedAt),
  };
}
