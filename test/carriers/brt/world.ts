import { createBrtSandbox } from '../../../sandbox/src/partners/brt.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/src/server.ts';
import type {
  BookedShipment,
  FoundShipment,
  ShipmentDraft,
  ShipmentHandle,
  TrackingReport,
  TransmitResult,
} from '../../../src/carriers/adapter.ts';
import { brt } from '../../../src/carriers/brt/index.ts';
import { type CarrierCaller, callerOf } from '../../support/call-carrier.ts';
import { type SandboxClient, sandboxClient } from '../../support/sandbox-client.ts';

export const accountOf = ({ url }: Sandbox) => ({
  userID: '1020304',
  password: 'sandbox',
  senderCustomerCode: '1020304',
  departureDepot: '061',
  pudoToken: 'sandbox',
  baseUrl: `${url}/brt`,
  soapBaseUrl: `${url}/brt`,
});

export function handleOf({ reference }: ShipmentDraft, booked: BookedShipment): ShipmentHandle {
  const { trackingNumber, carrierReference } = booked;
  return { reference, trackingNumber, carrierReference };
}

/** A running pretend BRT, its control side, and the adapter's methods called on it. */
export interface BrtWorld {
  sandbox: Sandbox;
  control: SandboxClient;
  caller: CarrierCaller;
  create(draft: ShipmentDraft, by?: CarrierCaller): Promise<BookedShipment>;
  find(draft: ShipmentDraft, by?: CarrierCaller): Promise<FoundShipment | null | undefined>;
  transmit(handle: ShipmentHandle, by?: CarrierCaller): Promise<TransmitResult[] | undefined>;
  cancel(handle: ShipmentHandle): Promise<void>;
  track(handle: ShipmentHandle): Promise<TrackingReport | undefined>;
  statuses(handle: ShipmentHandle): Promise<string[]>;
  /** Created and confirmed, ready to move. */
  onItsWay(draft: ShipmentDraft): Promise<ShipmentHandle>;
}

export async function startBrtWorld(): Promise<BrtWorld> {
  const sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: [createBrtSandbox] });
  const caller = callerOf(brt, accountOf(sandbox));
  const world: BrtWorld = {
    sandbox,
    control: sandboxClient(sandbox, 'brt'),
    caller,
    create: (draft, by = caller) => by.call((carrier, context) => carrier.createShipment(context, draft)),
    find: (draft, by = caller) => by.call(async (carrier, context) => carrier.findByReference?.(context, draft)),
    transmit: (handle, by = caller) =>
      by.call(async (carrier, context) => carrier.transmitShipments?.(context, [handle])),
    cancel: (handle) => caller.call(async (carrier, context) => carrier.cancelShipment?.(context, handle)),
    track: (handle) => caller.call(async (carrier, context) => carrier.track?.(context, handle)),
    statuses: async (handle) => ((await world.track(handle))?.events ?? []).map((event) => event.status),
    onItsWay: async (draft) => {
      const handle = handleOf(draft, await world.create(draft));
      await world.transmit(handle);
      return handle;
    },
  };
  return world;
}
