import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { SandboxPartner, SandboxWorld } from '../../sandbox/src/partner.ts';
import { type Sandbox, startSandbox } from '../../sandbox/src/server.ts';
import type {
  BookedShipment,
  Carrier,
  CarrierContext,
  FoundShipment,
  ShipmentDraft,
  ShipmentHandle,
  TrackingReport,
  TransmitResult,
} from '../../src/carriers/adapter.ts';
import type { IntegrationError } from '../../src/lib/errors.ts';
import { buildDraft } from '../support/build-draft.ts';
import { type CarrierCaller, callerOf } from '../support/call-carrier.ts';
import { type SandboxClient, sandboxClient } from '../support/sandbox-client.ts';

/** A shipment as its booking named it; the reference of the running test stands in for a missing one. */
export type Named = Omit<ShipmentHandle, 'reference'> & { reference?: string };

/** A running pretend carrier, its control side, and the adapter's methods called on it. */
export interface CarrierWorld {
  url(): string;
  control: SandboxClient;
  /** The usual account. */
  caller: CarrierCaller;
  /** Another account, or the same with something changed. */
  callerWith(overrides: Record<string, unknown>, signal?: AbortSignal): CarrierCaller;
  /** Each test ships under its own. */
  readonly reference: string;
  draftOf(overrides?: Partial<ShipmentDraft>): ShipmentDraft;
  /** A draft under another reference than all before it. */
  newDraft(overrides?: Partial<ShipmentDraft>): ShipmentDraft;
  create(draft: ShipmentDraft, by?: CarrierCaller): Promise<BookedShipment>;
  failing(draft: ShipmentDraft, by?: CarrierCaller): Promise<IntegrationError>;
  find(draft: ShipmentDraft, by?: CarrierCaller): Promise<FoundShipment | null | undefined>;
  transmit(shipment: Named, by?: CarrierCaller): Promise<TransmitResult[] | undefined>;
  cancel(shipment: Named): Promise<void>;
  failingCancel(shipment: Named, by?: CarrierCaller): Promise<IntegrationError>;
  track(shipment: Named): Promise<TrackingReport | undefined>;
  /** Oldest first. */
  statuses(shipment: Named): Promise<string[]>;
}

/** Returns the handle of a booking. */
export function handleOf({ reference }: Pick<ShipmentDraft, 'reference'>, booked: Named): ShipmentHandle {
  const { trackingNumber, carrierReference, bookedAt = null } = booked;
  return { reference, trackingNumber, carrierReference, bookedAt };
}

/**
 * Starts the pretend carrier for each test, or once for a file whose tests ship under references of their own. Its clock
 * only ever goes on.
 */
export function carrierWorld(
  carrier: Carrier,
  create: (world: SandboxWorld) => SandboxPartner,
  accountAt: (url: string) => object,
  lifetime: 'test' | 'file' = 'test',
): CarrierWorld {
  let sandbox: Sandbox;
  let control: SandboxClient;
  let usual: CarrierCaller;
  let serial = 0;
  let reference = '';
  const open = async (): Promise<void> => {
    sandbox = await startSandbox({ host: '127.0.0.1', port: 0, partners: [create] });
    control = sandboxClient(sandbox, carrier.id);
    usual = world.callerWith({});
  };
  if (lifetime === 'file') {
    beforeAll(open);
    afterAll(() => sandbox.close());
  } else {
    beforeEach(open);
    afterEach(() => sandbox.close());
  }
  const nextReference = (): string => {
    reference = `SM${String(++serial).padStart(7, '0')}`;
    return reference;
  };
  beforeEach(() => void nextReference());

  const named = (shipment: Named): ShipmentHandle => handleOf({ reference: shipment.reference ?? reference }, shipment);
  const creating = (draft: ShipmentDraft) => (one: Carrier, context: CarrierContext<unknown>) =>
    one.createShipment(context, draft);
  const cancelling = (shipment: Named) => async (one: Carrier, context: CarrierContext<unknown>) =>
    one.cancelShipment?.(context, named(shipment));
  const world: CarrierWorld = {
    url: () => `${sandbox.url}/${carrier.id}`,
    control: {
      fault: (operation, fault) => control.fault(operation, fault),
      advance: (hours) => control.advance(hours),
      ledger: (wanted) => control.ledger(wanted),
    },
    caller: {
      carrier,
      get account() {
        return usual.account;
      },
      get exchanges() {
        return usual.exchanges;
      },
      call: (run) => usual.call(run),
      fail: (run) => usual.fail(run),
    },
    callerWith: (overrides, signal) =>
      callerOf(carrier, { ...accountAt(world.url()), ...overrides }, signal ? { signal } : {}),
    get reference() {
      return reference;
    },
    draftOf: (overrides) => buildDraft({ reference, ...overrides }),
    newDraft: (overrides) => buildDraft({ reference: nextReference(), ...overrides }),
    create: (draft, by = usual) => by.call(creating(draft)),
    failing: (draft, by = usual) => by.fail(creating(draft)),
    find: (draft, by = usual) => by.call(async (one, context) => one.findByReference?.(context, draft)),
    transmit: (shipment, by = usual) =>
      by.call(async (one, context) => one.transmitShipments?.(context, [named(shipment)])),
    cancel: (shipment) => usual.call(cancelling(shipment)),
    failingCancel: (shipment, by = usual) => by.fail(cancelling(shipment)),
    track: (shipment) => usual.call(async (one, context) => one.track?.(context, named(shipment))),
    statuses: async (shipment) => {
      const events = (await world.track(shipment))?.events ?? [];
      return events.toSorted((a, b) => a.at.getTime() - b.at.getTime()).map(({ status }) => status);
    },
  };
  return world;
}
