import { z } from 'zod';
import { Count } from '../../http/schemas.ts';
import { AddressCheck, PickupPoints } from '../addresses/schemas.ts';
import { EventEndpointTest } from '../events/event-body.ts';
import { ReleaseResult } from '../held/schemas.ts';
import { ConnectionCheck, ImportRun, SendResult } from '../marketplaces/schemas.ts';
import { OrderCorrected, OrderDetail } from '../orders/schemas.ts';
import { ContractCheck } from '../partners/schemas.ts';
import { PickupFields } from '../pickups/pickup-body.ts';
import { PrintJob } from '../printers/schemas.ts';
import { LiveRates } from '../quotes/schemas.ts';
import { BatchResult } from '../shipments/schemas.ts';
import { PolledShipment } from '../tracking/schemas.ts';

const Cancellation = z.boolean().meta({
  id: 'Cancellation',
  description: 'DELETE /shipment/{id}: true once cancelled, false while the carrier has not answered',
});

/** The body of each kind of operation is that of the request which answered 202. */
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
    ConnectionCheck,
    ContractCheck,
    ImportRun,
    EventEndpointTest,
    PrintJob,
    PickupFields,
    OrderCorrected,
    OrderDetail,
  ])
  .meta({
    id: 'OperationResult',
    description:
      'The body of the request that answered 202: BatchResult of create, return and transmit, Cancellation, ReleaseResult of release-held, SendToMarketplaceResult, AddressCheck, PickupPoints, LiveRates, PolledShipment of poll, ConnectionCheck or ContractCheck of verify, ImportRun of an import, EventEndpointTest of a test, PrintJob of a print, Pickup of booking and cancelling one, OrderCorrected of a correction, or OrderDetail of cancelling an order',
  });

export const Limits = z
  .object({
    points: z
      .object({
        limit: Count.describe('Per minute'),
        left: Count,
        resetSeconds: Count.describe('Seconds until all points are there again'),
      })
      .nullable()
      .describe('A request costs one point, a batch one per element; null: no limit'),
    concurrentRequests: z
      .object({ limit: Count })
      .describe('Requests that a process works on at a time; others wait, and above 200 waiting the answer is 429'),
    share: z
      .number()
      .int()
      .describe(
        'Turns per round, 1 to 10, that the company has in the queues of carriers and shops while others wait too',
      ),
  })
  .meta({ id: 'Limits' });
