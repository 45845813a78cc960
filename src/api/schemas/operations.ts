import { z } from 'zod';
import { PickupFields } from '../pickup-body.ts';
import { AddressCheck, PickupPoints } from './carriers.ts';
import { SendResult } from './marketplaces.ts';
import { BatchResult, LiveRates, PolledShipment, ReleaseResult } from './shipments.ts';

const Cancellation = z.boolean().meta({
  id: 'Cancellation',
  description: 'DELETE /shipment/{id}: true once cancelled, false while the carrier is asked',
});

/** One body for each kind of operation: that of the request which answered 202. */
export const OperationResult = z
  .union([
    BatchResult,
    Cancellation,
    ReleaseResult,
    SendResult,
    AddressCheck,
    PickupPoints,
    LiveRates,
    PolledShipment,
    PickupFields,
  ])
  .meta({
    id: 'OperationResult',
    description:
      'The body of the request that answered 202: BatchResult of create, return and transmit, Cancellation, ReleaseResult of release-held, SendToMarketplaceResult, AddressCheck, PickupPoints, LiveRates, PolledShipment of poll, or Pickup of booking and cancelling one',
  });
