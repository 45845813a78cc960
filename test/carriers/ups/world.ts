import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createUpsSandbox } from '../../../sandbox/src/partners/ups/index.ts';
import { startSandbox } from '../../../sandbox/src/server.ts';
import type { BookedShipment, FoundShipment, ShipmentDraft } from '../../../src/carriers/adapter.ts';
import { ups } from '../../../src/carriers/ups/index.ts';
import type { IntegrationError } from '../../../src/lib/errors.ts';
import { buildDraft } from '../../support/build-draft.ts';
import { type CarrierCaller, callerOf } from '../../support/call-carrier.ts';
import { type SandboxClient, sandboxClient } from '../../support/sandbox-client.ts';

/** One pretend UPS for all tests of a file: each ships under its own reference, and the clock only ever goes on. */
export interface UpsWorld {
  url: string;
  control: SandboxClient;
  caller: CarrierCaller;
  reference: string;
  /** Somebody else's, or the same with something changed. */
  callerWith(overrides: Record<string, unknown>): CarrierCaller;
  draftOf(overrides?: Partial<ShipmentDraft>): ShipmentDraft;
  create(draft: ShipmentDraft): Promise<BookedShipment>;
  failing(draft: ShipmentDraft): Promise<IntegrationError>;
  find(draft: ShipmentDraft): Promise<FoundShipment | null | undefined>;
  cancel(shipment: BookedShipment): Promise<void>;
  failingCancel(shipment: BookedShipment): Promise<IntegrationError>;
  /** Oldest first. */
  statuses(shipment: BookedShipment): Promise<string[]>;
}

export function upsWorld(): UpsWorld {
  const world = {} as UpsWorld;
  let serial = 0;
  let close: (() => Promise<void>) | undefined;
  const handleOf = ({ trackingNumber, carrierReference }: BookedShipment) => ({
    reference: world.reference,
    trackingNumber,
    carrierReference,
  });
  beforeAll(async () => {
    const sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: [createUpsSandbox] });
    close = () => sandbox.close();
    world.url = `${sandbox.url}/ups`;
    world.control = sandboxClient(sandbox, 'ups');
  });
  beforeEach(() => {
    world.caller = world.callerWith({});
    world.reference = `SM${String(++serial).padStart(7, '0')}`;
  });
  afterAll(() => close?.());
  return Object.assign(world, {
    callerWith: (overrides) =>
      callerOf(ups, {
        clientId: 'clientOne',
        clientSecret: 'sandbox',
        shipperNumber: 'AB1234',
        baseUrl: world.url,
        ...overrides,
      }),
    draftOf: (overrides) => buildDraft({ reference: world.reference, ...overrides }),
    create: (draft) => world.caller.call((carrier, context) => carrier.createShipment(context, draft)),
    failing: (draft) => world.caller.fail((carrier, context) => carrier.createShipment(context, draft)),
    find: (draft) => world.caller.call(async (carrier, context) => carrier.findByReference?.(context, draft)),
    cancel: (shipment) =>
      world.caller.call(async (carrier, context) => carrier.cancelShipment?.(context, handleOf(shipment))),
    failingCancel: (shipment) =>
      world.caller.fail(async (carrier, context) => carrier.cancelShipment?.(context, handleOf(shipment))),
    statuses: async (shipment) => {
      const report = await world.caller.call(async (carrier, context) => carrier.track?.(context, handleOf(shipment)));
      const events = (report?.events ?? []).toSorted((a, b) => a.at.getTime() - b.at.getTime());
      return events.map(({ status }) => status);
    },
  } satisfies Partial<UpsWorld>);
}
